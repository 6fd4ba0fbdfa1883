// Mixes a color from a palette: finds the colors and proportions that have it as their mean.
//
// Every pixel of a dithered area is a color of the palette, and the area shows their mean. Knoll
// (1999, US patent 6606166, expired) and Yliluoma (2011, "Arbitrary-palette positional dithering
// algorithm") find proportions by a greedy series of candidates. They order the candidates by
// luminance before the mask picks one. This file keeps the order, but its proportions are exact.
// They minimize:
//
//     |mean(w) - wanted|^2 + grain * sum_i w_i |color_i - wanted|^2,   w >= 0, sum w = 1.
//
// An active set solves this (Lawson and Hanson 1974), one color in or out at a time. The first term
// brings the mean to the wanted color. The second, the variance of the pattern, prefers near
// colors, which are less visible. Both terms are in light, in which patterns and errors average,
// times the slope of Oklab (Ottosson 2020) at the wanted color. So white costs more in black than
// in white.
//
// Programs that scale a picture average its encoded values, in which the same mixture has another
// mean. Space::both adds the differences of encoded values as three more components of each color,
// times the slope of light, so that neither mean is far off.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/color.hpp"
#include "core/deterministic_math.hpp"
#include "dapple/plane.hpp"
#include "field/curve_table.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::palette {
namespace {

// The tolerance of the mean for less grain. Up to half of it, as a part of the way from one color
// to another, only the first color is shown.
constexpr double least_grain = 3e-3;
// Replaces `least_grain` where two means count, because no mixture keeps both exactly.
constexpr double least_grain_of_both = 0.02;
constexpr double sqrt_half = 0.70710678118654752;  // the two means count half each
// Makes the least squares strictly convex; it must be far smaller than `least_grain`.
constexpr double ridge = 1e-9;
// Light that a screen or paper adds to every color. It brings blacks closer together.
constexpr double flare = 0.02;
constexpr int most_active = 5;  // four that carry the mean, and one more that enters

Rgb to_linear(const Rgb& c) {
  Rgb linear;
  for (std::size_t i = 0; i < 3; ++i) linear[i] = dapple::to_linear()(static_cast<float>(c[i]));
  return linear;
}

// The difference of a color from the wanted one: 3 components, or 6 in Space::both.
template <std::size_t dims>
using Difference = std::array<double, dims>;

template <std::size_t dims>
double dot(const Difference<dims>& a, const Difference<dims>& b) {
  double sum = 0;
  for (std::size_t k = 0; k < dims; ++k) sum += a[k] * b[k];
  return sum;
}

Rgb product(const std::array<Rgb, 3>& rows, const Rgb& d) {
  return {dot<3>(rows[0], d), dot<3>(rows[1], d), dot<3>(rows[2], d)};
}

Rgb to_encoded(const Rgb& c) {
  Rgb encoded;
  for (std::size_t i = 0; i < 3; ++i) encoded[i] = to_srgb()(static_cast<float>(c[i]));
  return encoded;
}

Rgb decoded(const Rgb8& c) {
  return {c[0] / 255.0, c[1] / 255.0, c[2] / 255.0};
}

// The colors in use, their weights, and the step to the best weights for them.
template <std::size_t dims>
struct ActiveSet {
  std::array<int, most_active> color;
  std::array<double, most_active> weight;
  std::array<Difference<dims>, most_active>
      place;  // relative to the target, so that the wanted mean is 0
  std::array<double, most_active> cost;
  int count = 0;

  void add(int c, double w, const Difference<dims>& shifted, double c_cost) {
    const auto i = static_cast<std::size_t>(count++);
    color[i] = c;
    weight[i] = w;
    place[i] = shifted;
    cost[i] = c_cost;
  }
  void remove(int k) {
    --count;
    for (auto i = static_cast<std::size_t>(k); i < static_cast<std::size_t>(count); ++i) {
      color[i] = color[i + 1];
      weight[i] = weight[i + 1];
      place[i] = place[i + 1];
      cost[i] = cost[i + 1];
    }
  }
};

// Returns the weights that are best for the active colors if they could be negative. The first
// weight is 1 minus the others. The equations for the others are symmetric, positive, and few.
template <std::size_t dims>
std::array<double, most_active> best_weights(const ActiveSet<dims>& set) {
  constexpr std::size_t most = most_active - 1;
  const auto n = static_cast<std::size_t>(set.count - 1);
  std::array<Difference<dims>, most> away;  // from the first
  std::array<std::array<double, most>, most> m;
  std::array<double, most> x;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t k = 0; k < dims; ++k) away[a][k] = set.place[a + 1][k] - set.place[0][k];
    for (std::size_t b = 0; b <= a; ++b) m[a][b] = dot<dims>(away[a], away[b]) + ridge;
    m[a][a] += ridge;
    x[a] = ridge - dot<dims>(away[a], set.place[0]) - 0.5 * (set.cost[a + 1] - set.cost[0]);
  }
  // Solves by L D L^T in place.
  for (std::size_t c = 0; c < n; ++c) {
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = m[r][c] / m[c][c];
      for (std::size_t k = c + 1; k <= r; ++k) m[r][k] -= factor * m[k][c];
      x[r] -= factor * x[c];
    }
  }
  std::array<double, most_active> weights{1};
  for (std::size_t r = n; r-- > 0;) {
    for (std::size_t k = r + 1; k < n; ++k) x[r] -= m[k][r] * x[k];
    x[r] /= m[r][r];
    weights[r + 1] = x[r];
    weights[0] -= x[r];
  }
  return weights;
}

