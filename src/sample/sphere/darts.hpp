// Darts at the unit sphere, window by window of time.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/forward.hpp"
#include "sample/sphere/cells.hpp"

namespace dapple {
enum class ConflictRule;  // dapple/sample.hpp
}

namespace dapple::sphere {

class Radii;

struct Points {
  std::vector<Vec3> at;
  std::vector<std::int32_t> window;  // in which each was settled

  std::size_t size() const { return at.size(); }
};

// Points that are there already.
struct There {
  std::vector<Vec3> own;         // of those that are made
  std::vector<Point> obstacles;  // others, anywhere in space; of r 0: of that of their place
};

// What darts leave where each is thrown uniformly over the sphere and stays unless it is too near
// an earlier one or one that is there, for ever. Deterministic in (context.seed, radius, there).
// `rule`: of obstacles with an r of their own. Throws Error(limit) where memory would not do.
Points throw_darts(double radius, ConflictRule rule, const There& there, Context& context);
// The same where r varies: darts fall at a rate of 1 / r^2.
Points throw_darts(const Radii& radii, ConflictRule rule, const There& there, Context& context);
// In the order in which they were settled, and within a window in one without place.
void order_by_windows(Points& points);

}  // namespace dapple::sphere
