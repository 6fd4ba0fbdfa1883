// Throws darts at the unit sphere, one time window after another.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "sample/sphere/cells.hpp"

namespace dapple {
enum class ConflictRule;  // dapple/sample.hpp
}

namespace dapple::sphere {

class LatLongRadius;

struct Sampled {
  std::vector<Vec3> at;
  std::vector<std::int32_t> window;  // window in which each point was accepted

  std::size_t size() const { return at.size(); }
};

// Sampled that exist before darts are thrown.
struct There {
  std::vector<Vec3> own;         // earlier points of the same set
  std::vector<Point> obstacles;  // fixed points, anywhere in space; r = 0: the r of their place
};

// Returns the points that endless uniform darts leave on the sphere. A dart stays unless it is too
// near an earlier dart or a point of `there`. `rule` is for obstacles with an r of their own.
// Depends only on (context.seed, radius, there). Throws Error(limit) if memory is too small.
Sampled throw_darts(double radius, ConflictRule rule, const There& there, Context& context);
// As above, but r varies, and darts fall at a rate of 1 / r^2.
Sampled throw_darts(const LatLongRadius& radii, ConflictRule rule, const There& there,
                    Context& context);
// Sorts points by window. Within a window the order does not depend on the positions.
void order_by_windows(Sampled& points);

}  // namespace dapple::sphere
