// Adds columns for objects on the points of a surface: sizes, rotations and orientations.
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "sample/orientation.hpp"
#include "sample/scatter_columns.hpp"

namespace dapple {

void scatter(Points& points, const ScatterOptions& options, Align align, double smallest,
             double largest, Context& context) {
  check(options);
  if (!options.size.empty()) {
    add_sizes(points.radius, options, smallest, largest, 0, points.object_size, context);
  }
  if (!options.rotation.empty()) {
    add_rotations(points.size(), options.rotation, 0, points.rotation, context);
  }
  if (align == Align::none) return;
  const bool upright = align == Align::up || points.nx.empty();
  for (std::vector<float>& column : points.turn) column.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double degrees = points.rotation.empty() ? 0 : static_cast<double>(points.rotation[i]);
    const auto turn =
        turn_to(upright ? Vec3{0, 1, 0} : Vec3{points.nx[i], points.ny[i], points.nz[i]}, degrees);
    for (std::size_t k = 0; k < turn.size(); ++k) points.turn[k].push_back(turn[k]);
  }
}

}  // namespace dapple
