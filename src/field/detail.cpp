// Changes detail by a guided filter: He, Sun, Tang, "Guided image filtering", 2013.
#include "field/detail.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/parallel.hpp"
#include "field/fill_rows.hpp"
#include "field/resample.hpp"

namespace dapple {
namespace {

// Returns means over squares of 2 reach + 1 pixels a side, cut to the picture.
Plane<float> box_means(const Plane<float>& plane, int reach, Context& context) {
  const int width = plane.width();
  const int height = plane.height();
  Plane<float> across = Plane<float>::unset(width, height);
  const auto mean = [reach](auto read, auto write, int size) {
    double sum = 0;
    for (int i = 0; i < std::min(reach, size); ++i) sum += static_cast<double>(read(i));
    for (int i = 0; i < size; ++i) {
      if (i + reach < size) sum += static_cast<double>(read(i + reach));
      if (i - reach - 1 >= 0) sum -= static_cast<double>(read(i - reach - 1));
      const int count = std::min(i + reach, size - 1) - std::max(i - reach, 0) + 1;
      write(i, static_cast<float>(sum / count));
    }
  };
  parallel_for(
      context, static_cast<std::size_t>(height),
      [&](std::size_t row) {
        const int y = static_cast<int>(row);
        mean([&](int x) { return plane(x, y); }, [&](int x, float v) { across(x, y) = v; }, width);
      },
      16);
  Plane<float> result = Plane<float>::unset(width, height);
  parallel_for(
      context, static_cast<std::size_t>(width),
      [&](std::size_t column) {
        const int x = static_cast<int>(column);
        mean([&](int y) { return across(x, y); }, [&](int y, float v) { result(x, y) = v; },
             height);
      },
      64);
  return result;
}

// Follows He, Sun, Tang 2013, equations 5, 6 and 8, with the picture as its own guide.
Plane<float> without_detail(const Plane<float>& picture, int reach, float edge, Context& context) {
  const auto in = picture.values();
  const Plane<float> means = box_means(picture, reach, context);
  const Plane<float> squares = box_means(
      made_of(picture, context, [&](std::size_t i) { return in[i] * in[i]; }), reach, context);
  const Plane<float> slope = made_of(picture, context, [&](std::size_t i) {
    const float m = means.values()[i];
    const float variance = std::max(0.0f, squares.values()[i] - m * m);
    return variance / (variance + edge * edge);
  });
  const Plane<float> offset = made_of(
      picture, context, [&](std::size_t i) { return (1 - slope.values()[i]) * means.values()[i]; });
  const Plane<float> slopes = box_means(slope, reach, context);
  const Plane<float> offsets = box_means(offset, reach, context);
  return made_of(picture, context,
                 [&](std::size_t i) { return slopes.values()[i] * in[i] + offsets.values()[i]; });
}

int reach_of(int shorter) {
  constexpr double reach = 0.02;  // share of the shorter side
  return std::max(2, static_cast<int>(std::lround(reach * shorter)));
}

constexpr float edge = 0.1f;  // steps of lightness this high are no detail

}  // namespace

void add_detail(Plane<float>& picture, int shorter, double times, Context& context) {
  add_difference(picture, without_detail(picture, reach_of(shorter), edge, context), times,
                 context);
}

void add_difference(Plane<float>& picture, const Plane<float>& base, double times,
                    Context& context) {
  const auto more = static_cast<float>(times);
  picture = made_of(picture, context, [&](std::size_t i) {
    const float v = picture.values()[i];
    return std::clamp(v + more * (v - base.values()[i]), 0.0f, 1.0f);
  });
}

double lacking_detail(const Lightness& picture, Context& context) {
  // A small picture suffices, because dots do not show finer detail.
  constexpr int enough = 256;
  constexpr double some = 0.008;   // median lightness that the filter removes if there is detail
  constexpr double even = 0.003;   // a smaller median means a drawing, or a sky without detail
  constexpr double none = 0.0015;  // this median comes from the steps of 8 bits
  const Plane<float>& full = picture.value;
  const int times = std::max(1, std::min(full.width(), full.height()) / enough);
  const Plane<float> seen =
      times == 1 ? full : resample(full, full.width() / times, full.height() / times, context);
  const int shorter = std::min(seen.width(), seen.height());
  const Plane<float> base = without_detail(seen, reach_of(shorter), edge, context);
  std::vector<float> detail(seen.values().size());
  for (std::size_t i = 0; i < detail.size(); ++i) {
    detail[i] = std::abs(seen.values()[i] - base.values()[i]);
  }
  const auto middle = detail.begin() + static_cast<std::ptrdiff_t>(detail.size() / 2);
  std::nth_element(detail.begin(), middle, detail.end());
  const auto found = static_cast<double>(*middle);
  if (found <= none || found >= some) return 0;
  return std::min({3 * (some / found - 1), 1.5, 1.5 * (found - none) / (even - none)});
}

}  // namespace dapple
