// Orders dots so that the pen's way is short.
//
// The Hilbert (1891) curve comes first, 25 % longer than necessary. Moves over lists of near dots
// then shorten it (tour_improve.cpp). The way is cut into stretches of bounded length whose ends
// stay fixed. It is cut again half a stretch later, for near dots across the cuts. The work runs in
// parallel in O(N log N). It does not depend on the threads or on a clock.
#include "draw/order.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <span>

#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/drawing.hpp"

namespace dapple {
namespace {

constexpr std::size_t longest_stretch = 16384;
constexpr std::size_t shortest_stretch = 2048;
constexpr std::size_t fewest_stretches = 4;  // so that several threads have work

// Returns the distance along a Hilbert curve over 65536 x 65536 cells.
std::uint32_t hilbert_key(std::uint32_t x, std::uint32_t y) {
  std::uint32_t key = 0;
  for (std::uint32_t s = 1u << 15; s > 0; s >>= 1) {
    const std::uint32_t rx = (x & s) != 0 ? 1 : 0;
    const std::uint32_t ry = (y & s) != 0 ? 1 : 0;
    key = (key << 2) | ((3 * rx) ^ ry);
    if (ry == 0) {
      if (rx == 1) {
        x = ~x;
        y = ~y;
      }
      std::swap(x, y);
    }
  }
  return key;
}

}  // namespace

std::vector<std::int32_t> hilbert_order(const Points& points) {
  const double side = std::max(points.domain.width, points.domain.height);
  const auto cell = [side](double v) {
    return static_cast<std::uint32_t>(std::clamp(v / side * 65536, 0.0, 65535.0));
  };
  std::vector<std::pair<std::uint32_t, std::int32_t>> keys(points.size());
  for (std::size_t i = 0; i < keys.size(); ++i) {
    keys[i] = {hilbert_key(cell(points.x[i]), cell(points.y[i])), static_cast<std::int32_t>(i)};
  }
  std::sort(keys.begin(), keys.end());
  std::vector<std::int32_t> order(points.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = keys[i].second;
  return order;
}

NearDots nearest_dots(const Points& points, Context& context, int count) {
  NearDots lists(points.size());
  const auto k = static_cast<std::size_t>(count);
  const std::vector<std::int32_t> found = PointIndex(points).nearest_of_all(count, context);
  for (std::size_t i = 0; i < lists.size(); ++i) {
    lists[i].fill(-1);
    std::copy_n(found.begin() + static_cast<std::ptrdiff_t>(i * k), k, lists[i].begin());
  }
  return lists;
}

namespace {

void shorten(const Points& points, std::vector<std::int32_t>& way, Context& context) {
  const NearDots near = nearest_dots(points, context, near_dots_tried);
  std::vector<std::int32_t> place(way.size());
  std::vector<std::uint8_t> settled(way.size(), 0);
  const std::size_t share = (way.size() + fewest_stretches - 1) / fewest_stretches;
  const std::size_t stretch = std::clamp(share, shortest_stretch, longest_stretch);
  const std::size_t size = way.size() <= stretch + stretch / 2 ? way.size() : stretch;
  for (const std::size_t offset : {size, size / 2}) {
    if (size == way.size() && offset < size) break;
    for (std::size_t i = 0; i < way.size(); ++i) {
      place[static_cast<std::size_t>(way[i])] = static_cast<std::int32_t>(i);
    }
    std::vector<std::size_t> cuts{0};
    for (std::size_t cut = offset; cut < way.size(); cut += size) cuts.push_back(cut);
    cuts.push_back(way.size());
    parallel_for(context, cuts.size() - 1, [&](std::size_t i) {
      const std::span<std::int32_t> part(way.data() + cuts[i], cuts[i + 1] - cuts[i]);
      shorten_stretch(points, near, part, place, static_cast<std::int32_t>(cuts[i]), settled,
                      context);
    });
  }
}

}  // namespace

std::vector<std::int32_t> drawing_order(const Points& points, DotOrder order, Context& context) {
  require_word("order", order);
  require_columns(points);
  if (!points.empty()) require_domain(points.domain);
  std::vector<std::int32_t> ranks(points.size());
  std::iota(ranks.begin(), ranks.end(), 0);
  if (order == DotOrder::none) return ranks;
  ranks = hilbert_order(points);
  if (order == DotOrder::hilbert || points.size() < 4) return ranks;

  // From here on, dots are numbered along the curve, so that near dots are near in memory.
  Points sorted;
  sorted.domain = {points.domain.width, points.domain.height, false};
  for (const std::int32_t i : ranks) {
    const auto k = static_cast<std::size_t>(i);
    sorted.add(points[k], 0);
  }
  std::vector<std::int32_t> way(points.size());
  std::iota(way.begin(), way.end(), 0);
  shorten(sorted, way, context);
  // Crossings show in a line. With more dots, undoing the last few takes longer than all the rest.
  constexpr std::size_t looked_at = 250000;
  if (points.size() <= looked_at) undo_crossings(sorted, way, context);
  for (std::int32_t& dot : way) dot = ranks[static_cast<std::size_t>(dot)];
  return way;
}

}  // namespace dapple
