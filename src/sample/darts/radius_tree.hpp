// Stores a growing set of points with radii, and searches it by the conflict rule itself.
//
// The tree is a quadtree. A point lives at the level whose nodes are about as large as its radius.
// Every node knows the largest radius below it, so a search skips whole densities at once. It stays
// fast at any ratio of radii, for which a grid would need one cell size.
#pragma once

#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "dapple/geometry.hpp"
#include "sample/conflict.hpp"

namespace dapple {

class RadiusTree {
 public:
  explicit RadiusTree(const Domain& domain);

  void add(Vec2 p, double r);
  std::size_t size() const { return points_.size(); }

  // Returns the least ratio of two distances over all points; +inf if there are none. The first is
  // from the farthest corner of `box` to the point, the second is f(r, radius of the point). Stops
  // at the first ratio below `enough`. A box of no extent is a single place. On the torus,
  // distances are measured around the center of the box.
  double least_ratio(const Box& box, double r, ConflictRule rule, double enough = 0) const;
  // Returns true if a point at p with radius r may not be added.
  bool conflicts(Vec2 p, double r, ConflictRule rule) const {
    return least_ratio({p.x, p.y, p.x, p.y}, r, rule, 1) < 1;
  }

  // Calls body(place, r) for all points with distance < a + b r from the center, and some others.
  template <class Body>
  void for_each_within(Vec2 center, double a, double b, Body body) const;

 private:
  struct Point {
    Vec2 at;
    double r;
    std::int32_t next;
  };
  struct Node {
    std::array<std::int32_t, 4> child{-1, -1, -1, -1};
    std::int32_t first = -1;
    double max_r = 0;
  };
  struct Query;

  template <ConflictRule rule>
  void search(Query& query, std::int32_t node, double x, double y, double side) const;

  Domain domain_;
  double side_;
  std::vector<Node> nodes_;
  std::vector<Point> points_;
};

template <class Body>
void RadiusTree::for_each_within(Vec2 center, double a, double b, Body body) const {
  struct Visit {
    std::size_t node;
    double x, y, side;
  };
  std::array<Visit, 192> stack;  // three siblings per level, at most 60 levels
  std::size_t depth = 0;
  stack[depth++] = {0, 0, 0, side_};
  const auto gap = [&](double c, double low, double side, double period) {
    const double d = std::abs(c - (low + side / 2));
    return std::max(0.0, (domain_.wrap ? std::min(d, period - d) : d) - side / 2);
  };
  while (depth > 0) {
    const Visit visit = stack[--depth];
    const Node& node = nodes_[visit.node];
    const double dx = gap(center.x, visit.x, visit.side, domain_.width);
    const double dy = gap(center.y, visit.y, visit.side, domain_.height);
    const double reach = (a + b * node.max_r) * (1 + 1e-9);
    if (dx * dx + dy * dy > reach * reach) continue;
    for (std::int32_t i = node.first; i >= 0;) {
      const Point& point = points_[static_cast<std::size_t>(i)];
      body(point.at, point.r);
      i = point.next;
    }
    const double half = visit.side / 2;
    for (std::size_t q = 0; q < 4; ++q) {
      if (node.child[q] < 0) continue;
      stack[depth++] = {static_cast<std::size_t>(node.child[q]), visit.x + (q & 1 ? half : 0),
                        visit.y + (q & 2 ? half : 0), half};
    }
  }
}

}  // namespace dapple
