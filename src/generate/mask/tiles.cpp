// The search for voids on a flat torus.
//
// Each tile of 16x16 pixels knows its smallest energy, so the largest void is found among the tiles
// and then within one; adding a kernel renews what the tiles it touches know while they are at
// hand. One pick after the other costs some fifty nanoseconds as long as the cache holds the field.
//
// A larger field is searched in blocks. A free pixel that no other within the reach of the kernel
// comes before will be picked at the energy that it has now, whatever happens elsewhere: energies
// only grow, and nothing that could raise its own is picked before it. So such pixels are picked in
// any order, a block at a time, up to a limit that rises from visit to visit, and sorting all picks
// by energy, then by place, gives the order of the search one by one. Picks go to a list of their
// block and are given their ranks in the end: a rank written at once would wait for memory.
#include "generate/mask/tiles.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/mask/tiles.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <bit>
#include <utility>

#include "core/lanes.hpp"
#include "core/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::mask {
namespace HWY_NAMESPACE {
namespace {

using dapple::HWY_NAMESPACE::Lanes;
using Energies = Lanes<std::uint16_t, tile_side>;
constexpr int step = Energies::count;

// Calls visit(column, row, down, lane) for every tile that a square of the kernel's support round
// (x, y) touches on the torus: its first row is the row `down` of the square, and the place `lane`
// of a row of `pitch` lies on its first lane.
template <class Visit>
HWY_INLINE void each_tile(const TileView& view, int x, int y, const Visit& visit) {
  const int span = 2 * view.reach;
  const auto first = [&](int middle, int side) {
    int at = middle - view.reach;
    while (at - side + span >= 0) at -= side;
    return at;
  };
  for (int s = first(x, view.width); s < view.width; s += view.width) {
    const int column1 = std::min(s + span, view.width - 1) / tile_side;
    for (int t = first(y, view.height); t < view.height; t += view.height) {
      const int row0 = std::max(t, 0) / tile_side;
      const int row1 = std::min(t + span, view.height - 1) / tile_side;
      for (int column = std::max(s, 0) / tile_side; column <= column1; ++column) {
        const int lane = column * tile_side - s + tile_side;
        for (int row = row0; row <= row1; ++row) visit(column, row, row * tile_side - t, lane);
      }
    }
  }
}

// Adds the kernel's part to a tile and returns the smallest energy in it. All rows, whether the
// kernel reaches them or not: it has zeros round it, and a loop of unknown length would cost more.
HWY_INLINE std::uint16_t add_to_tile(const TileView& view, std::uint16_t* tile, int down,
                                     int lane) {
  const std::uint16_t* weights = view.weights + (down + tile_side - 1) * view.pitch + lane;
  Energies least = EnergyField::taken;
  for (int part = 0; part < tile_side; part += step) {
    std::uint16_t* at = tile + part;
    const std::uint16_t* from = weights + part;
    for (int row = 0; row < tile_side; ++row, at += tile_side, from += view.pitch) {
      const Energies sum = saturated_sum(Energies::load(at), Energies::load(from));
      sum.store(at);
      least = min(least, sum);
    }
  }
  return least_of(least);
}

// Calls renewed(column, row, its smallest energy) for each tile that has changed.
template <class Renewed>
HWY_INLINE void set_pixel(const TileView& view, int x, int y, const Renewed& renewed) {
  view.energy[view.place(x, y)] = EnergyField::taken;
  each_tile(view, x, y, [&](int column, int row, int down, int lane) {
    const std::uint16_t least = add_to_tile(view, view.tile(column, row), down, lane);
    view.least_of_tile(column, row) = least;
    renewed(column, row, least);
  });
}

// The first place in a tile that has this energy, which one has.
HWY_INLINE int find_in_tile(const std::uint16_t* tile, std::uint16_t energy) {
  const Energies wanted = energy;
  for (int i = 0;; i += step) {
    const std::uint32_t bits = bits_of(Energies::load(tile + i) == wanted);
    if (bits != 0) return i + std::countr_zero(bits);
  }
}

// Whether some free pixel within the reach comes before this one, of this energy.
HWY_NOINLINE bool is_preceded(const TileView& view, int x, int y, std::uint16_t energy) {
  const std::uint16_t* own = view.energy + view.place(x, y);
  bool found = false;
  const Energies limit = energy;
  each_tile(view, x, y, [&](int column, int row, int down, int lane) {
    if (found || view.least_of_tile(column, row) > energy) return;
    const std::uint16_t* tile = view.tile(column, row);
    const std::uint16_t* outside = view.outside + lane;
    for (int r = std::max(0, -down); r < std::min(tile_side, 2 * view.reach + 1 - down); ++r) {
      for (int part = 0; part < tile_side; part += step) {
        const std::uint16_t* at = tile + r * tile_side + part;
        const Energies here = Energies::load(at) | Energies::load(outside + part);
        const auto equal_or_less = min(here, limit) == here;
        if (!any(equal_or_less)) continue;
        for (std::uint32_t bits = bits_of(equal_or_less); bits != 0; bits &= bits - 1) {
          const std::uint16_t* other = at + std::countr_zero(bits);
          if (*other < energy || other < own) found = true;
        }
      }
    }
  });
  return found;
}

// A quick look at the tiles around, which know their smallest, settles most.
HWY_INLINE bool is_first(const TileView& view, int x, int y, std::uint16_t energy) {
  const std::uint16_t* own = &view.least_of_tile(x / tile_side, y / tile_side);
  bool sure = true;
  each_tile(view, x, y, [&](int column, int row, int, int) {
    const std::uint16_t* least = &view.least_of_tile(column, row);
    if (*least <= energy && least != own) sure = false;
  });
  return sure || !is_preceded(view, x, y, energy);
}

}  // namespace

// The kernel round pixels that are set, and then what every tile knows.
void set_pixels(const TileView& view, std::span<const Pixel> pixels) {
  for (const Pixel p : pixels) {
    view.energy[view.place(p.x, p.y)] = EnergyField::taken;
    each_tile(view, p.x, p.y, [&](int column, int row, int down, int lane) {
      add_to_tile(view, view.tile(column, row), down, lane);
    });
  }
  for (int column = 0; column < view.strips; ++column) {
    for (int row = 0; row < view.tile_rows; ++row) {
      const std::uint16_t* tile = view.tile(column, row);
      view.least_of_tile(column, row) = *std::min_element(tile, tile + tile_side * tile_side);
    }
  }
}

std::int32_t grow_one_by_one(const TileView& view, int end, std::int32_t next,
                             std::int32_t* ranks) {
  const int tiles = view.strips * view.tile_rows;
  for (;;) {
    Energies least = EnergyField::taken;
    for (int i = 0; i < tiles; i += step) least = min(least, Energies::load(view.least + i));
    const std::uint16_t energy = least_of(least);
    if (energy >= end) return next;
    const int tile = find_in_tile(view.least, energy);
    const int column = tile / view.tile_rows;
    const int row = tile % view.tile_rows;
    const int place = find_in_tile(view.tile(column, row), energy);
    const int x = column * tile_side + place % tile_side;
    const int y = row * tile_side + place / tile_side;
    ranks[static_cast<std::ptrdiff_t>(y) * view.width + x] = next++;
    set_pixel(view, x, y, [](int, int, std::uint16_t) {});
  }
}

namespace {

// What a visit to a block knows of its tiles, column by column.
class Visit {
 public:
  Visit(const TileView& view, const TileBox& box)
      : box_(box),
        rows_(box.row1 - box.row0),
        count_((box.column1 - box.column0) * rows_),
        columns_near_(tiles_near(view.reach, view.width)),
        rows_near_(tiles_near(view.reach, view.height)) {
    std::fill_n(least_, (count_ + step - 1) / step * step, EnergyField::taken);
    for (int column = box.column0, tile = 0; column < box.column1; ++column) {
      const bool inside =
          column >= box.column0 + columns_near_ && column < box.column1 - columns_near_;
      std::copy_n(&view.least_of_tile(column, box.row0), rows_, least_ + tile);
      for (int row = box.row0; row < box.row1; ++row) {
        const bool far = inside && row >= box.row0 + rows_near_ && row < box.row1 - rows_near_;
        state_[tile++] = far ? sure : unsure;
      }
    }
  }

