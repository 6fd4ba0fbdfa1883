// Checks the promises that every point set keeps.
#include "dapple/points.hpp"

#include "core/doors.hpp"
#include "dapple/error.hpp"

namespace dapple {

void PointSet::append(const PointSet& other, std::size_t i) {
  const auto copy = [i](const auto& from, auto& to) {
    if (!from.empty()) to.push_back(from[i]);
  };
  copy(other.x, x);
  copy(other.y, y);
  copy(other.z, z);
  copy(other.height, height);
  copy(other.w, w);
  copy(other.radius, radius);
  copy(other.klass, klass);
  copy(other.rank, rank);
  copy(other.id, id);
  copy(other.object_size, object_size);
  copy(other.rotation, rotation);
}

void validate(const PointSet& points) {
  require_lengths(points);
  const std::size_t n = points.size();
  // One pass over the places where all is well.
  // A comparison with NaN is false: contains() refuses it.
  bool inside = true;
  for (std::size_t i = 0; i < n; ++i) inside = inside & points.domain.contains(points[i]);
  if (inside && points.z.empty() && points.w.empty() && points.radius.size() == n) return;
  require_columns(points);
  if (points.radius.size() != n) {
    throw Error(ErrorKind::input, "column r has 0 values for " + std::to_string(n) + " points");
  }
  require_inside(points);
}

}  // namespace dapple
