// A growing set of points with radii, searched by the conflict rule itself.
//
// A quadtree in which a point lives at the level whose nodes are about as large as its radius, and
// every node knows the largest radius below it: a search cuts off whole densities at once, so it
// stays fast at any ratio of radii, where a grid would need one cell size for all.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "sample/conflict.hpp"

namespace dapple {

class RadiusTree {
 public:
  explicit RadiusTree(const Domain& domain);

  void add(Vec2 p, double r);
  std::size_t size() const { return points_.size(); }

  // Least ratio, over all points, of the distance from the farthest corner of `box` to the point to
  // the conflict distance f(r, radius of the point); +inf where there are no points. Stops at the
  // first ratio below `enough`. A box of no extent asks for one place; a box is taken round its
  // centre on the torus.
  double least_ratio(const Box& box, double r, ConflictRule rule, double enough = 0) const;
  // True where a point at p with radius r may not be added.
  bool conflicts(Vec2 p, double r, ConflictRule rule) const {
    return least_ratio({p.x, p.y, p.x, p.y}, r, rule, 1) < 1;
  }

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

}  // namespace dapple
