// Points of a volume: a maximal set of one radius, or as many as asked for, and in an order of
// which every beginning is well spaced.
#include <algorithm>
#include <bit>
#include <cmath>
#include <vector>

#include "core/doors.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/leave_out.hpp"
#include "sample/space/room.hpp"

namespace dapple {
namespace {

using Found = space::Points<3>;

// Points of a maximal set times the cube of their distance, in a torus; a border has the effect of
// so much more room, in distances (docs/quality.md).
constexpr double packing = 0.7335;
constexpr double border = 0.64;

constexpr int solves = 6;       // as long as they may still bring something
constexpr int most_tries = 40;  // until there are enough at all
constexpr double good_excess = 0.002;

struct Volume {
  space::Along<3> side;
  bool wrap = false;
};

double expected_count(const Volume& volume, double radius) {
  double room = packing;
  for (const double side : volume.side) {
    room *= volume.wrap ? std::max(side / radius, border) : side / radius + border;
  }
  return room;
}

// The radius of about so many points: the count falls as it grows.
double radius_of(const Volume& volume, double count) {
  double low = 0;
  double high = 2 * std::max({volume.side[0], volume.side[1], volume.side[2]});
  for (int i = 0; i < 100; ++i) {
    const double middle = 0.5 * (low + high);
    (expected_count(volume, middle) > count ? low : high) = middle;
  }
  return high;
}

space::Room<3> room_of(const Volume& volume, double radius) {
  space::Room<3> room;
  room.side = volume.side;
  room.wrap = volume.wrap;
  room.distance = {{radius}};
  return room;
}

Found throw_darts(const Volume& volume, double radius, const Found* kept, Context& context) {
  space::Room<3> room = room_of(volume, radius);
  room.kept = kept;
  return space::throw_darts(room, context);
}

void order_by_windows(Found& found) {
  const auto chance = [&](std::size_t i) {
    std::uint64_t key = 0;
    for (const double v : found.at[i]) key = hash(key, std::bit_cast<std::uint64_t>(v));
    return key;
  };
  const std::vector<std::size_t> rows = in_order_of_windows(found.window, chance);
  keep_rows(found.at, rows);
  keep_rows(found.klass, rows);
  keep_rows(found.window, rows);
}

// Maximal sets of ever smaller radii, each round those before it, so that every beginning is spaced
// as the set of twice as many points at the most.
Found throw_progressively(const Volume& volume, double radius, Context& context) {
  const double most = std::cbrt(volume.side[0] * volume.side[1] * volume.side[2]);
  int passes = 0;
  for (double r = radius; r < most; r *= std::cbrt(2.0)) ++passes;
  Found all;
  for (; passes >= 0; --passes) {
    const double r = passes == 0 ? radius : radius * std::pow(2.0, passes / 3.0);
    Found found = throw_darts(volume, r, &all, context);
    order_by_windows(found);
    all.at.insert(all.at.end(), found.at.begin(), found.at.end());
    all.klass.insert(all.klass.end(), found.klass.begin(), found.klass.end());
    all.window.insert(all.window.end(), found.window.begin(), found.window.end());
  }
  return all;
}

Found throw_all(const Volume& volume, double radius, bool progressive, Context& context) {
  if (progressive) return throw_progressively(volume, radius, context);
  return throw_darts(volume, radius, nullptr, context);
}

// The set with the fewest points that has enough of them, and its radius.
Found nearly(const Volume& volume, std::size_t count, bool progressive, double& radius,
             Context& context) {
  const double aim = static_cast<double>(count) * (1 + good_excess / 2) + 0.5;
  double next = radius_of(volume, aim);
  Found best;
  for (int i = 0; i < most_tries; ++i) {
    if (i >= solves && best.size() > 0) break;
    Found found = throw_all(volume, next, progressive, context);
    const std::size_t size = found.size();
    if (size >= count && (best.size() == 0 || size < best.size())) {
      best = std::move(found);
      radius = next;
    }
    const auto excess = static_cast<double>(best.size()) - static_cast<double>(count);
    if (excess >= 0 && excess <= std::max(1.0, good_excess * static_cast<double>(count))) break;
    next *=
        std::clamp(std::cbrt(static_cast<double>(std::max<std::size_t>(size, 1)) / aim), 0.5, 2.0);
  }
  if (best.size() == 0) {
    throw Error(ErrorKind::limit,
                "no radius found that makes " + std::to_string(count) + " points");
  }
  return best;
}

}  // namespace

PointSet sample_volume(const Domain& domain, double depth, std::int64_t count, double radius,
                       Context& context, bool progressive) {
  require_domain(domain);
  require_above_0("the depth of a volume", depth);
  require_number("the number of points", static_cast<double>(count), 0);
  const Volume volume{{domain.width, domain.height, depth}, domain.wrap};
  if (count == 0) require_above_0("the radius of points without a number", radius);
  context.require_memory(120 * static_cast<double>(count), "points of a volume");
  const auto stage = context.stage("sample");
  Found found = count == 0
                    ? throw_all(volume, radius, progressive, context)
                    : nearly(volume, static_cast<std::size_t>(count), progressive, radius, context);
  if (count > 0) {
    if (!progressive) order_by_windows(found);
    found.at.resize(static_cast<std::size_t>(count));
  }
  PointSet points;
  points.domain = domain;
  points.depth = depth;
  for (const space::Along<3>& at : found.at) {
    points.add({at[0], at[1]}, static_cast<float>(radius));
    points.z.push_back(at[2]);
  }
  if (progressive) {
    points.rank.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) points.rank[i] = static_cast<std::int32_t>(i);
  }
  return points;
}

VolumeCertificate certify_volume(const PointSet& points, double radius, Context& context,
                                 double tolerance) {
  require_domain(points.domain);
  require_above_0("the depth of a volume", points.depth);
  require_above_0("the radius of points in a volume", radius);
  require_columns(points);
  if (points.z.size() != points.size()) {
    throw Error(ErrorKind::input, "points of a volume need a column z");
  }
  validate(points);
  const Volume volume{{points.domain.width, points.domain.height, points.depth},
                      points.domain.wrap};
  Found found;
  for (std::size_t i = 0; i < points.size(); ++i) {
    found.at.push_back({points.x[i], points.y[i], points.z[i]});
  }
  found.klass.resize(points.size());
  const auto proved = space::prove(room_of(volume, radius), found, tolerance, context);
  VolumeCertificate made{proved.violations, proved.closest, proved.holes, {}};
  std::copy(proved.hole_place.begin(), proved.hole_place.end(), made.hole_place);
  return made;
}

void verify_volume(const PointSet& points, double radius, Context& context, bool counted) {
  const VolumeCertificate proof = certify_volume(points, radius, context);
  if (proof.violations > 0) {
    throw Error(ErrorKind::verification, std::to_string(proof.violations) +
                                             " pairs of points are too near, the nearest at " +
                                             shortest(proof.closest) + " of the radius");
  }
  if (proof.maximal()) return;
  std::string gap = "there is room for another point at";
  for (const double v : proof.hole_place) gap += " " + shortest(v);
  if (!counted) throw Error(ErrorKind::verification, gap);
  context.warn(gap + ", as a set of a given number leaves some");
}

}  // namespace dapple