  // Column and row of a tile.
  std::pair<int, int> place_of(int tile) const {
    return {box_.column0 + tile / rows_, box_.row0 + tile % rows_};
  }
  std::uint16_t least() const {
    Energies least = EnergyField::taken;
    for (int i = 0; i < count_; i += step) least = min(least, Energies::load(least_ + i));
    return least_of(least);
  }
  int tile_of(std::uint16_t energy) const { return find_in_tile(least_, energy); }
  bool is_sure(int tile) const { return state_[tile] == sure; }

  void renew(int column, int row, std::uint16_t least) {
    if (column < box_.column0 || column >= box_.column1 || row < box_.row0 || row >= box_.row1) {
      return;
    }
    const int tile = (column - box_.column0) * rows_ + row - box_.row0;
    if (state_[tile] != waiting) least_[tile] = least;
  }
  // Its smallest comes after something beyond the block: the tile is left out, and what lies near
  // it may come after it.
  void leave_out(int tile) {
    const auto [column, row] = place_of(tile);
    const int column1 = std::min(box_.column1 - 1, column + columns_near_);
    const int row1 = std::min(box_.row1 - 1, row + rows_near_);
    for (int c = std::max(box_.column0, column - columns_near_); c <= column1; ++c) {
      for (int r = std::max(box_.row0, row - rows_near_); r <= row1; ++r) {
        State& near = state_[(c - box_.column0) * rows_ + r - box_.row0];
        if (near == sure) near = unsure;
      }
    }
    state_[tile] = waiting;
    least_[tile] = EnergyField::taken;
  }

