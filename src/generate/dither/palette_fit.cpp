// The cost of a color of the picture is the error of its mean plus a part of the variance of the
// pattern (color_mix.cpp). Two steps alternate to lower the sum of costs, as in k-means. First,
// mixtures are made of the present colors. Then each color moves to the minimum of its quadratic
// sum, with its weights in all mixtures. Colors move outward to mix the ends of the range, as far
// as that is worth the grain.
//
// The weight of grain grows, so colors first spread over the range and then draw in.
#include "generate/dither/palette_fit.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple::dithering {
namespace {

using palette::Rgb;

constexpr double first_grain = 0.01;
constexpr double last_grain = 0.05;
constexpr int rounds = 24;
constexpr double settled = 0.7;  // share of the rounds after which grain has its final weight

// The part of the sum that belongs to a color, as a quadratic function of the color.
struct Quadratic {
  std::array<Rgb, 3> square{};
  Rgb right{};

  // Adds weight * |color - to|^2 by a metric.
  void add(const palette::Metric& metric, double weight, const Rgb& to) {
    for (std::size_t i = 0; i < 3; ++i) {
      for (std::size_t j = 0; j < 3; ++j) {
        double a = 0;
        for (std::size_t k = 0; k < 3; ++k) a += metric.rows[k][i] * metric.rows[k][j];
        square[i][j] += weight * a;
        right[i] += weight * a * to[j];
      }
    }
  }
  // Returns the minimum, by Cramer's rule. The matrix `square` is symmetric.
  Rgb least() const {
    const auto det = [](const Rgb& a, const Rgb& b, const Rgb& c) {
      return a[0] * (b[1] * c[2] - b[2] * c[1]) - a[1] * (b[0] * c[2] - b[2] * c[0]) +
             a[2] * (b[0] * c[1] - b[1] * c[0]);
    };
    const double all = det(square[0], square[1], square[2]);
    Rgb least{det(right, square[1], square[2]) / all, det(square[0], right, square[2]) / all,
              det(square[0], square[1], right) / all};
    for (double& v : least) v = std::clamp(v, 0.0, 1.0);
    return least;
  }
};

// Adds the cost of a color with weight w in a sample's mixture. It is w^2 times the squared error
// of the mean, plus grain * w times the variance. Each term is 0 at a different color.
void add_use(Quadratic& sum, const Sample& s, double w, const Rgb& color, const Rgb& mean,
             double grain) {
  Rgb to;
  for (std::size_t k = 0; k < 3; ++k) {
    const double for_mean = color[k] + (s.wanted[k] - mean[k]) / w;
    to[k] = (w * for_mean + grain * s.wanted[k]) / (w + grain);
  }
  sum.add(s.metric, s.weight * w * (w + grain), to);
}

void move_colors(std::vector<Rgb>& colors, std::span<const Sample> samples, double grain) {
  constexpr double nothing = 1e-6;  // weights that rounding leaves
  struct Use {
    std::size_t sample;
    double weight;
  };
  std::vector<std::vector<Use>> uses(colors.size());
  std::vector<Rgb> means(samples.size());
  for (std::size_t s = 0; s < samples.size(); ++s) {
    for (int p = 0; p < samples[s].mixture.count; ++p) {
      const palette::Part& part = samples[s].mixture.parts[static_cast<std::size_t>(p)];
      const auto c = static_cast<std::size_t>(part.color);
      if (part.weight < nothing) continue;
      uses[c].push_back({s, part.weight});
      for (std::size_t k = 0; k < 3; ++k) means[s][k] += part.weight * colors[c][k];
    }
  }
  for (std::size_t c = 0; c < colors.size(); ++c) {
    if (uses[c].empty()) continue;
    Quadratic sum;
    for (const Use& use : uses[c]) {
      add_use(sum, samples[use.sample], use.weight, colors[c], means[use.sample], grain);
    }
    const Rgb moved = sum.least();
    for (const Use& use : uses[c]) {
      for (std::size_t k = 0; k < 3; ++k) {
        means[use.sample][k] += use.weight * (moved[k] - colors[c][k]);
      }
    }
    colors[c] = moved;
  }
}

}  // namespace

void fit_colors(std::vector<Rgb>& colors, std::span<Sample> samples, Context& context) {
  std::vector<std::uint8_t> all;
  for (std::size_t c = 0; c < colors.size(); ++c) all.push_back(static_cast<std::uint8_t>(c));
  for (int round = 0; round < rounds; ++round) {
    context.progress(0.5 + 0.5 * round / rounds);
    const double part = std::min(1.0, round / (settled * rounds));
    const double grain = first_grain * portable_pow(last_grain / first_grain, part);
    constexpr std::size_t many = 256;
    parallel_for(context, (samples.size() + many - 1) / many, [&](std::size_t item) {
      for (std::size_t i = item * many; i < std::min(samples.size(), (item + 1) * many); ++i) {
        Sample& s = samples[i];
        s.mixture = palette::mix(colors, all, s.metric, s.wanted, grain, s.mixture);
      }
    });
    move_colors(colors, samples, grain);
  }
}

}  // namespace dapple::dithering
