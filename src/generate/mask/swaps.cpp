// Swaps values of pixels of a frame, so that filters leave less error (swaps.hpp). A swap may lower
//
//     E = - sum over pairs p, q of W(p - q) sum over directions n of |n v_p - n v_q|,
//
// where v are the values and W the weights. Over all thresholds, |a - b| is twice the product of
// the errors of two steps, but for terms of one pixel. So E is the error that a filter with the
// autocorrelation W leaves of steps at all thresholds, in each direction. In the plane, all
// directions together are the distance of v_p and v_q (Crofton): a few replace it.
//
// Swaps as a search, within frames: Georgiev and Fajardo 2016; Wolfe, Morrical, Akenine-Moeller and
// Ramamoorthi 2022. In a single frame, a swap that raises E has the probability exp(-rise / heat).
// Heat falls to 0 and stays there at the end. A search cannot make long waves; what it starts from
// must bring them.
//
// Frames are cut into blocks of pixels and frames, which fit into the fastest cache. In a round,
// threads swap in blocks that do not touch; from round to round all blocks move. All sums are of
// integers, and random numbers are hashed from seed, round and block, so that bytes are the same
// everywhere.
#include "generate/mask/swaps.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "generate/mask/swaps.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <cstdlib>
#include <utility>

#include "core/deterministic_math.hpp"
#include "core/lanes.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "generate/mask/block_schedule.hpp"

#ifndef DAPPLE_MASK_SWAPS
#define DAPPLE_MASK_SWAPS
namespace dapple::mask {
namespace {

constexpr int lanes = 16;       // frames of a neighbor that one load reads
constexpr int waits = 1024;     // see Heat
constexpr int block_side = 16;  // pixels and frames

// Values as the search reads them. The times of a pixel follow each other, so that a load reads
// many. Copies of the opposite sides surround pixels and times.
struct SwapView {
  Torus torus;
  int reach, earlier;
  int times;                             // of a pixel and direction, with copies
  std::ptrdiff_t row, pixel;             // strides
  int directions;                        // each has the times of a pixel
  std::int16_t* origin;                  // of the pixel (0, 0) at time 0
  std::span<const std::ptrdiff_t> taps;  // what to load, from the place of a pixel
  const std::int16_t* weights;           // `lanes` of each tap
  int block_width, block_height;         // of the largest block
  const std::int32_t* partner;           // weights of pairs of a block, by their distance
  std::int64_t square_weight;            // 0: distances alone
  std::int32_t* value_of;

  std::int16_t* at(int x, int y, int t) const { return origin + y * row + x * pixel + t; }
  // Sets the value of a pixel and its copies.
  void put(int x, int y, int t, int direction, std::int16_t value) const {
    const auto first = [](int v, int before, int period) {
      return v - (v + before) / period * period;
    };
    for (int v = first(y, reach, torus.height); v < torus.height + reach; v += torus.height) {
      for (int u = first(x, reach, torus.width); u < torus.width + reach; u += torus.width) {
        std::int16_t* series = at(u, v, 0) + std::ptrdiff_t{direction} * times;
        for (int s = first(t, earlier, torus.depth); s < times - earlier; s += torus.depth) {
          series[s] = value;
        }
      }
    }
  }
};

struct SwapBlock {
  int x, y, t, width, height, depth;  // may reach beyond the last pixels and frames
};

struct Heat {
  std::int64_t now;
  const std::int32_t* wait;  // 2^16 times -log of parts of 1, `waits` of them evenly spaced
};

}  // namespace
}  // namespace dapple::mask
#endif

