// Covers a rectangle by at most 2x2 nodes of one level. A node that sticks out is split, unless the
// known bounds enclose its own. On smooth maps this leaves only a few nodes per level.
#include "field/pyramid.hpp"

#include <algorithm>
#include <limits>

#include "dapple/context.hpp"

namespace dapple {
namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

// Returns the radius as it counts in a maximum: 0 for a forbidden place.
float placed(float radius) {
  return radius == infinity ? 0.0f : radius;
}

}  // namespace

struct RadiusPyramid::Query {
  int x0, y0, x1, y1;
  float min = infinity;
  float max = 0;

  void add(Bounds b) {
    min = std::min(min, b.min);
    max = std::max(max, b.max);
  }
  void add_pixels(const PlaneView<const float>& map, int left, int top, int right, int bottom) {
    for (int y = top; y <= bottom; ++y) {
      const float* row = map.row(y);
      for (int x = left; x <= right; ++x) add({row[x], placed(row[x])});
    }
  }
};

RadiusPyramid::RadiusPyramid(const Plane<float>& map, const Context& context) : map_(map.view()) {
  int w = map.width();
  int h = map.height();
  std::size_t total = 0;
  while (w > 1 || h > 1) {
    w = (w + 1) / 2;
    h = (h + 1) / 2;
    levels_.push_back({w, h, total});
    total += static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
  }
  nodes_.reserve(total);
  for (std::size_t k = 0; k < levels_.size(); ++k) {
    const Level& level = levels_[k];
    const int below_w = k == 0 ? map.width() : levels_[k - 1].width;
    const int below_h = k == 0 ? map.height() : levels_[k - 1].height;
    for (int y = 0; y < level.height; ++y) {
      context.check();
      const int top = 2 * y;
      const int bottom = std::min(top + 1, below_h - 1);
      for (int x = 0; x < level.width; ++x) {
        const int left = 2 * x;
        const int right = std::min(left + 1, below_w - 1);
        Query all{left, top, right, bottom};
        if (k == 0) {
          all.add_pixels(map_, left, top, right, bottom);
        } else {
          const Bounds* below = nodes_.data() + levels_[k - 1].start;
          const auto at = [&](int i, int j) {
            return below[static_cast<std::ptrdiff_t>(j) * below_w + i];
          };
          all.add(at(left, top));
          all.add(at(right, top));
          all.add(at(left, bottom));
          all.add(at(right, bottom));
        }
        nodes_.push_back({all.min, all.max});
      }
    }
  }
}

void RadiusPyramid::descend(int level, int x, int y, Query& query) const {
  // Node (x, y) of levels_[level] covers 2^(level + 1) pixels a side.
  const int shift = level + 1;
  const int left = x << shift;
  const int top = y << shift;
  const int right = std::min(((x + 1) << shift) - 1, map_.width() - 1);
  const int bottom = std::min(((y + 1) << shift) - 1, map_.height() - 1);
  if (right < query.x0 || left > query.x1 || bottom < query.y0 || top > query.y1) return;
  const Level& l = levels_[static_cast<std::size_t>(level)];
  const Bounds node =
      nodes_[l.start + static_cast<std::size_t>(y) * static_cast<std::size_t>(l.width) +
             static_cast<std::size_t>(x)];
  if (node.min >= query.min && node.max <= query.max) return;
  if (left >= query.x0 && right <= query.x1 && top >= query.y0 && bottom <= query.y1) {
    query.add(node);
    return;
  }
  if (level == 0) {
    query.add_pixels(map_, std::max(left, query.x0), std::max(top, query.y0),
                     std::min(right, query.x1), std::min(bottom, query.y1));
    return;
  }
  for (int j = 0; j < 2; ++j) {
    for (int i = 0; i < 2; ++i) descend(level - 1, 2 * x + i, 2 * y + j, query);
  }
}

RadiusBounds RadiusPyramid::over(int x0, int y0, int x1, int y1) const {
  Query query{x0, y0, x1, y1};
  const std::int64_t pixels = (std::int64_t{x1} - x0 + 1) * (std::int64_t{y1} - y0 + 1);
  if (pixels <= 16) {
    query.add_pixels(map_, x0, y0, x1, y1);
  } else {
    int level = 0;
    const auto spans = [&](int shift) {
      return (x1 >> shift) - (x0 >> shift) <= 1 && (y1 >> shift) - (y0 >> shift) <= 1;
    };
    while (!spans(level + 1)) ++level;
    const int shift = level + 1;
    for (int y = y0 >> shift; y <= y1 >> shift; ++y) {
      for (int x = x0 >> shift; x <= x1 >> shift; ++x) descend(level, x, y, query);
    }
  }
  return {static_cast<double>(query.min), static_cast<double>(query.max)};
}

}  // namespace dapple
