// Computes the distances that points of classes keep if the radius of each class depends on the
// place (Wei 2010).
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

#include "dapple/sample.hpp"

namespace dapple::class_maps {

// Darts nearer than this are rejected. Distances are in double, and proofs tolerate more.
constexpr double near_radius = 1 + 1e-9;

// The distances that a place or point of one class has toward each class.
using Toward = std::vector<double>;

// How two radii make a distance.
struct Rules {
  ClassDistance distance = ClassDistance::density;  // of different classes
  ConflictRule same = ConflictRule::mean;           // of one class; not candidate
  ConflictRule fixed = ConflictRule::mean;          // for fixed points with radii of their own
};

class Distances {
 public:
  // `integrals`: of 1 / r^dimensions of each class over the whole space.
  Distances(std::span<const double> integrals, std::size_t dimensions, const Rules& rules);

  std::size_t count() const { return upto_.size(); }
  // Return the kinds of fixed points without a class: with a radius of its own, and without one. A
  // point without a radius keeps the radius of the other point.
  int of_its_own() const { return static_cast<int>(count()); }
  int without_radius() const { return of_its_own() + 1; }

  // Returns the distance that a place of a class must keep from a point of `kind`. The place has
  // the distances `each`, and the point has `other` toward the class of the place.
  double limit(std::size_t class_id, const double* each, int kind, double other) const;
  // Returns an upper bound of limit() for points of at most `other` and places of at most `most`.
  double reach(double most, double other) const {
    const bool takes_larger =
        rules_.distance == ClassDistance::max || rules_.same == ConflictRule::max;
    return takes_larger ? std::max(most, other) : 0.5 * (most + other);
  }
  // Returns an upper bound of limit() also for fixed points.
  double farthest(double most, int kind, double other) const {
    return kind >= of_its_own() ? std::max(most, other) : reach(most, other);
  }

 protected:
  // Returns true if toward() needs the radii of all classes.
  bool depends_on_all() const { return rules_.distance == ClassDistance::density && count() > 1; }
  // Sets `each` to the distances toward each class, at a place with these radii.
  void toward(std::size_t class_id, const double* radii, double* each) const;

 private:
  std::size_t dimensions_;
  Rules rules_;
  std::vector<std::size_t> order_;  // classes, the rarest first
  std::vector<std::size_t> upto_;   // for each class: number of classes that are not finer
};

inline double Distances::limit(std::size_t class_id, const double* each, int kind,
                               double other) const {
  if (kind >= of_its_own()) {
    const double own = each[class_id];
    return kind == of_its_own() ? conflict_distance(rules_.fixed, own, other) : own;
  }
  const double own = each[kind];
  if (static_cast<std::size_t>(kind) == class_id) return conflict_distance(rules_.same, own, other);
  if (rules_.distance == ClassDistance::min) return std::min(own, other);
  if (rules_.distance == ClassDistance::max) return std::max(own, other);
  return 0.5 * (own + other);
}

}  // namespace dapple::class_maps
