// Points on a sphere by a map round it: exact and maximal against brute force in double with an r
// of its own, as dense at the poles as the map says, spread as darts, the same for any number of
// threads.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <numbers>
#include <numeric>

#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "distributions.hpp"
#include "meshes.hpp"
#include "old_names.hpp"
#include "sample/sphere/latlong_radius.hpp"

namespace dapple {
namespace {

constexpr double pi = std::numbers::pi;

Plane<float> map_of(int height, const std::function<double(double east, double down)>& r) {
  Plane<float> map(2 * height, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < 2 * height; ++x) {
      map(x, y) = static_cast<float>(r((x + 0.5) / (2 * height), (y + 0.5) / height));
    }
  }
  return map;
}

SurfaceRadius round_sphere(Plane<float> map, ConflictRule rule = ConflictRule::mean) {
  Context context;
  const Domain domain{static_cast<double>(map.width()), static_cast<double>(map.height()), true};
  SurfaceRadius radius;
  radius.largest = static_cast<double>(*std::max_element(map.values().begin(), map.values().end()));
  radius.texture = DensityField::from_radius(std::move(map), domain, std::nullopt, context);
  radius.slope.reset();
  radius.rule = rule;
  return radius;
}

// Of the unit sphere, by angles of the C library.
double radius_at(const Plane<float>& map, const Vec3& at) {
  const int w = map.width();
  const int h = map.height();
  const double column = (std::atan2(at.y, at.x) / (2 * pi) + 0.5) * w - 0.5;
  const double row = std::atan2(std::hypot(at.x, at.y), at.z) / pi * h - 0.5;
  const auto value = [&](int x, int y) { return static_cast<double>(map((x + w) % w, y)); };
  const auto mean = [&](int y) {
    double sum = 0;
    for (int x = 0; x < w; ++x) sum += value(x, y);
    return sum / w;
  };
  const int x = static_cast<int>(std::floor(column));
  const auto along = [&](int y) {
    return std::lerp(value(x, y), value(x + 1, y), column - std::floor(column));
  };
  if (row < 0) return std::lerp(mean(0), along(0), 2 * (row + 0.5));
  if (row >= h - 1) return std::lerp(along(h - 1), mean(h - 1), 2 * (row - (h - 1)));
  const int y = static_cast<int>(row);
  return std::lerp(along(y), along(y + 1), row - y);
}

// Continents, a hard edge along two meridians, pixels by chance, one pole finer than the other.
std::vector<std::pair<const char*, Plane<float>>> maps() {
  Random random(6, Stream::tests);
  std::vector<std::pair<const char*, Plane<float>>> all;
  all.emplace_back("smooth", map_of(24, [](double east, double down) {
                     return 0.15 + 0.1 * std::sin(2 * pi * east) * std::sin(5 * down);
                   }));
  all.emplace_back("edge", map_of(16, [](double east, double) { return east < 0.4 ? 0.05 : 0.9; }));
  all.emplace_back("noise",
                   map_of(12, [&](double, double) { return 0.1 + 0.3 * random.uniform(); }));
  all.emplace_back("poles", map_of(9, [](double, double down) { return 0.04 + 0.4 * down; }));
  all.emplace_back("one row", map_of(1, [](double east, double) { return east < 0.5 ? 0.1 : 2; }));
  all.emplace_back("fine", map_of(300, [](double, double down) { return down < 0.9 ? 0.4 : 0.1; }));
  return all;
}

TEST(SphereMap, IsExactAndMaximalUnderEveryRule) {
  constexpr double sphere = 3;
  for (const auto& [name, map] : maps()) {
    for (const auto rule : {ConflictRule::mean, ConflictRule::min, ConflictRule::max}) {
      SCOPED_TRACE(std::string(name) + " " + std::string(word_of(rule)));
      Context context;
      Plane<float> scaled = map;
      for (float& v : scaled.values()) v *= static_cast<float>(sphere);
      const SurfaceRadius radius = round_sphere(std::move(scaled), rule);
      const Points points = sample_sphere(sphere, 0, radius, context).points;
      std::vector<Vec3> places;
      for (std::size_t i = 0; i < points.size(); ++i) {
        places.push_back(place(points, i) * (1 / sphere));
        ASSERT_NEAR(length(place(points, i)), sphere, 1e-14 * sphere);
        ASSERT_NEAR(static_cast<double>(points.radius[i]), sphere * radius_at(map, places[i]),
                    1e-6);
      }
      double closest = 1e30;
      for (std::size_t i = 0; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          const double asked = conflict_distance(rule, static_cast<double>(points.radius[i]),
                                                 static_cast<double>(points.radius[j]));
          closest = std::min(closest, length(place(points, i) - place(points, j)) / asked);
        }
      }
      EXPECT_GE(closest, 1);
      Random random(4, Stream::tests);
      for (int probe = 0; probe < 3000; ++probe) {
        const Vec3 at = random_direction(random, probe);
        const double r = radius_at(map, at);
        const bool free = std::none_of(places.begin(), places.end(), [&](const Vec3& p) {
          const auto i = static_cast<std::size_t>(&p - places.data());
          const double own = static_cast<double>(points.radius[i]) / sphere;
          return length(at - p) < 1.00001 * conflict_distance(rule, r, own);
        });
        ASSERT_FALSE(free) << at.x << " " << at.y << " " << at.z;
      }
      const Certificate proof = certify_sphere(points, sphere, radius, context);
      EXPECT_EQ(proof.violations, 0);
      EXPECT_EQ(proof.holes, 0);
      if (points.size() > 1 && proof.closest < 1.5) {
        EXPECT_NEAR(proof.closest, closest, 1e-12);
      }
    }
  }
}

