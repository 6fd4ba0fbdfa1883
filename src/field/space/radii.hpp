// What options ask of radii, in the plane and in space. (make_field.cpp)
#pragma once

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

}  // namespace dapple
