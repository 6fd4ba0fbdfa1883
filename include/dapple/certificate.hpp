// Declares the proof of a set of points, which has one form for all spaces.
#pragma once

#include <cstdint>
#include <limits>

#include "dapple/geometry.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

// A place in a space of 2, 3 or 4 dimensions. The coordinates beyond them are 0.
struct Place {
  double x = 0, y = 0, z = 0, w = 0;

  Place() = default;
  Place(double px, double py, double pz = 0, double pw = 0) : x(px), y(py), z(pz), w(pw) {}
  Place(const Vec2& at) : x(at.x), y(at.y) {}
  Place(const Vec3& at) : x(at.x), y(at.y), z(at.z) {}
  Vec3 xyz() const { return {x, y, z}; }
  friend bool operator==(const Place& a, const Place& b) = default;
};

// The result of certify(), certify_volume(), certify_inside(), certify_sphere() and
// certify_classes(). Distances are computed in double, and coverage by bounds over parts of the
// space.
struct Certificate {
  // Pairs nearer than the rule allows (candidate: nearer than the lesser r), and points of class
  // maps and r(x) where none is allowed. Pairs of fixed points do not count.
  std::int64_t violations = 0;
  // Least distance of a pair / required distance; infinite without pairs.
  double closest = std::numeric_limits<double>::infinity();
  // One point of that pair. Only proofs of one map, of meshes and of spheres set it.
  Place worst_pair_place = {};
  std::int64_t holes = 0;       // parts of the space with room for a point; of one map at most 1
  Place hole_place = {};        // a place in the first hole
  std::int32_t hole_class = 0;  // a class that has room there
  // The largest distance to the nearest point / required distance there, for points of one map. It
  // is an upper bound, 1e-3 sharp.
  double hole = 0;
  // In a solid: the points outside, and its volume by columns through it, within a few thousandths.
  // In regions: the points outside their region.
  std::int64_t outside = 0;
  double volume = 0;
  std::int64_t miscounted = 0;  // regions with another number of points than required

  // Returns true if no part of the space has room for another point.
  bool maximal() const { return holes == 0; }
};

}  // namespace dapple
