// Proves distances and coverage of points on the unit sphere.
#pragma once

#include <vector>

#include "dapple/certificate.hpp"
#include "dapple/forward.hpp"
#include "sample/sphere/cells.hpp"

namespace dapple {
enum class ConflictRule;  // dapple/sample.hpp
}

namespace dapple::sphere {

class LatLongRadius;

// Places are those of the unit sphere. `obstacles`: their own pairs do not count.
Certificate prove(double radius, ConflictRule rule, const std::vector<Point>& points,
                  const std::vector<Point>& obstacles, double tolerance, Context& context);
Certificate prove(const LatLongRadius& radii, ConflictRule rule, const std::vector<Point>& points,
                  const std::vector<Point>& obstacles, double tolerance, Context& context);

}  // namespace dapple::sphere
