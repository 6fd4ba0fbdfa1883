// Planes made value by value, row by row on all threads: a cancel ends them between rows.
#pragma once

#include <cstddef>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Sets each value of a plane to value(i), i being its place.
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

// The same in a new plane as large as another. Each row is touched first where a cancel is seen.
template <class Value>
Plane<float> made_of(const Plane<float>& like, Context& context, const Value& value) {
  Plane<float> made = Plane<float>::unset(like.width(), like.height());
  make_again(made, context, value);
  return made;
}

}  // namespace dapple
