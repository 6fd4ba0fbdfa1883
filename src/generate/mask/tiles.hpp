// Keeps the energies of void-and-cluster on a flat torus, in tiles that know their smallest energy.
#pragma once

#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <vector>

#include "generate/mask/engine.hpp"

namespace dapple::mask {

// Pixels across a tile, as many as the widest vector has lanes, and down.
inline constexpr int tile_width = 16;
inline constexpr int tile_height = 8;
inline constexpr int tile_size = tile_width * tile_height;
// Largest number of tiles in a block: places in a block are numbers of 16 bits.
inline constexpr int most_tiles = 0x10000 / tile_size;

// Memory that begins on a cache line: elsewhere, a vector as long as a line would read two lines.
template <class T>
struct CacheLines {
  using value_type = T;
  static constexpr std::align_val_t line{64};

  CacheLines() = default;
  template <class Other>
  CacheLines(const CacheLines<Other>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(::operator new(n * sizeof(T), line)); }
  void deallocate(T* p, std::size_t) { ::operator delete(p, line); }
  friend bool operator==(CacheLines, CacheLines) { return true; }
};
using Numbers = std::vector<std::uint16_t, CacheLines<std::uint16_t>>;

// A kernel laid out for tiles, as the vector code sees it.
struct TileWeights {
  int reach;
  // The most columns and rows of tiles that the kernel touches, wherever it lies.
  int columns, rows;
  // For each place of a tile's first lane in the kernel there are the columns of tiles that the
  // kernel touches. Each column has `height` rows of tile_width numbers: the kernel's rows, with
  // zeros of more than a tile around them.
  int height;
  const std::uint16_t* numbers;

  // Returns where the numbers of a tile begin. The tile's first lane lies in the kernel's column
  // `lane`, counted from 1 - tile_width, and its first row is the kernel's row `down`.
  std::ptrdiff_t place_of(int lane, int down) const {
    const int run = lane % tile_width * columns + lane / tile_width;
    return (static_cast<std::ptrdiff_t>(run) * height + down + tile_height - 1) * tile_width;
  }
};
class TileKernel {
 public:
  explicit TileKernel(const Kernel& kernel);
  // The result is valid as long as this object exists.
  TileWeights weights() const;

 private:
  TileWeights shape_;
  Numbers numbers_;
};

// A box of tiles, in columns and rows of tiles.
struct TileBox {
  int column0, row0, column1, row1;
};

// A field as the vector code sees it. A strip holds a column of tiles, its rows one after the
// other. Places of the last tiles beyond the torus are `taken`. Of equal energies, the first in
// memory comes first.
struct TileView {
  std::uint16_t* energy;  // strips x rows x tile_width
  std::uint16_t* least;   // of each tile: strips x tile_rows, then `taken` up to a whole vector
  const std::uint16_t* outside;  // by `lane`: 0 in the columns of the kernel, `taken` beyond
  int width, height;
  int strips, rows, tile_rows;
  TileWeights kernel;
  // Columns and rows of tiles that the kernel reaches beyond its own tile.
  int columns_near, rows_near;
  bool even;  // the torus is whole tiles, no fewer than a kernel touches

  std::uint16_t* tile(int column, int row) const {
    return energy + (static_cast<std::ptrdiff_t>(column) * rows + row * tile_height) * tile_width;
  }
  std::uint16_t& least_of_tile(int column, int row) const {
    return least[column * tile_rows + row];
  }
  std::size_t place(int x, int y) const {
    return (static_cast<std::size_t>(x / tile_width) * static_cast<std::size_t>(rows) +
            static_cast<std::size_t>(y)) *
               tile_width +
           static_cast<std::size_t>(x % tile_width);
  }
};

// A block of tiles, and its picked pixels with their energies in the order of picking.
struct BlockOfTiles {
  TileBox tiles;
  std::vector<std::uint32_t>
      picks;  // energy << 16 | place in the block, column of pixels by column
};

// Searches for the largest void repeatedly, on a flat torus. Additions saturate. A pixel that was
// set is EnergyField::taken and stays so.
class TileField {
 public:
  // Energies of a block of this side stay in the processor's cache during a visit.
  static constexpr int usual_block =
      128;  // pixels; blocks of less than twice this side have at most most_tiles

  // `ranks` is -1 at free pixels, and must outlive the field.
  explicit TileField(Plane<std::int32_t>& ranks);
  TileField(const TileField&) = delete;
  TileField& operator=(const TileField&) = delete;

  // Begins anew with a kernel, which must outlive the growth, from the pixels that have ranks.
  // `first`: energies to start from, row by row, or none.
  void begin(const TileKernel& kernel, std::span<const std::uint16_t> first);
  // Sets the free pixel of the smallest energy and gives it the next rank, until no free pixel has
  // less than `end`. Of equals, the first in memory comes first. Returns the next rank. Uses one
  // thread: for masks that the cache holds.
  std::int32_t grow(int end, std::int32_t next);
  // Works like grow() in blocks of at least `block` pixels per side, on several threads if
  // `parallel`. Calls `progress` with the number of ranks given.
  std::int32_t grow_in_blocks(int end, std::int32_t next, int block, Context& context,
                              bool parallel, const std::function<void(std::int32_t)>& progress);

 private:
  void scatter(std::span<const BlockOfTiles> blocks, int end, std::int32_t next);

  Plane<std::int32_t>& ranks_;
  TileView view_;
  Numbers energy_;
  std::vector<std::uint16_t> least_, outside_;
};

}  // namespace dapple::mask
