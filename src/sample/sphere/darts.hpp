// Darts at the unit sphere, window by window of time.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/mesh.hpp"

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

// What darts leave where each is thrown uniformly over the sphere and stays unless it is too near
// an earlier one or a kept point, for ever. Deterministic in (context.seed, radius, kept). Throws
// Error(limit) where memory would not do.
Points throw_darts(double radius, const std::vector<Vec3>& kept, Context& context);
// The same where r varies: darts fall at a rate of 1 / r^2.
Points throw_darts(const Radii& radii, ConflictRule rule, const std::vector<Vec3>& kept,
                   Context& context);
// In the order in which they were settled, and within a window in one without place.
void order_by_windows(Points& points);

}  // namespace dapple::sphere
