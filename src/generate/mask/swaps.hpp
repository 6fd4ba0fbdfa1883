// Declares the search that swaps values of masks (swaps.cpp), and the weights by which it counts
// the error that filters leave (filters.cpp).
#pragma once

#include <cstdint>
#include <functional>
#include <span>
#include <vector>

#include "generate/mask/engine.hpp"

namespace dapple::mask {

// Weights of pairs of pixels by the distance between them, as integers. A weight says how much of
// the values of two pixels ends up in the same filtered pixel.
struct PairWeights {
  int reach = 0;                      // pixels across and down
  int earlier = 0, later = 0;         // frames; they never meet around the end of the animation
  std::vector<std::int16_t> weights;  // (2 reach + 1)^2 rows of frames
  std::int64_t sum = 0;

  int frames() const { return earlier + later + 1; }
  std::int16_t at(int dx, int dy, int dt) const {
    const int place = (dy + reach) * (2 * reach + 1) + dx + reach;
    return weights[static_cast<std::size_t>(place * frames() + dt + earlier)];
  }
};

// Returns true if the options ask for swaps: for frames, unless there is no filter over time, and
// wherever a filter is stated.
bool has_filter(const MaskOptions& options);
// Returns the weights of the options' filters: their autocorrelation. The sum is at most `most`.
PairWeights filter_weights(const MaskOptions& options, const Torus& torus, std::int64_t most);

// Projections of values onto directions, 0..32767: for each direction, one number for each value.
using Projections = std::vector<std::vector<std::int16_t>>;
// Along several directions, the energy counts distances d, and squares d^2 with this weight, which
// lowers the error of ramps.
inline constexpr std::int64_t square_weight = 115;  // over 2^square_bits
inline constexpr int square_bits = 23;
// The most that weights may sum up to, for that many directions.
constexpr std::int64_t largest_weight_sum(std::size_t directions) {
  return 60000 / static_cast<std::int64_t>(directions);
}

// Swaps values of pixels of the same frame so that filters leave less error. `value_of` has the
// number of the value of every pixel, frame by frame. Uses several threads if `parallel`; the
// result is the same. Calls `progress` with 0..1 now and then.
void swap_values(std::span<std::int32_t> value_of, const Torus& torus,
                 const Projections& projections, const PairWeights& weights, std::uint64_t seed,
                 Context& context, bool parallel, const std::function<void(double)>& progress);

// Improves the ranks of a mask for the filters of the options. In frames, each frame then has its
// exact share of every gray. Threads and progress as above.
void filter_ranks(Plane<std::int32_t>& ranks, int depth, const MaskOptions& options,
                  std::uint64_t seed, Context& context, bool parallel,
                  const std::function<void(double)>& progress);

}  // namespace dapple::mask
