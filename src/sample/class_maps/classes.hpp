// Adds radii by place to the distances of classes. A ground tells darts, proofs and orders about
// the space, and about the radii on it:
//     dimensions, coordinates          of the space, and of its places
//     At                               a place: its coordinates, or more for coordinates_of(at)
//     Sheet, sheet_of(at), affects(sheet, at), affects(sheet, region)   OneSheet, unless points
//                                      on opposite sides of a wall ignore each other
//     Cell, Region                     a part of the space as it is kept, and as tests need it
//     widest_root                      the largest cell to begin with, in radii
//     class_count(), least(), integral(c), radius(c, place)   as of a field; infinite: no points
//     frame()                          a box around all places, which may wrap
//     wholes(), region(cell)           cells of the whole space, and the place of a cell
//     bounds(c, cell, region)          bounds of the radius; none: {infinite, 0}
//     any_part(cell, body)             calls body(part) until one returns true
//     extent(region), mean(cell, region, rate, r)   its width, and the darts that it expects
//     is_in_ball(region, place, square), square_distance(region, place), around(region)
//     draw(cell, region, random), middle(cell, region)
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "core/random.hpp"
#include "dapple/volume_field.hpp"
#include "sample/class_maps/distances.hpp"
#include "sample/class_shares.hpp"

namespace dapple::class_maps {

template <std::size_t D>
using Coordinates = std::array<double, D>;

// A box along the axes.
template <std::size_t D>
struct Bounds {
  Coordinates<D> low, high;
};

// A box around a space. If it wraps, it is the whole space, a torus.
template <std::size_t D>
struct Frame {
  Coordinates<D> low, side;
  bool wrap = false;
};

// Returns the squared distance of a place from a box.
template <std::size_t D>
double square_gap(const Coordinates<D>& at, const Bounds<D>& box) {
  double sum = 0;
  for (std::size_t a = 0; a < D; ++a) {
    const double gap = std::max({0.0, box.low[a] - at[a], at[a] - box.high[a]});
    sum += gap * gap;
  }
  return sum;
}

template <std::size_t D>
double square_distance(const Coordinates<D>& a, const Coordinates<D>& b) {
  double sum = 0;
  for (std::size_t i = 0; i < D; ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

template <std::size_t D>
const Coordinates<D>& coordinates_of(const Coordinates<D>& at) {
  return at;
}

// The sheet of a ground on which all points affect each other.
struct OneSheet {
  struct Sheet {};
  template <class At>
  static Sheet sheet_of(const At&) {
    return {};
  }
  template <class Where>
  static bool affects(Sheet, const Where&) {
    return true;
  }
};

// Points of classes and their places.
template <class Ground>
struct Placed {
  std::vector<typename Ground::At> at;
  std::vector<std::int32_t> class_id;

  std::size_t size() const { return at.size(); }
};

template <class Ground>
class Classes : public Distances {
 public:
  using At = typename Ground::At;
  using Cell = typename Ground::Cell;
  using Region = typename Ground::Region;

  // Multiplies the radii of the ground by `scale`. Keeps a reference to it.
  Classes(const Ground& ground, const Rules& rules, double scale)
      : Distances(integrals_of(ground), Ground::dimensions, rules),
        ground_(ground),
        scale_(scale) {}

  const Ground& ground() const { return ground_; }
  double scale() const { return scale_; }
  double least() const { return scale_ * ground_.least(); }
  // Return the integral of 1 / r^D of a class, and of all classes together.
  double integral(std::size_t class_id) const { return ground_.integral(class_id) / content(); }
  double integral() const {
    double sum = 0;
    for (std::size_t c = 0; c < count(); ++c) sum += ground_.integral(c);
    return sum / content();
  }

  // Returns the radius of a class at a place; infinite if the class is not allowed there.
  double radius(std::size_t class_id, const At& at) const {
    return scale_ * ground_.radius(class_id, at);
  }
  // Sets the region of a cell and the bounds of its radii. Returns false if it holds no place that
  // allows the class.
  bool allows(std::size_t class_id, const Cell& cell, Region& region, RadiusBounds& r) const {
    region = ground_.region(cell);
    const RadiusBounds found = ground_.bounds(class_id, cell, region);
    r = {scale_ * found.min, scale_ * found.max};
    return r.max > 0;
  }
  // Sets `each` to the distances toward each class, at a place where `class_id` is allowed.
  void toward(std::size_t class_id, const At& at, double* each) const {
    if (!depends_on_all()) {
      std::fill_n(each, count(), radius(class_id, at));
      return;
    }
    std::array<double, most_classes> radii;
    for (std::size_t c = 0; c < count(); ++c) radii[c] = radius(c, at);
    Distances::toward(class_id, radii.data(), each);
  }
  // Sets `each` to lower bounds of toward() over a cell whose own radius is at least `least`.
  void least_toward(std::size_t class_id, const Cell& cell, const Region& region, double least,
                    double* each) const {
    if (!depends_on_all()) {
      std::fill_n(each, count(), least);
      return;
    }
    std::array<double, most_classes> radii;
    for (std::size_t c = 0; c < count(); ++c) {
      radii[c] = c == class_id ? least : scale_ * ground_.bounds(c, cell, region).min;
    }
    Distances::toward(class_id, radii.data(), each);
  }
  // Returns the cells in which a class is allowed, at most widest_root least radii wide.
  std::vector<Cell> roots(std::size_t class_id) const {
    std::vector<Cell> found;
    const auto visit = [&](const auto& self, const Cell& cell) -> void {
      Region region;
      RadiusBounds r;
      if (!allows(class_id, cell, region, r)) return;
      if (ground_.extent(region) <= Ground::widest_root * r.min) return found.push_back(cell);
      ground_.any_part(cell, [&](const Cell& part) {
        self(self, part);
        return false;
      });
    };
    for (Cell cell : ground_.wholes()) {
      cell.key = hash_of_class(cell.key, class_id);
      visit(visit, cell);
    }
    return found;
  }

 private:
  static std::vector<double> integrals_of(const Ground& ground) {
    std::vector<double> all;
    for (std::size_t c = 0; c < ground.class_count(); ++c) all.push_back(ground.integral(c));
    return all;
  }
  // A space that is one cell without a key has the class as its key.
  static std::uint64_t hash_of_class(std::uint64_t key, std::size_t class_id) {
    return key == 0 ? class_id : hash(key, class_id);
  }

  double content() const {
    const double square = scale_ * scale_;
    return Ground::dimensions == 2 ? square : square * scale_;
  }

  const Ground& ground_;
  double scale_;
};

}  // namespace dapple::class_maps
