// Two-scale kernel relaxation of dots.
//
// Each dot descends the difference between the other dots and the wanted density, both seen through
// the same Gaussians (kernel density model: Fattal 2011), here two of them, 0.45 and 0.9 local
// spacings wide: the narrow one keeps dots apart, the wide one, eight times as heavy, makes the
// local amount of ink right. What differs: widths follow the density; a width between two levels of
// the density stack is a mixture of both, the same in the pair forces and in the image term, so
// that neither pulls against the other; the picture is mirrored at its borders, dots and all; steps
// are scaled by the largest curvature of the energy, with heavy-ball momentum (Polyak 1964).
//
// Dots come in the order of a space-filling curve, so runs of sixteen lie together: such a block
// shares one list of neighbours, and forces are computed for all of its dots at once, neighbour by
// neighbour. Between two makings of the lists the image term is its value and slope at the dot.
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
constexpr double speed_limit = 0.3;   // spacings a step
constexpr double list_slack = 0.2;    // spacings that dots may move before lists are made again
constexpr std::size_t lanes = 16;     // dots of a block
constexpr std::size_t run_size = 16;  // blocks of one parallel item

using Lanes = std::array<float, lanes>;

// exp(-u) for u >= 0 to 3e-7, by arithmetic alone: the same bits on every machine.
inline float exp_minus(float u) {
  constexpr auto log2e = static_cast<float>(std::numbers::log2e);
  constexpr std::int32_t most = std::bit_cast<std::int32_t>(86.0f);
  // Positive floats keep their order as integers, which lanes compare without a branch.
  const auto bits = std::bit_cast<std::int32_t>(u);
  const float y = -log2e * std::bit_cast<float>(bits < most ? bits : most);
  const auto whole = static_cast<std::int32_t>(y - 0.5f);  // rounds to nearest below zero
  const float f = (y - static_cast<float>(whole)) * static_cast<float>(std::numbers::ln2);
  const float series =
      1 + f * (1 + f * (0.5f + f * (1.0f / 6 + f * (1.0f / 24 + f * (1.0f / 120)))));
  return series * std::bit_cast<float>((whole + 127) << 23);
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

struct Seen {
  std::int32_t dot;
  std::int32_t mirror;  // that it is seen in; 0: itself
};

// What the dots of a block see until the lists are made again. Places are relative to `centre`.
struct Block {
  Vec2 centre;
  std::vector<Seen> seen;
  // The exponent of the widest Gaussian, and the pull of all four.
  Lanes scale{};
  std::array<Lanes, 4> pull{};
  // The image term: force at (x, y) and its derivatives.
  Lanes x{}, y{}, force_x{}, force_y{}, xx{}, xy{}, yy{};
};

// The pushes of one neighbour at (x, y) on every dot of a block. Variances double from level to
// level, so one exponential serves all four.
void push(const Block& block, const Lanes& at_x, const Lanes& at_y, float x, float y, Lanes& sum_x,
          Lanes& sum_y) {
  for (std::size_t k = 0; k < lanes; ++k) {
    const float dx = at_x[k] - x;
    const float dy = at_y[k] - y;
    const float e = exp_minus((dx * dx + dy * dy) * block.scale[k]);
    const float e2 = e * e;
    const float e4 = e2 * e2;
    const float force = block.pull[3][k] * e + block.pull[2][k] * e2 + block.pull[1][k] * e4 +
                        block.pull[0][k] * (e4 * e4);
    sum_x[k] += dx * force;
    sum_y[k] += dy * force;
  }
}

class Relaxation {
 public:
  Relaxation(PointSet& dots, const Plane<float>& density, Context& context)
      : dots_(dots),
        context_(context),
        mirrors_(mirrors_of(dots.domain)),
        velocity_(dots.size()),
        next_(dots.size()),
        blocks_((dots.size() + lanes - 1) / lanes) {
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
        look_round();
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
  void for_blocks(const Body& body) {
    parallel_for(context_, (blocks_.size() + run_size - 1) / run_size, [&](std::size_t run) {
      for (std::size_t b = run * run_size; b < std::min(blocks_.size(), (run + 1) * run_size);
           ++b) {
        body(b);
      }
    });
  }
  std::size_t first(std::size_t b) const { return b * lanes; }
  std::size_t end(std::size_t b) const { return std::min(dots_.size(), (b + 1) * lanes); }

  // h = (density seen at width h)^(-1/2), by fixed-point steps from the last value.
  void measure_spacing(std::size_t i) {
    double h = spacing_[i];
    for (int k = 0; k < 4; ++k) {
      const double density = stack_.front().value(h, dots_[i]);
      const double found = density > 0 ? 1 / std::sqrt(density) : largest_;
      h = std::clamp(std::sqrt(h * found), smallest_, largest_);
    }
    spacing_[i] = h;
  }

  void look_round();
  void find_neighbours(std::size_t b, const PointIndex& index);
  void read_image(Block& block, std::size_t lane, std::size_t dot) const;
  double step();
  void move(std::size_t b);

  PointSet& dots_;
  Context& context_;
  std::array<Mirror, 9> mirrors_;
  std::vector<DensityStack> stack_;
  std::vector<double> spacing_;
  std::vector<Vec2> velocity_;  // spacings a step
  std::vector<Vec2> next_;
  std::vector<Block> blocks_;
  double smallest_ = 0;
  double largest_ = 0;
};

void Relaxation::look_round() {
  const PointIndex index(dots_);
  for_blocks([&](std::size_t b) {
    Block& block = blocks_[b];
    Vec2 sum;
    for (std::size_t i = first(b); i < end(b); ++i) {
      measure_spacing(i);
      sum = sum + dots_[i];
    }
    block.centre = sum * (1 / static_cast<double>(end(b) - first(b)));
    find_neighbours(b, index);
    for (std::size_t i = first(b); i < end(b); ++i) read_image(block, i - first(b), i);
  });
}

// All that any dot of the block can feel.
void Relaxation::find_neighbours(std::size_t b, const PointIndex& index) {
  Block& block = blocks_[b];
  block.seen.clear();
  double radius = 0;
  for (std::size_t i = first(b); i < end(b); ++i) {
    radius = std::max(radius, length(dots_[i] - block.centre) + (reach + list_slack) * spacing_[i]);
  }
  std::vector<Neighbour> found;
  for (std::size_t m = 0; m < mirrors_.size(); ++m) {
    // The others' reflections near the block are the others near the block's reflection.
    const Vec2 place = mirrors_[m](block.centre);
    const double out_x = std::max({0.0, -place.x, place.x - dots_.domain.width});
    const double out_y = std::max({0.0, -place.y, place.y - dots_.domain.height});
    if (out_x * out_x + out_y * out_y > radius * radius) continue;
    index.within(place, radius, found);
    for (const Neighbour& other : found) {
      const Vec2 p = mirrors_[m](dots_[static_cast<std::size_t>(other.index)]);
      for (std::size_t i = first(b); i < end(b); ++i) {
        const double far = (reach + list_slack) * spacing_[i];
        if (length_squared(p - dots_[i]) > far * far) continue;
        block.seen.push_back({other.index, static_cast<std::int32_t>(m)});
        break;
      }
    }
  }
}

void Relaxation::read_image(Block& block, std::size_t lane, std::size_t dot) const {
  const Vec2 p = dots_[dot];
  const LevelMix mix = mix_of(narrow * spacing_[dot]);
  // The wide kernel is twice the narrow one: the same mixture two levels up.
  static_assert(wide == 2 * narrow);
  const std::array<double, 4> weights{narrow_weight * (1 - mix.t), narrow_weight * mix.t,
                                      wide_weight * (1 - mix.t), wide_weight * mix.t};
  DensityStack::Sample image;
  for (std::size_t k = 0; k < 4; ++k) {
    const int level = mix.level + static_cast<int>(k);
    const double variance = DensityStack::variance(level);
    block.pull[k][lane] = static_cast<float>(weights[k] / (variance * variance));
    if (!(weights[k] > 0)) continue;
    const DensityStack::Sample seen = stack_.front().read(level, p);
    const double weight = 2 * pi * weights[k];
    image.gradient = image.gradient + seen.gradient * weight;
    image.xx += seen.xx * weight;
    image.xy += seen.xy * weight;
    image.yy += seen.yy * weight;
  }
  block.scale[lane] = static_cast<float>(1 / (2 * DensityStack::variance(mix.level + 3)));
  block.x[lane] = static_cast<float>(p.x - block.centre.x);
  block.y[lane] = static_cast<float>(p.y - block.centre.y);
  block.force_x[lane] = static_cast<float>(image.gradient.x);
  block.force_y[lane] = static_cast<float>(image.gradient.y);
  block.xx[lane] = static_cast<float>(image.xx);
  block.xy[lane] = static_cast<float>(image.xy);
  block.yy[lane] = static_cast<float>(image.yy);
}

// Moves the dots of a block downhill, by forces times the local spacing cubed: numbers without
// unit.
void Relaxation::move(std::size_t b) {
  const double rate = 2.2 / largest_curvature();
  const Block& block = blocks_[b];
  Lanes x{};
  Lanes y{};
  for (std::size_t i = first(b); i < end(b); ++i) {
    x[i - first(b)] = static_cast<float>(dots_.x[i] - block.centre.x);
    y[i - first(b)] = static_cast<float>(dots_.y[i] - block.centre.y);
  }
  Lanes push_x{};
  Lanes push_y{};
  for (const Seen& seen : block.seen) {
    const Vec2 p =
        mirrors_[static_cast<std::size_t>(seen.mirror)](dots_[static_cast<std::size_t>(seen.dot)]) -
        block.centre;
    push(block, x, y, static_cast<float>(p.x), static_cast<float>(p.y), push_x, push_y);
  }
  for (std::size_t i = first(b); i < end(b); ++i) {
    const std::size_t k = i - first(b);
    const float dx = x[k] - block.x[k];
    const float dy = y[k] - block.y[k];
    const float image_x = block.force_x[k] + block.xx[k] * dx + block.xy[k] * dy;
    const float image_y = block.force_y[k] + block.xy[k] * dx + block.yy[k] * dy;
    const double h = spacing_[i];
    const Vec2 force{static_cast<double>(push_x[k] + image_x),
                     static_cast<double>(push_y[k] + image_y)};
    Vec2 v = velocity_[i] * momentum + force * (h * h * h * rate);
    const double speed = length(v);
    if (speed > speed_limit) v = v * (speed_limit / speed);
    velocity_[i] = v;
    const Vec2 p = dots_[i] + v * h;
    const auto inside = [](double at, double size) {
      if (at < 0) at = -at;
      if (at > size) at = 2 * size - at;
      return std::clamp(at, 0.0, std::nextafter(size, 0.0));
    };
    next_[i] = {inside(p.x, dots_.domain.width), inside(p.y, dots_.domain.height)};
  }
}

// Moves every dot once; returns the mean way in spacings.
double Relaxation::step() {
  for_blocks([&](std::size_t b) { move(b); });
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
