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
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/color.hpp"
#include "core/deterministic_math.hpp"
#include "dapple/plane.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::palette {
namespace {

// The tolerance of the mean for less grain. Up to half of it, as a part of the way from one color
// to another, only the first color is shown.
constexpr double least_grain = 3e-3;
// Makes the least squares strictly convex; it must be far smaller than `least_grain`.
constexpr double ridge = 1e-9;
// Light that a screen or paper adds to every color. It brings blacks closer together.
constexpr double flare = 0.02;
constexpr int most_active = 5;  // four that carry the mean, and one more that enters

Rgb to_linear(const Rgb& c) {
  Rgb linear;
  for (std::size_t i = 0; i < 3; ++i) linear[i] = srgb_to_linear(static_cast<float>(c[i]));
  return linear;
}

double dot(const Rgb& a, const Rgb& b) {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

Rgb decoded(const Rgb8& c) {
  return {c[0] / 255.0, c[1] / 255.0, c[2] / 255.0};
}

// The colors in use, their weights, and the step to the best weights for them.
struct ActiveSet {
  std::array<int, most_active> color;
  std::array<double, most_active> weight;
  std::array<Rgb, most_active> place;  // relative to the target, so that the wanted mean is 0
  std::array<double, most_active> cost;
  int count = 0;

  void add(int c, double w, const Rgb& shifted, double c_cost) {
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
std::array<double, most_active> best_weights(const ActiveSet& set) {
  constexpr std::size_t most = most_active - 1;
  const auto n = static_cast<std::size_t>(set.count - 1);
  std::array<Rgb, most> away;  // from the first
  std::array<std::array<double, most>, most> m;
  std::array<double, most> x;
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t k = 0; k < 3; ++k) away[a][k] = set.place[a + 1][k] - set.place[0][k];
    for (std::size_t b = 0; b <= a; ++b) m[a][b] = dot(away[a], away[b]) + ridge;
    m[a][a] += ridge;
    x[a] = ridge - dot(away[a], set.place[0]) - 0.5 * (set.cost[a + 1] - set.cost[0]);
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
void settle(ActiveSet& set) {
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
  return v <= 0.04045 ? 1 / 12.92 : 2.4 / 1.055 * portable_pow((v + 0.055) / 1.055, 1.4);
}

}  // namespace

Mixer::Mixer(std::vector<Rgb8> colors, bool linear, bool perceptual, double strength)
    : colors_(std::move(colors)), linear_(linear), perceptual_(perceptual) {
  // See DitherOptions::strength: of two colors, the middle `strength` of the way is dithered.
  if (strength > 0) grain_ = least_grain + 1 / strength - 1;
  std::stable_sort(colors_.begin(), colors_.end(), [](const Rgb8& a, const Rgb8& b) {
    return luminance(to_linear(decoded(a))) < luminance(to_linear(decoded(b)));
  });
  for (const Rgb8& c : colors_) {
    wanted_.push_back(linear ? to_linear(decoded(c)) : decoded(c));
    all_.push_back(static_cast<std::uint8_t>(all_.size()));
  }
}

Metric Mixer::metric_at(const Rgb& wanted, double chroma) const {
  Metric metric;
  if (!perceptual_) {
    for (std::size_t j = 0; j < 3; ++j) {
      metric[0][j] = luminance_shares[j];
      metric[1][j] = chroma * ((j == 0 ? 1 : 0) - luminance_shares[j]);
      metric[2][j] = chroma * ((j == 2 ? 1 : 0) - luminance_shares[j]);
    }
    return metric;
  }
  Rgb light = linear_ ? wanted : to_linear(wanted);
  for (double& v : light) v = (v + flare) / (1 + flare);
  Rgb slopes = oklab::product(oklab::from_light, light);
  for (double& v : slopes) {
    const double root = portable_cbrt(v);
    v = 1 / (3 * root * root * (1 + flare));
  }
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t j = 0; j < 3; ++j) {
      double sum = 0;
      for (std::size_t i = 0; i < 3; ++i) {
        sum += oklab::from_roots[k][i] * slopes[i] * oklab::from_light[i][j];
      }
      metric[k][j] = (k == 0 ? 1 : chroma) * (linear_ ? sum : sum * decoding_slope(wanted[j]));
    }
  }
  return metric;
}

Rgb Mixer::look_of(const Rgb& wanted) const {
  if (!perceptual_) return wanted;
  Rgb light = linear_ ? wanted : to_linear(wanted);
  for (double& v : light) v = (v + flare) / (1 + flare);
  return oklab::of_light(light);
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
  return palette::mix(wanted_, among, metric, wanted, grain_, guess);
}

Mixture mix(std::span<const Rgb> all, std::span<const std::uint8_t> colors, const Metric& metric,
            const Rgb& wanted, double grain, const Mixture& guess) {
  const std::size_t n = colors.size();
  // Arrays per component let loops over colors run in vectors.
  std::array<std::array<double, most_colors>, 3> place;
  std::array<double, most_colors> square;
  for (std::size_t i = 0; i < n; ++i) {
    const Rgb& color = all[colors[i]];
    const Rgb d{color[0] - wanted[0], color[1] - wanted[1], color[2] - wanted[2]};
    square[i] = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      place[k][i] = metric[k][0] * d[0] + metric[k][1] * d[1] + metric[k][2] * d[2];
      square[i] += place[k][i] * place[k][i];
    }
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

  ActiveSet set;
  const auto add = [&](std::size_t i, double weight) {
    set.add(static_cast<int>(i), weight, {place[0][i], place[1][i], place[2][i]},
            grain * square[i]);
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
    Rgb mean{};
    for (std::size_t i = 0; i < static_cast<std::size_t>(set.count); ++i) {
      for (std::size_t k = 0; k < 3; ++k) mean[k] += set.weight[i] * set.place[i][k];
    }
    double level = 0;
    for (std::size_t i = 0; i < static_cast<std::size_t>(set.count); ++i) {
      level += set.weight[i] * (2 * dot(set.place[i], mean) + set.cost[i]);
    }
    std::array<double, most_colors> slope;
    for (std::size_t i = 0; i < n; ++i) {
      slope[i] = 2 * (place[0][i] * mean[0] + place[1][i] * mean[1] + place[2][i] * mean[2]) +
                 grain * square[i];
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

}  // namespace dapple::palette
