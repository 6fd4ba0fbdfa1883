// Visits a square of the domain: throws a dart, or proves that the square is covered and puts
// points into gaps. Any structure can look up the points around the square.
#pragma once

#include <cmath>

#include "core/random.hpp"
#include "sample/conflict.hpp"
#include "sample/darts/tiles.hpp"

namespace dapple {

// The field for inner loops: radii with the safety factor, looked up in place.
class SafeField {
 public:
  explicit SafeField(const DensityField& field)
      : field_(field),
        map_(field.radius_map()),
        trim_(rounding_of(field)),
        across_(map_.width() / field.domain().width),
        down_(map_.height() / field.domain().height) {}

  // Returns DensityField::radius() with the safety factor, for places inside the domain.
  double radius(Vec2 p) const { return static_cast<double>(map_radius(p)) * safety; }
  // As above, but without the safety factor.
  float map_radius(Vec2 p) const {
    const int x = std::min(static_cast<int>(p.x * across_), map_.width() - 1);
    const int y = std::min(static_cast<int>(p.y * down_), map_.height() - 1);
    return map_(x, y);
  }
  RadiusBounds bounds(const Box& box) const {
    const RadiusBounds b = inner_bounds(field_, box, trim_);
    return {b.min * safety, b.max * safety};
  }
  // Returns true if the box lies in one pixel: every part of it has the bounds of the whole.
  bool uniform(const Box& box) const {
    return one_pixel(box.x0 * across_, box.x1 * across_) &&
           one_pixel(box.y0 * down_, box.y1 * down_);
  }

 private:
  static bool one_pixel(double from, double to) {
    const int first = static_cast<int>(from);
    return to <= static_cast<double>(first + 1);
  }

  const DensityField& field_;
  const Plane<float>& map_;
  double trim_;
  double across_;
  double down_;
};

// Returns a uniform place in the box from one 64-bit number, with 32 bits per axis.
inline Vec2 place_in(const Box& box, std::uint64_t bits) {
  // The numbers are signed, because conversion from unsigned is slow.
  const double u = static_cast<double>(static_cast<std::int64_t>(bits >> 32)) * 0x1p-32;
  const double v = static_cast<double>(static_cast<std::int64_t>(bits & 0xffffffffU)) * 0x1p-32;
  const Vec2 p{box.x0 + u * box.width(), box.y0 + v * box.height()};
  // Far from the origin the sum can round up to the open end.
  return {p.x < box.x1 ? p.x : box.x0, p.y < box.y1 ? p.y : box.y0};
}

// Side of the deepest square, as a part of the radius; its center decides for all of it.
inline constexpr double finest = 5e-7;
inline constexpr int fill_darts = 4;

// Fills a square until each place of it is covered. Cuts it into 4x4 parts and goes on with those
// that no single point covers, after a few darts at each. `Field` has the radii, as SafeField does.
// `Around` looks up points:
//     bool enter(int depth, const Box&, const RadiusBounds&)  finds what matters to a square inside
//         the one entered at depth - 1. Returns true if one point covers all of it.
//     std::uint32_t open_parts(int depth, const Box&, double r_min)  returns a bit for each of 4x4
//         parts. It is set if no single point covers the part of the square of that depth.
//     bool covers(const Box&, double r_min, Vec2 p, double r)  tests one point against a square.
//     Vec2 rounded(Vec2 p)  returns the nearest place that it can hold.
//     bool conflicts(int depth, Vec2 p, double r)
//     void add(int depth, Vec2 p, double r)
template <class Field, class Around>
class Filler {
 public:
  Filler(const Field& field, Around& around, Random& random, const Domain& domain)
      : field_(field), around_(around), random_(random), domain_(domain) {}

  // Fills a square, which may stick out of the domain to the right and below. It starts without
  // darts, because one point hardly ever covers a square larger than a cell.
  void fill(const Box& square, int depth) {
    const Box box = clipped(square);
    if (box.x0 >= box.x1 || box.y0 >= box.y1) return;
    const RadiusBounds bounds = field_.bounds(box);
    if (bounds.max == 0 || around_.enter(depth, box, bounds)) return;
    subdivide(square, bounds, field_.uniform(box), depth);
  }

 private:
  void fill(const Box& square, const Box& box, const RadiusBounds& bounds, bool uniform,
            int depth) {
    if (bounds.max == 0 || around_.enter(depth, box, bounds)) return;
    if (std::max(box.width(), box.height()) <= finest * bounds.min) {
      // No place here is farther from the center than the tolerance of "covered".
      attempt(box, bounds, depth, {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)});
      return;
    }
    for (int i = 0; i < fill_darts; ++i) {
      if (attempt(box, bounds, depth, place_in(box, random_.bits()))) return;
    }
    subdivide(square, bounds, uniform, depth);
  }

  // Returns true if it added a point that covers the whole box.
  bool attempt(const Box& box, const RadiusBounds& bounds, int depth, Vec2 place) {
    const Vec2 p = around_.rounded(place);
    const double r = field_.radius(p);
    // r is above the bound if the place allows no points, or if rounding put it on the wrong side
    // of a pixel's edge.
    if (r > bounds.max || around_.conflicts(depth, p, r)) return false;
    around_.add(depth, p, r);
    return around_.covers(box, bounds.min, p, r);
  }

  void subdivide(const Box& square, const RadiusBounds& bounds, bool uniform, int depth) {
    const std::uint32_t open = around_.open_parts(depth, square, bounds.min);
    if (open == 0) return;
    const double w = square.width() / 4;
    const double h = square.height() / 4;
    // Any order works; this one jumps about, so it leaves no trace of a scan.
    const auto start = static_cast<unsigned>(random_.bits() >> 60);
    for (unsigned k = 0; k < 16; ++k) {
      const unsigned cell = (start + 7 * k) % 16;
      if ((open >> cell & 1) == 0) continue;
      const unsigned i = cell % 4;
      const unsigned j = cell / 4;
      const Box part{square.x0 + i * w, square.y0 + j * h, square.x0 + (i + 1) * w,
                     square.y0 + (j + 1) * h};
      const Box box = clipped(part);
      if (box.x0 >= box.x1 || box.y0 >= box.y1) continue;
      if (uniform) {
        fill(part, box, bounds, true, depth + 1);
      } else {
        fill(part, box, field_.bounds(box), field_.uniform(box), depth + 1);
      }
    }
  }

  Box clipped(const Box& box) const {
    return {box.x0, box.y0, std::min(box.x1, domain_.width), std::min(box.y1, domain_.height)};
  }

  const Field& field_;
  Around& around_;
  Random& random_;
  const Domain& domain_;
};

}  // namespace dapple
