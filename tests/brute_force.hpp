// What sets of points promise, checked by brute force that shares nothing with the library's own
// searches: distances in double between all pairs, and in every pixel the places where the last gap
// between discs would have to be.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <numbers>
#include <set>
#include <vector>

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

inline double rule_distance(ConflictRule rule, double a, double b) {
  switch (rule) {
    case ConflictRule::mean:
      return (a + b) / 2;
    case ConflictRule::min:
    case ConflictRule::candidate:
      return std::min(a, b);  // the weakest that it promises for a pair
    case ConflictRule::max:
      break;
  }
  return std::max(a, b);
}

inline double plain_distance(const Domain& domain, Vec2 a, Vec2 b) {
  double dx = std::abs(a.x - b.x);
  double dy = std::abs(a.y - b.y);
  if (domain.wrap) {
    dx = std::min(dx, domain.width - dx);
    dy = std::min(dy, domain.height - dy);
  }
  return std::sqrt(dx * dx + dy * dy);
}

inline void expect_in_domain(const Points& points, const DensityField& field) {
  ASSERT_EQ(points.x.size(), points.y.size());
  ASSERT_EQ(points.x.size(), points.radius.size());
  EXPECT_EQ(points.domain, field.domain());
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_TRUE(points.x[i] >= 0 && points.x[i] < field.domain().width);
    ASSERT_TRUE(points.y[i] >= 0 && points.y[i] < field.domain().height);
    ASSERT_EQ(points.radius[i], static_cast<float>(field.radius(points[i])));
    ASSERT_TRUE(std::isfinite(points.radius[i])) << "placed where nothing may be";
  }
}

inline void expect_spacing(const Points& points, ConflictRule rule) {
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const double r = rule_distance(rule, static_cast<double>(points.radius[i]),
                                     static_cast<double>(points.radius[j]));
      const double d = plain_distance(points.domain, points[i], points[j]);
      ASSERT_GE(d, r) << "points " << i << " and " << j;
    }
  }
}

// Discs that no place of a rectangle may lie outside of.
struct CoveringDisc {
  Vec2 at;
  double radius;
};

// Whether open discs cover a rectangle. What they leave uncovered is closed, so its leftmost place
// is a corner of the rectangle, the end of a disc along an axis, or where a circle meets a side or
// another circle: if all of these are covered, everything is.
inline bool cover(const std::vector<CoveringDisc>& discs, const Box& box) {
  for (const CoveringDisc& d : discs) {
    const double dx = std::max(d.at.x - box.x0, box.x1 - d.at.x);
    const double dy = std::max(d.at.y - box.y0, box.y1 - d.at.y);
    if (dx * dx + dy * dy < d.radius * d.radius) return true;
  }
  const auto is_covered = [&](Vec2 p) {
    if (p.x < box.x0 || p.x > box.x1 || p.y < box.y0 || p.y > box.y1) return true;
    for (const CoveringDisc& d : discs) {
      // A place on a circle is not inside of it, whichever way its coordinates were rounded.
      if (length_squared(p - d.at) < d.radius * d.radius * (1 - 2e-12)) return true;
    }
    return false;
  };
  for (const double x : {box.x0, box.x1}) {
    for (const double y : {box.y0, box.y1}) {
      if (!is_covered({x, y})) return false;
    }
  }
  for (std::size_t i = 0; i < discs.size(); ++i) {
    const Vec2 c = discs[i].at;
    const double r = discs[i].radius;
    for (const Vec2 end : {Vec2{r, 0}, Vec2{-r, 0}, Vec2{0, r}, Vec2{0, -r}}) {
      if (!is_covered(c + end)) return false;
    }
    const auto half_chord = [r](double away) { return std::sqrt(r * r - away * away); };
    for (const double x : {box.x0, box.x1}) {
      if (std::abs(x - c.x) > r) continue;
      const double h = half_chord(x - c.x);
      if (!is_covered({x, c.y - h}) || !is_covered({x, c.y + h})) return false;
    }
    for (const double y : {box.y0, box.y1}) {
      if (std::abs(y - c.y) > r) continue;
      const double h = half_chord(y - c.y);
      if (!is_covered({c.x - h, y}) || !is_covered({c.x + h, y})) return false;
    }
    for (std::size_t j = 0; j < i; ++j) {
      const Vec2 between = discs[j].at - c;
      const double d2 = length_squared(between);
      const double along = 0.5 * (d2 + r * r - discs[j].radius * discs[j].radius) / d2;
      const double h2 = r * r - along * along * d2;
      if (!(h2 >= 0)) continue;
      const Vec2 middle = c + between * along;
      const Vec2 aside = Vec2{-between.y, between.x} * std::sqrt(h2 / d2);
      if (!is_covered(middle + aside) || !is_covered(middle - aside)) return false;
    }
  }
  return true;
}

