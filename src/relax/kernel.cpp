// Two-scale kernel relaxation of dots.
//
// Each dot descends the difference between the other dots and the wanted density, both seen through
// the same Gaussians (kernel density model: Fattal 2011), here two of them, 0.45 and 0.9 local
// spacings wide: the narrow one keeps dots apart, the wide one, eight times as heavy, makes the
// local amount of ink right. What differs: widths follow the density; a width between two levels of
// the density stack is a mixture of both, the same in the pair forces and in the image term, so
// that neither pulls against the other; the picture is mirrored at its borders, dots and all; steps
// are scaled by the largest curvature of the energy, with heavy-ball momentum (Polyak 1964).
#include "relax/kernel.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numbers>

#include "core/parallel.hpp"
#include "relax/density_stack.hpp"

namespace dapple {
namespace {

constexpr double pi = std::numbers::pi;
constexpr double narrow = 0.45;  // kernel widths in local spacings, and their weights
constexpr double wide = 0.9;
constexpr double narrow_weight = 1;
constexpr double wide_weight = 8;
constexpr double reach = 3.3;  // of the wide kernel, in local spacings
constexpr double momentum = 0.7;
constexpr double speed_limit = 0.3;  // spacings a step
constexpr double list_slack = 0.2;   // spacings that dots may move before lists are made again
constexpr std::size_t block_size = 256;

// exp(-u) for u >= 0 to about 1e-9, by arithmetic alone: the same bits on every machine.
double exp_minus(double u) {
  const double y = std::min(u, 700.0) * -std::numbers::log2e;
  const auto whole = static_cast<std::int64_t>(y - 0.5);  // rounds to nearest below zero
  const double f = (y - static_cast<double>(whole)) * std::numbers::ln2;
  double series = 1 + f / 8;
  for (int k = 7; k >= 1; --k) series = 1 + f / k * series;
  return series * std::bit_cast<double>((whole + 1023) << 52);
}

// The largest curvature of the energy of dots at density 1 under both kernels: 2 pi w k^2
// exp(-sigma^2 k^2 / 2) is largest at k^2 = 2 / sigma^2.
double largest_curvature() {
  return 2 * pi * 2 / std::numbers::e *
         (narrow_weight / (narrow * narrow) + wide_weight / (wide * wide));
}

// Reflections of the picture in its borders that a dot can see, itself included.
struct Mirror {
  double sign_x = 1;
  double sign_y = 1;
  double shift_x = 0;
  double shift_y = 0;
  Vec2 operator()(Vec2 p) const { return {sign_x * p.x + shift_x, sign_y * p.y + shift_y}; }
};

std::array<Mirror, 9> mirrors_of(const Domain& domain) {
  std::array<Mirror, 9> mirrors;
  for (std::size_t k = 0; k < 9; ++k) {
    const std::size_t in_x = k % 3;
    const std::size_t in_y = k / 3;
    mirrors[k] = {in_x == 0 ? 1.0 : -1.0, in_y == 0 ? 1.0 : -1.0,
                  in_x == 2 ? 2 * domain.width : 0.0, in_y == 2 ? 2 * domain.height : 0.0};
  }
  return mirrors;
}

struct Pair {
  std::int32_t other;
  std::int32_t mirror;  // that the other is seen in; 0: itself
};

class Relaxation {
 public:
  Relaxation(PointSet& dots, const Plane<float>& density, Context& context)
      : dots_(dots),
        context_(context),
        mirrors_(mirrors_of(dots.domain)),
        velocity_(dots.size()),
        next_(dots.size()),
        blocks_((dots.size() + block_size - 1) / block_size),
        pairs_(blocks_),
        first_pair_(dots.size() + 1) {
    const double mean = std::sqrt(dots.domain.area() / static_cast<double>(dots.size()));
    float densest = 0;
    for (const float d : density.values()) densest = std::max(densest, d);
    // Reflections are looked up one deep, hence no wider than the picture.
    largest_ = std::min(20 * mean, dots.domain.shorter_side() / (reach + list_slack));
    smallest_ = std::min(largest_, 1 / std::sqrt(static_cast<double>(densest)));
    stack_.emplace_back(density, narrow * smallest_, 2 * wide * largest_, context);
    spacing_.assign(dots.size(), std::min(mean, largest_));
  }

  void run(int iterations) {
    double moved = 1;
    int age = 0;
    for (int i = 0; i < iterations; ++i) {
      if (moved > 0.06 || age >= 10) {
        measure_spacing();
        list_pairs();
        moved = 0;
        age = 0;
      }
      moved += step();
      ++age;
      context_.progress(static_cast<double>(i + 1) / iterations);
    }
  }

 private:
  template <class Body>
  void for_dots(const Body& body) {
    parallel_for(context_, blocks_, [&](std::size_t b) {
      for (std::size_t i = b * block_size; i < std::min(dots_.size(), (b + 1) * block_size); ++i) {
        body(i);
      }
    });
  }

  // h = (density seen at width h)^(-1/2), by fixed-point steps from the last value.
  void measure_spacing() {
    for_dots([&](std::size_t i) {
      double h = spacing_[i];
      for (int k = 0; k < 4; ++k) {
        const double density = stack_.front().value(h, dots_[i]);
        const double found = density > 0 ? 1 / std::sqrt(density) : largest_;
        h = std::clamp(std::sqrt(h * found), smallest_, largest_);
      }
      spacing_[i] = h;
    });
  }

