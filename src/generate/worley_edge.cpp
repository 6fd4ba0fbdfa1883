// Exact distance to the nearest border between cells.
//
// A pixel of cell i is (|x - pj|^2 - |x - pi|^2) / (2 |pj - pi|) away from the bisector with j, and
// the smallest over all j is the distance to the border: no Voronoi diagram is built. A bisector is
// at least |pj - pi| / 2 - |x - pi| away, so sites within 2 (F1 + e) of pi are all that matter: the
// part of a cell inside a tile gathers what a first guess asks for, and again where the largest e
// it found asks for more.
#include <cmath>
#include <limits>

#include "generate/worley_lanes.hpp"
#include "generate/worley_search.hpp"
#include "generate/worley_tile.hpp"

namespace dapple {
namespace {

// The pixels of a tile that one site, or one image of it, is the nearest of.
struct Part {
  std::int32_t id;
  Vec2 site;  // the image that is near
  PixelBox box;
  float farthest;     // largest F1
  bool shares_id;     // another image of the site has pixels in the tile
  std::int32_t next;  // part of another image, or -1
};

class EdgeTile {
 public:
  // `part_of` has a place for every site, holds -1, and holds -1 again afterwards.
  EdgeTile(const SiteGrid& grid, const Cells& cells, Plane<float>& edges,
           std::vector<std::int32_t>& part_of)
      : grid_(grid), cells_(cells), edges_(edges), part_of_(part_of) {}

  void tile(const PixelBox& box) {
    parts_.clear();
    for (int y = box.y0; y < box.y1; ++y) {
      for (int x = box.x0; x < box.x1; ++x) count(x, y);
    }
    for (const Part& part : parts_) part_of_[static_cast<std::size_t>(part.id)] = -1;
    for (const Part& part : parts_) fill(part);
  }

 private:
  static Vec2 centre(int x, int y) { return {x + 0.5, y + 0.5}; }

  // The image of a site that is nearest to a pixel.
  Vec2 image(std::int32_t id, int x, int y) const {
    const Vec2 p = centre(x, y);
    return p + grid_.domain().delta(p, grid_.position(id));
  }

  void count(int x, int y) {
    const std::int32_t id = cells_.nearest(x, y);
    const Vec2 site = image(id, x, y);
    std::int32_t& first = part_of_[static_cast<std::size_t>(id)];
    std::int32_t at = first;
    while (at >= 0 && parts_[static_cast<std::size_t>(at)].site != site) {
      at = parts_[static_cast<std::size_t>(at)].next;
    }
    const float f1 = cells_.distance[0](x, y);
    if (at < 0) {
      parts_.push_back({id, site, {x, y, x + 1, y + 1}, f1, first >= 0, first});
      for (at = first; at >= 0; at = parts_[static_cast<std::size_t>(at)].next) {
        parts_[static_cast<std::size_t>(at)].shares_id = true;
      }
      first = static_cast<std::int32_t>(parts_.size()) - 1;
      return;
    }
    Part& part = parts_[static_cast<std::size_t>(at)];
    part.box.x0 = std::min(part.box.x0, x);
    part.box.x1 = std::max(part.box.x1, x + 1);
    part.box.y1 = y + 1;
    part.farthest = std::max(part.farthest, f1);
  }

  void fill(const Part& part) {
    // Neighbours that are nearer to each other than this are told apart by more than rounding.
    constexpr double slack = 0.02;
    double reach = 3 * static_cast<double>(part.farthest) + 1;
    while (true) {
      find_planes(part, reach);
      if (normal_x_.empty()) {
        reach *= 2;
        continue;
      }
      const double largest = raster(part);
      const double needed = 2 * (static_cast<double>(part.farthest) + largest) + slack;
      if (needed <= reach) return;
      reach = needed + slack;
    }
  }

