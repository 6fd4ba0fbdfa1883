// Defines the spheres that darts and proofs use: with one radius, or with a map of radii.
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

// A sphere with one radius. `margin` multiplies the required distances.
class EvenGround {
 public:
  using Part = Shape;  // the shape of a cell

  // `rule` is for points of the sphere and obstacles with radii of their own.
  EvenGround(double radius, ConflictRule rule, double margin, Context& context);

  std::size_t size() const { return roots_.size(); }
  const Cell& cell(std::size_t tile) const { return roots_.cell(tile); }
  // Returns the tiles with places that may be too near points of this tile.
  std::span<const std::uint32_t> near(std::size_t tile) const { return roots_.near(tile); }
  std::size_t holding(const Vec3& place) const { return roots_.holding(place); }
  // Returns the tiles with places that may be too near a point, anywhere in space but the center.
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
  // Returns true if the point covers the whole part.
  bool covers(const Point& p, const Part& part) const {
    return part.is_in_ball(p.at, square_of(p.r, radius_));
  }
  // Returns true if the point may cover a place of the part.
  bool reaches(const Point& p, const Part& part) const {
    const double reach = part.reach + margin_ * required_distance(p.r, radius_);
    const Vec3 d = p.at - part.middle;
    return dot(d, d) < reach * reach;
  }
  Point middle(const Part& part) const { return {part.middle, radius_}; }
  // Returns the extent of the part plus the difference of its radii. The unit is the least radius
  // of the tile and of the tiles near it.
  double spread(std::size_t, const Part& part) const { return part.reach / radius_; }
  // Returns the darts per unit area, if `a_square` darts are thrown per area of r^2.
  double rate(double a_square, const Part&) const { return a_square / (radius_ * radius_); }
  // Returns the share of these darts that a place of the part needs.
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
  using Part = MappedPart;

  // Throws Error(limit) if radii are too small, or change too abruptly from place to place, for
  // memory and time.
  MappedGround(const LatLongRadius& radii, ConflictRule rule, double margin, Context& context);

  std::size_t size() const { return tiles_.size(); }
  const Cell& cell(std::size_t tile) const { return tiles_[tile].cell; }
  std::span<const std::uint32_t> near(std::size_t tile) const { return near_.of(tile); }
  std::size_t holding(const Vec3& place) const;
  std::vector<std::uint32_t> near(const Point& p) const;

  double radius(const Vec3& place) const { return radii_.at(place); }
  double required_distance(double a, double b) const { return conflict_distance(rule_, a, b); }
  bool are_near(const Point& a, const Point& b) const {
    const Vec3 d = a.at - b.at;
    return dot(d, d) < square_of(a.r, b.r);
  }
  Part part(const Cell& cell) const { return {radii_, cell}; }
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
    const double ratio = part.least / radius_at(part.shape.south, depth, turns);
    return ratio * ratio;
  }
  Point point(const Cell& cell, double depth, double turns) const {
    return {place_on(cell.south, depth, direction(turns)), radius_at(cell.south, depth, turns)};
  }
  static constexpr bool varies = true;

 private:
  struct Tile {
    Cell cell;
    double finest;  // least radius of the tile and of those near it
  };
  // A cell that was halved, or a tile. The nodes of each root form a tree.
  struct Node {
    Vec3 middle;
    double reach, least, most;
    std::uint32_t halves = 0;  // the first of two halves, which are adjacent
    std::uint32_t tile = 0;    // the tile, if the cell was not halved
    bool splits_depth = false;
    double cut = 0;  // depth or turns at which the halves meet
  };

  double radius_at(bool south, double depth, double turns) const {
    return radii_.at(radii_.spot(south, depth, turns));
  }
  double square_of(double a, double b) const {
    const double apart = margin_ * required_distance(a, b);
    return apart * apart;
  }
  void grow(std::uint32_t node, const Cell& cell, Context& context);
  void find_near(Context& context);
  // Appends the tiles below a node for which is_near(node) is true for every node on the way.
  template <class IsNear>
  void find(const IsNear& is_near, std::uint32_t node, std::vector<std::uint32_t>& into) const {
    const Node& other = nodes_[node];
    if (!is_near(other)) return;
    if (other.halves == 0) return into.push_back(other.tile);
    find(is_near, other.halves, into);
    find(is_near, other.halves + 1, into);
  }

  const LatLongRadius& radii_;
  ConflictRule rule_;
  double margin_;
  Roots roots_;
  std::vector<Node> nodes_;             // the nodes of roots first
  std::vector<std::uint32_t> root_of_;  // the root of each tile
  std::vector<std::uint32_t> node_of_;
  std::vector<Tile> tiles_;
  Lists<std::uint32_t> near_;  // the tiles near each
};

// Calls body(tile, obstacle) for every tile in which an obstacle may conflict. An obstacle without
// r gets the r of its place.
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
