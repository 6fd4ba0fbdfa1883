// Checks points of a sphere, and moves them between the sphere and the unit sphere.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "sample/sphere/cells.hpp"

namespace dapple {
struct FixedPoints;  // dapple/sample_options.hpp
}

namespace dapple::sphere {

// Throws Error(usage) for a radius of a sphere that is out of range.
void require_sphere(double radius);
// Throws Error(input) for points that are not on the sphere.
void require_on_sphere(const Points& points, double sphere);
// Returns the fixed points in the frame of the unit sphere. Throws Error(input) for points without
// z or far from the sphere.
std::vector<Point> obstacles_of(const FixedPoints& kept, double sphere);
// Adds a place of the unit sphere to points of a sphere, with its direction.
void add_direction(Points& points, const Vec3& direction, double sphere);

}  // namespace dapple::sphere
