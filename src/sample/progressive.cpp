// Progressive sets: ranks such that the first K points are well spaced for every K.
//
// Darts are placed in that order from the start: maximal layers of shrinking radius, each filling
// what the ones before left (McCool and Fiume 1992). A layer ends saturated, some 0.755 of the
// distance in a hexagonal lattice apart, and the next begins with a radius `step` times as large:
// so prefixes stay at about 0.70 or above, but for those of some ten to a hundred points, where
// chance is larger (0.65). What differs: layers are filled by the exact sampler, so the last one is
// exact and maximal, and any field will do.
//
// Sets of other methods are put in order by elimination, last to first (Yuksel 2015). Points that
// are there already leave less choice: a third of a set is never better spaced than about 0.62, and
// a lattice shows that no order can do much better.
#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <optional>

#include "core/morton.hpp"
#include "core/random.hpp"
#include "sample/kept.hpp"
#include "sample/near_lists.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr double step = 0.94;
// What a layer must hold for the next to begin at 0.70. In small layers chance is larger: they are
// tried again, and the fullest is taken.
constexpr double enough = 0.49 * 1.1547 / (step * step) * 1.02;
constexpr std::size_t small = 3000;
constexpr std::uint64_t most_tries = 12;
constexpr double hexagonal_packing = 1.1547005383792515;
constexpr float infinity = std::numeric_limits<float>::infinity();

// The field with all radii a factor above 1 larger. Where nothing may be placed, the same holds in
// every layer, and radii of a layer are nowhere smaller than those of the field: points of coarse
// layers keep its rule.
class Layers {
 public:
  explicit Layers(const DensityField& field) : field_(field) {
    if (field.is_constant()) return;
    // Maps of the largest radius of 2x2 pixels, 4x4 and so on: coarse layers take far less time.
    maps_.push_back({field.radius_map(), inverse_squares(field.radius_map())});
    while (maps_.back().radius.width() % 2 == 0 && maps_.back().radius.height() % 2 == 0) {
      Plane<float> half = largest_of(maps_.back().radius);
      const double sum = inverse_squares(half);
      maps_.push_back({std::move(half), sum});
    }
  }

  // Nothing where no place is left that is open as far as a coarse map can tell.
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
    // Discs far larger than what the map shows must not empty it.
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

  // The coarsest map that loses hardly any point, or whose pixels are small beside the radius.
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

// Tells points that were there from new ones.
class PlaceSet {
 public:
  explicit PlaceSet(const PointSet& points) : points_(points) {
    slots_.assign(std::bit_ceil(2 * points.size() + 2), -1);
    for (std::size_t i = 0; i < points.size(); ++i) {
      std::size_t slot = slot_of(points[i]);
      while (slots_[slot] >= 0) slot = (slot + 1) % slots_.size();
      slots_[slot] = static_cast<std::int32_t>(i);
    }
  }
  bool contains(Vec2 p) const {
    for (std::size_t slot = slot_of(p); slots_[slot] >= 0; slot = (slot + 1) % slots_.size()) {
      if (points_[static_cast<std::size_t>(slots_[slot])] == p) return true;
    }
    return false;
  }

 private:
  std::size_t slot_of(Vec2 p) const {
    const std::uint64_t h =
        hash(std::bit_cast<std::uint64_t>(p.x), std::bit_cast<std::uint64_t>(p.y));
    return static_cast<std::size_t>(h) % slots_.size();
  }

  const PointSet& points_;
  std::vector<std::int32_t> slots_;
};

// Layers must not repeat each other's random numbers.
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
void add_layer(PointSet& points, const DensityField& field, const SampleOptions& options,
               std::uint64_t layer, Context& context) {
  const PointSet kept = kept_points(field, options);
  const std::uint64_t seed = context.seed;
  const PointSet all = [&] {
    const OtherSeed other(context, Random(seed, Stream::progressive).at(layer) >> 1);
    return darts(field, options.conflict, points.empty() ? nullptr : &points, context,
                 kept.empty() ? nullptr : &kept);
  }();
  const PlaceSet there(points);
  std::vector<std::uint32_t> fresh;
  for (std::size_t i = 0; i < all.size(); ++i) {
    if (!there.contains(all[i])) fresh.push_back(static_cast<std::uint32_t>(i));
  }
  Random random(seed, Stream::progressive, layer + 1);
  for (std::size_t i = fresh.size(); i > 1; --i) {
    std::swap(fresh[i - 1], fresh[random.below(static_cast<std::uint32_t>(i))]);
  }
  for (const std::uint32_t i : fresh) points.add(all[i], all.radius[i]);
}

}  // namespace

PointSet progressive_darts(const DensityField& field, const SampleOptions& options,
                           Context& context) {
  const Layers layers(field);
  const Domain& domain = field.domain();
  PointSet points;
  points.domain = domain;
  // From the first radius that leaves room for a point or two to that of the field.
  std::vector<double> factors{1};
  const double least = field.radius_bounds({0, 0, domain.width, domain.height}).min;
  while (least * factors.back() < 2 * std::max(domain.width, domain.height)) {
    factors.push_back(factors.back() / step);
  }
  for (std::size_t layer = factors.size(); layer-- > 0;) {
    const std::optional<DensityField> coarse = layers.at(factors[layer]);
    if (!coarse) continue;
    PointSet fullest = points;
    for (std::uint64_t i = 0; i < most_tries; ++i) {
      PointSet filled = points;
      add_layer(filled, *coarse, options, layer * most_tries + i, context);
      if (filled.size() > fullest.size()) fullest = std::move(filled);
      const auto count = static_cast<double>(fullest.size());
      if (count > small || count > enough * coarse->integral()) break;
    }
    points = std::move(fullest);
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    points.radius[i] = static_cast<float>(field.radius(points[i]));
  }
  return points;
}

PointSet in_progressive_order(const PointSet& points, const DensityField& field, ConflictRule rule,
                              Context& context) {
  // Each round leaves part of what the one before left: distances grow with what is left.
  constexpr double part = 0.8;
  std::vector<std::uint32_t> all;
  all.reserve(points.size());
  const std::vector<std::uint32_t> places = morton_order(points.x, points.y);
  PointSet rest = picked(points, places);
  std::vector<std::uint32_t> index = places;
  while (rest.size() > 1) {
    const auto left = static_cast<std::size_t>(part * static_cast<double>(rest.size()));
    const double spacing = std::sqrt(hexagonal_packing * field.integral() /
                                     static_cast<double>(std::max<std::size_t>(left, 1)));
    std::vector<char> gone(rest.size());
    for (const std::uint32_t i : elimination_order(rest, rule, spacing, left, context)) {
      gone[i] = 1;
      all.push_back(index[i]);
    }
    std::vector<std::uint32_t> stay;
    for (std::size_t i = 0; i < rest.size(); ++i) {
      if (!gone[i]) stay.push_back(static_cast<std::uint32_t>(i));
    }
    rest = picked(rest, stay);
    for (std::uint32_t& i : stay) i = index[i];
    index = std::move(stay);
  }
  all.insert(all.end(), index.begin(), index.end());
  std::reverse(all.begin(), all.end());
  return picked(points, all);
}

}  // namespace dapple
