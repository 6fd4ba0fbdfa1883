// Defines classes of points in the plane whose radii come from one field per class (Wei 2010): the
// distances that points and places keep, and where darts may fall.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "dapple/sample.hpp"

namespace dapple::class_maps {

// Largest side of a root, in its least radii.
constexpr double most_root_edge = 8.8;
// Darts nearer than this are rejected. Distances are in double, and proofs tolerate more.
constexpr double near_radius = 1 + 1e-9;

// Bounds of the radius of a class over a box.
struct Bounds {
  double least = 0;
  double most = 0;

  bool allows() const { return most > 0; }
};

// A square of 2^-level of the domain, cut off at its border. Halves meet the edges of cells on
// which fields are constant. So a square smaller than a cell has one radius.
struct Square {
  std::int64_t x = 0, y = 0;
  int level = 0;
  std::uint64_t key = 0;

  Square child(int n) const {
    return {2 * x + (n & 1), 2 * y + (n >> 1), level + 1, hash(key, static_cast<std::uint64_t>(n))};
  }
};

// The distances that a place or point of one class has toward each class.
using Toward = std::vector<double>;

class Classes {
 public:
  // Return the kinds of fixed points without a class: with a radius of its own, and without one. A
  // point without a radius keeps the radius of the other point.
  int of_its_own() const { return static_cast<int>(count()); }
  int without_radius() const { return of_its_own() + 1; }

  // Multiplies the radii of the fields by `scale`.
  Classes(std::span<const DensityField> fields, ClassDistance distance, ConflictRule kept_rule,
          double scale);

  std::size_t count() const { return fields_.size(); }
  const Domain& domain() const { return fields_.front().domain(); }
  double scale() const { return scale_; }
  double integral() const;  // of all classes
  double integral(std::size_t class_id) const {
    return fields_[class_id].integral() / (scale_ * scale_);
  }
  double least() const { return least_; }

  // Returns the radius of a class at a place; infinite if the class is not allowed there.
  double radius(std::size_t class_id, Vec2 at) const {
    return scale_ * fields_[class_id].radius(at);
  }
  Bounds bounds(std::size_t class_id, const Box& box) const {
    const RadiusBounds found = fields_[class_id].radius_bounds(box);
    return {scale_ * found.min, scale_ * found.max};
  }
  // Sets `each` to the distances toward each class, at a place where `class_id` is allowed.
  void toward(std::size_t class_id, Vec2 at, double* each) const;
  // Sets `each` to lower bounds of toward() over a box.
  void least_toward(std::size_t class_id, const Box& box, double least, double* each) const;

  // Returns the distance that a place of a class must keep from a point of `kind`. The place has
  // the distances `each`, and the point has `other` toward the class of the place.
  double limit(std::size_t class_id, const double* each, int kind, double other) const;
  // Returns an upper bound of limit() for points of at most `other` and places of at most `most`.
  double reach(double most, double other) const;

  Box box(const Square& square) const;
  // Sets the box of a square and the bounds of its radii. Returns false if it holds no place that
  // allows the class.
  bool allows(std::size_t class_id, const Square& square, Box& box_of, Bounds& r) const {
    box_of = box(square);
    if (!(box_of.width() > 0 && box_of.height() > 0)) return false;
    r = bounds(class_id, box_of);
    return r.allows();
  }
  // Returns the squares in which a class is allowed, at most most_root_edge least radii wide.
  std::vector<Square> roots(std::size_t class_id) const;

 private:
  void toward(std::size_t class_id, const double* radii, double* each) const;

  std::span<const DensityField> fields_;
  ClassDistance distance_;
  ConflictRule kept_rule_;
  double scale_;
  double least_ = 0;
  // Sides of squares by level. Smaller squares would be too small for a double to tell apart.
  std::array<Vec2, 64> side_{};
  std::vector<std::size_t> order_;  // classes, the rarest first
  std::vector<std::size_t> upto_;   // for each class: number of classes that are not finer
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

}  // namespace dapple::class_maps