// Moves to the best weights. Drops colors whose weight would fall below 0 on the way.
template <std::size_t dims>
void settle(ActiveSet<dims>& set) {
  for (;;) {
    const std::array<double, most_active> best = best_weights(set);
    double step = 1;
    int leaving = -1;
    for (int k = 0; k < set.count; ++k) {
      const auto i = static_cast<std::size_t>(k);
      if (best[i] > 0) continue;
      const double reach = set.weight[i] > 0 ? set.weight[i] / (set.weight[i] - best[i]) : 0;
      if (leaving < 0 || reach < step) {
        step = reach;
        leaving = k;
      }
    }
    for (std::size_t i = 0; i < static_cast<std::size_t>(set.count); ++i) {
      set.weight[i] += step * (best[i] - set.weight[i]);
    }
    if (leaving < 0) return;
    set.remove(leaving);
  }
}

// Adds a part. Parts stay ordered from dark to bright, with each color once.
void add_part(Mixture& mixture, const Part& part) {
  auto i = static_cast<std::size_t>(mixture.count);
  for (; i > 0 && mixture.parts[i - 1].color >= part.color; --i) {
    if (mixture.parts[i - 1].color != part.color) continue;
    mixture.parts[i - 1].weight += part.weight;
    return;
  }
  std::move_backward(mixture.parts.begin() + i, mixture.parts.begin() + mixture.count,
                     mixture.parts.begin() + mixture.count + 1);
  mixture.parts[i] = part;
  ++mixture.count;
}

// Returns the slope of light over encoded values.
double decoding_slope(double v) {
  static const CurveTable table(
      [](float encoded) {
        const double curved = 2.4 / 1.055 * portable_pow((encoded + 0.055) / 1.055, 1.4);
        return static_cast<float>(encoded <= 0.04045f ? 1 / 12.92 : curved);
      },
      4096);
  return table(static_cast<float>(v));
}

// Returns the slope of the cube root.
double cube_root_slope(double v) {
  static const CurveTable table(
      [](float x) {
        const double root = portable_cbrt(x);
        return static_cast<float>(1 / (3 * root * root));
      },
      65536);
  return table(static_cast<float>(v));
}

// Returns the mixture of `colors` of the least cost. `difference(color)` is a color of the palette
// relative to the wanted one.
template <std::size_t dims, class OfColor>
Mixture mix_by(std::span<const std::uint8_t> colors, double grain, const Mixture& guess,
               OfColor&& difference) {
  const std::size_t n = colors.size();
  // Arrays per component let loops over colors run in vectors.
  std::array<std::array<double, most_colors>, dims> place;
  std::array<double, most_colors> square;
  for (std::size_t i = 0; i < n; ++i) {
    const Difference<dims> d = difference(colors[i]);
    for (std::size_t k = 0; k < dims; ++k) place[k][i] = d[k];
    square[i] = dot<dims>(d, d);
  }
  const auto lowest = [n](const std::array<double, most_colors>& values) {
    return static_cast<std::size_t>(std::min_element(values.begin(), values.begin() + n) -
                                    values.begin());
  };
  const std::size_t nearest = lowest(square);
  Mixture mixture;
  mixture.nearest = colors[nearest];
  if (grain < 0) {
    add_part(mixture, {mixture.nearest, 1});
    return mixture;
  }

  ActiveSet<dims> set;
  const auto add = [&](std::size_t i, double weight) {
    Difference<dims> d;
    for (std::size_t k = 0; k < dims; ++k) d[k] = place[k][i];
    set.add(static_cast<int>(i), weight, d, grain * square[i]);
  };
  for (int p = 0; p < std::min(guess.count, 4); ++p) {
    const Part& part = guess.parts[static_cast<std::size_t>(p)];
    const auto at = std::find(colors.begin(), colors.end(), part.color);
    if (at != colors.end()) add(static_cast<std::size_t>(at - colors.begin()), part.weight);
  }
  if (set.count == 0) {
    add(nearest, 1);
  } else {
    settle(set);
  }
  // Each round lowers the error, so the loop ends; the limit guards against rounding.
  for (int round = 0; round < 100 && set.count < most_active; ++round) {
    Difference<dims> mean{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(set.count); ++i) {
      for (std::size_t k = 0; k < dims; ++k) mean[k] += set.weight[i] * set.place[i][k];
    }
    double level = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(set.count); ++i) {
      level += set.weight[i] * (2 * dot<dims>(set.place[i], mean) + set.cost[i]);
    }
    std::array<double, most_colors> slope;
    for (std::size_t i = 0; i < n; ++i) {
      double along = 0;
      for (std::size_t k = 0; k < dims; ++k) along += place[k][i] * mean[k];
      slope[i] = 2 * along + grain * square[i];
    }
    const std::size_t entering = lowest(slope);
    if (slope[entering] >= level - 1e-9 * grain - 4 * ridge) break;
    const auto last = set.color.begin() + set.count;
    if (std::find(set.color.begin(), last, static_cast<int>(entering)) != last) break;
    add(entering, 0);
    settle(set);
  }
  for (std::size_t i = 0; i < static_cast<std::size_t>(set.count); ++i) {
    add_part(mixture, {colors[static_cast<std::size_t>(set.color[i])], set.weight[i]});
  }
  return mixture;
}

}  // namespace

