// Makes progressive sets: ranks such that the first K points are well spaced for every K.
//
// Darts are placed in this order from the start. The first few hundred are chosen one by one
// (first.hpp). Then maximal layers of shrinking radius follow, each filling the gaps of the earlier
// ones (McCool and Fiume 1992). A layer ends saturated, about 0.755 of the distance in a hexagonal
// lattice apart. The next begins with a radius that leaves its first points 0.705 apart.
// Difference: the exact sampler fills layers, so the last one is exact and maximal, and any field
// works.
//
// Elimination orders sets of other methods, last to first (Yuksel 2015). Existing points leave less
// choice: a third of a set is never better spaced than about 0.62. A lattice shows that no order
// can do much better.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <optional>

#include "core/deterministic_math.hpp"
#include "core/morton.hpp"
#include "core/random.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/fixed_points.hpp"
#include "sample/progressive/crowding.hpp"
#include "sample/progressive/first.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

// The radius falls from layer to layer by such factors that the next starts at this part of the
// distance in a hexagonal lattice.
constexpr double least_spacing = 0.705;
constexpr double longest_step = 0.93;
constexpr double shortest_step = 0.98;
// The first `several` points are placed one by one, in layers of one field each. The first `few`
// are the best of several tries.
constexpr double first_step = 0.83;
constexpr std::size_t several = 300;
constexpr std::size_t few = 48;
constexpr std::uint64_t most_tries = 12;
constexpr double good_enough = 0.985;
constexpr std::uint64_t first_places = std::uint64_t{1} << 40;  // apart from places of layers
constexpr float infinity = std::numeric_limits<float>::infinity();

// The field with all radii larger by a factor above 1. Places that allow no points are the same in
// every layer. Radii of a layer are nowhere smaller than those of the field, so points of coarse
// layers keep the rule of the field.
class Layers {
 public:
  explicit Layers(const DensityField& field) : field_(field) {
    if (field.is_constant()) return;
    // Maps of the largest radius of 2x2 pixels, 4x4 and so on make coarse layers much faster.
    maps_.push_back({field.radius_map(), inverse_squares(field.radius_map())});
    while (maps_.back().radius.width() % 2 == 0 && maps_.back().radius.height() % 2 == 0) {
      Plane<float> half = largest_of(maps_.back().radius);
      const double sum = inverse_squares(half);
      maps_.push_back({std::move(half), sum});
    }
  }

  // Returns the field of a layer; none if a coarse map shows that no place is left open.
  std::optional<DensityField> at(double factor) const {
    const Domain& domain = field_.domain();
    if (factor <= 1) return field_;
    if (field_.is_constant()) {
      const auto r = static_cast<double>(field_.radius_map()(0, 0));
      return DensityField::constant(domain, r * factor);
    }
    const Plane<float>& least = map_for(factor);
    Plane<float> radius(least.width(), least.height());
    for (std::size_t i = 0; i < radius.values().size(); ++i) {
      radius.values()[i] = static_cast<float>(static_cast<double>(least.values()[i]) * factor);
    }
    // Discs far larger than the details of the map must not empty it.
    const double pixel = std::min(domain.width / radius.width(), domain.height / radius.height());
    limit_slope(radius, pixel, domain.wrap);
    bool open = false;
    for (std::size_t i = 0; i < radius.values().size(); ++i) {
      float& r = radius.values()[i];
      r = std::max(r, least.values()[i]);
      open = open || r < infinity;
    }
    if (!open) return std::nullopt;
    return DensityField::from_radius(std::move(radius), domain, std::nullopt);
  }

 private:
  struct Map {
    Plane<float> radius;
    double points;  // mean of 1 / r^2
  };

  // Returns the coarsest map that loses hardly any point or has pixels far smaller than the radius.
  const Plane<float>& map_for(double factor) const {
    const Domain& domain = field_.domain();
    const double r = field_.radius_bounds({0, 0, domain.width, domain.height}).min * factor;
    std::size_t best = 0;
    for (std::size_t i = 1; i < maps_.size(); ++i) {
      const double pixel = std::max(domain.width / maps_[i].radius.width(),
                                    domain.height / maps_[i].radius.height());
      if (maps_[i].points > 0.97 * maps_[0].points || 4 * pixel < r) best = i;
    }
    return maps_[best].radius;
  }

  static Plane<float> largest_of(const Plane<float>& map) {
    Plane<float> result(map.width() / 2, map.height() / 2);
    for (int y = 0; y < result.height(); ++y) {
      const float* upper = map.row(2 * y);
      const float* lower = map.row(2 * y + 1);
      for (int x = 0; x < result.width(); ++x) {
        result(x, y) = std::max({upper[2 * x], upper[2 * x + 1], lower[2 * x], lower[2 * x + 1]});
      }
    }
    return result;
  }

  static double inverse_squares(const Plane<float>& map) {
    double sum = 0;
    for (const float r : map.values()) {
      sum += 1 / (static_cast<double>(r) * static_cast<double>(r));  // 0 where r is infinite
    }
    return sum / static_cast<double>(map.size());
  }

