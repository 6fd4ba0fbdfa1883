// Fills planes value by value, row by row on all threads. A cancel ends the work between rows.
#pragma once

#include <cstddef>

#include "core/parallel.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Sets each value of a plane to value(i), where i is its index.
template <class Value>
void make_again(Plane<float>& plane, Context& context, const Value& value) {
  const auto width = static_cast<std::size_t>(plane.width());
  parallel_for(
      context, static_cast<std::size_t>(plane.height()),
      [&](std::size_t y) {
        for (std::size_t i = y * width; i < (y + 1) * width; ++i) plane.values()[i] = value(i);
      },
      16);
}

// As above, but fills a new plane as large as `like`. Its memory is first touched row by row.
template <class Value>
Plane<float> made_of(const Plane<float>& like, Context& context, const Value& value) {
  Plane<float> made = Plane<float>::unset(like.width(), like.height());
  make_again(made, context, value);
  return made;
}

inline Plane<float> copied(const Plane<float>& plane, Context& context) {
  return made_of(plane, context, [&](std::size_t i) { return plane.values()[i]; });
}

// Returns a plane for code that does not set values row by row. The system provides memory at the
// first touch, which takes longer than many passes. This goes by rows, so that a cancel ends it.
inline Plane<float> touched(int width, int height, Context& context) {
  constexpr int page = 1024;  // values
  Plane<float> plane = Plane<float>::unset(width, height);
  parallel_for(
      context, static_cast<std::size_t>(height),
      [&](std::size_t y) {
        float* row = plane.row(static_cast<int>(y));
        for (int x = 0; x < width; x += page) row[x] = 0;
      },
      256);
  return plane;
}

}  // namespace dapple
