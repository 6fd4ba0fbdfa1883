// Spreads classes of equal radii over the points of a surface, each as evenly as the points.
#include <cmath>
#include <numeric>

#include "core/constants.hpp"
#include "dapple/sample.hpp"
#include "sample/classes.hpp"
#include "sample/surface/neighbors.hpp"

namespace dapple::surface {

void add_classes(Points& points, const SurfaceRadius& radius, const SurfaceOptions& options,
                 std::span<const double> weights, Context& context) {
  require_space(options, "classes");
  if (points.size() == 0) return;
  require_memory_for_classes(points.size(), weights, context);
  SurfaceRadius lesser = radius;
  lesser.rule = ConflictRule::min;  // distances are relative to the smaller spacing of a pair
  const double reach = reach_of_classes(weights);
  std::vector<std::uint32_t> index(points.size());
  std::iota(index.begin(), index.end(), 0u);
  const NearValues lists =
      near_values(points, index, lesser, options.normal_angle, reach / std::sqrt(mean_packing),
                  context, [&](double d) { return static_cast<float>(d * reach * (d * reach)); });
  points.class_id = spread_classes(lists, weights, context);
}

}  // namespace dapple::surface