  const DensityField& field_;
  std::vector<Map> maps_;
};

// Sets another seed, so that layers do not repeat each other's random numbers.
class OtherSeed {
 public:
  OtherSeed(Context& context, std::uint64_t seed) : context_(context), own_(context.seed) {
    context.seed = seed;
  }
  ~OtherSeed() { context_.seed = own_; }
  OtherSeed(const OtherSeed&) = delete;
  OtherSeed& operator=(const OtherSeed&) = delete;

 private:
  Context& context_;
  std::uint64_t own_;
};

// Fills up to the rule of a field; new points follow in random order.
void add_layer(Points& points, const DensityField& field, const SampleOptions& options,
               std::uint64_t layer, Context& context) {
  const Points kept = kept_points(field, options);
  const std::uint64_t seed = context.seed;
  const Points all = [&] {
    const OtherSeed other(context, Random(seed, Stream::progressive).at(layer) >> 1);
    return darts(field, options.conflict, points.empty() ? nullptr : &points, context,
                 kept.empty() ? nullptr : &kept);
  }();
  std::vector<std::uint32_t> fresh(all.size() - points.size());  // earlier points come first
  std::iota(fresh.begin(), fresh.end(), static_cast<std::uint32_t>(points.size()));
  Random random(seed, Stream::progressive, layer + 1);
  for (std::size_t i = fresh.size(); i > 1; --i) {
    std::swap(fresh[i - 1], fresh[random.below(static_cast<std::uint32_t>(i))]);
  }
  for (const std::uint32_t i : fresh) points.add(all[i], all.radius[i]);
}

// Adds points layer by layer until there are `most`, each layer up to its own number. `factor` is
// that of the last layer. Returns the smallest distance / wanted distance.
double add_first_layers(Points& points, const Layers& layers, double& factor, std::size_t most,
                        ConflictRule rule, std::uint64_t place, Context& context) {
  double worst = std::numeric_limits<double>::infinity();
  while (factor > 1 && points.size() < most) {
    factor = std::max(1.0, factor * first_step);
    const std::optional<DensityField> coarse = layers.at(factor);
    if (coarse) {
      worst = std::min(worst, add_first_points(points, *coarse, rule, place++, context));
    }
  }
  return worst;
}

// Places the very first points. Chance decides on a few, so the best of several tries is taken.
void add_first(Points& points, const Layers& layers, double& factor, ConflictRule rule,
               Context& context) {
  const double first = factor;
  double best = 0;
  for (std::uint64_t attempt = 0; attempt < most_tries && best < good_enough; ++attempt) {
    Points fresh;
    fresh.domain = points.domain;
    double last = first;
    const std::uint64_t place = first_places + (attempt << 20);
    const double worst = add_first_layers(fresh, layers, last, few, rule, place, context);
    if (worst <= best) continue;
    best = worst;
    factor = last;
    points = std::move(fresh);
  }
  add_first_layers(points, layers, factor, several, rule, 2 * first_places, context);
}

// Returns the factor of the next layer, in even steps down to the field itself. It leaves the first
// points of the layer `least_spacing` apart.
double next_factor(double factor, std::size_t count, const DensityField& field) {
  const double spacing =
      std::sqrt(static_cast<double>(count) / (hexagonal_packing * field.integral()));
  const double step = std::clamp(least_spacing / spacing, longest_step, shortest_step);
  const double steps = std::ceil(portable_log(factor) / -portable_log(step));
  return steps <= 1 ? 1 : portable_pow(factor, 1 - 1 / steps);
}

}  // namespace

Points progressive_darts(const DensityField& field, const SampleOptions& options,
                         Context& context) {
  const Layers layers(field);
  const Domain& domain = field.domain();
  Points points;
  points.domain = domain;
  // The factor starts with a radius that leaves room for only one or two points.
  const double least = field.radius_bounds({0, 0, domain.width, domain.height}).min;
  double factor = std::max(1.0, 2 * std::max(domain.width, domain.height) / least);
  if (options.keep.points == nullptr) {
    add_first(points, layers, factor, options.conflict, context);
  }
  double told = 0;
  for (std::uint64_t layer = 0;; ++layer) {
    // The points of a layer, and so its time, are in proportion to 1 / factor^2.
    const double done = 1 / (factor * factor);
    const auto part = context.part(told, std::max(told, done));
    told = done;
    const std::optional<DensityField> coarse = layers.at(factor);
    if (coarse) add_layer(points, *coarse, options, layer, context);
    if (factor <= 1) break;
    factor =
        coarse ? next_factor(factor, points.size(), *coarse) : std::max(1.0, factor * longest_step);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    points.radius[i] = static_cast<float>(field.radius(points[i]));
  }
  return points;
}

Points in_progressive_order(const Points& points, const DensityField& field, ConflictRule rule,
                            Context& context) {
  return picked(points,
                order_by_elimination(
                    morton_order(points.x, points.y), field.integral(),
                    [&](const std::vector<std::uint32_t>& index, double spacing, std::size_t left) {
                      return elimination_order(picked(points, index), rule, spacing, left, context);
                    }));
}

}  // namespace dapple
