// Stores the points of all tiles of the dart sampler, and which parts of a tile may take another.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "sample/fixed_points.hpp"

namespace dapple {

// The points of all tiles. Each tile has memory of its own, untouched until it is used.
class TilePoints {
 public:
  static constexpr std::size_t chunk = 8;

  // A place in a tile, in 2^-30ths of its sides.
  struct Place {
    std::int32_t u, v;
  };
  // A block of places. Unused entries have a radius of 0.
  struct Chunk {
    std::int32_t u[chunk];
    std::int32_t v[chunk];
    float r[chunk];  // without the safety factor
  };

  explicit TilePoints(const TileSet& set)
      // Not std::make_unique, which would fill the arrays; libc++ lacks the form that does not.
      : chunks_(new Chunk[set.capacity() / chunk]),
        live_(new std::uint64_t[set.rows()]),
        begun_(set.tiles().size()),
        count_(set.tiles().size()),
        seen_(set.link_count()) {}

  // Adds a point and returns its index.
  std::size_t add(const Tile& tile, std::size_t index, Place at, float r);
  // As above, but at the nearest place of the tile to p.
  void add(const Tile& tile, std::size_t index, Vec2 p, float r) {
    add(tile, index, place_of(tile, p), r);
  }

  // Removes point n of a tile; its last point takes the place.
  void remove(const Tile& tile, std::size_t index, std::uint32_t n);
  // Makes the next visit to a tile begin as the first one does, beside the points that it has.
  void begin_again(std::size_t index, std::span<const TileLink> links, std::size_t first_link);
  bool has_begun(std::size_t index) const { return begun_[index] != 0; }

  std::uint32_t count(std::size_t tile) const { return count_[tile]; }
  Vec2 place(const Tile& tile, std::size_t at) const {
    const Chunk& c = chunks_[at / chunk];
    return place_in(tile, {c.u[at % chunk], c.v[at % chunk]});
  }
  float radius(std::size_t at) const { return chunks_[at / chunk].r[at % chunk]; }
  const Chunk& chunk_at(std::size_t at) const { return chunks_[at / chunk]; }

  static Vec2 place_in(const Tile& tile, Place at) {
    return {tile.box.x0 + at.u * (tile.cells * tile.cell_width * 0x1p-30),
            tile.box.y0 + at.v * (tile.cells * tile.cell_height * 0x1p-30)};
  }
  static Place place_of(const Tile& tile, Vec2 p) {
    const double across = 0x1p30 / (tile.cells * tile.cell_width);
    const double down = 0x1p30 / (tile.cells * tile.cell_height);
    return {static_cast<std::int32_t>((p.x - tile.box.x0) * across),
            static_cast<std::int32_t>((p.y - tile.box.y0) * down)};
  }

  // Returns the rows of a tile. A bit stands for a square that no single point is known to cover.
  // All bits in the domain are set before the first visit.
  std::uint64_t* live_rows(const Tile& tile, std::size_t index);
  // Returns how many points of a neighbor have been erased from the rows of a tile, per link.
  std::uint16_t& seen(std::size_t link) { return seen_[link]; }

  Obstacles obstacles;

 private:
  std::unique_ptr<Chunk[]> chunks_;
  std::unique_ptr<std::uint64_t[]> live_;
  std::vector<std::uint8_t> begun_;
  std::vector<std::uint32_t> count_;
  std::vector<std::uint16_t> seen_;
};

}  // namespace dapple
