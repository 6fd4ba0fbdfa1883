// The energy field of void-and-cluster: local update, and exact picking that needs no global
// search.
//
// A free pixel whose (energy, index) is the lowest within the reach of the kernel will be picked at
// the energy that it has now, whatever happens elsewhere: energies only grow, and nothing that
// could raise its own is picked before it. So such pixels are picked in any order, and sorting all
// picks by the energy they were picked at, then by index, gives the order of the sequential search.
//
// A sweep picks those below a limit that rises slowly, which keeps the number of vain tests small.
#include "generate/mask_engine.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/mask_energy.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <bit>
#include <cstring>
#include <hwy/highway.h>
#include <utility>

#include "core/parallel.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::mask {
namespace HWY_NAMESPACE {
namespace {

namespace hn = hwy::HWY_NAMESPACE;

constexpr hn::CappedTag<std::uint16_t, EnergyField::widest> lanes;
using Lanes = hn::Vec<decltype(lanes)>;

// Adds the kernel round a pixel of the field or of what surrounds it. `vectors`: of `widest` lanes
// in a row of it; 0: any number.
template <int vectors>
HWY_INLINE void stamp(const EnergyView& view, int x, int y) {
  constexpr std::ptrdiff_t step = hn::MaxLanes(lanes);
  const std::ptrdiff_t padded = vectors > 0 ? vectors * EnergyField::widest : view.padded;
  const std::ptrdiff_t stride = view.stride;
  std::uint16_t* row = view.at(x - view.reach, y - view.reach);
  const std::uint16_t* weights = view.weights;
  const std::uint16_t* const end = weights + (2 * view.reach + 1) * padded;
  for (; weights != end; weights += padded, row += stride) {
    for (std::ptrdiff_t c = 0; c < padded; c += step) {
      const Lanes sum = hn::SaturatedAdd(hn::LoadU(lanes, row + c), hn::LoadU(lanes, weights + c));
      hn::StoreU(sum, lanes, row + c);
    }
  }
}

// As often as the torus shows the pixel to a test.
template <int vectors>
HWY_INLINE void set_pixel(const EnergyView& view, int x, int y) {
  const int twice = 2 * view.reach;
  const int right = view.width + view.padded - 1;
  const int below = view.height + twice;
  if (x >= view.padded - 1 && x < view.width - twice && y >= twice && y < view.height - twice) {
    return stamp<vectors>(view, x, y);
  }
  const int first_x = x - (x + twice) / view.width * view.width;
  const int first_y = y - (y + twice) / view.height * view.height;
  for (int v = first_y; v < below; v += view.height) {
    for (int u = first_x; u < right; u += view.width) stamp<vectors>(view, u, v);
  }
}

// Whether a pixel in the square round (x, y) has the same energy and comes before it.
HWY_NOINLINE bool comes_later(const EnergyView& view, int x, int y, std::uint16_t energy) {
  const auto wrapped = [](int v, int side) { return (v % side + side) % side; };
  for (int v = y - view.reach; v <= y + view.reach; ++v) {
    const std::uint16_t* row = view.at(0, v);
    for (int u = x - view.reach; u < x - view.reach + view.padded; ++u) {
      if (row[u] != energy) continue;
      const int true_y = wrapped(v, view.height);
      const int true_x = wrapped(u, view.width);
      if (true_y < y || (true_y == y && true_x < x)) return true;
    }
  }
  return false;
}

// Whether no free pixel in a rectangle of at least the reach round (x, y) comes before it.
template <int vectors>
HWY_INLINE bool is_first(const EnergyView& view, int x, int y, std::uint16_t energy) {
  constexpr std::ptrdiff_t step = hn::MaxLanes(lanes);
  const std::ptrdiff_t padded = vectors > 0 ? vectors * EnergyField::widest : view.padded;
  const std::ptrdiff_t stride = view.stride;
  const std::uint16_t* row = view.at(x - view.reach, y);
  const Lanes own = hn::Set(lanes, energy);
  Lanes least = hn::Set(lanes, EnergyField::taken);
  for (std::ptrdiff_t c = 0; c < padded; c += step) {
    least = hn::Min(least, hn::Or(hn::LoadU(lanes, row + c), hn::LoadU(lanes, view.itself + c)));
  }
  const std::uint16_t* above = row;
  const std::uint16_t* below = row;
  for (int j = 0; j < view.reach; ++j) {
    above -= stride;
    below += stride;
    for (std::ptrdiff_t c = 0; c < padded; c += step) {
      least = hn::Min(least, hn::Min(hn::LoadU(lanes, above + c), hn::LoadU(lanes, below + c)));
    }
  }
  if (!hn::AllTrue(lanes, hn::Eq(hn::Min(least, own), own))) return false;
  return hn::AllFalse(lanes, hn::Eq(least, own)) || !comes_later(view, x, y, energy);
}

// Two bits a lane: those of bytes, which processors give at once.
HWY_INLINE std::uint32_t bits_of(hn::Mask<decltype(lanes)> mask) {
#if HWY_TARGET == HWY_SCALAR
  return hn::AllTrue(lanes, mask) ? 3 : 0;
#else
  constexpr hn::Repartition<std::uint8_t, decltype(lanes)> bytes;
  std::uint8_t bits[8] = {};
  hn::StoreMaskBits(bytes, hn::MaskFromVec(hn::BitCast(bytes, hn::VecFromMask(lanes, mask))), bits);
  std::uint32_t all = 0;
  std::memcpy(&all, bits, sizeof all);
  return all;
#endif
}

// Picks among the lanes from (x, y) on, of which `count` belong to the block.
template <int vectors>
HWY_INLINE std::size_t pick_in_lanes(const EnergyView& view, int x, int y, int count, int limit) {
  const std::uint16_t* row = view.at(0, y);
  const std::uint16_t* above = row - view.stride;
  const std::uint16_t* below = row + view.stride;
  const Lanes energies = hn::LoadU(lanes, row + x);
  const Lanes most = hn::Set(lanes, static_cast<std::uint16_t>(limit));
  std::uint32_t low = bits_of(hn::Eq(hn::Min(energies, most), energies));
  if (count < EnergyField::widest) low &= (1U << 2 * count) - 1;
  std::size_t picks = 0;
  for (; low != 0; low &= low - 1, low &= low - 1) {
    const int u = x + std::countr_zero(low) / 2;
    const std::uint16_t energy = row[u];
    if (energy > limit || std::min({row[u - 1], row[u + 1], above[u], below[u]}) < energy ||
        !is_first<vectors>(view, u, y, energy)) {
      continue;
    }
    view.ranks[static_cast<std::ptrdiff_t>(y) * view.width + u] = picked_at(energy);
    set_pixel<vectors>(view, u, y);
    ++picks;
  }
  return picks;
}

template <int vectors>
std::size_t pick_in(const EnergyView& view, const PixelBox& block, int limit) {
  constexpr int step = hn::MaxLanes(lanes);
  constexpr int stretch = 64;
  const Lanes most = hn::Set(lanes, static_cast<std::uint16_t>(limit));
  std::size_t picks = 0;
  for (int y = block.y0; y < block.y1; ++y) {
    const std::uint16_t* row = view.at(0, y);
    int x = block.x0;
    for (; x + stretch <= block.x1; x += stretch) {
      Lanes least = hn::LoadU(lanes, row + x);
      for (int c = step; c < stretch; c += step) {
        least = hn::Min(least, hn::LoadU(lanes, row + x + c));
      }
      if (hn::AllFalse(lanes, hn::Eq(hn::Min(least, most), least))) continue;
      for (int c = 0; c < stretch; c += step) {
        picks += pick_in_lanes<vectors>(view, x + c, y, step, limit);
      }
    }
    for (; x < block.x1; x += step) {
      picks += pick_in_lanes<vectors>(view, x, y, std::min(step, block.x1 - x), limit);
    }
  }
  return picks;
}

}  // namespace

void set_pixels(const EnergyView& view, std::span<const Pixel> pixels) {
  for (const Pixel p : pixels) set_pixel<0>(view, p.x, p.y);
}

std::size_t pick_in_block(const EnergyView& view, const PixelBox& block, int limit) {
  if (view.padded == EnergyField::widest) return pick_in<1>(view, block, limit);
  if (view.padded == 2 * EnergyField::widest) return pick_in<2>(view, block, limit);
  return pick_in<0>(view, block, limit);
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple::mask
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::mask {
namespace {

HWY_EXPORT(set_pixels);
HWY_EXPORT(pick_in_block);

std::size_t pick(const EnergyView& view, const PixelBox& block, int limit) {
  return HWY_DYNAMIC_DISPATCH(pick_in_block)(view, block, limit);
}

// Blocks are at least so wide: what one reads and writes ends within its neighbours.
constexpr int narrowest_block = 64;

// Cuts a side into an even number of blocks; one where it is short.
std::vector<int> cuts(int side, int narrowest) {
  const int count = side < 2 * narrowest ? 1 : side / narrowest / 2 * 2;
  std::vector<int> at;
  for (int i = 0; i <= count; ++i) {
    at.push_back(static_cast<int>(static_cast<std::int64_t>(side) * i / count));
  }
  return at;
}

}  // namespace

EnergyField::EnergyField(Plane<std::int32_t>& ranks, const Kernel& kernel) : ranks_(ranks) {
  const int reach = kernel.reach;
  const int side = 2 * reach + 1;
  const int padded = (side + widest - 1) / widest * widest;
  const int left = 3 * reach;
  const std::ptrdiff_t stride = left + ranks.width() + 2 * padded;
  energy_.resize(static_cast<std::size_t>(stride) *
                 static_cast<std::size_t>(ranks.height() + 2 * left));
  weights_.resize(static_cast<std::size_t>(side) * static_cast<std::size_t>(padded));
  for (int dy = -reach; dy <= reach; ++dy) {
    for (int dx = -reach; dx <= reach; ++dx) {
      weights_[static_cast<std::size_t>((dy + reach) * padded + dx + reach)] =
          static_cast<std::uint16_t>(kernel.at(dx, dy));
    }
  }
  weights_[static_cast<std::size_t>(reach * padded + reach)] = taken;
  itself_.resize(static_cast<std::size_t>(padded));
  itself_[static_cast<std::size_t>(reach)] = taken;
  view_ = {&energy_[static_cast<std::size_t>(left * stride + left)],
           stride,
           ranks.width(),
           ranks.height(),
           reach,
           padded,
           weights_.data(),
           itself_.data(),
           ranks.values().data()};

  const int narrowest = std::max(narrowest_block, 2 * reach + 2 * padded);
  const std::vector<int> x = cuts(ranks.width(), narrowest);
  const std::vector<int> y = cuts(ranks.height(), narrowest);
  for (std::size_t j = 0; j + 1 < y.size(); ++j) {
    for (std::size_t i = 0; i + 1 < x.size(); ++i) {
      blocks_[j % 2 * 2 + i % 2].push_back({x[i], y[j], x[i + 1], y[j + 1]});
    }
  }
}

void EnergyField::set(std::span<const Pixel> pixels) {
  HWY_DYNAMIC_DISPATCH(set_pixels)(view_, pixels);
}

std::int32_t EnergyField::grow(int end, std::int32_t next, Context& context, bool parallel,
                               const std::function<void(std::int32_t)>& progress) {
  int least = taken;
  for (int y = 0; y < view_.height; ++y) {
    for (int x = 0; x < view_.width; ++x) least = std::min<int>(least, *view_.at(x, y));
  }
  const std::size_t sequential_below = parallel ? 2 : ~std::size_t{0};
  std::int32_t picked = 0;
  const int steps =
      std::max(1, static_cast<int>(most_sweeps * static_cast<std::int64_t>(end - least) / taken));
  for (int sweep = 1;; ++sweep) {
    const int part = std::min(sweep, steps);
    const auto limit =
        least + static_cast<int>(static_cast<std::int64_t>(end - 1 - least) * part / steps);
    std::int32_t in_sweep = 0;
    for (const std::vector<PixelBox>& colour : blocks_) {
      std::vector<std::size_t> picks(colour.size());
      parallel_for(
          context, colour.size(), [&](std::size_t k) { picks[k] = pick(view_, colour[k], limit); },
          sequential_below);
      for (const std::size_t n : picks) in_sweep += static_cast<std::int32_t>(n);
    }
    picked += in_sweep;
    progress(next + picked);
    // The first of all free pixels can always be picked.
    if (part == steps && in_sweep == 0) break;
  }
  sort_picks(next);
  return next + picked;
}

// By energy, then by index: a counting sort.
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
