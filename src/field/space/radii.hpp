// Reads the radii of options, in the plane and in space (implemented in make_field.cpp).
#pragma once

#include <cmath>

#include "dapple/context.hpp"
#include "dapple/field.hpp"

namespace dapple {

struct RadiusRange {
  double min = 0;
  double max = 0;  // 0: no largest radius
};

// Throws Error(usage) for invalid radii.
RadiusRange radii_in_pixels(const FieldOptions& options, const Scale& scale);
// Throws Error(usage) for one radius together with a count.
void require_one(const FieldOptions& options, const RadiusRange& radii);
// Throws Error(input) for a map that yields no points.
[[noreturn]] void nothing_to_place(const FieldOptions& options);
[[noreturn]] void refuse_radius_map_without_range();

// Scales the field until about `count` points are expected. factor_of(field) returns the factor
// that would be right without limits; repeating corrects for the limits.
template <class Field, class Factor>
Field scaled_to_count(Field field, Context& context, const Factor& factor_of) {
  double left = 1;  // of the time; mostly one or two steps suffice
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
