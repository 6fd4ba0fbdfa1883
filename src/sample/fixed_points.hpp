// Points that are there already, and that samplers fill round.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "dapple/points.hpp"
#include "sample/darts/tiles.hpp"

namespace dapple {

struct PointsOptions;   // dapple/sample.hpp
struct ScatterOptions;  // dapple/sample.hpp

// The third column of points that are there, which may reach below 0; empty where there is none.
inline const std::vector<double>& column_z(const PointSet& points) {
  return points.height.empty() ? points.z : points.height;
}

// Throws Error(usage) for a rule by which points of volumes and of classes do not hold each other
// off.
void require_rule(ConflictRule rule);

// What is wrong with a point of a class beside so many.
std::string unknown_class(std::size_t point, std::int32_t class_id, std::size_t classes);

// Points of a plane, which have no z. Throws Error(input) for those that have one.
PointSet in_the_plane(PointSet kept);

FixedPoints kept_of(const PointsOptions& options);
// How many new points a count of all leaves. Throws Error(input) where it leaves none.
std::int64_t count_of_new(std::int64_t count, const PointsOptions& options);

// The points of options.keep, each with the radius that holds others off: its own, else that of the
// field at its place, else the smallest of the field. Empty where none are given.
PointSet kept_points(const DensityField& field, const SampleOptions& options);

// Throws Error(usage) for a method that keeps no distances, Error(input) for points outside the
// domain; warns of pairs that are nearer than the rule allows and of a file made for another size.
void check_kept(const PointSet& kept, const DensityField& field, const SampleOptions& options,
                Context& context);

// `kept` and the new points after it, in one set, with coordinates as the new ones have them.
// Columns that only `kept` has go on: class with a number of its own, rank by counting up.
PointSet joined(PointSet kept, const PointSet& fresh);

// Gives point i of `points`, which is a kept one, the radius that it lacks.
using CompletePoint = std::function<void(PointSet& points, std::size_t i)>;
// The new points after the kept ones, where those are part of the result, and columns for objects.
PointSet with_kept(PointSet made, const PointsOptions& options, const ScatterOptions& columns,
                   double shortest_side, const CompletePoint& complete, Context& context);

// For every tile the kept points that some place in it could conflict with, on the torus as images
// beside the tile.
class Obstacles {
 public:
  struct Point {
    Vec2 at;
    double r;  // with the safety factor
  };

  Obstacles() = default;
  Obstacles(const TileSet& set, const PointSet& kept);

  template <class Body>
  void for_each_near(std::size_t tile, Body body) const {
    if (start_.empty()) return;
    for (std::size_t i = start_[tile]; i < start_[tile + 1]; ++i) body(images_[near_[i]]);
  }
  std::size_t count_near(std::size_t tile) const {
    return start_.empty() ? 0 : start_[tile + 1] - start_[tile];
  }

 private:
  std::vector<Point> images_;
  std::vector<std::size_t> start_;  // by tile
  std::vector<std::uint32_t> near_;
};

}  // namespace dapple