TEST(SphereMap, OfOneValueMakesThePointsOfThatRadius) {
  Context context;
  const SurfaceRadius radius = round_sphere(map_of(5, [](double, double) { return 0.125; }));
  const SurfaceSet set = sample_sphere(1, 0, radius, context);
  EXPECT_EQ(set.points.x, sample_sphere(1, 0, 0.125, context).x);
  EXPECT_EQ(set.points.radius.front(), 0.125f);
  EXPECT_TRUE(certify_sphere(set.points, 1, set.radius, context).maximal());
}

// Of maps that are nearly of one value, so that they are sampled as maps: caps and belts of equal
// area, of which one holds 35 points, in 40 sets.
TEST(SphereMap, PolesAreAsDenseAsTheRest) {
  constexpr std::size_t slices = 50;
  constexpr int runs = 40;
  std::array<double, slices> counts{};
  const SurfaceRadius radius = round_sphere(
      map_of(8, [](double east, double) { return east < 0.3 ? 0.0708 : 0.0708 * 1.0001; }));
  for (int run = 1; run <= runs; ++run) {
    Context context;
    context.seed = static_cast<std::uint64_t>(run);
    for (const double z : sample_sphere(1, 0, radius, context).points.z) {
      ++counts[static_cast<std::size_t>(std::clamp((z + 1) / 2 * slices, 0.0, slices - 1.0))];
    }
  }
  const double mean = std::accumulate(counts.begin(), counts.end(), 0.0) / slices;
  EXPECT_NEAR(mean / runs * slices * 0.0708 * 0.0708 / (4 * pi), 0.6975, 0.005);
  for (const double count : counts) EXPECT_NEAR(count / mean, 1, 0.045);
}

// N is in proportion to the integral of 1 / r^2, in belts and in sectors.
TEST(SphereMap, DensityFollowsTheMap) {
  constexpr std::size_t parts = 8;
  std::array<double, parts> belts{}, sectors{}, of_belts{}, of_sectors{};
  const Plane<float> map = map_of(64, [](double east, double down) {
    return 0.06 + 0.03 * std::cos(2 * pi * east) + 0.04 * down;
  });
  const SurfaceRadius radius = round_sphere(map);
  const auto part_of = [](double share) {
    return static_cast<std::size_t>(std::clamp(share * parts, 0.0, parts - 1.0));
  };
  const auto sector_of = [&](double x, double y) {
    return part_of(std::atan2(y, x) / (2 * pi) + 0.5);
  };
  constexpr int runs = 12;
  for (int run = 1; run <= runs; ++run) {
    Context context;
    context.seed = static_cast<std::uint64_t>(run);
    const Points points = sample_sphere(1, 0, radius, context).points;
    for (std::size_t i = 0; i < points.size(); ++i) {
      ++belts[part_of((points.z[i] + 1) / 2)];
      ++sectors[sector_of(points.x[i], points.y[i])];
    }
  }
  constexpr int darts = 100000;
  Random random(3, Stream::tests);
  for (int i = 0; i < darts; ++i) {
    const Vec3 at = random_direction(random, 0);
    const double r = radius_at(map, at);
    const double expected = 0.6975 * runs * 4 * pi / darts / (r * r);
    of_belts[part_of((at.z + 1) / 2)] += expected;
    of_sectors[sector_of(at.x, at.y)] += expected;
  }
  for (std::size_t i = 0; i < parts; ++i) {
    EXPECT_NEAR(belts[i] / of_belts[i], 1, 0.03) << i;
    EXPECT_NEAR(sectors[i] / of_sectors[i], 1, 0.03) << i;
  }
}

