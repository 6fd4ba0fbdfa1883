// Makes dots that stay blue noise when zoomed, for dither that sticks to surfaces (after Johansen
// 2024, "Surface-stable fractal dithering", which has Bayer's pattern).
//
// From a level to the next, dots come in one by one, up to four times as many. The finer level must
// be the coarser one at half the scale, or dots would jump. So a set A of dots on the torus, halved
// and repeated twice each way, must hold A itself: doubling all coordinates maps A onto itself. On
// the grid of 255 x 255 places doubling is a permutation whose cycles have eight places, as 2^8 = 1
// mod 255. A is made of such cycles. Each in turn is exchanged for the cycle with the least energy
// from the others. A is then no lattice, but well spaced.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/modulo.hpp"
#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

constexpr int grid = 255;
constexpr int length = 8;  // of a cycle of doubling

using Cycle = std::array<Pixel, length>;

std::vector<Cycle> all_cycles() {
  std::vector<Cycle> cycles;
  Plane<std::uint8_t> seen(grid, grid);
  for (int y = 0; y < grid; ++y) {
    for (int x = 0; x < grid; ++x) {
      Cycle cycle;
      std::size_t count = 0;
      for (Pixel p{x, y}; !seen(p.x, p.y); p = {2 * p.x % grid, 2 * p.y % grid}) {
        seen(p.x, p.y) = 1;
        cycle[count++] = p;
      }
      if (count == length) cycles.push_back(cycle);  // a few cycles are shorter
    }
  }
  return cycles;
}

std::int64_t wrapped(int a, int b, int side) {
  const int d = std::abs(a - b);
  return std::min(d, side - d);
}

std::int64_t squared_distance(const Pixel& a, const Pixel& b, int side) {
  const std::int64_t dx = wrapped(a.x, b.x, side);
  const std::int64_t dy = wrapped(a.y, b.y, side);
  return dx * dx + dy * dy;
}

// Returns a Gaussian by squared distance: its width is `part` of the spacing of `count` dots on a
// torus of `side` x `side` places.
std::vector<std::int32_t> bell(int side, int count, double part) {
  const double s = part * side * std::sqrt(hexagonal_packing / count);
  std::vector<std::int32_t> values;
  for (int d2 = 0;; ++d2) {
    const double value = portable_exp(-d2 / (2 * s * s)) * 0x1p20;
    if (value < 1) return values;
    values.push_back(static_cast<std::int32_t>(value));
  }
}

std::int64_t at(const std::vector<std::int32_t>& values, std::int64_t d2) {
  return d2 < static_cast<std::int64_t>(values.size()) ? values[static_cast<std::size_t>(d2)] : 0;
}

// A set of cycles, and its energy at every place of the grid.
class Coarsest {
 public:
  Coarsest(int dots, std::uint64_t seed) : dots_(dots), cycles_(all_cycles()) {
    weigh(0.4);
    Random random(seed, Stream::mask, 4);
    chosen_.push_back(random.below(static_cast<std::uint32_t>(cycles_.size())));
    add(chosen_[0], 1);
    while (static_cast<int>(chosen_.size()) * length < dots) {
      chosen_.push_back(best());
      add(chosen_.back(), 1);
    }
  }

  // Sets the width of the Gaussian to `part` of the spacing: a narrow one tells the closest pairs.
  void weigh(double part) {
    weights_ = bell(grid, dots_, part);
    own_.assign(cycles_.size(), 0);
    for (std::size_t c = 0; c < cycles_.size(); ++c) {
      for (const Pixel& p : cycles_[c]) {
        for (const Pixel& q : cycles_[c]) own_[c] += at(weights_, squared_distance(p, q, grid));
      }
    }
    field_ = Plane<std::int64_t>(grid, grid);
    for (const std::size_t c : chosen_) add(c, 1);
  }

  // Exchanges cycles until none changes any more.
  void settle(const Context& context) {
    constexpr int most_passes = 50;
    for (int pass = 0; pass < most_passes; ++pass) {
      bool changed = false;
      for (std::size_t& cycle : chosen_) {
        context.check();
        add(cycle, -1);
        const std::size_t other = best();
        changed = changed || other != cycle;
        cycle = other;
        add(cycle, 1);
      }
      if (!changed) return;
    }
  }

  std::vector<Pixel> places() const {
    std::vector<Pixel> result;
    for (const std::size_t c : chosen_) {
      result.insert(result.end(), cycles_[c].begin(), cycles_[c].end());
    }
    return result;
  }

 private:
  void add(std::size_t cycle, int sign) {
    const int reach = static_cast<int>(std::sqrt(static_cast<double>(weights_.size()))) + 1;
    for (const Pixel& p : cycles_[cycle]) {
      for (int dy = -reach; dy <= reach; ++dy) {
        std::int64_t* row = field_.row(modulo(p.y + dy, grid));
        for (int dx = -reach; dx <= reach; ++dx) {
          row[modulo(p.x + dx, grid)] += sign * at(weights_, dx * dx + dy * dy);
        }
      }
    }
  }

  // Returns the cycle with the least energy from the others and from itself.
  std::size_t best() const {
    std::size_t found = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    for (std::size_t c = 0; c < cycles_.size(); ++c) {
      std::int64_t sum = own_[c] / 2;  // own_ counts its pairs twice
      for (const Pixel& p : cycles_[c]) sum += field_(p.x, p.y);
      if (sum < least) {
        least = sum;
        found = c;
      }
    }
    return found;
  }

  int dots_;
  std::vector<Cycle> cycles_;
  std::vector<std::int32_t> weights_;
  Plane<std::int64_t> field_;
  std::vector<std::int64_t> own_;
  std::vector<std::size_t> chosen_;
};

