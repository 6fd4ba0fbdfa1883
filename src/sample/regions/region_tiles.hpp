// Shows the tiles of regions to the dart sampler, each of one region and of one radius.
#pragma once

#include <limits>
#include <span>

#include "dapple/field.hpp"
#include "sample/conflict.hpp"
#include "sample/darts/tiles.hpp"
#include "sample/regions/region_set.hpp"

namespace dapple {

// One tile after the other, as a field for a visit. Only the region of the tile counts, whatever
// other regions overlap it.
class RegionTile {
 public:
  explicit RegionTile(const RegionTiles& all) : all_(all) {}

  void enter(std::size_t tile) {
    region_ = all_.region[tile];
    edges_ = all_.edges.of(tile);
  }
  bool has_border() const { return !edges_.empty(); }
  bool contains(Vec2 p) const { return edges_.empty() || all_.shapes.contains(region_, p); }
  bool is_outside(const Box& box) const { return !uniform(box) ? false : !contains(center(box)); }
  // Clears the bits of squares that lie outside the region.
  void clear_outside(const Tile& tile, std::uint64_t* rows) const;

  float map_radius(Vec2 = {}) const { return all_.radius[region_]; }
  double radius(Vec2 p) const {
    return contains(p) ? safe_radius() : std::numeric_limits<double>::infinity();
  }
  RadiusBounds bounds(const Box& box) const {
    if (is_outside(box)) return {0, 0};
    return {safe_radius(), safe_radius()};
  }
  // Returns true if no edge crosses the box.
  bool uniform(const Box& box) const {
    for (const std::uint32_t e : edges_) {
      if (all_.shapes.edge(e).touches(box)) return false;
    }
    return true;
  }

 private:
  static Vec2 center(const Box& box) { return {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)}; }
  double safe_radius() const { return static_cast<double>(map_radius()) * safety; }
  void clear(const Tile& tile, std::uint64_t* rows, int x, int y, int size) const;

  const RegionTiles& all_;
  std::size_t region_ = 0;
  std::span<const std::uint32_t> edges_;
};

}  // namespace dapple
