// Holds the lightness of a picture, on which all preparation works.
#pragma once

#include <cstddef>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// The lightness of pixels, encoded for the eye, and a test for the pixels that count.
struct Lightness {
  Plane<float> value;  // 0..1
  Plane<float> alpha;  // may be empty

  bool counts(std::size_t i) const { return alpha.empty() || alpha.values()[i] >= 0.5f; }
};

}  // namespace dapple