// Against darts at the whole sphere at a rate of 1 / r^2, as many as fill it but for next to
// nothing.
TEST(SphereMap, IsSpreadAsDartsOneAfterTheOther) {
  constexpr int runs = 300;
  constexpr double least = 0.6;
  const Plane<float> map =
      map_of(3, [](double east, double down) { return least + 0.6 * east + 0.4 * down; });
  const double lowest = static_cast<double>(map(0, 0));
  const SurfaceRadius radius = round_sphere(map);
  std::vector<double> more_points, more_pairs, more_north;
  struct Point {
    Vec3 at;
    double r;
  };
  const auto near_pairs = [&](const std::vector<Point>& points) {
    double pairs = 0;
    for (std::size_t i = 0; i < points.size(); ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        pairs += length(points[i].at - points[j].at) < 0.55 * (points[i].r + points[j].r);
      }
    }
    return pairs;
  };
  const auto north = [](const std::vector<Point>& points) {
    return static_cast<double>(
        std::count_if(points.begin(), points.end(), [](const Point& p) { return p.at.z > 0.3; }));
  };
  for (std::uint64_t seed = 1; seed <= runs; ++seed) {
    Context context;
    context.seed = seed;
    const Points points = sample_sphere(1, 0, radius, context).points;
    std::vector<Point> own, other;
    for (std::size_t i = 0; i < points.size(); ++i) {
      own.push_back({place(points, i), static_cast<double>(points.radius[i])});
    }
    Random random(seed, Stream::tests);
    for (int dart = 0; dart < 30000; ++dart) {
      const Vec3 at = random_direction(random, 0);
      const double r = radius_at(map, at);
      if (random.uniform() * r * r > lowest * lowest) continue;
      if (std::none_of(other.begin(), other.end(),
                       [&](const Point& p) { return length(p.at - at) < 0.5 * (p.r + r); })) {
        other.push_back({at, r});
      }
    }
    more_points.push_back(static_cast<double>(own.size()) - static_cast<double>(other.size()));
    more_pairs.push_back(near_pairs(own) - near_pairs(other));
    more_north.push_back(north(own) - north(other));
  }
  for (const auto& differences : {more_points, more_pairs, more_north}) {
    EXPECT_LT(mean_in_errors(differences), 3);
  }
}

// r rises by no more than the slope a length, but for what paths along the grid are longer.
TEST(SphereMap, SlopesHoldInSpace) {
  SurfaceRadius radius = round_sphere(map_of(40, [](double east, double down) {
    return std::hypot(east - 0.9, down - 0.1) < 0.02 ? 0.01 : 2.0;
  }));
  radius.slope = 0.5;
  Context context;
  const sphere::LatLongRadius radii(radius, 1, context);
  EXPECT_LT(radii.most(), 1.9);
  Random random(8, Stream::tests);
  for (int i = 0; i < 4000; ++i) {
    const Vec3 a = random_direction(random, i);
    const Vec3 b = i % 3 == 0 ? random_direction(random, i / 2) : a * -1;
    const double way = 2 * std::asin(std::min(1.0, 0.5 * length(a - b)));
    EXPECT_LE(std::abs(radii.at(a) - radii.at(b)), 1.1 * 0.5 * way + 0.03);
  }
  // Places round a pole, in all directions, are those of the pole.
  for (double turn = 0; turn < 6; turn += 0.5) {
    const Vec3 at{1e-6 * std::cos(turn), 1e-6 * std::sin(turn), 1};
    EXPECT_NEAR(radii.at(at), radii.at(Vec3{0, 0, 1}), 1e-6);
  }
}

TEST(SphereMap, RefusesWhatIsNone) {
  Context context;
  const auto error = [&](const SurfaceRadius& radius) {
    try {
      sample_sphere(1, 0, radius, context);
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  EXPECT_NE(error(round_sphere(Plane<float>(3, 3, 0.2f))).find("twice as wide"), std::string::npos);
  EXPECT_EQ(error(round_sphere(Plane<float>(201, 100, 0.2f))), "");
  EXPECT_NE(error(round_sphere(Plane<float>(203, 100, 0.2f))), "");
  SurfaceRadius radius = round_sphere(Plane<float>(20, 10, 0.2f), ConflictRule::candidate);
  EXPECT_NE(error(radius).find("candidate"), std::string::npos);
  radius.rule = ConflictRule::mean;
  radius.slope = 0;
  EXPECT_NE(error(radius).find("slope"), std::string::npos);
  radius.slope.reset();
  radius.scale = std::nan("");
  EXPECT_NE(error(radius).find("scale"), std::string::npos);
  EXPECT_NE(error(SurfaceRadius()), "");
  Plane<float> holed(20, 10, 0.2f);
  holed(3, 4) = 0;
  radius = round_sphere(holed);
  radius.largest = 0;
  EXPECT_NE(error(radius).find("(3, 4)"), std::string::npos);
  Random random(2, Stream::tests);
  EXPECT_NE(error(round_sphere(map_of(
                      128, [&](double, double) { return random.uniform() < 0.5 ? 0.018 : 1.0; })))
                .find("change too abruptly"),
            std::string::npos);
}

}  // namespace
}  // namespace dapple
