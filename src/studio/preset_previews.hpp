// Makes looks: small results of every preset for the photo.
#pragma once

#include <vector>

#include "studio/picture.hpp"
#include "studio/render_request.hpp"

namespace dapple::studio {

struct Look {
  std::string command;
  std::string preset;  // "": the command without a preset
  std::string says;
};

// Returns the presets of all commands that take a picture. The look without a preset comes first
// for each command.
std::vector<Look> looks_of_photo(Context& context);

// Turns the run into a draft that takes a tenth of the time: random dots at a minimum distance.
// Resets options for other methods and for plotting. Returns false if there is no draft.
bool make_draft(app::Run& run);

// Returns true if the run has drafts by stippling::draft_operation(). Their dots keep their places,
// unless there are very many.
bool has_lasting_drafts(const app::Run& run);

// Makes the result of a request, with its strokes, for a reduced photo. The longer side of the
// frame has `side` pixels. Uses a draft if there is one. Throws like run_of() and StrokeWeights.
Frame paint_small(const RenderRequest& request, const Image& photo, int side, Context& context);
// Makes a look for a reduced photo.
Frame paint_look(const Look& look, const Image& photo, int side, Context& context);

}  // namespace dapple::studio
