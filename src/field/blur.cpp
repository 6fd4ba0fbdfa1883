// Both directions add weighted pairs of rows, so vectors run along rows. Every value adds its pairs
// in the order of the weights, whatever the number of lanes.
#include "field/blur.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "field/blur.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <cmath>
#include <span>
#include <utility>
#include <vector>

#include "core/deterministic_math.hpp"
#include "core/lanes.hpp"
#include "core/modulo.hpp"
#include "core/parallel.hpp"

#ifndef DAPPLE_FIELD_BLUR
#define DAPPLE_FIELD_BLUR
namespace dapple {
// Two rows that count with one weight.
struct RowPair {
  float weight = 0;
  const float* a = nullptr;
  const float* b = nullptr;  // nullptr: `a` alone
};
}  // namespace dapple
#endif

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

using Floats = Lanes<float, 16>;

// Sets out[x], out[x + 1] and so on, `vectors` vectors of them.
template <std::size_t vectors>
HWY_INLINE void add_at(std::size_t x, std::span<const RowPair> pairs, float* out) {
  Floats sums[vectors];
  const auto term = [&](const RowPair& pair, std::size_t v) HWY_ATTR {
    const std::size_t at = x + v * Floats::count;
    const Floats a = Floats::load(pair.a + at);
    return Floats(pair.weight) * (pair.b == nullptr ? a : a + Floats::load(pair.b + at));
  };
  for (std::size_t v = 0; v < vectors; ++v) sums[v] = term(pairs.front(), v);
  for (const RowPair& pair : pairs.subspan(1)) {
    for (std::size_t v = 0; v < vectors; ++v) sums[v] += term(pair, v);
  }
  for (std::size_t v = 0; v < vectors; ++v) sums[v].store(out + x + v * Floats::count);
}