 private:
  // Tiles that the reach leads beyond a tile: one more where the last of the torus is cut off.
  static int tiles_near(int reach, int side) {
    return (reach + tile_side - 1) / tile_side + (side % tile_side == 0 ? 0 : 1);
  }
  enum State : std::uint8_t { sure, unsure, waiting };

  const TileBox box_;
  const int rows_, count_;
  const int columns_near_, rows_near_;
  alignas(64) std::uint16_t least_[most_tiles];
  State state_[most_tiles];
};

}  // namespace

// Picks up to the limit whatever nothing comes before; returns how many. The smallest of the block
// is next: nothing in the block comes before it but what waits for others.
std::size_t pick_in_block(const TileView& view, BlockOfTiles& block, int limit) {
  Visit visit(view, block.tiles);
  const std::size_t before = block.picks.size();
  for (;;) {
    const std::uint16_t energy = visit.least();
    if (energy > limit) return block.picks.size() - before;
    const int tile = visit.tile_of(energy);
    const auto [column, row] = visit.place_of(tile);
    const int place = find_in_tile(view.tile(column, row), energy);
    const int x = column * tile_side + place % tile_side;
    const int y = row * tile_side + place / tile_side;
    if (!visit.is_sure(tile) && !is_first(view, x, y, energy)) {
      visit.leave_out(tile);
      continue;
    }
    block.picks.push_back(static_cast<std::uint32_t>(energy) << 16 |
                          static_cast<std::uint32_t>(tile * tile_side * tile_side + place));
    set_pixel(view, x, y, [&](int c, int r, std::uint16_t least) { visit.renew(c, r, least); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::mask
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::mask {
namespace {

HWY_EXPORT(set_pixels);
HWY_EXPORT(grow_one_by_one);
HWY_EXPORT(pick_in_block);

constexpr int tiles_along(int side) {
  return (side + tile_side - 1) / tile_side;
}

// How often all blocks are visited while the limit rises: with fewer, picks along the edges of
// blocks wait longer for pixels beyond; more cost their visits.
constexpr int visits = 200;

// Cuts a side between tiles into an even number of blocks; one where it is short.
std::vector<int> cuts(int tiles, int least) {
  const int count = tiles < 2 * least ? 1 : tiles / least / 2 * 2;
  std::vector<int> at;
  for (int i = 0; i <= count; ++i) {
    at.push_back(static_cast<int>(static_cast<std::int64_t>(tiles) * i / count));
  }
  return at;
}

}  // namespace

TileField::TileField(Plane<std::int32_t>& ranks) : ranks_(ranks) {
  const int strips = tiles_along(ranks.width());
  const int tile_rows = tiles_along(ranks.height());
  const int rows = tile_rows * tile_side;
  energy_.resize(static_cast<std::size_t>(strips) * static_cast<std::size_t>(rows) * tile_side);
  const std::size_t tiles = static_cast<std::size_t>(strips) * static_cast<std::size_t>(tile_rows);
  least_.assign((tiles + tile_side - 1) / tile_side * tile_side, EnergyField::taken);
  view_ = {energy_.data(), least_.data(), nullptr, nullptr, ranks.width(), ranks.height(), strips,
           rows,           tile_rows,     0,       0};
}

void TileField::begin(const Kernel& kernel, std::span<const std::uint16_t> first) {
  const int side = 2 * kernel.reach + 1;
  view_.reach = kernel.reach;
  view_.pitch = side + 2 * tile_side;
  const auto pitch = static_cast<std::size_t>(view_.pitch);
  weights_.assign(pitch * static_cast<std::size_t>(side + 2 * (tile_side - 1)), 0);
  outside_.assign(pitch, EnergyField::taken);
  std::fill_n(outside_.begin() + tile_side, side, std::uint16_t{0});
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      weights_[static_cast<std::size_t>(y + tile_side - 1) * pitch +
               static_cast<std::size_t>(tile_side + x)] =
          static_cast<std::uint16_t>(kernel.at(x - kernel.reach, y - kernel.reach));
    }
  }
  view_.weights = weights_.data();
  view_.outside = outside_.data();

  std::fill(energy_.begin(), energy_.end(), EnergyField::taken);
  std::vector<Pixel> placed;
  for (int y = 0; y < view_.height; ++y) {
    for (int x = 0; x < view_.width; ++x) {
      const std::size_t i = static_cast<std::size_t>(y) * static_cast<std::size_t>(view_.width) +
                            static_cast<std::size_t>(x);
      energy_[view_.place(x, y)] = first.empty() ? std::uint16_t{0} : first[i];
      if (ranks_.values()[i] >= 0) placed.push_back({x, y});
    }
  }
  HWY_DYNAMIC_DISPATCH(set_pixels)(view_, placed);
}

std::int32_t TileField::grow(int end, std::int32_t next) {
  return HWY_DYNAMIC_DISPATCH(grow_one_by_one)(view_, end, next, ranks_.values().data());
}

std::int32_t TileField::grow_in_blocks(int end, std::int32_t next, int block, Context& context,
                                       bool parallel,
                                       const std::function<void(std::int32_t)>& progress) {
  // A block reads and writes no farther than its neighbors.
  const int margin = tiles_along(view_.reach);
  const int least_tiles = std::max(block / tile_side, 2 * margin + 1);
  const std::vector<int> columns = cuts(view_.strips, least_tiles);
  const std::vector<int> rows = cuts(view_.tile_rows, least_tiles);
  std::array<std::vector<std::size_t>, 4> colors;  // blocks of one see nothing of each other
  std::vector<BlockOfTiles> blocks;
  for (std::size_t j = 0; j + 1 < rows.size(); ++j) {
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
      colors[j % 2 * 2 + i % 2].push_back(blocks.size());
      blocks.push_back({{columns[i], rows[j], columns[i + 1], rows[j + 1]}, {}});
    }
  }
  const std::uint16_t least = *std::min_element(least_.begin(), least_.end());
  std::int32_t picked = 0;
  for (int visit = 1;; ++visit) {
    const int done = std::min(visit, visits);
    const int limit =
        least + static_cast<int>(static_cast<std::int64_t>(end - 1 - least) * done / visits);
    std::int32_t in_visit = 0;
    for (const std::vector<std::size_t>& color : colors) {
      std::vector<std::size_t> picks(color.size());
      parallel_for(
          context, color.size(),
          [&](std::size_t k) {
            picks[k] = HWY_DYNAMIC_DISPATCH(pick_in_block)(view_, blocks[color[k]], limit);
          },
          parallel ? 2 : ~std::size_t{0});
      for (const std::size_t n : picks) in_visit += static_cast<std::int32_t>(n);
    }
    picked += in_visit;
    progress(next + picked);
    // The first of all free pixels can always be picked.
    if (visit >= visits && in_visit == 0) break;
  }
  scatter(blocks, end, next);
  return next + picked;
}

// By energy, then by place: a counting sort. The field, which has served, holds the energies.
void TileField::scatter(std::span<const BlockOfTiles> blocks, int end, std::int32_t next) {
  std::vector<std::int32_t> rank(std::size_t{EnergyField::taken} + 1);
  for (const BlockOfTiles& block : blocks) {
    const TileBox& tiles = block.tiles;
    const auto strip =
        static_cast<std::uint32_t>((tiles.row1 - tiles.row0) * tile_side * tile_side);
    for (const std::uint32_t pick : block.picks) {
      const std::uint32_t place = pick & 0xffff;
      std::uint16_t* from = view_.tile(tiles.column0 + static_cast<int>(place / strip), tiles.row0);
      from[place % strip] = static_cast<std::uint16_t>(pick >> 16);
      ++rank[pick >> 16];
    }
  }
  for (std::int32_t& n : rank) next += std::exchange(n, next);
  const std::uint16_t* energy = energy_.data();
  for (int column = 0; column < view_.strips; ++column) {
    for (int y = 0; y < view_.rows; ++y, energy += tile_side) {
      for (int lane = 0; lane < tile_side; ++lane) {
        if (energy[lane] >= end) continue;
        ranks_(column * tile_side + lane, y) = rank[energy[lane]]++;
      }
    }
  }
}

}  // namespace dapple::mask
#endif