  void list_pairs();
  double step();
  Vec2 force(std::size_t i) const;

  PointSet& dots_;
  Context& context_;
  std::array<Mirror, 9> mirrors_;
  std::vector<DensityStack> stack_;
  std::vector<double> spacing_;
  std::vector<Vec2> velocity_;  // spacings a step
  std::vector<Vec2> next_;
  std::size_t blocks_;
  std::vector<std::vector<Pair>> pairs_;  // by block
  std::vector<std::size_t> first_pair_;   // of a dot, in its block
  double smallest_ = 0;
  double largest_ = 0;
};

void Relaxation::list_pairs() {
  const PointIndex index(dots_);
  parallel_for(context_, blocks_, [&](std::size_t b) {
    std::vector<Pair>& pairs = pairs_[b];
    pairs.clear();
    std::vector<Neighbour> found;
    for (std::size_t i = b * block_size; i < std::min(dots_.size(), (b + 1) * block_size); ++i) {
      first_pair_[i] = pairs.size();
      const double radius = (reach + list_slack) * spacing_[i];
      for (std::size_t m = 0; m < mirrors_.size(); ++m) {
        // The others' reflections near this dot are the others near this dot's reflection.
        const Vec2 place = mirrors_[m](dots_[i]);
        const double out_x = std::max({0.0, -place.x, place.x - dots_.domain.width});
        const double out_y = std::max({0.0, -place.y, place.y - dots_.domain.height});
        if (out_x * out_x + out_y * out_y > radius * radius) continue;
        index.within(place, radius, found);
        for (const Neighbour& other : found) {
          if (m == 0 && static_cast<std::size_t>(other.index) == i) continue;
          pairs.push_back({other.index, static_cast<std::int32_t>(m)});
        }
      }
    }
  });
}

// Downhill, times the local spacing cubed: a number without unit.
Vec2 Relaxation::force(std::size_t i) const {
  const double h = spacing_[i];
  const LevelMix mix = mix_of(narrow * h);
  // The wide kernel is twice the narrow one: the same mixture two levels up.
  static_assert(wide == 2 * narrow);
  const std::array<double, 4> weights{narrow_weight * (1 - mix.t), narrow_weight * mix.t,
                                      wide_weight * (1 - mix.t), wide_weight * mix.t};
  std::array<double, 4> pull{};
  Vec2 image;
  for (std::size_t k = 0; k < 4; ++k) {
    const int level = mix.level + static_cast<int>(k);
    const double variance = DensityStack::variance(level);
    pull[k] = weights[k] / (variance * variance);
    if (weights[k] > 0) {
      image = image + stack_.front().read(level, dots_[i]).gradient * (2 * pi * weights[k]);
    }
  }
  // Variances double from level to level, so one exponential serves all four.
  const double scale = 1 / (2 * DensityStack::variance(mix.level + 3));
  const std::vector<Pair>& pairs = pairs_[i / block_size];
  const bool last = (i + 1) % block_size == 0 || i + 1 == dots_.size();
  const std::size_t end = last ? pairs.size() : first_pair_[i + 1];
  Vec2 push;
  for (std::size_t k = first_pair_[i]; k < end; ++k) {
    const Vec2 other = dots_[static_cast<std::size_t>(pairs[k].other)];
    const Vec2 d =
        dots_[i] -
        (pairs[k].mirror == 0 ? other : mirrors_[static_cast<std::size_t>(pairs[k].mirror)](other));
    const double e = exp_minus(length_squared(d) * scale);
    const double e2 = e * e;
    const double e4 = e2 * e2;
    push = push + d * (pull[3] * e + pull[2] * e2 + pull[1] * e4 + pull[0] * e4 * e4);
  }
  return (push + image) * (h * h * h);
}

// Moves every dot once; returns the mean way in spacings.
double Relaxation::step() {
  const double rate = 2.2 / largest_curvature();
  for_dots([&](std::size_t i) {
    Vec2 v = velocity_[i] * momentum + force(i) * rate;
    const double speed = length(v);
    if (speed > speed_limit) v = v * (speed_limit / speed);
    velocity_[i] = v;
    Vec2 p = dots_[i] + v * spacing_[i];
    const auto inside = [](double x, double size) {
      if (x < 0) x = -x;
      if (x > size) x = 2 * size - x;
      return std::clamp(x, 0.0, std::nextafter(size, 0.0));
    };
    next_[i] = {inside(p.x, dots_.domain.width), inside(p.y, dots_.domain.height)};
  });
  for (std::size_t i = 0; i < dots_.size(); ++i) {
    dots_.x[i] = next_[i].x;
    dots_.y[i] = next_[i].y;
  }
  return parallel_sum(context_, dots_.size(), [&](std::size_t i) { return length(velocity_[i]); }) /
         static_cast<double>(dots_.size());
}

}  // namespace

void relax_kernel(PointSet& dots, const Plane<float>& density, int iterations, Context& context) {
  if (dots.size() < 2) return;
  Relaxation(dots, density, context).run(iterations);
}

}  // namespace dapple
