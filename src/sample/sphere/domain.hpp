// What darts and proofs ask of a sphere: one of a single radius, or one with a map round it.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/deterministic_math.hpp"
#include "dapple/context.hpp"
#include "dapple/sample_options.hpp"
#include "sample/sphere/cells.hpp"
#include "sample/sphere/latlong_radius.hpp"

namespace dapple::sphere {

// Distances count as `margin` times what is asked for.
class EvenGround {
 public:
  using Part = Shape;  // of a cell

  // `rule`: of its points and those that are there with radii of their own.
  EvenGround(double radius, ConflictRule rule, double margin, Context& context);

  std::size_t size() const { return roots_.size(); }
  const Cell& cell(std::size_t tile) const { return roots_.cell(tile); }
  // Tiles with places that points of this one may be too near to.
  std::span<const std::uint32_t> near(std::size_t tile) const { return roots_.near(tile); }
  std::size_t holding(const Vec3& place) const { return roots_.holding(place); }
  // Tiles with places that a point, anywhere in space but the middle, may be too near to.
  std::vector<std::uint32_t> near(const Point& p) const {
    return roots_.within(p.at, margin_ * required_distance(p.r, radius_));
  }

  double radius(const Vec3&) const { return radius_; }
  double required_distance(double a, double b) const {
    return a == b ? a : conflict_distance(rule_, a, b);
  }
  bool are_near(const Point& a, const Point& b) const {
    const Vec3 d = a.at - b.at;
    return dot(d, d) < square_of(a.r, b.r);
  }
  Part part(const Cell& cell) const { return Shape(cell); }
  const Shape& shape(const Part& part) const { return part; }
  // Whether no place of the part is free beside the point.
  bool covers(const Point& p, const Part& part) const {
    return part.is_in_ball(p.at, square_of(p.r, radius_));
  }
  // Whether there may be one that is not.
  bool reaches(const Point& p, const Part& part) const {
    const double reach = part.reach + margin_ * required_distance(p.r, radius_);
    const Vec3 d = p.at - part.middle;
    return dot(d, d) < reach * reach;
  }
  Point middle(const Part& part) const { return {part.middle, radius_}; }
  // How far apart two places of the part may be, and what its radii differ by, in the least radius
  // of the tile and those near to it.
  double spread(std::size_t, const Part& part) const { return part.reach / radius_; }
  // Darts an area of 1, of those that are thrown an area of r^2.
  double rate(double a_square, const Part&) const { return a_square / (radius_ * radius_); }
  // How many darts at that rate there are at a place of the part.
  double share(const Part&, double, double) const { return 1; }
  Point point(const Cell& cell, double depth, double turns) const {
    return {place_on(cell.south, depth, direction(turns)), radius_};
  }
  static constexpr bool varies = false;

 private:
  double square_of(double a, double b) const {
    if (a == b) return square_;
    const double apart = margin_ * required_distance(a, b);
    return apart * apart;
  }

  Roots roots_;
  double radius_;
  ConflictRule rule_;
  double margin_, square_;
};

class MappedGround {
 public:
  // With bounds of r on it: at the corners of the pieces that lines of the map cut it into, where
  // it has at most one such line each way.
  struct Part {
    Shape shape;
    struct Node {
      Vec3 at;
      double r;
    };
    std::array<Node, 9> nodes;
    std::size_t count = 0;  // 0: wider
    double r_middle = 0, least = 0, most = 0;
    double bend = 0;  // how much a distance, in that, may lie above those at nodes
  };

  // Throws Error(limit) where radii are so small, or jump so much from one place to the next, that
  // memory and time would not do.
  MappedGround(const Radii& radii, ConflictRule rule, double margin, Context& context);

  std::size_t size() const { return tiles_.size(); }
  const Cell& cell(std::size_t tile) const { return tiles_[tile].cell; }
  std::span<const std::uint32_t> near(std::size_t tile) const {
    return std::span(near_).subspan(first_near_[tile], first_near_[tile + 1] - first_near_[tile]);
  }
  std::size_t holding(const Vec3& place) const;
  std::vector<std::uint32_t> near(const Point& p) const;

