// The lightness of a picture, on which all of its preparation works.
#pragma once

#include <cstddef>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// A plane as large as another, each value by its place in it.
template <class Value>
Plane<float> made_of(const Plane<float>& like, Context& context, const Value& value) {
  Plane<float> made = Plane<float>::unset(like.width(), like.height());
  const auto width = static_cast<std::size_t>(like.width());
  parallel_for(
      context, static_cast<std::size_t>(like.height()),
      [&](std::size_t y) {
        for (std::size_t i = y * width; i < (y + 1) * width; ++i) made.values()[i] = value(i);
      },
      16);
  return made;
}

// The lightness of pixels, encoded for the eye, and where they count.
struct Lightness {
  Plane<float> value;  // 0..1
  Plane<float> alpha;  // or none

  bool counts(std::size_t i) const { return alpha.empty() || alpha.values()[i] >= 0.5f; }
};

}  // namespace dapple
