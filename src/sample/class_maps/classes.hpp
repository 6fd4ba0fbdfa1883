// Classes of points in the plane whose radii come from a field of each (Wei 2010): how far points
// and places hold each other off, and where darts may fall.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "dapple/sample.hpp"

namespace dapple::mixed {

// Roots are at most so many of their least radius a side.
constexpr double most_root_edge = 8.8;
// Distances are compared in double: darts are refused nearer than this, and proofs take it too.
constexpr double near_radius = 1 + 1e-9;

// Of a class over a box.
struct Bounds {
  double least = 0;
  double most = 0;

  bool allows() const { return most > 0; }
};

// A square of 2^-level of the domain, cut off at its border: halves meet the edges of the cells on
// which fields are constant, so what is smaller than these has one radius.
struct Square {
  std::int64_t x = 0, y = 0;
  int level = 0;
  std::uint64_t key = 0;

  Square child(int n) const {
    return {2 * x + (n & 1), 2 * y + (n >> 1), level + 1, hash(key, static_cast<std::uint64_t>(n))};
  }
};

// How a place or point of one class meets others: what it has toward each class.
using Toward = std::vector<double>;

class Classes {
 public:
  // What holds others off beside the classes: a kept point without a class, by its own radius; and
  // one that has none either, by that of the others.
  int of_its_own() const { return static_cast<int>(count()); }
  int without_radius() const { return of_its_own() + 1; }

  // Radii are those of the fields times `scale`.
  Classes(std::span<const DensityField> fields, ClassDistance distance, ConflictRule kept_rule,
          double scale);

  std::size_t count() const { return fields_.size(); }
  const Domain& domain() const { return fields_.front().domain(); }
  double scale() const { return scale_; }
  double integral() const;
  double least() const { return least_; }

  // Infinite where nothing of the class may be placed.
  double radius(std::size_t class_id, Vec2 at) const {
    return scale_ * fields_[class_id].radius(at);
  }
  Bounds bounds(std::size_t class_id, const Box& box) const {
    const RadiusBounds found = fields_[class_id].radius_bounds(box);
    return {scale_ * found.min, scale_ * found.max};
  }
  // At a place where the class may be placed.
  void toward(std::size_t class_id, Vec2 at, double* each) const;
  // Below what any place of the box has.
  void least_toward(std::size_t class_id, const Box& box, double least, double* each) const;

  // How near a place of a class, with what it has toward each, may not be to a point of `kind`,
  // which has `other` toward the class of the place.
  double limit(std::size_t class_id, const double* each, int kind, double other) const;
  // At least as much, for points that have at most `other`, round places of at most `most`.
  double reach(double most, double other) const;

  Box box(const Square& square) const;
  // The squares of a class on which r is nearly one, or that are small beside it.
  std::vector<Square> roots(std::size_t class_id) const;

 private:
  void toward(std::size_t class_id, const double* radii, double* each) const;

  std::span<const DensityField> fields_;
  ClassDistance distance_;
  ConflictRule kept_rule_;
  double scale_;
  double least_ = 0;
  // Of squares by level: beyond the last they would be smaller than a double can tell apart.
  std::array<Vec2, 64> side_{};
  std::vector<std::size_t> order_;  // classes, the rarest first
  std::vector<std::size_t> upto_;   // of each, how many are not finer
};

inline double Classes::limit(std::size_t class_id, const double* each, int kind,
                             double other) const {
  if (kind >= of_its_own()) {
    const double own = each[class_id];
    return kind == of_its_own() ? conflict_distance(kept_rule_, own, other) : own;
  }
  const double own = each[kind];
  if (static_cast<std::size_t>(kind) == class_id) return 0.5 * (own + other);
  if (distance_ == ClassDistance::min) return std::min(own, other);
  return reach(own, other);
}

inline double Classes::reach(double most, double other) const {
  return distance_ == ClassDistance::max ? std::max(most, other) : 0.5 * (most + other);
}

inline Box Classes::box(const Square& square) const {
  const Vec2 side = side_[static_cast<std::size_t>(square.level)];
  const Domain& all = domain();
  return {std::min(all.width, static_cast<double>(square.x) * side.x),
          std::min(all.height, static_cast<double>(square.y) * side.y),
          std::min(all.width, static_cast<double>(square.x + 1) * side.x),
          std::min(all.height, static_cast<double>(square.y + 1) * side.y)};
}

}  // namespace dapple::mixed