  // Bisectors with every site within reach, relative to the part's own site.
  void find_planes(const Part& part, double reach) {
    const Vec2 p = part.site;
    grid_.gather({p.x - reach, p.y - reach, p.x + reach, p.y + reach}, p, neighbours_);
    // Those at the same place share their cell.
    std::erase_if(neighbours_, [&](const Site& s) {
      const double d2 = s.x * s.x + s.y * s.y;
      return d2 == 0 || d2 > reach * reach;
    });
    normal_x_.clear();
    normal_y_.clear();
    offset_.clear();
    for (const Site& s : neighbours_) {
      const double distance = std::sqrt(s.x * s.x + s.y * s.y);
      normal_x_.push_back(static_cast<float>(s.x / distance));
      normal_y_.push_back(static_cast<float>(s.y / distance));
      offset_.push_back(static_cast<float>(0.5 * distance));
    }
  }

  // Writes the distances of the part's pixels; returns the largest.
  float raster(const Part& part) {
    float largest = 0;
    const Lanes step{0, 1, 2, 3};
    const std::size_t n = offset_.size();
    row_offset_.resize(n);
    for (int y = part.box.y0; y < part.box.y1; ++y) {
      const float dy = static_cast<float>(y + 0.5 - part.site.y);
      for (std::size_t j = 0; j < n; ++j) row_offset_[j] = offset_[j] - normal_y_[j] * dy;
      for (int x = part.box.x0; x < part.box.x1; x += 2 * lane_count) {
        const Lanes dx0 = static_cast<float>(x + 0.5 - part.site.x) + step;
        const Lanes dx1 = dx0 + static_cast<float>(lane_count);
        Lanes e0 = all(std::numeric_limits<float>::infinity());
        Lanes e1 = e0;
        for (std::size_t j = 0; j < n; ++j) {
          e0 = smaller(row_offset_[j] - normal_x_[j] * dx0, e0);
          e1 = smaller(row_offset_[j] - normal_x_[j] * dx1, e1);
        }
        float e[2 * lane_count];
        store(e0, e);
        store(e1, e + lane_count);
        const int count = std::min(2 * lane_count, part.box.x1 - x);
        for (int i = 0; i < count; ++i) {
          if (!owns(part, x + i, y)) continue;
          edges_(x + i, y) = is_doubtful(e[i], x + i, y) ? exact(part, x + i, y) : e[i];
          largest = std::max(largest, edges_(x + i, y));
        }
      }
    }
    return largest;
  }

  bool owns(const Part& part, int x, int y) const {
    if (cells_.nearest(x, y) != part.id) return false;
    return !part.shares_id || image(part.id, x, y) == part.site;
  }

  // On a border, and far from everything, float is not enough.
  bool is_doubtful(float e, int x, int y) const {
    return !(e >= 1e-4f) || e > float_reach || cells_.distance[0](x, y) > float_reach;
  }

  float exact(const Part& part, int x, int y) const {
    const Vec2 p = centre(x, y) - part.site;
    double least = std::numeric_limits<double>::infinity();
    for (const Site& s : neighbours_) {
      const double dx = s.x - p.x;
      const double dy = s.y - p.y;
      const double nearer = dx * dx + dy * dy - (p.x * p.x + p.y * p.y);
      least = std::min(least, 0.5 * nearer / std::sqrt(s.x * s.x + s.y * s.y));
    }
    return static_cast<float>(std::max(least, 0.0));
  }

  const SiteGrid& grid_;
  const Cells& cells_;
  Plane<float>& edges_;
  std::vector<std::int32_t>& part_of_;  // by site: its first part, or -1
  std::vector<Part> parts_;
  std::vector<Site> neighbours_;
  std::vector<float> normal_x_, normal_y_, offset_, row_offset_;
};

}  // namespace

Plane<float> search_edges(const SiteGrid& grid, const Cells& cells, Context& context) {
  Plane<float> edges(cells.nearest.width(), cells.nearest.height());
  for_tiles(grid, context, [&](const PixelBox& box) {
    thread_local std::vector<std::int32_t> part_of;
    if (part_of.size() < grid.size()) part_of.resize(grid.size(), -1);
    EdgeTile(grid, cells, edges, part_of).tile(box);
  });
  return edges;
}

}  // namespace dapple
