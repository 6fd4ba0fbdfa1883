// What a visit to a square of the domain does, whatever way the points around it are looked up:
// throw a dart, or prove that the square is covered and put points where it is not.
#pragma once

#include <cmath>

#include "core/random.hpp"
#include "sample/conflict.hpp"
#include "sample/darts_tiles.hpp"

namespace dapple {

// The field as the inner loops see it: radii with the safety factor.
class SafeField {
 public:
  explicit SafeField(const DensityField& field)
      : field_(field), trim_(rounding_of(field)), constant_(field.is_constant()) {
    const Plane<float>& map = field.radius_map();
    across_ = map.width() / field.domain().width;
    down_ = map.height() / field.domain().height;
    radius_ = static_cast<double>(map(0, 0)) * safety;
  }

  double radius(Vec2 p) const { return constant_ ? radius_ : field_.radius(p) * safety; }
  RadiusBounds bounds(const Box& box) const {
    const RadiusBounds b = inner_bounds(field_, box, trim_);
    return {b.min * safety, b.max * safety};
  }
  // True where every part of the box has the bounds of the whole.
  bool uniform(const Box& box) const {
    return constant_ || (std::floor(box.x0 * across_) == std::ceil(box.x1 * across_) - 1 &&
                         std::floor(box.y0 * down_) == std::ceil(box.y1 * down_) - 1);
  }

 private:
  const DensityField& field_;
  double trim_;
  bool constant_;
  double across_;
  double down_;
  double radius_;
};

// Uniform in the box from one 64-bit number; 32 bits an axis.
inline Vec2 place_in(const Box& box, std::uint64_t bits) {
  const double u = static_cast<double>(bits >> 32) * 0x1p-32;
  const double v = static_cast<double>(bits & 0xffffffffULL) * 0x1p-32;
  const Vec2 p{box.x0 + u * box.width(), box.y0 + v * box.height()};
  // Far from the origin the sum can round up to the open end.
  return {p.x < box.x1 ? p.x : box.x0, p.y < box.y1 ? p.y : box.y0};
}

// Deepest square: below 2^-20 of the radius everything is decided by its centre.
inline constexpr double finest = 5e-7;
inline constexpr int fill_darts = 4;

// Fills a square until each place of it is covered. `Around` looks up points:
//     bool enter(int depth, const Box&, const RadiusBounds&)  looks at what matters to a square
//         inside the one entered at depth - 1; true where one point covers all of it
//     bool covers(const Box&, double r_min, Vec2 p, double r)  one point against a square
//     bool conflicts(int depth, Vec2 p, double r)
//     void add(int depth, Vec2 p, double r)
template <class Around>
class Filler {
 public:
  Filler(const SafeField& field, Around& around, Random& random)
      : field_(field), around_(around), random_(random) {}

  void fill(const Box& box) { fill(box, field_.bounds(box), field_.uniform(box), 0); }

 private:
  void fill(const Box& box, const RadiusBounds& bounds, bool uniform, int depth) {
    if (bounds.max == 0 || around_.enter(depth, box, bounds)) return;
    const double side = std::max(box.width(), box.height());
    if (side <= finest * bounds.min) {
      // No place here is farther from the centre than the tolerance of "covered".
      attempt(box, bounds, depth, {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)});
      return;
    }
    for (int i = 0; i < fill_darts; ++i) {
      if (attempt(box, bounds, depth, place_in(box, random_.bits()))) return;
    }
    subdivide(box, bounds, uniform, depth);
  }

  // True where a point was added that covers the whole square.
  bool attempt(const Box& box, const RadiusBounds& bounds, int depth, Vec2 p) {
    const double r = field_.radius(p);
    // Above r_max: a place that rounding has put on the wrong side of a pixel's edge, or one where
    // nothing may be placed.
    if (r > bounds.max || around_.conflicts(depth, p, r)) return false;
    around_.add(depth, p, r);
    return around_.covers(box, bounds.min, p, r);
  }

  void subdivide(const Box& box, const RadiusBounds& bounds, bool uniform, int depth) {
    const double w = box.width() / 4;
    const double h = box.height() / 4;
    // Any order serves; one that jumps about leaves no trace of the scan.
    const auto start = static_cast<unsigned>(random_.bits() >> 60);
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned cell = (start + 7 * k) % 16;
      const unsigned i = cell % 4;
      const unsigned j = cell / 4;
      const Box part{box.x0 + i * w, box.y0 + j * h, i == 3 ? box.x1 : box.x0 + (i + 1) * w,
                     j == 3 ? box.y1 : box.y0 + (j + 1) * h};
      if (uniform) {
        fill(part, bounds, true, depth + 1);
      } else {
        fill(part, field_.bounds(part), field_.uniform(part), depth + 1);
      }
    }
  }

  const SafeField& field_;
  Around& around_;
  Random& random_;
};

}  // namespace dapple
