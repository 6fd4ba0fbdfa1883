// The photo beside what is made of it.
#pragma once

#include "app/run/runner.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "studio/picture.hpp"

namespace dapple::studio {

// Where a photo lies in a picture of it: the part of the photo that is shown, as shares of its
// width and height, and where that is, in pixels of the picture.
struct Place {
  Box part{0, 0, 1, 1};
  Box at;
};
Place place_of(const app::Run& run, const Image& photo, const Picture& picture);

// The photo, no side longer than that.
Image reduced(const Image& photo, int side, Context& context);

}  // namespace dapple::studio
