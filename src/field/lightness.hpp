// The lightness of a picture, on which all of its preparation works.
#pragma once

#include <cstddef>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The lightness of pixels, encoded for the eye, and where they count.
struct Lightness {
  Plane<float> value;  // 0..1
  Plane<float> alpha;  // or none

  bool counts(std::size_t i) const { return alpha.empty() || alpha.values()[i] >= 0.5f; }
};

}  // namespace dapple
