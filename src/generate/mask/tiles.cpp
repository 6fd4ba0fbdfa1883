// Searches for voids on a flat torus.
//
// Each tile of 16x8 pixels knows its smallest energy; adding a kernel renews this for the tiles
// that it touches. If a free pixel comes before all others within the reach of the kernel, it will
// be picked at the energy that it has now: energies only grow, and no pixel that could raise it is
// picked before. So the smallest pixel of a tile can be picked at once if it comes before the
// smallest pixels of all tiles around. Sorting all picks by energy, then by place, gives the order
// of the search one by one. One in nine tiles has a pixel to pick; the processor works on several
// at once, as none waits for another.
//
// A field larger than the cache is searched in blocks, a block at a time, up to a limit that rises
// from visit to visit. Picks go to a list of their block and get their ranks in the end: a rank
// written at once would wait for memory.
#include "generate/mask/tiles.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/mask/tiles.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <bit>
#include <utility>
#include <vector>

#include "core/lanes.hpp"
#include "dapple/sample.hpp"
#include "generate/mask/block_schedule.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::mask {
namespace HWY_NAMESPACE {
namespace {

using dapple::HWY_NAMESPACE::Lanes;
using Energies = Lanes<std::uint16_t, tile_width>;
constexpr int step = Energies::count;
// A vector of the energies of a tile, row after row.
using Wide = Lanes<std::uint16_t, 2 * tile_width>;
constexpr int wide_step = Wide::count;

// Wraps a place below twice the side of a ring, without a branch that nothing could predict.
HWY_INLINE int wrapped(int at, int side) {
  const int beyond = at - side;
  return beyond + (side & (beyond >> 31));
}

// Calls visit(column, row, down, lane) for every tile that the square of the kernel around (x, y)
// touches on the torus. The tile's first row is the square's row `down`; its first lane is the
// square's column `lane`, counted from 1 - tile_width.
template <class Visit>
HWY_INLINE void each_tile(const TileView& view, int x, int y, const Visit& visit) {
  if (view.even) {
    // The number of tiles is always the same, even if the square misses some: no branch to predict.
    const int s = wrapped(x - view.kernel.reach + view.width, view.width);
    const int t = wrapped(y - view.kernel.reach + view.height, view.height);
    int column = s / tile_width;
    int lane = tile_width - 1 - s % tile_width;
    for (int i = 0; i < view.kernel.columns; ++i, lane += tile_width) {
      int row = t / tile_height;
      int down = -(t % tile_height);
      for (int j = 0; j < view.kernel.rows; ++j, down += tile_height) {
        visit(column, row, down, lane);
        row = wrapped(row + 1, view.tile_rows);
      }
      column = wrapped(column + 1, view.strips);
    }
    return;
  }
  const int span = 2 * view.kernel.reach;
  const auto first = [&](int middle, int side) {
    int at = middle - view.kernel.reach;
    while (at - side + span >= 0) at -= side;
    return at;
  };
  for (int s = first(x, view.width); s < view.width; s += view.width) {
    const int column1 = std::min(s + span, view.width - 1) / tile_width;
    for (int t = first(y, view.height); t < view.height; t += view.height) {
      const int row0 = std::max(t, 0) / tile_height;
      const int row1 = std::min(t + span, view.height - 1) / tile_height;
      for (int column = std::max(s, 0) / tile_width; column <= column1; ++column) {
        const int lane = column * tile_width - s + tile_width - 1;
        for (int row = row0; row <= row1; ++row) visit(column, row, row * tile_height - t, lane);
      }
    }
  }
}

// Adds the kernel's part to a tile and returns the tile's smallest energy. Takes all rows, even
// outside the kernel: it has zeros around it, and a loop of unknown length would cost more.
HWY_INLINE std::uint16_t add_to_tile(const TileView& view, std::uint16_t* tile, int down,
                                     int lane) {
  const std::uint16_t* weights = view.kernel.numbers + view.kernel.place_of(lane, down);
  Wide least = EnergyField::taken;
  for (int i = 0; i < tile_size; i += wide_step) {
    const Wide sum = saturated_sum(Wide::load(tile + i), Wide::load(weights + i));
    sum.store(tile + i);
    least = min(least, sum);
  }
  return least_of(least);
}

// Sets a pixel and calls renewed(column, row, its smallest energy) for each tile that has changed.
template <class Renewed>
HWY_INLINE void set_pixel(const TileView& view, int x, int y, const Renewed& renewed) {
  each_tile(view, x, y, [&](int column, int row, int down, int lane) {
    const std::uint16_t least = add_to_tile(view, view.tile(column, row), down, lane);
    view.least_of_tile(column, row) = least;
    renewed(column, row, least);
  });
}

// Returns the first place in a tile that has this energy; one must have it.
HWY_INLINE int find_in_tile(const std::uint16_t* tile, std::uint16_t energy) {
  const Energies wanted = energy;
  for (int i = 0;; i += step) {
    const std::uint32_t bits = bits_of(Energies::load(tile + i) == wanted);
    if (bits != 0) return i + std::countr_zero(bits);
  }
}

// As above, but looks at the whole tile, because no branch can predict the place.
HWY_INLINE int first_in_tile(const std::uint16_t* tile, std::uint16_t energy) {
  const Wide wanted = energy;
  std::uint64_t words[tile_size / 64];
  for (int w = 0; w < tile_size / 64; ++w) {
    std::uint64_t bits = 0;
    for (int i = 0; i < 64; i += wide_step) {
      bits |= std::uint64_t{bits_of(Wide::load(tile + w * 64 + i) == wanted)} << i;
    }
    words[w] = bits;
  }
  static_assert(tile_size == 128);
  const auto in_second = static_cast<std::uint64_t>(words[0] == 0);
  return static_cast<int>(in_second << 6) +
         std::countr_zero(words[0] | (words[1] & (0 - in_second)));
}

// Returns true if a free pixel within the reach comes before this pixel, of this energy.
HWY_NOINLINE bool is_preceded(const TileView& view, int x, int y, std::uint16_t energy) {
  const std::uint16_t* own = view.energy + view.place(x, y);
  bool found = false;
  const Energies limit = energy;
  each_tile(view, x, y, [&](int column, int row, int down, int lane) {
    if (found || view.least_of_tile(column, row) > energy) return;
    const std::uint16_t* tile = view.tile(column, row);
    const std::uint16_t* outside = view.outside + lane;
    for (int r = std::max(0, -down); r < std::min(tile_height, 2 * view.kernel.reach + 1 - down);
         ++r) {
      for (int part = 0; part < tile_width; part += step) {
        const std::uint16_t* at = tile + r * tile_width + part;
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

// Returns true if no free pixel comes before this one; the tiles around settle most cases.
HWY_INLINE bool is_first(const TileView& view, int x, int y, std::uint16_t energy) {
  const std::uint16_t* own = &view.least_of_tile(x / tile_width, y / tile_height);
  bool sure = true;
  each_tile(view, x, y, [&](int column, int row, int, int) {
    const std::uint16_t* least = &view.least_of_tile(column, row);
    if (*least <= energy && least != own) sure = false;
  });
  return sure || !is_preceded(view, x, y, energy);
}

}  // namespace

// Adds the kernel around set pixels, then finds the smallest energy of every tile.
void set_pixels(const TileView& of, std::span<const Pixel> pixels) {
  const TileView view = of;
  for (const Pixel p : pixels) {
    each_tile(view, p.x, p.y, [&](int column, int row, int down, int lane) {
      add_to_tile(view, view.tile(column, row), down, lane);
    });
  }
  for (int column = 0; column < view.strips; ++column) {
    for (int row = 0; row < view.tile_rows; ++row) {
      const std::uint16_t* tile = view.tile(column, row);
      view.least_of_tile(column, row) = *std::min_element(tile, tile + tile_size);
    }
  }
}

namespace {

// The smallest energies of the tiles, with copies of the opposite sides around them. Of equals the
// first in memory comes first. Copies beyond the last column or row are of the first tiles, which
// come before: these copies are one less.
class Surroundings {
 public:
  explicit Surroundings(const TileView& view)
      : view_(view),
        pitch_(2 * margin + (view.tile_rows + tile_width - 1) / tile_width * tile_width),
        knows_(static_cast<std::size_t>(pitch_) *
               static_cast<std::size_t>(view.strips + 2 * view.columns_near)) {}

  // Returns true if no tile is among its own neighbors: otherwise none would come first.
  static bool apply_to(const TileView& view) {
    return view.columns_near < view.strips && view.rows_near < view.tile_rows &&
           view.rows_near <= margin;
  }
  void renew() {
    for (int column = 0; column < view_.strips; ++column) {
      std::uint16_t* to = at(column);
      const std::uint16_t* from = &view_.least_of_tile(column, 0);
      for (int i = 0; i < view_.tile_rows; i += step) Energies::load(from + i).store(to + i);
      for (int i = 1; i <= view_.rows_near; ++i) {
        to[-i] = from[view_.tile_rows - i];
        to[view_.tile_rows - 1 + i] = less(from[i - 1]);
      }
    }
    for (int i = 1; i <= view_.columns_near; ++i) {
      const std::uint16_t* last = at(view_.strips - i) - margin;
      const std::uint16_t* first = at(i - 1) - margin;
      std::uint16_t* before = at(-i) - margin;
      std::uint16_t* after = at(view_.strips - 1 + i) - margin;
      for (int k = 0; k < pitch_; k += step) {
        Energies::load(last + k).store(before + k);
        saturated_difference(Energies::load(first + k), Energies(std::uint16_t{1}))
            .store(after + k);
      }
    }
  }
  // Returns a bit for each tile of a vector of tiles from `row` on: set if its smallest energy is
  // below `end` and comes before all tiles around. Never set at energy 0: no copy is one less.
  std::uint32_t first_ones(int column, int row, int end) const {
    const std::uint16_t* own = at(column) + row;
    Energies earlier = EnergyField::taken;
    Energies later = static_cast<std::uint16_t>(end - 1);
    for (int i = -view_.columns_near; i <= view_.columns_near; ++i) {
      for (int j = -view_.rows_near; j <= view_.rows_near; ++j) {
        const Energies there = Energies::load(own + i * pitch_ + j);
        if (i < 0 || (i == 0 && j < 0)) earlier = min(earlier, there);
        if (i > 0 || (i == 0 && j > 0)) later = min(later, there);
      }
    }
    const Energies here = Energies::load(own);
    const Energies none = std::uint16_t{0};
    const auto first = (here < earlier) & (min(here, later) == here) & (here > none);
    return bits_of(first) & ((1u << std::min(step, view_.tile_rows - row)) - 1);
  }

 private:
  static constexpr int margin = tile_width;
  static std::uint16_t less(std::uint16_t n) { return static_cast<std::uint16_t>(n - (n > 0)); }
  std::uint16_t* at(int column) {
    return knows_.data() + (column + view_.columns_near) * pitch_ + margin;
  }
  const std::uint16_t* at(int column) const {
    return knows_.data() + (column + view_.columns_near) * pitch_ + margin;
  }

  const TileView& view_;
  std::ptrdiff_t pitch_;
  std::vector<std::uint16_t> knows_;
};

// Picks the smallest pixel of a tile, which has this energy.
HWY_INLINE void pick(const TileView& view, int column, int row, std::uint16_t energy,
                     std::uint16_t* picked) {
  const std::uint16_t* tile = view.tile(column, row);
  const int place = first_in_tile(tile, energy);
  picked[tile - view.energy + place] = energy;
  set_pixel(view, column * tile_width + place % tile_width, row * tile_height + place / tile_width,
            [](int, int, std::uint16_t) {});
}

}  // namespace

// Finds the energies at which pixels are picked, in the order of memory.
void grow_whole(const TileView& of, int end, std::uint16_t* picked) {
  const TileView view = of;  // a copy that no store of a vector can change
  const int tiles = view.strips * view.tile_rows;
  const bool several = Surroundings::apply_to(view);
  Surroundings around(view);
  for (;;) {
    bool any = false;
    if (several) {
      around.renew();
      for (int column = 0; column < view.strips; ++column) {
        for (int from = 0; from < view.tile_rows; from += step) {
          for (std::uint32_t bits = around.first_ones(column, from, end); bits != 0;
               bits &= bits - 1) {
            const int row = from + std::countr_zero(bits);
            pick(view, column, row, view.least_of_tile(column, row), picked);
            any = true;
          }
        }
      }
    }
    if (any) continue;
    // The very first pixel can always be picked.
    Energies least = EnergyField::taken;
    for (int i = 0; i < tiles; i += step) least = min(least, Energies::load(view.least + i));
    const std::uint16_t energy = least_of(least);
    if (energy >= end) return;
    const int tile = find_in_tile(view.least, energy);
    pick(view, tile / view.tile_rows, tile % view.tile_rows, energy, picked);
  }
}

namespace {

// The state of the tiles of a block during a visit, column by column.
class Visit {
 public:
  Visit(const TileView& view, const TileBox& box)
      : box_(box),
        rows_(box.row1 - box.row0),
        count_((box.column1 - box.column0) * rows_),
        columns_near_(view.columns_near),
        rows_near_(view.rows_near) {
    std::fill_n(least_, (count_ + wide_step - 1) / wide_step * wide_step, EnergyField::taken);
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

  // Returns the column and row of a tile.
  std::pair<int, int> place_of(int tile) const {
    return {box_.column0 + tile / rows_, box_.row0 + tile % rows_};
  }
  std::uint16_t least() const {
    Wide least = EnergyField::taken;
    for (int i = 0; i < count_; i += wide_step) least = min(least, Wide::load(least_ + i));
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
  // Leaves out a tile whose smallest pixel comes after a pixel beyond the block. Tiles near it may
  // come after it, so they are no longer sure.
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
  enum State : std::uint8_t { sure, unsure, waiting };

  const TileBox box_;
  const int rows_, count_;
  const int columns_near_, rows_near_;
  alignas(64) std::uint16_t least_[most_tiles];
  State state_[most_tiles];
};

}  // namespace

// Picks, up to the limit, pixels before which no other comes; returns their number. The smallest of
// the block is next: of the block, only pixels that wait for others come before it.
std::size_t pick_in_block(const TileView& of, BlockOfTiles& block, int limit) {
  const TileView view = of;
  Visit visit(view, block.tiles);
  const std::size_t before = block.picks.size();
  for (;;) {
    const std::uint16_t energy = visit.least();
    if (energy > limit) return block.picks.size() - before;
    const int tile = visit.tile_of(energy);
    const auto [column, row] = visit.place_of(tile);
    const int place = first_in_tile(view.tile(column, row), energy);
    const int x = column * tile_width + place % tile_width;
    const int y = row * tile_height + place / tile_width;
    if (!visit.is_sure(tile) && !is_first(view, x, y, energy)) {
      visit.leave_out(tile);
      continue;
    }
    block.picks.push_back(static_cast<std::uint32_t>(energy) << 16 |
                          static_cast<std::uint32_t>(tile * tile_size + place));
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
HWY_EXPORT(grow_whole);
HWY_EXPORT(pick_in_block);

constexpr int tiles_along(int side, int of_tile) {
  return (side + of_tile - 1) / of_tile;
}
// Returns how many tiles the reach leads beyond a tile: one more if the torus cuts off the last.
constexpr int tiles_near(int reach, int side, int of_tile) {
  return tiles_along(reach, of_tile) + (side % of_tile == 0 ? 0 : 1);
}

// Number of visits to all blocks while the limit rises. With fewer, picks along the edges of blocks
// wait longer for pixels beyond; more cost their visits.
constexpr int visits = 200;

// Cuts a side between tiles into an even number of blocks, or one if it is short.
std::vector<int> cuts(int tiles, int least) {
  const int count = tiles < 2 * least ? 1 : tiles / least / 2 * 2;
  std::vector<int> at;
  for (int i = 0; i <= count; ++i) {
    at.push_back(static_cast<int>(static_cast<std::int64_t>(tiles) * i / count));
  }
  return at;
}

}  // namespace

TileField::TileField(Plane<std::int32_t>& ranks) : ranks_(ranks), view_{} {
  view_.width = ranks.width();
  view_.height = ranks.height();
  view_.strips = tiles_along(view_.width, tile_width);
  view_.tile_rows = tiles_along(view_.height, tile_height);
  view_.rows = view_.tile_rows * tile_height;
  const auto strips = static_cast<std::size_t>(view_.strips);
  energy_.resize(strips * static_cast<std::size_t>(view_.rows) * tile_width);
  least_.assign(strips * static_cast<std::size_t>(view_.tile_rows) + 2 * tile_width,
                EnergyField::taken);
  view_.energy = energy_.data();
  view_.least = least_.data();
}

void TileField::begin(const TileKernel& kernel, std::span<const std::uint16_t> first) {
  const TileWeights weights = kernel.weights();
  view_.kernel = weights;
  view_.columns_near = tiles_near(weights.reach, view_.width, tile_width);
  view_.rows_near = tiles_near(weights.reach, view_.height, tile_height);
  view_.even = view_.width % tile_width == 0 && view_.height % tile_height == 0 &&
               weights.columns <= view_.strips && weights.rows <= view_.tile_rows;
  outside_.assign(static_cast<std::size_t>((weights.columns + 1) * tile_width), EnergyField::taken);
  std::fill_n(outside_.begin() + tile_width - 1, 2 * weights.reach + 1, std::uint16_t{0});
  view_.outside = outside_.data();

  std::uint16_t* energy = energy_.data();
  for (int x = 0; x < view_.strips * tile_width; x += tile_width) {
    const int lanes = std::min(tile_width, view_.width - x);
    for (int y = 0; y < view_.rows; ++y, energy += tile_width) {
      const int inside = y < view_.height ? lanes : 0;
      if (first.empty()) {
        std::fill_n(energy, inside, std::uint16_t{0});
      } else if (inside > 0) {
        std::copy_n(first.begin() + std::ptrdiff_t{y} * view_.width + x, inside, energy);
      }
      std::fill(energy + inside, energy + tile_width, EnergyField::taken);
    }
  }
  std::vector<Pixel> placed;
  for (int y = 0; y < view_.height; ++y) {
    for (int x = 0; x < view_.width; ++x) {
      if (ranks_(x, y) >= 0) placed.push_back({x, y});
    }
  }
  HWY_DYNAMIC_DISPATCH(set_pixels)(view_, placed);
}

std::int32_t TileField::grow(int end, std::int32_t next) {
  std::vector<std::uint16_t> picked(energy_.size(), EnergyField::taken);
  HWY_DYNAMIC_DISPATCH(grow_whole)(view_, end, picked.data());
  // Sorts by energy, then by place: one byte of the energies after the other.
  struct Pick {
    std::int32_t pixel;
    std::uint32_t energy;
  };
  std::vector<Pick> picks(picked.size() + 1);
  std::size_t count = 0;
  const std::uint16_t* energy = picked.data();
  for (int x = 0; x < view_.strips * tile_width; x += tile_width) {
    for (int y = 0; y < view_.rows; ++y) {
      for (int lane = 0; lane < tile_width; ++lane, ++energy) {
        picks[count] = {y * view_.width + x + lane, *energy};
        count += *energy < EnergyField::taken ? 1 : 0;
      }
    }
  }
  picks.resize(count);
  std::vector<Pick> sorted(count);
  for (const int shift : {0, 8}) {
    std::array<std::uint32_t, 257> place{};
    for (const Pick& pick : picks) ++place[(pick.energy >> shift & 0xff) + 1];
    for (std::size_t i = 1; i < place.size(); ++i) place[i] += place[i - 1];
    for (const Pick& pick : picks) sorted[place[pick.energy >> shift & 0xff]++] = pick;
    picks.swap(sorted);
  }
  for (const Pick& pick : picks) ranks_.values()[static_cast<std::size_t>(pick.pixel)] = next++;
  return next;
}

std::int32_t TileField::grow_in_blocks(int end, std::int32_t next, int block, Context& context,
                                       bool parallel,
                                       const std::function<void(std::int32_t)>& progress) {
  // A block reads and writes no farther than its neighbors.
  const auto least_tiles = [&](int of_tile) {
    return std::max(block / of_tile, 2 * tiles_along(view_.kernel.reach, of_tile) + 1);
  };
  const std::vector<int> columns = cuts(view_.strips, least_tiles(tile_width));
  const std::vector<int> rows = cuts(view_.tile_rows, least_tiles(tile_height));
  const BlockGrid grid{static_cast<int>(columns.size()) - 1, static_cast<int>(rows.size()) - 1};
  std::vector<BlockOfTiles> blocks;
  for (std::size_t j = 0; j + 1 < rows.size(); ++j) {
    for (std::size_t i = 0; i + 1 < columns.size(); ++i) {
      blocks.push_back({{columns[i], rows[j], columns[i + 1], rows[j + 1]}, {}});
    }
  }
  const std::uint16_t least = *std::min_element(least_.begin(), least_.end());
  const auto visit = [&](std::size_t which, int turn) {
    const int done = std::min(turn, visits);
    const int limit =
        least + static_cast<int>(static_cast<std::int64_t>(end - 1 - least) * done / visits);
    HWY_DYNAMIC_DISPATCH(pick_in_block)(view_, blocks[which], limit);
  };
  std::int32_t picked = 0;
  const auto visit_all = [&](int first, int last) {
    visit_in_turns(grid, first, last, context, parallel, visit);
    const std::int32_t before = std::exchange(picked, 0);
    for (const BlockOfTiles& of : blocks) picked += static_cast<std::int32_t>(of.picks.size());
    progress(next + picked);
    return picked > before;
  };
  constexpr int between_reports = 20;
  static_assert(visits % between_reports == 0);
  for (int turn = 1; turn <= visits; turn += between_reports) {
    visit_all(turn, turn + between_reports - 1);
  }
  // The first of all free pixels can always be picked.
  for (int turn = visits + 1; visit_all(turn, turn); ++turn) {
  }
  scatter(blocks, end, next);
  return next + picked;
}

// Sorts by energy, then by place, by counting. The field is free to hold the energies of picks.
void TileField::scatter(std::span<const BlockOfTiles> blocks, int end, std::int32_t next) {
  std::vector<std::int32_t> rank(std::size_t{EnergyField::taken} + 1);
  for (const BlockOfTiles& block : blocks) {
    const TileBox& tiles = block.tiles;
    const auto strip = static_cast<std::uint32_t>((tiles.row1 - tiles.row0) * tile_size);
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
    for (int y = 0; y < view_.rows; ++y, energy += tile_width) {
      for (int lane = 0; lane < tile_width; ++lane) {
        if (energy[lane] >= end) continue;
        ranks_(column * tile_width + lane, y) = rank[energy[lane]]++;
      }
    }
  }
}

}  // namespace dapple::mask
#endif