void add_pairs_of(std::span<const RowPair> pairs, std::size_t count, float* out) {
  constexpr std::size_t vectors = 4;
  std::size_t x = 0;
  for (; x + vectors * Floats::count <= count; x += vectors * Floats::count) {
    add_at<vectors>(x, pairs, out);
  }
  for (; x + Floats::count <= count; x += Floats::count) add_at<1>(x, pairs, out);
  for (; x < count; ++x) {
    float sum = 0;
    for (const RowPair& pair : pairs) {
      const float value = pair.b == nullptr ? pair.a[x] : pair.a[x] + pair.b[x];
      sum = &pair == pairs.data() ? pair.weight * value : sum + pair.weight * value;
    }
    out[x] = sum;
  }
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {
namespace {

HWY_EXPORT(add_pairs_of);

// Returns weights of a Gaussian at 0, 1, 2, ... cells or at 0.5, 1.5, ... cells. They sum to 1 with
// their mirror images.
std::vector<float> weights_of(double variance, double offset) {
  if (variance <= 1e-9) return {offset > 0 ? 0.5f : 1.0f};
  const int reach = static_cast<int>(std::ceil(4 * std::sqrt(variance))) + 1;
  std::vector<double> weights;
  double sum = 0;
  for (int i = 0; i <= reach; ++i) {
    const double d = i + offset;
    weights.push_back(portable_exp(-d * d / (2 * variance)));
    sum += weights.back() * (d == 0 ? 1 : 2);
  }
  std::vector<float> out;
  for (const double w : weights) out.push_back(static_cast<float>(w / sum));
  return out;
}

constexpr int block = 16;                       // rows per task
constexpr std::size_t fewest_shared = 1 << 15;  // cells; threads are no gain for fewer

// Calls body(y, pairs) for each of `rows` rows; `pairs` holds a weight each and is the task's own.
template <class Body>
void for_rows(int rows, std::size_t cells, const std::vector<float>& weights, Context& context,
              const Body& body) {
  const auto blocks = static_cast<std::size_t>((rows + block - 1) / block);
  parallel_for(
      context, blocks,
      [&](std::size_t b) {
        std::vector<RowPair> pairs;
        for (const float weight : weights) pairs.push_back({weight});
        const int first = static_cast<int>(b) * block;
        for (int y = first; y < std::min(rows, first + block); ++y) body(y, pairs);
      },
      cells < fewest_shared ? blocks + 1 : 2);
}

// Convolves rows by the weights. `halve` merges two cells.
Plane<float> blurred_across(const Plane<float>& in, const std::vector<float>& weights, bool halve,
                            Context& context) {
  const int reach = static_cast<int>(weights.size());
  const int size = in.width();
  const int cells = halve ? (size + 1) / 2 : size;
  auto out = Plane<float>::unset(cells, in.height());
  for_rows(in.height(), in.size(), weights, context, [&](int y, std::vector<RowPair>& pairs) {
    // The row, mirrored beyond its ends. If cells are merged, even cells come before odd ones, so
    // that a vector holds every other cell.
    const int before = reach + reach % 2;
    const int length = before + size + reach + 2;
    const int odd_cells = (length + 1) / 2;
    thread_local std::vector<float> padded;
    padded.resize(static_cast<std::size_t>(length + 1));
    const auto place = [&](int i) {
      const int at = before + i;
      return padded.data() + (halve ? at / 2 + (at % 2) * odd_cells : at);
    };
    const float* row = in.row(y);
    if (halve) {
      for (int i = 0; i < size; ++i) *place(i) = row[i];
    } else {
      std::copy_n(row, size, place(0));
    }
    for (int i = 1; i <= reach; ++i) *place(-i) = row[mirrored(-i, size)];
    for (int i = size; i < size + reach + 2; ++i) *place(i) = row[mirrored(i, size)];
    for (int k = 0; k < reach; ++k) {
      RowPair& pair = pairs[static_cast<std::size_t>(k)];
      pair.a = place(-k);
      pair.b = halve ? place(k + 1) : k > 0 ? place(k) : nullptr;
    }
    HWY_DYNAMIC_DISPATCH(add_pairs_of)(pairs, static_cast<std::size_t>(cells), out.row(y));
  });
  return out;
}

// Convolves columns by the weights. `halve` merges two cells. `added`, if any, is added to the
// result.
Plane<float> blurred_down(const Plane<float>& in, std::vector<float> weights, bool halve,
                          const Plane<float>* added, Context& context) {
  if (added != nullptr) weights.push_back(1);
  const int reach = static_cast<int>(weights.size()) - (added != nullptr ? 1 : 0);
  const int rows = halve ? (in.height() + 1) / 2 : in.height();
  auto out = Plane<float>::unset(in.width(), rows);
  for_rows(rows, in.size(), weights, context, [&](int y, std::vector<RowPair>& pairs) {
    const auto row = [&](int j) { return in.row(mirrored(j, in.height())); };
    for (int k = 0; k < reach; ++k) {
      RowPair& pair = pairs[static_cast<std::size_t>(k)];
      pair.a = row(halve ? 2 * y - k : y - k);
      pair.b = halve ? row(2 * y + k + 1) : k > 0 ? row(y + k) : nullptr;
    }
    if (added != nullptr) pairs.back().a = added->row(y);
    HWY_DYNAMIC_DISPATCH(add_pairs_of)
    (pairs, static_cast<std::size_t>(in.width()), out.row(y));
  });
  return out;
}

// Returns the weights along a line of `size` cells. Between mirrors, a Gaussian twice as wide as
// the line leaves 3e-9 of the longest wave: its mean.
std::vector<float> weights_along(int size, double variance, bool halve) {
  return weights_of(std::min(variance, 4.0 * size * size), halve ? 0.5 : 0.0);
}

}  // namespace

Plane<float> gaussian_pass(const Plane<float>& map, double variance, bool halve, Context& context) {
  const std::vector<float> across = weights_along(map.width(), variance, halve);
  return blurred_down(blurred_across(map, across, halve, context),
                      weights_along(map.height(), variance, halve), halve, nullptr, context);
}

Plane<float> with_blurred(const Plane<float>& map, double sigma, float weight, Context& context) {
  std::vector<float> down = weights_along(map.height(), sigma * sigma, false);
  for (float& w : down) w *= weight;
  const std::vector<float> across = weights_along(map.width(), sigma * sigma, false);
  return blurred_down(blurred_across(map, across, false, context), std::move(down), false, &map,
                      context);
}

Plane<float> gaussian_blurred(const Plane<float>& map, double sigma, Context& context) {
  return gaussian_pass(map, sigma * sigma, false, context);
}

}  // namespace dapple
#endif