// No place is left where one more point would fit: proven pixel by pixel, as r is one number there.
// The samplers keep 2e-6 more distance than they must.
inline void expect_maximal(const Points& points, const DensityField& field, ConflictRule rule) {
  const Domain& domain = field.domain();
  const Plane<float>& map = field.radius_map();
  double largest = 0;
  for (const float r : map.values()) {
    if (std::isfinite(r)) largest = std::max(largest, static_cast<double>(r));
  }
  std::vector<CoveringDisc> images;  // of points, with their own r
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (int k = 0; k < (domain.wrap ? 9 : 1); ++k) {
      const Vec2 shift{std::array{0, 1, -1}[static_cast<std::size_t>(k % 3)] * domain.width,
                       std::array{0, 1, -1}[static_cast<std::size_t>(k / 3)] * domain.height};
      images.push_back({points[i] + shift, static_cast<double>(points.radius[i])});
    }
  }
  const auto away = [](double v, double low, double high) {
    return std::max({0.0, low - v, v - high});
  };
  for (int y = 0; y < map.height(); ++y) {
    const double y0 = y * domain.height / map.height();
    const double y1 = (y + 1) * domain.height / map.height();
    std::vector<CoveringDisc> row;
    for (const CoveringDisc& p : images) {
      if (away(p.at.y, y0, y1) < largest) row.push_back(p);
    }
    for (int x = 0; x < map.width(); ++x) {
      const double r = map(x, y);
      if (!std::isfinite(r)) continue;
      const Box pixel{x * domain.width / map.width(), y0, (x + 1) * domain.width / map.width(), y1};
      std::vector<CoveringDisc> discs;
      bool by_one = false;
      for (std::size_t i = 0; i < row.size() && !by_one; ++i) {
        const CoveringDisc& p = row[i];
        const double f = rule == ConflictRule::candidate ? r : rule_distance(rule, r, p.radius);
        const double far_x = std::max(p.at.x - pixel.x0, pixel.x1 - p.at.x);
        const double far_y = std::max(p.at.y - y0, y1 - p.at.y);
        by_one = far_x * far_x + far_y * far_y < f * f;
        const double dx = away(p.at.x, pixel.x0, pixel.x1);
        const double dy = away(p.at.y, y0, y1);
        if (dx * dx + dy * dy < f * f) discs.push_back({p.at, f * 1.000005});
      }
      ASSERT_TRUE(by_one || cover(discs, pixel)) << "room for a point in pixel " << x << ", " << y;
    }
  }
}

// Pairs nearer than the mean rule allows, by a grid of this test's own.
inline int count_violations(const Points& points) {
  const Domain& domain = points.domain;
  double largest = 0;
  for (const float r : points.radius) largest = std::max(largest, static_cast<double>(r));
  const int columns = std::max(1, static_cast<int>(domain.width / largest));
  const int rows = std::max(1, static_cast<int>(domain.height / largest));
  std::vector<std::vector<std::size_t>> cells(static_cast<std::size_t>(columns * rows));
  const auto column = [&](std::size_t i) {
    return static_cast<int>(points.x[i] / domain.width * columns);
  };
  const auto row = [&](std::size_t i) {
    return static_cast<int>(points.y[i] / domain.height * rows);
  };
  int violations = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    std::set<int> around;
    for (int dy = -1; dy <= 1; ++dy) {
      for (int dx = -1; dx <= 1; ++dx) {
        int u = column(i) + dx;
        int v = row(i) + dy;
        if (domain.wrap) {
          u = (u + columns) % columns;
          v = (v + rows) % rows;
        }
        if (u >= 0 && v >= 0 && u < columns && v < rows) around.insert(v * columns + u);
      }
    }
    for (const int cell : around) {
      for (const std::size_t j : cells[static_cast<std::size_t>(cell)]) {
        const double f =
            0.5 * (static_cast<double>(points.radius[i]) + static_cast<double>(points.radius[j]));
        violations += plain_distance(domain, points[i], points[j]) < f ? 1 : 0;
      }
    }
    cells[static_cast<std::size_t>(row(i) * columns + column(i))].push_back(i);
  }
  return violations;
}

// The smallest distance over that of a hexagonal lattice of as many points.
inline double smallest_ratio(const Points& points) {
  const PointIndex index(points);
  std::vector<Neighbor> found;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < points.size(); ++i) {
    index.nearest(points[i], 1, found, static_cast<std::int32_t>(i));
    least = std::min(least, found.front().distance);
  }
  const double n = static_cast<double>(points.size());
  return least / std::sqrt(2 * points.domain.area() / (std::numbers::sqrt3 * n));
}

}  // namespace dapple
