// Proves distances and coverage of points on the unit sphere.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "dapple/forward.hpp"
#include "sample/sphere/cells.hpp"

namespace dapple {
enum class ConflictRule;  // dapple/sample.hpp
}

namespace dapple::sphere {

class Radii;

struct Proved {
  std::int64_t violations = 0;
  double closest = std::numeric_limits<double>::infinity();  // distance / required distance
  Vec3 worst;                                                // one point of the closest pair
  std::int64_t holes = 0;  // parts, some radii wide, with room for another point
  Vec3 hole;
};
// `obstacles`: as in There. Their own pairs do not count.
Proved prove(double radius, ConflictRule rule, const std::vector<Point>& points,
             const std::vector<Point>& obstacles, double tolerance, Context& context);
Proved prove(const Radii& radii, ConflictRule rule, const std::vector<Point>& points,
             const std::vector<Point>& obstacles, double tolerance, Context& context);

}  // namespace dapple::sphere
