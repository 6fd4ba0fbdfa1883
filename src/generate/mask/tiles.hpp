// The energies of void-and-cluster on a flat torus, in tiles of which each knows its smallest.
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
// Tiles of a block: places in it are numbers of 16 bits.
inline constexpr int most_tiles = 0x10000 / tile_size;

// Memory that begins on a line of the cache: vectors as long as one would read two elsewhere.
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

// A kernel as tiles meet it, as the vector code sees it.
struct TileWeights {
  int reach;
  // Tiles that it touches at the most, wherever it lies.
  int columns, rows;
  // For each place of a tile's first lane in the kernel, and each column of tiles that it touches
  // then, `height` rows of tile_width: those of the kernel, and zeros of more than a tile round
  // them.
  int height;
  const std::uint16_t* numbers;

  // Where those begin that meet a tile whose first lane lies in the column `lane` of the kernel,
  // counted from 1 - tile_width, and whose first row is its row `down`.
  std::ptrdiff_t place_of(int lane, int down) const {
    const int run = lane % tile_width * columns + lane / tile_width;
    return (static_cast<std::ptrdiff_t>(run) * height + down + tile_height - 1) * tile_width;
  }
};
class TileKernel {
 public:
  explicit TileKernel(const Kernel& kernel);
  // As long as it stands.
  TileWeights weights() const;

 private:
  TileWeights shape_;
  Numbers numbers_;
};

// Tiles, as columns and rows of them.
struct TileBox {
  int column0, row0, column1, row1;
};

// A field as the vector code sees it. A strip holds a column of tiles, its rows one after the
// other; what the last tiles have beyond the torus is taken. The order of pixels in memory is the
// order of equals.
struct TileView {
  std::uint16_t* energy;  // strips x rows x tile_width
  std::uint16_t* least;   // of each tile: strips x tile_rows, then `taken` up to a whole vector
  const std::uint16_t* outside;  // columns of the kernel, counted so: 0; `taken` beyond
  int width, height;
  int strips, rows, tile_rows;
  TileWeights kernel;
  // Tiles that the kernel reaches beyond its own.
  int columns_near, rows_near;
  bool even;  // whether the torus is whole tiles, no fewer than a kernel touches

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

// A pixel of a block and the energy at which it was picked, in the order of picking.
struct BlockOfTiles {
  TileBox tiles;
  std::vector<std::uint32_t>
      picks;  // energy << 16 | place in the block, column of pixels by column
};

// The search for the largest void, again and again, on a flat torus. Additions saturate; a pixel
// that was set is EnergyField::taken and stays so.
class TileField {
 public:
  // Energies of such a block stay in the processor's cache while it is visited.
  static constexpr int usual_block =
      128;  // pixels; less than two of it hold no more than most_tiles

  // `ranks` is -1 where a pixel is free, and must outlive the field.
  explicit TileField(Plane<std::int32_t>& ranks);
  TileField(const TileField&) = delete;
  TileField& operator=(const TileField&) = delete;

  // Begins anew with a kernel, which must outlive what follows, from the pixels that have ranks;
  // `first`: energies to start from, row by row, or none.
  void begin(const TileKernel& kernel, std::span<const std::uint16_t> first);
  // Sets the free pixel of the smallest energy, of equals the first in memory, and gives it the
  // next rank, again and again until none has less than `end`; returns the rank to go on with. On
  // one thread: for masks that the cache holds.
  std::int32_t grow(int end, std::int32_t next);
  // The same in blocks of at least that many pixels a side, on several threads where `parallel`
  // says so. `progress` is called with the number of ranks given.
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
