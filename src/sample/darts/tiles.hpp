// Divides the domain into the tiles of the dart sampler: leaves of a quadtree, as large as their
// smallest radius allows. Links the tiles that see each other's points, and orders the visits.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/field.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

inline constexpr int tile_cells = 8;  // per side, at most

struct Tile {
  Box box;       // clipped to the domain
  double r_min;  // of the places that allow points, with the safety factor
  double r_max;
  double cell_width;  // cells that stick out of the domain are clipped
  double cell_height;
  int cells;             // per side: 1, 2, 4 or 8
  std::size_t first;     // start of its points
  std::size_t capacity;  // maximum number of its points (Oler 1961)
  std::size_t rows;      // start of its map of live squares
  int octave;            // log2 of the width of its cells, rounded down
  int highest;           // largest octave around it at a jump of the radius, otherwise `smooth`

  static constexpr int smooth = -10000;
};

// Returns the center of the whole tile, including its part outside the domain.
inline Vec2 center_of(const Tile& tile) {
  return {tile.box.x0 + 0.5 * tile.cells * tile.cell_width,
          tile.box.y0 + 0.5 * tile.cells * tile.cell_height};
}

// A tile whose points may conflict with those of another, and the shift that puts it next to the
// other. On the torus a tile may be its own neighbor, and appear several times.
struct TileLink {
  std::uint32_t tile;
  std::uint32_t shift;  // 0: none; otherwise an index into TileSet::shifts
};

struct RegionTiles;  // sample/regions/region_tiles.hpp

class TileSet {
 public:
  TileSet(const DensityField& field, ConflictRule rule, Context& context);
  // Divides each of these regions by itself, in this order, and adds the tiles to `regions`.
  TileSet(RegionTiles& regions, std::span<const std::uint32_t> which, Context& context);
  // Reduces the radius of a tile of a region, given with the safety factor, at most to
  // RegionTiles::least_radius.
  void set_radius(std::size_t tile, double r) { tiles_[tile].r_min = tiles_[tile].r_max = r; }

  const Domain& domain() const { return domain_; }
  const std::vector<Tile>& tiles() const { return tiles_; }
  std::size_t capacity() const { return capacity_; }
  std::size_t rows() const { return rows_; }
  // Returns the tile that holds p; points must be allowed at p.
  std::uint32_t tile_at(Vec2 p) const;
  // Collects the tiles with places that could conflict with a point at p of radius r.
  void tiles_near(Vec2 p, double r, std::vector<std::uint32_t>& found) const;

  // Finds the neighbors of every tile, and makes blocks of tiles and phases of blocks. Returns
  // false, and makes nothing, if radii vary so much that tiles would have too many neighbors.
  bool link(std::uint64_t seed);
  // Returns the neighbors of a tile, itself first.
  std::span<const TileLink> links(std::size_t tile) const {
    return {links_.data() + link_start_[tile], link_start_[tile + 1] - link_start_[tile]};
  }
  std::size_t first_link(std::size_t tile) const { return link_start_[tile]; }
  std::size_t link_count() const { return links_.size(); }
  // Returns a block of tiles that lie together, small enough for a cache, in random order.
  std::span<const std::uint32_t> block(std::size_t index) const {
    return {order_.data() + block_start_[index], block_start_[index + 1] - block_start_[index]};
  }
  // Returns the phases. Within a phase, no tile of one block sees a tile of another.
  const std::vector<std::vector<std::uint32_t>>& phases() const { return phases_; }
  // Returns the octaves of tiles at jumps of the radius, from coarse to fine.
  const std::vector<int>& jump_octaves() const { return jump_octaves_; }

  std::array<Vec2, 9> shifts;

 private:
  struct Node {
    Box box;
    double r_max;
    std::array<std::int32_t, 4> child{-1, -1, -1, -1};  // in Morton order; -1: none
    std::int32_t tile = -1;
  };

  // The ground of a tree of nodes. bounds_of(box) returns the bounds of r in a part of the limits.
  template <class BoundsOf>
  struct Ground {
    Box limits;
    double trim;  // factor on r_min for the number of points that tiles have room for
    const BoundsOf& bounds_of;
  };
  template <class BoundsOf>
  std::int32_t build(const Ground<BoundsOf>& ground, std::int64_t x, std::int64_t y, double width,
                     double height);
  void add_tile(const Box& box, const RadiusBounds& bounds, std::size_t most, double width,
                double height, int cells);
  void find_near(Vec2 p, double r, std::int32_t node, std::vector<std::uint32_t>& found) const;
  void make_blocks(std::uint64_t seed);
  void make_phases();
  void find_jumps();
  void find_links(std::uint32_t tile, std::uint32_t shift, std::int32_t node);

  Domain domain_;
  ConflictRule rule_;
  Context& context_;
  std::vector<Node> nodes_;
  std::int32_t root_ = -1;
  double root_width_ = 0;
  double root_height_ = 0;
  std::vector<Tile> tiles_;
  std::size_t capacity_ = 0;
  std::size_t rows_ = 0;
  std::vector<std::size_t> link_start_;
  std::vector<TileLink> links_;
  std::vector<std::uint32_t> order_;  // tiles, block by block
  std::vector<std::size_t> block_start_;
  std::vector<std::vector<std::uint32_t>> phases_;
  std::vector<int> jump_octaves_;
};

// Returns the bounds of r over a box whose edges lie on pixel edges, up to a rounding error of
// `trim`.
RadiusBounds inner_bounds(const DensityField& field, const Box& box, double trim);
// Returns 0 if coordinates of cells are exact, otherwise a few rounding errors of the domain.
double rounding_of(const DensityField& field);

}  // namespace dapple