HWY_BEFORE_NAMESPACE();
namespace dapple::mask {
namespace HWY_NAMESPACE {
namespace {

using Values = dapple::HWY_NAMESPACE::Lanes<std::int16_t, lanes>;

// Returns half of the fall of the energy if values are swapped at two places that do not see each
// other. For a <= b, |v - a| - |v - b| is twice the nearest number to v in [a, b], less a + b. So
// sums over the neighbors of both places are one sum of differences of nearest numbers.
template <bool squared>
HWY_INLINE std::int64_t half_fall(const SwapView& view, const std::int16_t* p,
                                  const std::int16_t* q) {
  using Sums = dapple::HWY_NAMESPACE::ProductSums<lanes>;
  Sums steps;
  std::int64_t squares = 0;
  for (int c = 0; c < view.directions; ++c, p += view.times, q += view.times) {
    const std::int16_t* from = *p < *q ? p : q;
    const std::int16_t* to = *p < *q ? q : p;
    const Values low = *from;
    const Values high = *to;
    Sums differences;
    const std::int16_t* weight = view.weights;
    for (const std::ptrdiff_t tap : view.taps) {
      for (std::size_t i = 0; i < lanes; i += Values::count) {
        const auto index = static_cast<std::ptrdiff_t>(i);
        const Values u = Values::load(from + tap + index);
        const Values v = Values::load(to + tap + index);
        const Values w = Values::load(weight + i);
        steps.add(min(max(v, low), high) - min(max(u, low), high), w);
        if constexpr (squared) differences.add(v - u, w);
      }
      weight += lanes;
    }
    if constexpr (squared) squares += std::int64_t{*to - *from} * differences.total();
  }
  return steps.total() + ((squares * view.square_weight) >> square_bits);
}

// Returns a number in 0 .. n-1 from 16 of the bits.
HWY_INLINE int part_of(std::uint64_t bits, int from, int n) {
  return static_cast<int>((((bits >> from) & 0xffff) * static_cast<std::uint64_t>(n)) >> 16);
}

HWY_INLINE int wrapped(int at, int side) {
  return at < side ? at : at - side;
}

void swap_in_block(const SwapView& view, const SwapBlock& block, const Random& random,
                   std::int64_t tries, const Heat& heat) {
  const auto [width, height, depth] = view.torus;
  const std::ptrdiff_t frame = std::ptrdiff_t{width} * height;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(tries); ++i) {
    const std::uint64_t first = random.at(2 * i);
    const std::uint64_t second = random.at(2 * i + 1);
    const int x1 = part_of(first, 48, block.width);
    const int y1 = part_of(first, 32, block.height);
    const int x2 = part_of(second, 48, block.width);
    const int y2 = part_of(second, 32, block.height);
    if (x1 == x2 && y1 == y2) continue;
    const int t = wrapped(block.t + part_of(first, 0, block.depth), depth);
    const Pixel p{wrapped(block.x + x1, width), wrapped(block.y + y1, height)};
    const Pixel q{wrapped(block.x + x2, width), wrapped(block.y + y2, height)};
    const std::int16_t* at_p = view.at(p.x, p.y, t);
    const std::int16_t* at_q = view.at(q.x, q.y, t);
    std::int64_t apart = 0;
    for (int c = 0; c < view.directions; ++c) {
      const std::int64_t d = std::abs(at_p[c * view.times] - at_q[c * view.times]);
      apart += d + ((d * d * view.square_weight) >> square_bits);
    }
    // Each pixel sees the other: that part of the energy stays as it is.
    const int between = (y2 - y1 + view.block_height - 1) * (2 * view.block_width - 1) + x2 - x1 +
                        view.block_width - 1;
    const std::int64_t fall = (view.square_weight > 0 ? half_fall<true>(view, at_p, at_q)
                                                      : half_fall<false>(view, at_p, at_q)) +
                              apart * view.partner[between];
    if (fall <= 0 && fall <= -((heat.now * heat.wait[second % waits]) >> 16)) continue;
    for (int c = 0; c < view.directions; ++c) {
      const std::int16_t a = at_p[c * view.times];
      view.put(p.x, p.y, t, c, at_q[c * view.times]);
      view.put(q.x, q.y, t, c, a);
    }
    std::swap(view.value_of[t * frame + std::ptrdiff_t{p.y} * width + p.x],
              view.value_of[t * frame + std::ptrdiff_t{q.y} * width + q.x]);
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple::mask
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::mask {
HWY_EXPORT(swap_in_block);
namespace {

constexpr int tries_a_round = 4;   // per pixel
constexpr int least_tries = 16;    // per pixel
constexpr int most_tries = 80;     // per pixel
constexpr int affordable = 8000;   // loads per pixel
constexpr int more_of_single = 8;  // times as many tries if there is one frame
// Heat at the start, over the energy of a pixel that differs by 1 from all others. Single frames
// have tries enough for it; in frames it would spoil long waves.
constexpr double heat_of_single = 1e-3;
constexpr double cooling = 0.85;  // of the rounds

// Returns how many blocks lie along a side: one, or an even number.
int blocks_along(int side) {
  return std::max(1, side / (2 * block_side) * 2);
}

class SwapField {
 public:
  SwapField(std::span<std::int32_t> value_of, const Torus& torus, const Projections& projections,
            const PairWeights& weights)
      : grid_{blocks_along(torus.width), blocks_along(torus.height)} {
    const int loads = (weights.frames() + lanes - 1) / lanes;
    const auto [width, height, depth] = torus;
    const int reach = weights.reach;
    view_.torus = torus;
    view_.reach = reach;
    view_.earlier = weights.earlier;
    view_.times = depth + loads * lanes;
    view_.directions = static_cast<int>(projections.size());
    view_.pixel = std::ptrdiff_t{view_.directions} * view_.times;
    view_.row = view_.pixel * (width + 2 * reach);
    values_.resize(static_cast<std::size_t>(view_.row * (height + 2 * reach)));
    view_.origin = values_.data() + (view_.row + view_.pixel) * reach + weights.earlier;
    list_taps(weights, loads);
    list_partners(weights);
    view_.value_of = value_of.data();
    view_.square_weight = projections.size() > 1 ? square_weight : 0;
    std::size_t i = 0;
    for (int t = 0; t < depth; ++t) {
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x, ++i) {
          for (int c = 0; c < view_.directions; ++c) {
            const auto& numbers = projections[static_cast<std::size_t>(c)];
            view_.put(x, y, t, c, numbers[static_cast<std::size_t>(value_of[i])]);
          }
        }
      }
    }
  }

  std::size_t loads() const { return taps_.size() * static_cast<std::size_t>(view_.directions); }

  void round(const Random& random, const Heat& heat, Context& context, bool parallel) {
    const auto [width, height, depth] = view_.torus;
    const auto place = [&](std::uint64_t i, int side) {
      return static_cast<int>(random.at(i) % static_cast<std::uint64_t>(side));
    };
    const SwapBlock first{place(0, width), place(1, height), place(2, depth), 0, 0, 0};
    const int parts = std::max(1, depth / block_side);
    const auto visit = [&, w = width, h = height, d = depth](std::size_t b, int) {
      context.check();
      const int column = static_cast<int>(b) % grid_.columns;
      const int row = static_cast<int>(b) / grid_.columns;
      const int x = column * w / grid_.columns;
      const int y = row * h / grid_.rows;
      for (int k = 0; k < parts; ++k) {
        const int t = k * d / parts;
        const SwapBlock block{(first.x + x) % w,
                              (first.y + y) % h,
                              (first.t + t) % d,
                              (column + 1) * w / grid_.columns - x,
                              (row + 1) * h / grid_.rows - y,
                              (k + 1) * d / parts - t};
        const auto which = static_cast<std::uint64_t>(b) * static_cast<std::uint64_t>(parts) +
                           static_cast<std::uint64_t>(k);
        HWY_DYNAMIC_DISPATCH(swap_in_block)
        (view_, block, Random(random.at(3 + which), Stream::mask),
         std::int64_t{block.width} * block.height * block.depth * tries_a_round, heat);
      }
    };
    visit_in_turns(grid_, 1, 1, context, parallel, visit);
  }

 private:
  void list_taps(const PairWeights& weights, int loads) {
    const auto [width, height, depth] = view_.torus;
    for (int dy = -view_.reach; dy <= view_.reach; ++dy) {
      for (int dx = -view_.reach; dx <= view_.reach; ++dx) {
        for (int load = 0; load < loads; ++load) {
          const int first = load * lanes - weights.earlier;
          std::array<std::int16_t, lanes> numbers{};
          for (int i = 0; i < lanes && first + i <= weights.later; ++i) {
            const bool itself = first + i == 0 && dx % width == 0 && dy % height == 0;
            if (!itself) numbers[static_cast<std::size_t>(i)] = weights.at(dx, dy, first + i);
          }
          if (numbers == std::array<std::int16_t, lanes>{}) continue;
          taps_.push_back(dy * view_.row + dx * view_.pixel + first);
          weights_.insert(weights_.end(), numbers.begin(), numbers.end());
        }
      }
    }
    view_.taps = taps_;
    view_.weights = weights_.data();
  }

  void list_partners(const PairWeights& weights) {
    const auto [width, height, depth] = view_.torus;
    view_.block_width = (width + grid_.columns - 1) / grid_.columns;
    view_.block_height = (height + grid_.rows - 1) / grid_.rows;
    for (int dy = 1 - view_.block_height; dy < view_.block_height; ++dy) {
      for (int dx = 1 - view_.block_width; dx < view_.block_width; ++dx) {
        std::int32_t sum = 0;
        for (int v = -view_.reach; v <= view_.reach; ++v) {
          for (int u = -view_.reach; u <= view_.reach; ++u) {
            if ((u - dx) % width == 0 && (v - dy) % height == 0) sum += weights.at(u, v, 0);
          }
        }
        partner_.push_back(sum);
      }
    }
    view_.partner = partner_.data();
  }

  SwapView view_{};
  BlockGrid grid_;
  std::vector<std::int16_t> values_, weights_;
  std::vector<std::ptrdiff_t> taps_;
  std::vector<std::int32_t> partner_;
};

}  // namespace

void swap_values(std::span<std::int32_t> value_of, const Torus& torus,
                 const Projections& projections, const PairWeights& weights, std::uint64_t seed,
                 Context& context, bool parallel, const std::function<void(double)>& progress) {
  SwapField field(value_of, torus, projections, weights);
  if (field.loads() == 0) return;
  std::vector<std::int32_t> wait;
  for (int i = 0; i < waits; ++i) {
    wait.push_back(static_cast<std::int32_t>(-portable_log((i + 0.5) / waits) * 0x1p16));
  }
  const bool single = torus.depth == 1;
  const double heat = (single ? heat_of_single : 0) * 0x1p15 * static_cast<double>(weights.sum) *
                      static_cast<double>(projections.size());
  const int tries =
      std::clamp(affordable / static_cast<int>(field.loads()), least_tries, most_tries) *
      (single ? more_of_single : 1);
  const int rounds = tries / tries_a_round;
  for (int round = 0; round < rounds; ++round) {
    const double left = std::max(0.0, 1 - round / (cooling * rounds));
    field.round(Random(seed, Stream::mask, 0x10000 + static_cast<std::uint64_t>(round)),
                {static_cast<std::int64_t>(heat * left), wait.data()}, context, parallel);
    progress(static_cast<double>(round + 1) / rounds);
  }
}

void filter_ranks(Plane<std::int32_t>& ranks, int depth, const MaskOptions& options,
                  std::uint64_t seed, Context& context, bool parallel,
                  const std::function<void(double)>& progress) {
  const Torus torus{ranks.width(), ranks.height() / depth, depth};
  const std::size_t frame = ranks.size() / static_cast<std::size_t>(depth);
  // Each frame gets one of every `depth` ranks that follow each other, in the old order.
  std::vector<std::int32_t> pixels(ranks.size());
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    pixels[static_cast<std::size_t>(ranks.values()[i])] = static_cast<std::int32_t>(i);
  }
  std::vector<std::vector<std::int32_t>> group(frame);
  std::vector<std::size_t> next(static_cast<std::size_t>(depth));
  for (const std::int32_t pixel : pixels) {
    group[next[static_cast<std::size_t>(pixel) / frame]++].push_back(pixel);
  }
  std::int32_t rank = 0;
  for (const auto& of_group : group) {
    for (const std::int32_t pixel : of_group)
      ranks.values()[static_cast<std::size_t>(pixel)] = rank++;
  }
  Projections numbers(1);
  for (std::size_t i = 0; i < ranks.size(); ++i) {
    numbers[0].push_back(static_cast<std::int16_t>(i * 32768 / ranks.size()));
  }
  swap_values(ranks.values(), torus, numbers, filter_weights(options, torus, largest_weight_sum(1)),
              seed, context, parallel, progress);
}

}  // namespace dapple::mask
#endif
