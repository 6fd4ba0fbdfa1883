// What options ask of radii, in the plane and in space. (make_field.cpp)
#pragma once

#include <cmath>

#include "dapple/context.hpp"
#include "dapple/field.hpp"

namespace dapple {

struct Radii {
  double min = 0;
  double max = 0;  // 0: no largest one
};

// Throws Error(usage) for radii that are none.
Radii radii_in_pixels(const FieldOptions& options, const Scale& scale);
// Throws Error(usage) for one radius together with a count.
void require_one(const FieldOptions& options, const Radii& radii);
// A map that asks for nothing.
[[noreturn]] void nothing_to_place(const FieldOptions& options);
[[noreturn]] void refuse_radius_map_without_range();

// Scales the field until about `count` points are to be expected, as limits bend the simple law:
// factor_of(field) says by how much, were there none.
template <class Field, class Factor>
Field scaled_to_count(Field field, Context& context, const Factor& factor_of) {
  double left = 1;  // of the time; one or two do mostly
  for (int i = 0; i < 4; ++i) {
    context.check();
    const auto part = context.part(1 - left, 1 - 0.5 * left);
    left *= 0.5;
    const double factor = factor_of(field);
    if (std::abs(factor - 1) < 0.002) break;
    field = field.scaled(factor, context);
  }
  return field;
}

}  // namespace dapple