  double radius(const Vec3& place) const { return radii_.at(place); }
  double required_distance(double a, double b) const { return conflict_distance(rule_, a, b); }
  bool are_near(const Point& a, const Point& b) const {
    const Vec3 d = a.at - b.at;
    return dot(d, d) < square_of(a.r, b.r);
  }
  Part part(const Cell& cell) const;
  const Shape& shape(const Part& part) const { return part.shape; }
  bool covers(const Point& p, const Part& part) const;
  bool reaches(const Point& p, const Part& part) const {
    const double reach = part.shape.reach + margin_ * required_distance(part.most, p.r);
    const Vec3 d = p.at - part.shape.middle;
    return dot(d, d) < reach * reach;
  }
  Point middle(const Part& part) const { return {part.shape.middle, part.r_middle}; }
  double spread(std::size_t tile, const Part& part) const {
    return (part.shape.reach + part.most - part.least) / tiles_[tile].finest;
  }
  double rate(double a_square, const Part& part) const {
    return a_square / (part.least * part.least);
  }
  double share(const Part& part, double depth, double turns) const {
    const double ratio = part.least / radius_at(*part.shape.cell, depth, turns);
    return ratio * ratio;
  }
  Point point(const Cell& cell, double depth, double turns) const {
    return {place_on(cell.south, depth, direction(turns)), radius_at(cell, depth, turns)};
  }
  static constexpr bool varies = true;

 private:
  struct Tile {
    Cell cell;
    double finest;  // least radius of it and of those near to it
  };
  // A cell that was halved, or a tile: of a tree for each root.
  struct Node {
    Vec3 middle;
    double reach, least, most;
    std::uint32_t halves = 0;  // the first of two, which lie side by side
    std::uint32_t tile = 0;    // where it was not halved
    bool splits_depth = false;
    double cut = 0;  // where the halves meet
  };

  double radius_at(const Cell& cell, double depth, double turns) const {
    return radii_.at(radii_.spot(cell.south, depth, turns));
  }
  double square_of(double a, double b) const {
    const double apart = margin_ * required_distance(a, b);
    return apart * apart;
  }
  void grow(std::uint32_t node, const Cell& cell, Context& context);
  void find_near(Context& context);
  // The tiles below a node whose nodes are all near, by is_near(node).
  template <class IsNear>
  void find(const IsNear& is_near, std::uint32_t node, std::vector<std::uint32_t>& into) const {
    const Node& other = nodes_[node];
    if (!is_near(other)) return;
    if (other.halves == 0) return into.push_back(other.tile);
    find(is_near, other.halves, into);
    find(is_near, other.halves + 1, into);
  }

  const Radii& radii_;
  ConflictRule rule_;
  double margin_;
  Roots roots_;
  std::vector<Node> nodes_;             // first those of roots
  std::vector<std::uint32_t> root_of_;  // of each tile
  std::vector<std::uint32_t> node_of_;
  std::vector<Tile> tiles_;
  std::vector<std::size_t> first_near_;
  std::vector<std::uint32_t> near_;
};

// body(tile, obstacle) for every tile that points which are there may hold off some of, with the r
// that they have or their place has.
template <class Ground, class Body>
void for_obstacles(const Ground& ground, const std::vector<Point>& obstacles, Context& context,
                   const Body& body) {
  constexpr double bytes_each = 4 * sizeof(Point);
  std::size_t all = 0, room_for = 1 << 20;
  for (Point obstacle : obstacles) {
    context.check();
    if (!(obstacle.r > 0)) obstacle.r = ground.radius(obstacle.at * (1 / length(obstacle.at)));
    const std::vector<std::uint32_t> tiles = ground.near(obstacle);
    all += tiles.size();
    if (all > room_for) {
      room_for = 2 * all;
      context.require_memory(bytes_each * static_cast<double>(room_for),
                             "the set of `keep` points with very large radii");
    }
    for (const std::uint32_t t : tiles) body(t, obstacle);
  }
}

}  // namespace dapple::sphere
