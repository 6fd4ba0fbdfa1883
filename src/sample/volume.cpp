// Points of a volume: darts one after the other, with a distance that shrinks by a little whenever
// many in a row have missed (McCool and Fiume 1992).
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/doors.hpp"
#include "core/modulo.hpp"
#include "core/portable.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"

namespace dapple {
namespace {

constexpr int misses_before_shrinking = 3000;
constexpr double shrink = 0.99;
constexpr int misses_before_full = 3000;
// Darts find room for about so many points times the cube of their distance.
constexpr double random_packing = 0.74;

// Points in cubes, so that those near a place are found.
class Cubes {
 public:
  Cubes(const double (&extent)[3], double side) {
    std::size_t count = 1;
    for (int a = 0; a < 3; ++a) {
      cells_[a] = static_cast<int>(std::clamp(std::floor(extent[a] / side), 1.0, 1024.0));
      size_[a] = extent[a] / cells_[a];
      count *= static_cast<std::size_t>(cells_[a]);
    }
    points_.resize(count);
  }

  void add(const double (&p)[3], std::int32_t index) {
    points_[at(cell(p[0], 0), cell(p[1], 1), cell(p[2], 2))].push_back(index);
  }

  // True where visit(index) is true for no point within `reach` of p; may visit farther ones.
  template <class Visit>
  bool none_near(const double (&p)[3], double reach, bool wrap, const Visit& visit) const {
    int low[3], high[3];
    for (int a = 0; a < 3; ++a) {
      low[a] = static_cast<int>(std::floor((p[a] - reach) / size_[a]));
      high[a] = static_cast<int>(std::floor((p[a] + reach) / size_[a]));
      if (wrap) {
        high[a] = std::min(high[a], low[a] + cells_[a] - 1);
      } else {
        low[a] = std::max(low[a], 0);
        high[a] = std::min(high[a], cells_[a] - 1);
      }
    }
    for (int k = low[2]; k <= high[2]; ++k) {
      for (int j = low[1]; j <= high[1]; ++j) {
        for (int i = low[0]; i <= high[0]; ++i) {
          const std::size_t c =
              at(modulo(i, cells_[0]), modulo(j, cells_[1]), modulo(k, cells_[2]));
          if (std::any_of(points_[c].begin(), points_[c].end(), visit)) return false;
        }
      }
    }
    return true;
  }

 private:
  int cell(double p, int axis) const {
    return std::min(static_cast<int>(p / size_[axis]), cells_[axis] - 1);
  }
  std::size_t at(int i, int j, int k) const {
    return (static_cast<std::size_t>(k) * static_cast<std::size_t>(cells_[1]) +
            static_cast<std::size_t>(j)) *
               static_cast<std::size_t>(cells_[0]) +
           static_cast<std::size_t>(i);
  }

  int cells_[3];
  double size_[3];
  std::vector<std::vector<std::int32_t>> points_;
};

}  // namespace

PointSet sample_volume(const Domain& domain, double depth, std::int64_t count, double radius,
                       Context& context) {
  require_domain(domain);
  require_above_0("the depth of a volume", depth);
  require_number("the number of points", static_cast<double>(count), 0);
  if (count == 0) require_above_0("the radius of points without a number", radius);
  const double volume = domain.area() * depth;
  const bool counted = count > 0;
  const double wanted =
      counted ? static_cast<double>(count) : random_packing * volume / (radius * radius * radius);
  context.require_memory(120 * wanted, "points of a volume");
  const double expected = portable_cbrt(random_packing * volume / wanted);
  // In a thin volume points are as far apart as on a plane.
  const double flat = std::sqrt(random_packing * domain.area() / wanted);
  double apart = counted ? 1.2 * std::max(expected, flat) : radius;
  const double extent[3] = {domain.width, domain.height, depth};
  const auto stage = context.stage("sample");
  Cubes cubes(extent, expected);
  PointSet points;
  points.domain = domain;
  points.depth = depth;
  Random random(context.seed, Stream::volume);
  for (int misses = 0; !counted || points.size() < static_cast<std::size_t>(count);) {
    const double p[3] = {random.uniform() * extent[0], random.uniform() * extent[1],
                         random.uniform() * extent[2]};
    const double apart2 = apart * apart;
    const auto is_near = [&](std::int32_t index) {
      const auto i = static_cast<std::size_t>(index);
      const Vec2 d = domain.delta({p[0], p[1]}, points[i]);
      double dz = std::abs(points.z[i] - p[2]);
      if (domain.wrap) dz = std::min(dz, depth - dz);
      return length_squared(d) + dz * dz < apart2;
    };
    if (cubes.none_near(p, apart, domain.wrap, is_near)) {
      cubes.add(p, static_cast<std::int32_t>(points.size()));
      points.add({p[0], p[1]}, 0);
      points.z.push_back(p[2]);
      misses = 0;
      if (points.size() % 1024 == 0) context.check();
      continue;
    }
    ++misses;
    if (!counted && misses == misses_before_full) break;
    if (counted && misses == misses_before_shrinking) {
      apart *= shrink;
      misses = 0;
    }
  }
  std::fill(points.radius.begin(), points.radius.end(), static_cast<float>(apart));
  return points;
}

}  // namespace dapple
