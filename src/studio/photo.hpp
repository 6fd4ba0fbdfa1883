// Aligns the photo with its picture.
#pragma once

#include "app/run/runner.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "studio/picture.hpp"

namespace dapple::studio {

// Maps a photo to its picture. `part` is the visible part of the photo, as shares of its width and
// height. `at` is the place of this part, in pixels of the picture.
struct Place {
  Box part{0, 0, 1, 1};
  Box at;
};
Place place_of(const app::Run& run, const Image& photo, const Picture& picture);

// Returns the longer side of the photo for a draft of so many dots, or 0 if that is nearly its own.
// If `dots` is 0, the number is unknown, but probably that of the dots shown.
int side_for_draft(const Image& photo, double dots, std::size_t shown);

}  // namespace dapple::studio
