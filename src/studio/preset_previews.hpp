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

// Returns the presets of all commands that take a picture. Each command comes first without a
// preset.
std::vector<Look> looks_of_photo();

// Turns the run into a draft with a tenth of the time: random dots at a minimum distance. Options
// for other methods and for plotting are reset. Returns false if no draft exists.
bool make_draft(app::Run& run);

// Returns true if the run has drafts of stippling::draft_operation(). Their dots keep their places
// unless there are very many.
bool has_lasting_drafts(const app::Run& run);

// Makes the result of a request, with its strokes, for a photo that was made small. The longer side
// of the frame has `side` pixels. Uses a draft if there is one. Throws like run_of() and
// StrokeWeights.
Frame paint_small(const RenderRequest& request, const Image& photo, int side, Context& context);
// Makes a look at such a photo.
Frame paint_look(const Look& look, const Image& photo, int side, Context& context);

}  // namespace dapple::studio
