// Handles fixed points, which the caller supplies and which samplers fill around.
#pragma once

#include <span>
#include <string>

#include "core/lists.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"
#include "sample/darts/tiles.hpp"

namespace dapple {

// Returns the z column of fixed points, which may reach below 0; empty if there is none.
inline const std::vector<double>& column_z(const Points& points) {
  return points.height.empty() ? points.z : points.height;
}

// Throws Error(usage) for a rule that does not work between fixed points and points of volumes or
// classes.
void require_rule(ConflictRule rule);

// Returns the error message for a point whose class does not exist.
std::string unknown_class(std::size_t point, std::int32_t class_id, std::size_t classes);

// Throws Error(input) unless each point has one of so many classes.
void require_class_of_each(const Points& points, std::size_t classes);

// Returns the points without a z. Throws Error(input) if a z is not 0.
Points in_the_plane(Points kept);

// Returns how many new points a count of all leaves. Throws Error(input) if it leaves none.
std::int64_t count_beside(std::size_t kept, std::int64_t count);

// Returns the points of options.keep, or none. Each gets a radius: its own, otherwise that of the
// field at its place, otherwise the smallest of the field.
Points kept_points(const DensityField& field, const SampleOptions& options);

// Throws Error(usage) for a method that keeps no distances, Error(input) for points outside the
// domain. Warns about pairs nearer than the rule allows, and about a file made for another size.
void check_kept(const Points& kept, const DensityField& field, const SampleOptions& options,
                Context& context);

// Returns `kept` and the new points after it as one set, in the space of `fresh`. Columns that only
// `kept` has continue: a new number as the class, the next numbers as ranks and ids, and otherwise
// 0. So do columns that only `fresh` has, with 0 for `kept`.
Points joined(const Points& kept, const Points& fresh);

// Lists the fixed points that may conflict with some place in each tile. On the torus they are
// images beside the tile.
class Obstacles {
 public:
  struct Point {
    Vec2 at;
    double r;  // with the safety factor
  };

  Obstacles() = default;
  Obstacles(const TileSet& set, const Points& kept, const Context& context);

  template <class Body>
  void for_each_near(std::size_t tile, Body body) const {
    if (images_.empty()) return;
    for (const std::uint32_t image : near_.of(tile)) body(images_[image]);
  }

 private:
  std::vector<Point> images_;
  Lists<std::uint32_t> near_;  // the images of each tile
};

}  // namespace dapple
