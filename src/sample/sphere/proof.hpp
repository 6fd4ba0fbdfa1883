// What points on the unit sphere prove.
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
  double closest = std::numeric_limits<double>::infinity();  // of what is asked for
  Vec3 worst;                                                // one point of that pair
  std::int64_t holes = 0;  // parts of some radii with room for another point
  Vec3 hole;
};
// `obstacles`: as There has them; their own pairs do not count.
Proved prove(double radius, ConflictRule rule, const std::vector<Point>& points,
             const std::vector<Point>& obstacles, double tolerance, Context& context);
Proved prove(const Radii& radii, ConflictRule rule, const std::vector<Point>& points,
             const std::vector<Point>& obstacles, double tolerance, Context& context);

}  // namespace dapple::sphere
