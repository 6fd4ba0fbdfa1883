// Keeps the energy field of void-and-cluster: local updates, and exact picking without a global
// search.
//
// If a free pixel has the lowest (energy, index) within the reach of the kernel, it will be picked
// at the energy that it has now: energies only grow, and no pixel that could raise it is picked
// before. So such pixels are picked in any order. Sorting all picks by the energy at which they
// were picked, then by index, gives the order of the sequential search.
//
// A sweep picks pixels below a limit that rises slowly, which keeps the number of vain tests small.
// It skips stretches by a bound of their free energies; a bound stays valid once it is found.
#include "core/modulo.hpp"
#include "dapple/limits.hpp"
#include "generate/mask/engine.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/mask/energy.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <bit>
#include <tuple>
#include <utility>

#include "core/lanes.hpp"
#include "core/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::mask {
namespace HWY_NAMESPACE {
namespace {

using dapple::HWY_NAMESPACE::Lanes;
using Energies = Lanes<std::uint16_t, EnergyField::widest>;
constexpr std::ptrdiff_t step = Energies::count;

// Returns the slice `up` slices above z on the torus.
HWY_INLINE int slice_above(const EnergyView& view, int z, int up) {
  return z + up < view.depth ? z + up : z + up - view.depth;
}

// Adds the kernel around a pixel of the field or of its surroundings. `vectors`: how many vectors
// of `widest` lanes a row of the kernel has; 0: any number.
template <int vectors>
HWY_INLINE void stamp(const EnergyView& view, int x, int y, int z) {
  const std::ptrdiff_t padded = vectors > 0 ? vectors * EnergyField::widest : view.padded;
  const std::ptrdiff_t stride = view.stride;
  for (const KernelSlice& slice : view.slices) {
    const std::uint16_t* weights = slice.weights;
    if (slice.rows < 0) {
      std::uint16_t* one = view.at(x, y, slice_above(view, z, slice.up));
      *one = static_cast<std::uint16_t>(std::min(*one + *weights, int{EnergyField::taken}));
      continue;
    }
    std::uint16_t* row = view.at(x - view.reach, y - slice.rows, slice_above(view, z, slice.up));
    const std::uint16_t* const end = weights + (2 * slice.rows + 1) * padded;
    for (; weights != end; weights += padded, row += stride) {
      for (std::ptrdiff_t c = 0; c < padded; c += step) {
        saturated_sum(Energies::load(row + c), Energies::load(weights + c)).store(row + c);
      }
    }
  }
}

// Sets the pixel at each of its places on the torus that a test can see.
template <int vectors>
HWY_INLINE void set_pixel(const EnergyView& view, int x, int y, int z) {
  const int twice = 2 * view.reach;
  const int right = view.width + view.padded - 1;
  const int below = view.height + twice;
  if (x >= view.padded - 1 && x < view.width - twice && y >= twice && y < view.height - twice) {
    return stamp<vectors>(view, x, y, z);
  }
  const int first_x = x - (x + twice) / view.width * view.width;
  const int first_y = y - (y + twice) / view.height * view.height;
  for (int v = first_y; v < below; v += view.height) {
    for (int u = first_x; u < right; u += view.width) stamp<vectors>(view, u, v, z);
  }
}

// Returns true if a pixel that is_first() looks at has the same energy and comes before this one.
HWY_NOINLINE bool comes_later(const EnergyView& view, int x, int y, int z, std::uint16_t energy) {
  for (const auto& [up, rows, weights] : view.slices) {
    const int first = rows < 0 ? x : x - view.reach;
    const int end = rows < 0 ? x + 1 : first + view.padded;
    const int other_z = slice_above(view, z, up);
    for (int v = y - std::max(rows, 0); v <= y + std::max(rows, 0); ++v) {
      const std::uint16_t* row = view.at(0, v, other_z);
      for (int u = first; u < end; ++u) {
        if (row[u] != energy) continue;
        if (std::tuple(other_z, modulo(v, view.height), modulo(u, view.width)) <
            std::tuple(z, y, x)) {
          return true;
        }
      }
    }
  }
  return false;
}

// Returns true if no free pixel comes before this one, within at least the kernel's support.
template <int vectors>
HWY_INLINE bool is_first(const EnergyView& view, int x, int y, int z, std::uint16_t energy) {
  const std::ptrdiff_t padded = vectors > 0 ? vectors * EnergyField::widest : view.padded;
  const std::ptrdiff_t stride = view.stride;
  const std::uint16_t* row = view.at(x - view.reach, y, z);
  Energies least = EnergyField::taken;
  for (std::ptrdiff_t c = 0; c < padded; c += step) {
    least = min(least, Energies::load(row + c) | Energies::load(view.itself + c));
  }
  const std::uint16_t* above = row;
  const std::uint16_t* below = row;
  for (int j = 0; j < view.reach; ++j) {
    above -= stride;
    below += stride;
    for (std::ptrdiff_t c = 0; c < padded; c += step) {
      least = min(least, min(Energies::load(above + c), Energies::load(below + c)));
    }
  }
  int lowest = EnergyField::taken;
  for (const auto& [up, rows, weights] : view.slices.subspan(1)) {
    const int other_z = slice_above(view, z, up);
    if (rows < 0) {
      lowest = std::min<int>(lowest, *view.at(x, y, other_z));
      continue;
    }
    row = view.at(x - view.reach, y - rows, other_z);
    for (int j = 0; j <= 2 * rows; ++j, row += stride) {
      for (std::ptrdiff_t c = 0; c < padded; c += step) {
        least = min(least, Energies::load(row + c));
      }
    }
  }
  if (lowest < energy || !all(min(least, energy) == energy)) return false;
  return (lowest > energy && !any(least == energy)) || !comes_later(view, x, y, z, energy);
}

HWY_INLINE std::uint32_t first_bits(std::uint32_t bits, int count) {
  return count < stretch ? bits & ((1U << count) - 1) : bits;
}

// Picks among `count` pixels from (x, y, z) on. Returns a bound: no pixel of them that stays free
// has less energy.
template <int vectors>
HWY_INLINE std::uint16_t pick_in_stretch(const EnergyView& view, int x, int y, int z, int count,
                                         int limit, std::size_t& picks) {
  const std::uint16_t* row = view.at(0, y, z);
  const Energies most = static_cast<std::uint16_t>(limit);
  Energies others = EnergyField::taken;
  std::uint32_t low = 0;
  for (int c = 0; c < count; c += int{step}) {
    const std::uint16_t* at = row + x + c;
    const Energies own = Energies::load(at);
    const Energies beside = min(Energies::load(at - 1), Energies::load(at + 1));
    const Energies across = min(Energies::load(at - view.stride), Energies::load(at + view.stride));
    const Energies::Mask lowest = min(own, min(most, min(beside, across))) == own;
    low |= bits_of(lowest) << c;
    others = min(others, select(lowest, EnergyField::taken, own));
  }
  std::uint16_t bound = least_of(others);
  for (low = first_bits(low, count); low != 0; low &= low - 1) {
    const int u = x + std::countr_zero(low);
    const std::uint16_t energy = row[u];
    if (energy > limit || !is_first<vectors>(view, u, y, z, energy)) {
      bound = std::min(bound, energy);
      continue;
    }
    view.ranks[(static_cast<std::ptrdiff_t>(z) * view.height + y) * view.width + u] =
        picked_at(energy);
    set_pixel<vectors>(view, u, y, z);
    ++picks;
  }
  return bound;
}

template <int vectors>
std::size_t pick_in(const EnergyView& view, const PixelBox& block, int limit) {
  const Energies most = static_cast<std::uint16_t>(limit);
  std::size_t picks = 0;
  for (int z = 0; z < view.depth; ++z) {
    for (int x = block.x0; x < block.x1; x += stretch) {
      const int count = std::min(stretch, block.x1 - x);
      std::uint16_t* bounds = view.bounds_at(x, z);
      for (int y = block.y0; y < block.y1; y += int{step}) {
        const Energies bound = Energies::load(bounds + y);
        std::uint32_t due = bits_of(min(bound, most) == bound);
        for (due = first_bits(due, block.y1 - y); due != 0; due &= due - 1) {
          const int v = y + std::countr_zero(due);
          bounds[v] = pick_in_stretch<vectors>(view, x, v, z, count, limit, picks);
        }
      }
    }
  }
  return picks;
}

}  // namespace

void set_pixels(const EnergyView& view, std::span<const Pixel> pixels) {
  for (const Pixel p : pixels) set_pixel<0>(view, p.x, p.y, p.z);
}

std::size_t pick_in_block(const EnergyView& view, const PixelBox& block,
                          std::span<const int> limits) {
  std::size_t picks = 0;
  for (const int limit : limits) {
    picks += view.padded == EnergyField::widest       ? pick_in<1>(view, block, limit)
             : view.padded == 2 * EnergyField::widest ? pick_in<2>(view, block, limit)
                                                      : pick_in<0>(view, block, limit);
  }
  return picks;
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::mask
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::mask {
namespace {

HWY_EXPORT(set_pixels);
HWY_EXPORT(pick_in_block);

constexpr int round_up(int n, int unit) {
  return (n + unit - 1) / unit * unit;
}

// Sweeps of a block before the next block. More would save loads from memory, but pixels beside a
// block would then wait too long for their neighbors beyond.
constexpr std::size_t sweeps_a_visit = 3;

// Cuts a side between stretches into an even number of blocks, or one if it is short.
std::vector<int> cuts(int side, int narrowest) {
  const int count = side < 2 * narrowest ? 1 : side / narrowest / 2 * 2;
  std::vector<int> at;
  for (int i = 0; i < count; ++i) {
    const auto cut = static_cast<int>(static_cast<std::int64_t>(side) * i / count);
    at.push_back(cut / stretch * stretch);
  }
  at.push_back(side);
  return at;
}

}  // namespace

EnergyField::EnergyField(Plane<std::int32_t>& ranks, int depth, const Kernel& kernel, int block)
    : ranks_(ranks) {
  const int reach = kernel.reach;
  const int side = 2 * reach + 1;
  const int padded = round_up(side, widest);
  const int left = 3 * reach;
  const int height = ranks.height() / depth;
  const std::ptrdiff_t stride = left + ranks.width() + 2 * padded;
  const std::ptrdiff_t slice_stride = stride * (height + 2 * left);
  energy_.resize(static_cast<std::size_t>(slice_stride) * static_cast<std::size_t>(depth));
  itself_.resize(static_cast<std::size_t>(padded));
  itself_[static_cast<std::size_t>(reach)] = taken;
  const int bound_rows = round_up(height, stretch);
  const int columns = round_up(ranks.width(), stretch) / stretch;
  bounds_.resize(static_cast<std::size_t>(columns) * static_cast<std::size_t>(bound_rows) *
                 static_cast<std::size_t>(depth));
  view_ = {&energy_[static_cast<std::size_t>(left * stride + left)],
           stride,
           slice_stride,
           ranks.width(),
           height,
           depth,
           reach,
           padded,
           {},
           itself_.data(),
           ranks.values().data(),
           bounds_.data(),
           bound_rows,
           columns};
  fold(kernel);

  // A block reads and writes no farther than its neighbors.
  const int narrowest = std::max(block, 2 * reach + 3 * padded);
  const std::vector<int> x = cuts(ranks.width(), narrowest);
  const std::vector<int> y = cuts(height, narrowest);
  for (std::size_t j = 0; j + 1 < y.size(); ++j) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      blocks_[j % 2 * 2 + i % 2].push_back({x[i], y[j], x[i + 1], y[j + 1]});
    }
  }
}

// Folds the kernel's slices as the torus shows them.
void EnergyField::fold(const Kernel& kernel) {
  const int reach = kernel.reach;
  const int padded = view_.padded;
  const auto row_size = static_cast<std::size_t>(padded);
  const auto side = static_cast<std::size_t>(2 * reach + 1);
  std::vector<std::vector<std::uint16_t>> folded(static_cast<std::size_t>(view_.depth));
  for (int dz = -kernel.depth_reach; dz <= kernel.depth_reach; ++dz) {
    auto& slice = folded[static_cast<std::size_t>(modulo(dz, view_.depth))];
    slice.resize(side * row_size);
    for (int dy = -reach; dy <= reach; ++dy) {
      for (int dx = -reach; dx <= reach; ++dx) {
        auto& weight = slice[static_cast<std::size_t>((dy + reach) * padded + dx + reach)];
        weight = static_cast<std::uint16_t>(std::min(weight + kernel.at(dx, dy, dz), int{taken}));
      }
    }
  }
  const std::size_t middle = static_cast<std::size_t>(reach) * row_size;
  folded[0][middle + static_cast<std::size_t>(reach)] = taken;
  // Rows of zeros need not be added. The places of rows are known once all weights are.
  std::vector<std::size_t> first;
  for (int up = 0; up < view_.depth; ++up) {
    const auto& slice = folded[static_cast<std::size_t>(up)];
    const auto used = [&](std::size_t from, std::size_t count) {
      const auto begin = slice.begin() + static_cast<std::ptrdiff_t>(from);
      return std::any_of(begin, begin + static_cast<std::ptrdiff_t>(count),
                         [](std::uint16_t weight) { return weight > 0; });
    };
    if (slice.empty() || !used(0, slice.size())) continue;
    auto rows = static_cast<std::size_t>(reach);
    const auto above = [&] { return middle - rows * row_size; };
    while (up > 0 && rows > 0 && !used(above(), row_size) &&
           !used(middle + rows * row_size, row_size)) {
      --rows;
    }
    const std::size_t in_middle = middle + static_cast<std::size_t>(reach);
    const bool line = rows == 0 && up > 0 && !used(middle, static_cast<std::size_t>(reach)) &&
                      !used(in_middle + 1, row_size - static_cast<std::size_t>(reach) - 1);
    const std::size_t from = line ? in_middle : above();
    const std::size_t count = line ? 1 : (2 * rows + 1) * row_size;
    slices_.push_back({up, line ? -1 : static_cast<int>(rows), nullptr});
    first.push_back(weights_.size());
    weights_.insert(weights_.end(), slice.begin() + static_cast<std::ptrdiff_t>(from),
                    slice.begin() + static_cast<std::ptrdiff_t>(from + count));
  }
  for (std::size_t i = 0; i < first.size(); ++i) slices_[i].weights = &weights_[first[i]];
  view_.slices = slices_;
}

void EnergyField::set(std::span<const Pixel> pixels) {
  HWY_DYNAMIC_DISPATCH(set_pixels)(view_, pixels);
}

std::int32_t EnergyField::grow(int end, double share, std::int32_t next, Context& context,
                               bool parallel, const std::function<void(std::int32_t)>& progress) {
  int least = taken;
  for (int z = 0; z < view_.depth; ++z) {
    for (int y = 0; y < view_.height; ++y) {
      for (int x = 0; x < view_.width; ++x) least = std::min<int>(least, *view_.at(x, y, z));
    }
  }
  const std::size_t sequential_below = parallel ? 2 : ~std::size_t{0};
  std::int32_t picked = 0;
  // The number of sweeps is proportional to the pixels that a test looks at and to the pixels to
  // pick. With fewer sweeps, pixels below the limit pile up and are tested in vain, which is
  // several times slower. More sweeps only cost their scans.
  const int steps = std::max(
      1,
      static_cast<int>(1.7 * share * static_cast<double>(weights_.size()) * (end - least) / end));
  for (int sweep = 0;;) {
    const bool last = sweep == steps;
    std::vector<int> limits;
    do {
      sweep = std::min(sweep + 1, steps);
      limits.push_back(
          least + static_cast<int>(static_cast<std::int64_t>(end - 1 - least) * sweep / steps));
    } while (limits.size() < sweeps_a_visit && sweep < steps);
    std::int32_t in_visit = 0;
    for (const std::vector<PixelBox>& color : blocks_) {
      std::vector<std::size_t> picks(color.size());
      parallel_for(
          context, color.size(),
          [&](std::size_t k) {
            picks[k] = HWY_DYNAMIC_DISPATCH(pick_in_block)(view_, color[k], limits);
          },
          sequential_below);
      for (const std::size_t n : picks) in_visit += static_cast<std::int32_t>(n);
    }
    picked += in_visit;
    progress(next + picked);
    // The first of all free pixels can always be picked.
    if (last && in_visit == 0) break;
  }
  sort_picks(next);
  return next + picked;
}

// Sorts by energy, then by index, by counting.
void EnergyField::sort_picks(std::int32_t next) {
  std::vector<std::int32_t> rank(std::size_t{taken} + 1);
  for (const std::int32_t v : ranks_.values()) {
    if (is_pick(v)) ++rank[energy_of_pick(v)];
  }
  for (std::int32_t& n : rank) next += std::exchange(n, next);
  for (std::int32_t& v : ranks_.values()) {
    if (is_pick(v)) v = rank[energy_of_pick(v)]++;
  }
}

}  // namespace dapple::mask
#endif
