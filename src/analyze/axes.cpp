// Measures whether the raster of a map shows in the points that are made from it.
#include <cmath>
#include <vector>

#include "analyze/figures.hpp"
#include "core/parallel.hpp"

namespace dapple {

double along_axes(const Points& points, Context& context) {
  constexpr double inside = 3;           // mean spacings from a border, where rows are normal
  constexpr double slope = 0.087488664;  // tan 5 degrees
  const Domain& domain = points.domain;
  const double margin =
      domain.wrap ? 0 : inside * std::sqrt(domain.area() / static_cast<double>(points.size()));
  const PointIndex index(points);
  struct Seen {
    std::int64_t all = 0;
    std::int64_t along = 0;
  };
  constexpr std::size_t block = 1024;
  std::vector<Seen> blocks((points.size() + block - 1) / block);
  parallel_for(context, blocks.size(), [&](std::size_t b) {
    std::vector<Neighbor> found;
    for (std::size_t i = b * block; i < std::min(points.size(), (b + 1) * block); ++i) {
      const Vec2 p = points[i];
      if (!domain.wrap && (std::min(p.x, domain.width - p.x) < margin ||
                           std::min(p.y, domain.height - p.y) < margin)) {
        continue;
      }
      index.nearest(p, 1, found, static_cast<std::int32_t>(i));
      if (found.empty()) continue;
      const Vec2 d = domain.delta(p, points[static_cast<std::size_t>(found.front().index)]);
      const double x = std::abs(d.x);
      const double y = std::abs(d.y);
      ++blocks[b].all;
      if (std::min(x, y) <= slope * std::max(x, y)) ++blocks[b].along;
    }
  });
  Seen sum;
  for (const Seen& seen : blocks) {
    sum.all += seen.all;
    sum.along += seen.along;
  }
  return sum.all > 0 ? static_cast<double>(sum.along) / static_cast<double>(sum.all)
                     : isotropic_along_axes;
}

}  // namespace dapple
