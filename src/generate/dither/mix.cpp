// Mixing a color from a palette: which colors in which proportions have it as their mean.
//
// Every pixel of a dithered area is one color of the palette; the area shows their mean. Knoll
// (1999, US patent 6606166, expired) and Yliluoma (2011, "Arbitrary-palette positional dithering
// algorithm") find proportions by a greedy series of candidates and order these by luminance before
// the mask picks one. The order is kept here; the proportions are exact instead: the least squares
//
//     |mean(w) - wanted|^2 + small * sum_i w_i |look_i - look(wanted)|^2,   w >= 0, sum w = 1,
//
// by an active set (Lawson and Hanson 1974), one color in or out at a time. The first term asks
// for the right mean, or the nearest there is; the second, in Oklab (Ottosson 2020), chooses among
// many right answers the colors that look most alike, so that the pattern is least visible.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/color.hpp"
#include "dapple/plane.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::palette {
namespace {

// Weight of the second term: so much of the light may the mean be off, where that spares grain that
// would be seen sooner.
constexpr double likeness = 3e-3;
// Makes the least squares strictly convex; it must be far smaller than `likeness`.
constexpr double ridge = 1e-9;
// How much an error of color counts against one of luminance.
constexpr double chroma = 0.5;
constexpr int most_active = 5;  // four that carry the mean, and one coming in

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
  std::array<Rgb, most_active> place;  // relative to the target, so that the mean wanted is 0
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

// Solves the equations in `m` (rows of n numbers and the right side) by elimination with pivoting.
constexpr int most_rows = most_active + 1;
using Matrix = std::array<std::array<double, most_rows + 1>, most_rows>;
std::array<double, most_rows> solve(Matrix& m, int size) {
  const auto n = static_cast<std::size_t>(size);
  for (std::size_t c = 0; c < n; ++c) {
    std::size_t pivot = c;
    for (std::size_t r = c + 1; r < n; ++r) {
      if (std::abs(m[r][c]) > std::abs(m[pivot][c])) pivot = r;
    }
    std::swap(m[c], m[pivot]);
    for (std::size_t r = c + 1; r < n; ++r) {
      const double factor = m[r][c] / m[c][c];
      for (std::size_t k = c; k <= n; ++k) m[r][k] -= factor * m[c][k];
    }
  }
  std::array<double, most_rows> x{};
  for (std::size_t r = n; r-- > 0;) {
    double sum = m[r][n];
    for (std::size_t k = r + 1; k < n; ++k) sum -= m[r][k] * x[k];
    x[r] = sum / m[r][r];
  }
  return x;
}

// Weights that are best for the active colors if they could be negative: the stationary point of
// the Lagrange function, whose last unknown is the multiplier of sum w = 1.
std::array<double, most_rows> best_weights(const ActiveSet& set) {
  Matrix m{};
  const auto n = static_cast<std::size_t>(set.count);
  for (std::size_t a = 0; a < n; ++a) {
    for (std::size_t b = 0; b < n; ++b) m[a][b] = dot(set.place[a], set.place[b]);
    m[a][a] += ridge;
    m[a][n] = 1;
    m[n][a] = 1;
    m[a][n + 1] = -0.5 * set.cost[a];
  }
  m[n][n + 1] = 1;
  return solve(m, set.count + 1);
}

// Moves to the best weights, dropping colors whose weight would fall below zero on the way.
void settle(ActiveSet& set) {
  for (;;) {
    const std::array<double, most_rows> best = best_weights(set);
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

// Keeps the parts from dark to bright, each color once.
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

}  // namespace

Rgb place_of(const Rgb& wanted) {
  const double y = luminance(wanted);
  return {y, chroma * (wanted[0] - y), chroma * (wanted[2] - y)};
}

Mixer::Mixer(std::vector<Rgb8> colors, bool linear, bool perceptual)
    : colors_(std::move(colors)), linear_(linear), perceptual_(perceptual) {
  std::stable_sort(colors_.begin(), colors_.end(), [](const Rgb8& a, const Rgb8& b) {
    return luminance(to_linear(decoded(a))) < luminance(to_linear(decoded(b)));
  });
  for (const Rgb8& c : colors_) {
    wanted_.push_back(linear ? to_linear(decoded(c)) : decoded(c));
    const Rgb place = place_of(wanted_.back());
    const Rgb look = look_of(wanted_.back());
    for (std::size_t k = 0; k < 3; ++k) {
      place_[k].push_back(place[k]);
      look_[k].push_back(look[k]);
    }
  }
}

Rgb Mixer::look_of(const Rgb& wanted) const {
  if (!perceptual_) return wanted;
  return oklab::of_light(linear_ ? wanted : to_linear(wanted));
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
  const Rgb target = place_of(wanted);
  const Rgb look = look_of(wanted);
  const std::size_t n = colors_.size();
  std::array<double, most_colors> cost;
  for (std::size_t i = 0; i < n; ++i) {
    const double a = look_[0][i] - look[0];
    const double b = look_[1][i] - look[1];
    const double c = look_[2][i] - look[2];
    cost[i] = likeness * (a * a + b * b + c * c);
  }
  const auto lowest = [n](const std::array<double, most_colors>& values) {
    return static_cast<std::size_t>(std::min_element(values.begin(), values.begin() + n) -
                                    values.begin());
  };
  const std::size_t nearest = lowest(cost);

  ActiveSet set;
  const auto add = [&](std::size_t i, double weight) {
    const Rgb shifted{place_[0][i] - target[0], place_[1][i] - target[1], place_[2][i] - target[2]};
    set.add(static_cast<int>(i), weight, shifted, cost[i]);
  };
  if (guess.count == 0) {
    add(nearest, 1);
  } else {
    for (int i = 0; i < std::min(guess.count, 4); ++i) {
      const Part& part = guess.parts[static_cast<std::size_t>(i)];
      add(static_cast<std::size_t>(part.color), part.weight);
    }
    settle(set);
  }
  // Each round lowers the error, so this ends; the limit guards against rounding.
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
    const double offset = dot(target, mean);
    for (std::size_t i = 0; i < n; ++i) {
      slope[i] =
          2 * (place_[0][i] * mean[0] + place_[1][i] * mean[1] + place_[2][i] * mean[2] - offset) +
          cost[i];
    }
    const std::size_t entering = lowest(slope);
    if (slope[entering] >= level - 1e-9 * likeness - 4 * ridge) break;
    const auto last = set.color.begin() + set.count;
    if (std::find(set.color.begin(), last, static_cast<int>(entering)) != last) break;
    add(entering, 0);
    settle(set);
  }

  Mixture mixture;
  mixture.nearest = static_cast<int>(nearest);
  for (std::size_t i = 0; i < static_cast<std::size_t>(set.count); ++i) {
    add_part(mixture, {set.color[i], set.weight[i]});
  }
  return mixture;
}

void Mixture::weaken(double strength) {
  for (Part& part : parts) part.weight *= strength;
  add_part(*this, {nearest, 1 - strength});
}

}  // namespace dapple::palette