// Takes the tightest cluster out of `dots` (on a grid of twice the places) again and again, but
// none of the first `keep`. Returns the dots that are left, then those taken out, last first.
std::vector<Pixel> in_order(const std::vector<Pixel>& dots, std::size_t keep,
                            const Context& context) {
  constexpr int side = 2 * grid;
  std::vector<std::size_t> left(dots.size());
  std::iota(left.begin(), left.end(), std::size_t{0});
  std::vector<std::int64_t> energy(dots.size());
  std::vector<Pixel> taken;
  while (left.size() > keep) {
    context.check();
    // The width follows the spacing, whenever an eighth of the dots is gone.
    const auto weights = bell(side, static_cast<int>(left.size()), 0.4);
    for (const std::size_t i : left) {
      energy[i] = 0;
      for (const std::size_t j : left) {
        if (i != j) energy[i] += at(weights, squared_distance(dots[i], dots[j], side));
      }
    }
    for (const std::size_t until = std::max(keep, left.size() * 7 / 8); left.size() > until;) {
      const auto tightest =
          std::max_element(left.begin() + static_cast<std::ptrdiff_t>(keep), left.end(),
                           [&](std::size_t a, std::size_t b) { return energy[a] < energy[b]; });
      const Pixel out = dots[*tightest];
      left.erase(tightest);
      for (const std::size_t j : left) {
        energy[j] -= at(weights, squared_distance(out, dots[j], side));
      }
      taken.push_back(out);
    }
  }
  std::vector<Pixel> result(dots.begin(), dots.begin() + static_cast<std::ptrdiff_t>(keep));
  result.insert(result.end(), taken.rbegin(), taken.rend());
  return result;
}

}  // namespace

int fractal_count(int side) {
  // Dots of the finest level are about eight texels apart. More dots would not repeat less visibly.
  constexpr double most = 256;
  const double dots = std::min(most, static_cast<double>(side) * side / 256);
  return length * std::max(1, static_cast<int>(std::lround(dots / length)));
}

namespace {

std::int64_t closest_pair(const std::vector<Pixel>& places) {
  std::int64_t closest = std::numeric_limits<std::int64_t>::max();
  for (std::size_t i = 0; i < places.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      closest = std::min(closest, squared_distance(places[i], places[j], grid));
    }
  }
  return closest;
}

// Returns, from several sets, the set whose closest pair is farthest apart.
std::vector<Pixel> coarsest_level(int count, std::uint64_t seed, const Context& context) {
  constexpr std::uint64_t tries = 12;
  std::vector<Pixel> found;
  std::int64_t farthest = -1;
  for (std::uint64_t k = 0; k < tries; ++k) {
    Coarsest set(count, Random(seed, Stream::mask, 5).at(k));
    for (const double part : {0.4, 0.3, 0.22}) {
      set.weigh(part);
      set.settle(context);
    }
    std::vector<Pixel> places = set.places();
    const std::int64_t closest = closest_pair(places);
    if (closest <= farthest) continue;
    farthest = closest;
    found = std::move(places);
  }
  return found;
}

}  // namespace

std::vector<Vec2> fractal_dots(int count, std::uint64_t seed, const Context& context) {
  const std::vector<Pixel> coarsest = coarsest_level(count, seed, context);
  // The finer level lies on a grid of twice the places; the coarser one comes first in it.
  std::vector<Pixel> finer;
  Plane<std::uint8_t> is_coarse(2 * grid, 2 * grid);
  for (const Pixel& p : coarsest) {
    finer.push_back({2 * p.x, 2 * p.y});
    is_coarse(2 * p.x, 2 * p.y) = 1;
  }
  for (const Pixel& p : coarsest) {
    for (const int dy : {0, grid}) {
      for (const int dx : {0, grid}) {
        if (!is_coarse(p.x + dx, p.y + dy)) finer.push_back({p.x + dx, p.y + dy});
      }
    }
  }
  std::vector<Vec2> dots;
  for (const Pixel& p : in_order(finer, coarsest.size(), context)) {
    dots.push_back({p.x / (2.0 * grid), p.y / (2.0 * grid)});
  }
  return dots;
}

Plane<float> fractal_layers(int side, int layers, std::uint64_t seed, Context& context,
                            const std::function<void(double)>& progress) {
  const int count = fractal_count(side);
  const std::vector<Vec2> dots = fractal_dots(count, seed, context);
  progress(0.5);
  Plane<float> result(side, side * layers);
  parallel_for(context, static_cast<std::size_t>(layers), [&](std::size_t layer) {
    const int more = layers > 1 ? 3 * count * static_cast<int>(layer) / (layers - 1) : 0;
    const int shown = count + more;
    const double spacing = std::sqrt(hexagonal_packing / shown);
    for (int y = 0; y < side; ++y) {
      float* row = result.row(static_cast<int>(layer) * side + y);
      for (int x = 0; x < side; ++x) {
        double nearest = 2;
        for (int i = 0; i < shown; ++i) {
          const Vec2 dot = dots[static_cast<std::size_t>(i)];
          double dx = std::abs((x + 0.5) / side - dot.x);
          double dy = std::abs((y + 0.5) / side - dot.y);
          dx = std::min(dx, 1 - dx);
          dy = std::min(dy, 1 - dy);
          nearest = std::min(nearest, dx * dx + dy * dy);
        }
        row[x] = static_cast<float>(std::max(0.0, 1 - std::sqrt(nearest) / spacing));
      }
    }
  });
  return result;
}

}  // namespace dapple::mask
