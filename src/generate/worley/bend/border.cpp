// Finds borders of cells of any metric: places where they cross the lines between pixel centers.
// The nearest place is then searched as the nearest site is.
#include <algorithm>
#include <functional>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "generate/worley/bend/turned.hpp"
#include "generate/worley/measure.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {
namespace {

// Returns where between a pixel and the next, 0 to 1, their sites are equally far.
template <class Measured>
double crossing(const Measured& measure, const CellFrame& frame, Vec2 step, Vec2 to_near,
                Vec2 to_far) {
  const auto distance = [&](Vec2 way) {
    const Vec2 round = frame(way);
    return measure.length(measure.of(round.x, round.y));
  };
  const double here = distance(to_far + step) - distance(to_near);
  const double there = distance(to_near - step) - distance(to_far);
  const double sum = here + there;
  return sum > 0 ? std::clamp(here / sum, 0.0, 1.0) : 0.5;
}

}  // namespace

Band<float> traced_edges(const Domain& domain, const Band<std::int32_t>& nearest,
                         const std::function<Vec2(int x, int y)>& way, const Metric& metric,
                         const CellFrame& frame, Context& context) {
  const int width = nearest.plane.width();
  const int height = nearest.plane.height();
  std::vector<std::vector<Vec2>> rows(static_cast<std::size_t>(height));
  parallel_for(context, rows.size(), [&](std::size_t row) {
    const int y = static_cast<int>(row);
    const auto trace = [&](const auto& measure, int x, int next_x, int next_y, Vec2 step) {
      if (nearest(x, y) == nearest(next_x, next_y)) return;
      const Vec2 from{x + 0.5, y + 0.5};
      const double t = crossing(measure, frame, step, way(x, y), way(next_x, next_y));
      rows[row].push_back(domain.wrapped(from + step * t));
    };
    with_measure(metric, false, [&](const auto& measure) {
      for (int x = 0; x < width; ++x) {
        if (x + 1 < width || domain.wrap) trace(measure, x, (x + 1) % width, y, {1, 0});
        if (y + 1 < height || domain.wrap) trace(measure, x, x, (y + 1) % height, {0, 1});
      }
    });
  });
  Points places;
  places.domain = domain;
  for (const std::vector<Vec2>& row : rows) {
    for (const Vec2 p : row) places.add(p, 1);
  }
  if (places.empty()) {
    throw Error(ErrorKind::input,
                "the output edge needs sites at two different places or more, because one cell has "
                "no border");
  }
  CellQuery query;
  query.distances[0] = true;
  const SiteGrid found(places, width, height, context);
  return std::move(search_cells(found, query, {0, height}, context).distance[0]);
}

}  // namespace dapple::cells
