#include "app/presets/embedded_recipe.hpp"

#include <algorithm>
#include <array>
#include <filesystem>

#include "app/arguments.hpp"
#include "app/certificate.hpp"
#include "app/error_text.hpp"
#include "app/metadata.hpp"
#include "app/presets/settings.hpp"
#include "app/run/outputs.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"
#include "dapple/version.hpp"
#include "io/scenes/instances.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

constexpr std::int64_t file_limit = std::int64_t{1} << 32;

}  // namespace

Origin origin_of(const std::string& path, Context& context) {
  if (is_certificate(path)) {
    const CertificateFacts facts = read_certificate(path);
    return {facts.recipe, facts.frame, 0, "", "", facts.file, facts.sha256};
  }
  // .json and .ply point files carry the recipe too; other point formats have it in a sidecar.
  const std::string extension = extension_of(path);
  const auto metadata = is_scene_format(extension)
                            ? scene_metadata(read_file(path, file_limit, context))
                        : is_point_format(extension) ? read_points(path, context).metadata
                                                     : read_metadata(path, context);
  for (const auto& [key, text] : metadata) {
    if (key == unconfined_key) context.warn(path + text);
  }
  const std::string* const recipe = recipe_in(metadata);
  if (recipe == nullptr) {
    throw Error(ErrorKind::input,
                "carries no recipe: dapple did not make it, or another program has saved it since",
                path);
  }
  Origin origin{*recipe, -1, 0, "", "", path, ""};
  for (const auto& [key, text] : metadata) {
    if (key == part_key) origin.part = text;
    if (key == output_key) origin.only = text;
    if (key != frame_key && key != udim_key) continue;
    std::string_view digits = text;
    take_number(digits, key == frame_key ? origin.frame : origin.tile);
  }
  return origin;
}

bool carries_recipe(const std::string& path) {
  constexpr std::array<std::string_view, 9> pictures{"svg", "pdf", "dxf",  "gcode", "nc",
                                                     "png", "tif", "tiff", "exr"};
  const std::string extension = extension_of(path);
  return std::find(pictures.begin(), pictures.end(), extension) != pictures.end() ||
         is_certificate(path) || is_point_format(extension) || is_scene_format(extension);
}

std::string place_of(const std::string& name, const std::string& recorded, std::string_view given,
                     const std::string& file, const std::string& flag) {
  if (given == "-") return "-";
  if (given.empty() && recorded == "-") {
    throw Error(ErrorKind::input,
                "its " + name + " came from standard input: name a file with " + flag, file);
  }
  const fs::path beside = fs::path(file).parent_path() / fs::path(recorded).filename();
  const std::string path =
      given.empty() ? (fs::path(".") / beside).generic_string() : std::string(given);
  for (const std::string& part : frame_files(path)) {
    // A symbolic link could lead out of the folder.
    std::error_code ignored;
    const auto status =
        given.empty() ? fs::symlink_status(part, ignored) : fs::status(part, ignored);
#ifdef _WIN32
    const bool is_file = fs::is_regular_file(status) && (!given.empty() || !is_link(part));
#else
    const bool is_file = fs::is_regular_file(status);
#endif
    if (is_file) continue;
    throw Error(ErrorKind::input,
                (fs::exists(status) ? "is not a regular file" : "does not exist") +
                    std::string(": the recipe of '") + file + "' needs it; name it with " + flag,
                part);
  }
  return path;
}

bool moves_a_machine(const std::vector<std::string>& outputs) {
  return std::any_of(outputs.begin(), outputs.end(), [](const std::string& path) {
    return extension_of(path) == "gcode" || extension_of(path) == "nc";
  });
}

std::string machine_commands(const OptionList& options) {
  std::string commands;
  for (const auto& option : options) {
    const bool acts = option->meta == "COMMANDS" || option->name == "laser-mode";
    if (!acts || option->is_default()) continue;
    commands += (commands.empty() ? "" : "; ") + option->name + " = " + option->get();
  }
  return commands;
}

Problem untrusted_commands(const std::string& option, const std::string& commands) {
  return {option, "contains machine commands (" + commands +
                      "): if you trust them, print the recipe with `dapple reproduce "
                      "--print-recipe` and use that file"};
}

void take_carried(const std::string& file, const std::vector<std::string>& given, Run& run,
                  std::uint64_t* seed, Context& context) {
  const auto is_given = [&](std::string_view name) {
    return std::find(given.begin(), given.end(), name) != given.end();
  };
  const std::string where = file + " (its recipe)";
  Recipe recipe = parse_recipe(origin_of(file, context).recipe, where);
  recipe.has_seed = true;  // the recipe contains the default seed too
  if (!recipe.version.empty() && recipe.version != DAPPLE_VERSION) {
    context.warn("the recipe of " + file + " was made by dapple " + recipe.version +
                 ", but this is " + DAPPLE_VERSION + ": the bytes may differ");
  }
  if (is_given("input")) {
    recipe.input.clear();
  } else if (!recipe.input.empty()) {
    recipe.input = place_of("input", recipe.input, "", file, "the INPUT argument");
  }
  run.recipes.push_back(file);
  take_recipe(recipe, "recipe of '" + file + "'", where, run, seed);
  std::vector<Problem> problems;
  for (const Recipe::Setting& setting : recipe.settings) {
    Option* const option = run.options.find(setting.name);
    if (option == nullptr || !option->names_file() || is_given(option->name)) continue;
    attempt(problems, [&] {
      option->name_files([&](const Option::File& one) {
        const std::string flag =
            "--" + option->name + (one.key == option->name ? " PATH" : " " + option->meta);
        return place_of(one.key, one.path, "", file, flag);
      });
    });
  }
  if (!problems.empty()) throw Error(ErrorKind::input, problems);
}

}  // namespace dapple::app
