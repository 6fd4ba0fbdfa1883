#include "studio/preset_previews.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "app/presets/presets.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "studio/stroke_weights.hpp"

namespace dapple::studio {

std::vector<Look> looks_of_photo(Context& context) {
  std::vector<Look> looks;
  const auto presets = app::all_presets(context);
  for (const Operation& operation : operations()) {
    if (operation.input != InputKind::image) continue;
    const std::string command(operation.name);
    looks.push_back({command, "", std::string(operation.summary)});
    for (const app::Preset& preset : presets) {
      if (preset.recipe.command == command) {
        looks.push_back({command, preset.name, preset.recipe.comment});
      }
    }
  }
  return looks;
}

bool make_draft(app::Run& run) {
  Option* const method = run.options.find("method");
  if (method == nullptr || method->get() != "kernel") return false;
  for (const char* name : {"regularity", "frame", "progressive", "order"}) {
    Option* const option = run.options.find(name);
    if (option == nullptr) return false;
    option->set(option->default_text);
  }
  method->set("poisson");
  run.options.find("order")->set("none");
  return true;
}

bool has_lasting_drafts(const app::Run& run) {
  return run.operation->name == "stipple" && run.options.find("method")->get() == "kernel";
}

namespace {

// Limits dots to half the number of pixels in a square; more would only look gray.
void limit_dots(app::Run& run, int side) {
  Option* const dots = run.options.find("dots");
  const int most = side * side / 2;
  if (dots == nullptr || dots->is_default() || std::stod(dots->get()) <= most) return;
  dots->set(std::to_string(most));
}

}  // namespace

Frame paint_small(const RenderRequest& request, const Image& photo, int side, Context& context) {
  const auto made = [&](bool draft) {
    app::Run run = run_of(request, context);
    if (draft) make_draft(run);
    limit_dots(run, side);
    StrokeWeights().weigh(request, run, &photo, context);
    run.input.clear();  // the photo is in memory
    return picture_of(std::move(app::make(run, &photo, context, false).result), context);
  };
  const auto drafted = [&] {
    try {
      return made(true);
    } catch (const Error& error) {
      // Some options of a preset fit only the method that a draft replaces.
      if (error.kind() != ErrorKind::usage) throw;
      return made(false);
    }
  };
  const Picture picture = drafted();
  View view;
  view.zoom = side / std::max(picture.width, picture.height);
  view.width = std::max(1, static_cast<int>(std::lround(picture.width * view.zoom)));
  view.height = std::max(1, static_cast<int>(std::lround(picture.height * view.zoom)));
  return paint(picture, view, context);
}

Frame paint_look(const Look& look, const Image& photo, int side, Context& context) {
  RenderRequest request;
  request.command = look.command;
  request.preset = look.preset;
  request.input = "photo";
  return paint_small(request, photo, side, context);
}

}  // namespace dapple::studio
