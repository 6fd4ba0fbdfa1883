#include "studio/hello_message.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "app/error_text.hpp"
#include "app/help/schema.hpp"
#include "app/presets/presets.hpp"
#include "app/run/outputs.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::studio {
namespace {

using app::Json;
namespace fs = std::filesystem;

Json formats_of(const Operation& operation) {
  Json formats = Json::array();
  const auto add = [&](std::initializer_list<const char*> extensions) {
    for (const char* extension : extensions) {
      if (std::find(formats.begin(), formats.end(), extension) == formats.end()) {
        formats.push_back(extension);
      }
    }
  };
  if (operation.makes_drawing) add({"svg", "pdf", "hpgl", "dxf", "gcode"});
  if (operation.makes_image || operation.makes_drawing) add({"png", "tif", "exr"});
  if (operation.makes_points) add({"csv", "ply", "json", "npy", "svg", "png"});
  return formats;
}

Json schema_of(const Operation& operation) {
  app::Run run(operation);
  document_rules(operation.pairs, run.options);
  Json object{{"name", operation.name},
              {"summary", operation.summary},
              {"needsPicture", operation.input == InputKind::image},
              {"formats", formats_of(operation)},
              {"hasTones", operation.measured == Measured::stippling},
              {"options", Json::array()}};
  for (const auto& option : run.options) {
    object["options"].push_back(app::schema_of(*option, &operation));
  }
  std::uint64_t seed = 1;
  OptionList list;
  list.group("Chance");
  list.add("seed", seed, "Random seed; another number gives other points of the same quality")
      .essential();
  object["options"].push_back(app::schema_of(**list.begin(), &operation));
  return object;
}

}  // namespace

Json values_of(const app::Run& run, std::uint64_t seed) {
  Json values = Json::object();
  for (const auto& option : run.options) values[option->name] = option->get();
  values["seed"] = std::to_string(seed);
  return values;
}

Json presets_json(const fs::path& looks, Context& context) {
  Json presets = Json::array();
  for (const app::Preset& preset : app::all_presets(context)) {
    Json settings = Json::object();
    for (const auto& setting : preset.recipe.settings) settings[setting.name] = setting.text;
    if (preset.recipe.has_seed) settings["seed"] = std::to_string(preset.recipe.seed);
    presets.push_back({{"name", preset.name},
                       {"command", preset.recipe.command},
                       {"says", preset.recipe.comment},
                       {"own", app::is_own(preset, looks)},
                       {"settings", std::move(settings)}});
  }
  return presets;
}

Json greeting(const RenderRequest& first, const std::string& folder,
              const std::vector<std::string>& photos, const fs::path& looks) {
  Context context;
  Json object{{"type", "hello"},           {"input", fs::path(first.input).filename().string()},
              {"folder", folder},          {"command", first.command},
              {"preset", first.preset},    {"settings", first.settings},
              {"commands", Json::array()}, {"presets", presets_json(looks, context)},
              {"photos", Json::array()},   {"warnings", context.warnings()}};
  for (const std::string& photo : photos) {
    object["photos"].push_back(fs::path(photo).filename().string());
  }
  for (const Operation& operation : operations()) {
    if (operation.make != nullptr) object["commands"].push_back(schema_of(operation));
  }
  return object;
}

}  // namespace dapple::studio
