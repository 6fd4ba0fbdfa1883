// Reads radii in the unit of a mesh or of a sphere from options.
#pragma once

#include <cstdint>
#include <variant>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "dapple/plane.hpp"
#include "dapple/radii.hpp"
#include "dapple/units.hpp"

namespace dapple {

struct PointsOptions;  // dapple/sample.hpp

// The shape whose unit lengths have: a mesh, or a sphere, by its radius.
using UnitShape = std::variant<const Mesh*, double>;

// Returns a length in the unit of the shape. Throws Error(usage) that names the option for a
// physical length without a physical unit.
double in_units_of(const UnitShape& shape, const Length& length, const char* option);

// Either one radius or a number of points.
struct Wanted {
  double radius = 0;
  std::int64_t count = 0;
};
// Throws Error(usage) for a range of radii, with `unless` at the end of the sentence, and for both
// a radius and a count.
Wanted wanted_of(const PointsOptions& options, const UnitShape& shape, const char* unless);
// Returns the number of points, which may come with a range of radii; 0 if only radii are given.
std::int64_t count_asked(const PointsOptions& options);

// Returns the radii that a map or options.radius_from chooses from a range.
SurfaceRadius varying_radius(const Mesh& mesh, const Image* map, const PointsOptions& options,
                             Context& context);
// Returns radii from a lat-long map.
SurfaceRadius radius_round_sphere(const Image& map, const PointsOptions& options, Context& context);

}  // namespace dapple