Mixer::Mixer(std::vector<Rgb8> colors, Space space, bool perceptual, double strength,
             double tolerance)
    : colors_(std::move(colors)),
      space_(space),
      perceptual_(perceptual),
      // Exact means need no weight for their color, and a small one has less grain. An error of the
      // mean with a small weight for its color tints areas.
      chroma_(space == Space::both || strength < 1 ? 1 : 0.4) {
  // See DitherOptions::strength: of two colors, the middle `strength` of the way is dithered.
  const double least = space == Space::both ? least_grain_of_both : least_grain;
  if (strength > 0) grain_ = tolerance * least + 1 / strength - 1;
  std::stable_sort(colors_.begin(), colors_.end(), [](const Rgb8& a, const Rgb8& b) {
    return luminance(to_linear(decoded(a))) < luminance(to_linear(decoded(b)));
  });
  for (const Rgb8& c : colors_) {
    encoded_.push_back(decoded(c));
    wanted_.push_back(space == Space::values ? encoded_.back() : to_linear(encoded_.back()));
    all_.push_back(static_cast<std::uint8_t>(all_.size()));
  }
}

Metric Mixer::metric_at(const Rgb& wanted, double chroma) const {
  Metric metric;
  if (space_ == Space::both) {
    for (std::size_t j = 0; j < 3; ++j) metric.slope[j] = decoding_slope(to_encoded(wanted)[j]);
  }
  if (!perceptual_) {
    for (std::size_t j = 0; j < 3; ++j) {
      metric.rows[0][j] = luminance_shares[j];
      metric.rows[1][j] = chroma * ((j == 0 ? 1 : 0) - luminance_shares[j]);
      metric.rows[2][j] = chroma * ((j == 2 ? 1 : 0) - luminance_shares[j]);
    }
    return metric;
  }
  Rgb slopes = oklab::product(oklab::from_light, seen_light(wanted));
  for (double& v : slopes) v = cube_root_slope(v) / (1 + flare);
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        sum += oklab::from_roots[k][i] * slopes[i] * oklab::from_light[i][j];
      }
      metric.rows[k][j] =
          (k == 0 ? 1 : chroma) * (space_ == Space::values ? sum * decoding_slope(wanted[j]) : sum);
    }
  }
  return metric;
}

Rgb Mixer::seen_light(const Rgb& wanted) const {
  Rgb light = space_ == Space::values ? to_linear(wanted) : wanted;
  for (double& v : light) v = (v + flare) / (1 + flare);
  return light;
}

Rgb Mixer::look_of(const Rgb& wanted) const {
  return perceptual_ ? oklab::of_light(seen_light(wanted)) : wanted;
}

Rgb Mixer::mean(const Mixture& mixture) const {
  Rgb sum{};
  for (int i = 0; i < mixture.count; ++i) {
    const Part& part = mixture.parts[static_cast<std::size_t>(i)];
    for (std::size_t k = 0; k < 3; ++k) sum[k] += part.weight * wanted(part.color)[k];
  }
  return sum;
}

Mixture Mixer::mix(const Rgb& wanted, const Mixture& guess) const {
  return mix_among(all_, metric_at(wanted), wanted, guess);
}

Mixture Mixer::mix_among(std::span<const std::uint8_t> among, const Metric& metric,
                         const Rgb& wanted, const Mixture& guess) const {
  if (space_ != Space::both) return palette::mix(wanted_, among, metric, wanted, grain_, guess);
  const Rgb encoded = to_encoded(wanted);
  return mix_by<6>(among, grain_, guess, [&](std::uint8_t c) {
    Rgb light;
    Rgb values;
    for (std::size_t k = 0; k < 3; ++k) {
      light[k] = sqrt_half * (wanted_[c][k] - wanted[k]);
      values[k] = sqrt_half * metric.slope[k] * (encoded_[c][k] - encoded[k]);
    }
    const Rgb a = product(metric.rows, light);
    const Rgb b = product(metric.rows, values);
    return Difference<6>{a[0], a[1], a[2], b[0], b[1], b[2]};
  });
}

Mixture mix(std::span<const Rgb> all, std::span<const std::uint8_t> colors, const Metric& metric,
            const Rgb& wanted, double grain, const Mixture& guess) {
  return mix_by<3>(colors, grain, guess, [&](std::uint8_t c) {
    const Rgb& color = all[c];
    return product(metric.rows, {color[0] - wanted[0], color[1] - wanted[1], color[2] - wanted[2]});
  });
}

}  // namespace dapple::palette
