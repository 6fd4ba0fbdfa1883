// Looks: what every preset makes of the photo, small.
#pragma once

#include <vector>

#include "studio/picture.hpp"
#include "studio/wish.hpp"

namespace dapple::studio {

struct Look {
  std::string command;
  std::string preset;  // "": the command as it is
  std::string says;
};

// The presets of all commands that make something of a picture, each command as it is first.
std::vector<Look> looks_of_photo();

// Turns the run into a draft of a tenth of the time: dots at random that keep apart. What is about
// other methods, and the way of the pen, does not matter to it. False where there is none.
bool make_draft(app::Run& run);

// Whether a run has drafts of stippling::draft_operation(): their dots stay where they lie, unless
// they are very many.
bool has_lasting_drafts(const app::Run& run);

// What a wish makes of its photo that was made small, with its strokes, drawn so that its longer
// side has so many pixels. A draft where there is one. Throws as run_of() and Weigher do.
Frame paint_small(const Wish& wish, const Image& photo, int side, Context& context);
// A look at such a photo.
Frame paint_look(const Look& look, const Image& photo, int side, Context& context);

}  // namespace dapple::studio
