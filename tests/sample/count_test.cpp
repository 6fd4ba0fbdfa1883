// Exact counts, elimination and progressive order: how well spaced the points are, by a grid and
// sums of this test's own.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <string>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

constexpr double hexagonal = 1.1547005383792515;

DensityField ramp_field(int side, double ratio) {
  Plane<float> radius(side, side);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      radius(x, y) = static_cast<float>(std::pow(ratio, (x + 0.5) / side));
    }
  }
  return DensityField::from_radius(
      std::move(radius), {static_cast<double>(side), static_cast<double>(side), false}, 1.0);
}

Points sample_count(const DensityField& field, const SampleOptions& options, std::int64_t count,
                    std::uint64_t seed = 1) {
  Context context;
  context.seed = seed;
  context.threads = 2;
  return sample(field, options, count, context);
}

double torus_distance(const Domain& domain, Vec2 a, Vec2 b) {
  double dx = std::abs(a.x - b.x);
  double dy = std::abs(a.y - b.y);
  if (domain.wrap) {
    dx = std::min(dx, domain.width - dx);
    dy = std::min(dy, domain.height - dy);
  }
  return std::hypot(dx, dy);
}

// Smallest distance over the mean of both radii (of `field`), over all pairs.
double closest_pair(const Points& points, const DensityField& field) {
  double least = std::numeric_limits<double>::infinity();
  const Domain& domain = points.domain;
  double largest = 0;
  std::vector<double> r(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    r[i] = field.radius(points[i]);
    largest = std::max(largest, r[i]);
  }
  const int columns = std::clamp(static_cast<int>(domain.width / (1.2 * largest)), 1, 2000);
  const int rows = std::clamp(static_cast<int>(domain.height / (1.2 * largest)), 1, 2000);
  std::vector<std::vector<std::size_t>> cells(static_cast<std::size_t>(columns * rows));
  const auto wrapped = [](int k, int n) { return (k + n) % n; };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const int u = static_cast<int>(points.x[i] / domain.width * columns);
    const int v = static_cast<int>(points.y[i] / domain.height * rows);
    for (int dv = -1; dv <= 1; ++dv) {
      for (int du = -1; du <= 1; ++du) {
        for (const std::size_t j : cells[static_cast<std::size_t>(wrapped(v + dv, rows) * columns +
                                                                  wrapped(u + du, columns))]) {
          least = std::min(least, 2 * torus_distance(domain, points[i], points[j]) / (r[i] + r[j]));
        }
      }
    }
    cells[static_cast<std::size_t>(v * columns + u)].push_back(i);
  }
  return least;
}

// rho_min, by the local density.
double rho_min(const Points& points, const DensityField& field) {
  return closest_pair(points, field) *
         std::sqrt(static_cast<double>(points.size()) / (hexagonal * field.integral()));
}

Points first_of(const Points& points, std::size_t count) {
  Points some;
  some.domain = points.domain;
  for (std::size_t i = 0; i < count; ++i) some.add(points[i], points.radius[i]);
  return some;
}

TEST(Count, TheClosestPairHasFourFifthsOfTheHexagonalDistance) {
  for (const std::int64_t count : {1000, 20000, 100000}) {
    for (const std::uint64_t seed : {1, 2, 3}) {
      const DensityField f = DensityField::constant({700, 500, true}, 1);
      const Points points = sample_count(f, {}, count, seed);
      ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
      EXPECT_GE(rho_min(points, f), 0.80) << count << ", seed " << seed;
    }
  }
}

TEST(Count, MapsComeAsFarByTheLocalDensity) {
  for (const double ratio : {3.0, 10.0, 40.0}) {
    for (const std::uint64_t seed : {1, 2}) {
      const DensityField f = ramp_field(256, ratio);
      const Points points = sample_count(f, {}, 30000, seed);
      ASSERT_EQ(points.size(), 30000u);
      EXPECT_GE(rho_min(points, f), 0.80) << ratio << ":1, seed " << seed;
    }
  }
}

TEST(Count, ManySmallSetsSettle) {
  const DensityField f = DensityField::constant({90, 60, true}, 1);
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto count = static_cast<std::int64_t>(300 + 7 * seed);
    const Points points = sample_count(f, {}, count, seed);
    ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
    EXPECT_GE(rho_min(points, f), 0.80) << count << ", seed " << seed;
  }
}

TEST(Count, SetsAreTheSameWithAnyVectors) {
  for (const bool progressive : {false, true}) {
    SampleOptions options;
    options.progressive = progressive;
    for (const DensityField& f :
         {DensityField::constant({200, 150, true}, 1), ramp_field(100, 10)}) {
      const Points points = sample_count(f, options, 3000);
      for_each_simd_target([&](const char* target) {
        const Points again = sample_count(f, options, 3000);
        EXPECT_EQ(again.x, points.x) << target;
        EXPECT_EQ(again.y, points.y) << target;
        EXPECT_EQ(again.radius, points.radius) << target;
      });
    }
  }
}

TEST(Count, TheRuleHoldsAtTheRadiusReported) {
  for (const bool settle : {false, true}) {
    SampleOptions options;
    options.settle = settle;
    const DensityField f = DensityField::constant({300, 200, false}, 1);
    const Points points = sample_count(f, options, 5000);
    const auto r = static_cast<double>(points.radius[0]);
    EXPECT_GE(closest_pair(points, DensityField::constant({300, 200, false}, r)), 1);
    // Settled points report more than darts can have.
    const double packing = 5000 * r * r / (300 * 200);
    EXPECT_EQ(packing > 0.72, settle) << packing;
  }
}

TEST(Count, SettlingKeepsTheDensity) {
  SampleOptions options;
  const DensityField f = ramp_field(200, 10);
  const auto left_half = [](const Points& points) {
    return static_cast<double>(
        std::count_if(points.x.begin(), points.x.end(), [](double x) { return x < 60; }));
  };
  const double settled = left_half(sample_count(f, options, 20000));
  options.settle = false;
  EXPECT_NEAR(settled / left_half(sample_count(f, options, 20000)), 1, 0.01);
}

TEST(Count, CertifyProvesTheSpacingAndTellsOfGaps) {
  SampleOptions options;
  options.certify = true;
  Context context;
  const Points points = sample(DensityField::constant({200, 200, true}, 1), options, 3000, context);
  EXPECT_EQ(points.size(), 3000u);
  ASSERT_EQ(context.warnings().size(), 1u);
  EXPECT_NE(context.warnings()[0].find("spacing is proved"), std::string::npos);
}

TEST(Count, MoreThanFitIsAnErrorThatSaysHowMany) {
  Plane<float> density(50, 50, 1.0f);
  const DensityField f =
      DensityField::from_density(std::move(density), {50, 50, false}, 2, std::nullopt, 1.5);
  for (const SampleMethod method : {SampleMethod::darts, SampleMethod::elimination}) {
    for (const bool progressive : {false, true}) {
      SampleOptions options;
      options.method = method;
      options.progressive = progressive;
      try {
        sample_count(f, options, 20000);
        FAIL();
      } catch (const Error& error) {
        EXPECT_EQ(error.kind(), ErrorKind::limit);
        EXPECT_NE(std::string(error.what()).find("holds only about"), std::string::npos);
      }
    }
  }
}

TEST(Elimination, IsWellSpaced) {
  SampleOptions options;
  options.method = SampleMethod::elimination;
  const DensityField f = DensityField::constant({300, 200, true}, 1);
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Points points = sample_count(f, options, 10000, seed);
    ASSERT_EQ(points.size(), 10000u);
    EXPECT_GE(rho_min(points, f), 0.62) << seed;
  }
  EXPECT_NE(sample_count(f, options, 100, 1).x, sample_count(f, options, 100, 2).x);
}

TEST(Elimination, FollowsTheDensity) {
  SampleOptions options;
  options.method = SampleMethod::elimination;
  const DensityField f = ramp_field(128, 10);
  const Points points = sample_count(f, options, 20000);
  // Shares of the points in eight strips, against those of 1 / r^2.
  for (int strip = 0; strip < 8; ++strip) {
    double expected = 0;
    for (int x = strip * 16; x < strip * 16 + 16; ++x) {
      const double r = f.radius({x + 0.5, 1});
      expected += 128 / (r * r);
    }
    expected *= 20000 / f.integral();
    const auto found =
        static_cast<double>(std::count_if(points.x.begin(), points.x.end(), [&](double x) {
          return x >= strip * 16 && x < strip * 16 + 16;
        }));
    EXPECT_NEAR(found, expected, 0.03 * expected + 10) << strip;
  }
  EXPECT_GE(rho_min(points, f), 0.55);
}

// Every prefix, by all pairs.
TEST(Progressive, EveryPrefixIsWellSpaced) {
  SampleOptions options;
  options.progressive = true;
  struct Case {
    Domain domain;
    std::int64_t count;
    std::uint64_t seeds;
  };
  for (const Case& c : {Case{{100, 80, true}, 2500, 2}, Case{{100, 80, true}, 600, 10},
                        Case{{300, 50, true}, 600, 10}, Case{{100, 100, false}, 1000, 3},
                        Case{{100, 80, true}, 0, 1}}) {
    const DensityField f = DensityField::constant(c.domain, c.count > 0 ? 1 : 1.5);
    const double area = c.domain.width * c.domain.height;
    for (std::uint64_t seed = 1; seed <= c.seeds; ++seed) {
      const Points points = sample_count(f, options, c.count, seed);
      double least = std::numeric_limits<double>::infinity();
      for (std::size_t i = 1; i < points.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
          least = std::min(least, torus_distance(points.domain, points[i], points[j]));
        }
        const double lattice = std::sqrt(hexagonal * area / static_cast<double>(i + 1));
        ASSERT_GE(least / lattice, 0.70) << i + 1 << " points of " << c.domain.width << "x"
                                         << c.domain.height << ", seed " << seed;
      }
    }
  }
}

TEST(Progressive, PrefixesOfManyPointsAreWellSpaced) {
  SampleOptions options;
  options.progressive = true;
  const DensityField f = DensityField::constant({1000, 700, true}, 1);
  const Points points = sample_count(f, options, 60000);
  for (const std::size_t count :
       {117u, 1024u, 4321u, 8192u, 16384u, 23456u, 32768u, 50001u, 60000u}) {
    const Points some = first_of(points, count);
    const double r = std::sqrt(1000.0 * 700 / static_cast<double>(count));
    const DensityField even = DensityField::constant({1000, 700, true}, r);
    EXPECT_GE(rho_min(some, even), 0.70) << count;
  }
}

// The map at the scale at which darts would place `count` points: its slope limit moves with it.
DensityField scaled_to(const DensityField& field, double count) {
  double scale = std::sqrt(field.integral() * 0.7 / count);
  DensityField result = field.scaled(scale);
  for (int i = 0; i < 20; ++i) {
    const double step = std::sqrt(result.integral() * 0.7 / count);
    if (std::abs(step - 1) < 1e-3) break;
    scale *= step;
    result = field.scaled(scale);
  }
  return result;
}

// By the local density that as many points would have, few points and many.
TEST(Progressive, PrefixesFollowMaps) {
  SampleOptions options;
  options.progressive = true;
  for (const double ratio : {4.0, 100.0}) {
    const DensityField f = ramp_field(128, ratio);
    for (const std::uint64_t seed : {1, 2}) {
      const Points points = sample_count(f, options, 2000, seed);
      ASSERT_EQ(points.size(), 2000u);
      for (std::size_t count = 2; count <= 2000; count += 1 + count / 4) {
        const Points some = first_of(points, count);
        const DensityField g = scaled_to(f, static_cast<double>(count));
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t i = 0; i < count; ++i) {
          for (std::size_t j = 0; j < i; ++j) {
            const double reach = g.radius(some[i]) + g.radius(some[j]);
            least = std::min(least, 2 * torus_distance(f.domain(), some[i], some[j]) / reach);
          }
        }
        const double lattice = std::sqrt(hexagonal * g.integral() / static_cast<double>(count));
        EXPECT_GE(least / lattice, 0.70) << count << " points, " << ratio << ":1, seed " << seed;
      }
    }
  }
}

TEST(Progressive, OtherMethodsArePutInOrder) {
  SampleOptions options;
  options.progressive = true;
  const DensityField f = DensityField::constant({300, 200, true}, 1);
  for (const SampleMethod method : {SampleMethod::bridson, SampleMethod::elimination}) {
    options.method = method;
    options.progressive = false;
    Points plain = sample_count(f, options, 5000);
    options.progressive = true;
    Points points = sample_count(f, options, 5000);
    for (const std::size_t count : {100u, 700u, 1250u, 2500u, 4000u}) {
      const double r = std::sqrt(300.0 * 200 / static_cast<double>(count));
      EXPECT_GE(rho_min(first_of(points, count), DensityField::constant({300, 200, true}, r)), 0.55)
          << count;
    }
    std::sort(plain.x.begin(), plain.x.end());
    std::sort(points.x.begin(), points.x.end());
    EXPECT_EQ(points.x, plain.x);
  }
}

// ---- sets cut out of an endless plane -----------------------------------------------------------

// Density in the outer quarter of a spacing along the border, beside that of the whole set.
double density_at_border(bool is_cut, std::int64_t count) {
  const Domain domain{60, 40, false};
  double at_border = 0;
  double area = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    Context context;
    context.seed = seed;
    Points points;
    if (is_cut) {
      points = sample_cut(domain, 1, count, context);
    } else {
      points = sample(DensityField::constant(domain, 1), {}, count, context);
    }
    const double r = static_cast<double>(points.radius.front());
    const double d = 0.25 * r;
    for (std::size_t i = 0; i < points.size(); ++i) {
      const Vec2 p = points[i];
      const double to_border =
          std::min(std::min(p.x, domain.width - p.x), std::min(p.y, domain.height - p.y));
      at_border += to_border < d ? 1 : 0;
    }
    const double inner = (domain.width - 2 * d) * (domain.height - 2 * d);
    area += (domain.width * domain.height - inner) * static_cast<double>(points.size()) /
            (domain.width * domain.height);
  }
  return at_border / area;
}

TEST(CutSets, AreAsDenseAtTheBorderAsElsewhere) {
  for (const std::int64_t count : {0, 1500}) {
    EXPECT_NEAR(density_at_border(true, count), 1, 0.08) << count;
    EXPECT_GT(density_at_border(false, count), 1.8) << count;
  }
}

TEST(CutSets, HaveTheCountKeepDistancesAndCoverTheMiddle) {
  for (const auto& [width, height] : {std::pair(60.0, 40.0), std::pair(12.5, 100.0)}) {
    for (const std::int64_t count : {1, 2, 7, 100, 999, 2000}) {
      const Domain domain{width, height, false};
      Context context;
      context.threads = 1;
      const Points points = sample_cut(domain, 0, count, context);
      ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
      EXPECT_EQ(points.domain.width, width);
      for (const int threads : {2, 7}) {
        context.threads = threads;
        const Points again = sample_cut(domain, 0, count, context);
        EXPECT_EQ(again.x, points.x);
        EXPECT_EQ(again.y, points.y);
      }
      const auto r = static_cast<double>(points.radius.front());
      for (std::size_t i = 0; i < points.size(); ++i) EXPECT_TRUE(domain.contains(points[i]));
      if (count < 100) continue;
      EXPECT_GE(closest_pair(points, DensityField::constant(domain, r)), 1 - 1e-6);
      for (double y = 1.01 * r; y < height - 1.01 * r; y += 0.37 * r) {
        for (double x = 1.01 * r; x < width - 1.01 * r; x += 0.37 * r) {
          double nearest = 1e9;
          for (std::size_t i = 0; i < points.size(); ++i) {
            nearest = std::min(nearest, std::hypot(points.x[i] - x, points.y[i] - y));
          }
          ASSERT_LT(nearest, r * (1 + 1e-6)) << x << ' ' << y;
        }
      }
    }
  }
}

// The number of points per volume within a quarter of the largest radius of the border, over that
// more than one and a half radii inside.
double density_at_border(const Space& space, const Radii& radii, double radius,
                         const SampleOptions& options) {
  const std::array sides{space.domain.width, space.domain.height, space.depth, space.extent};
  const std::size_t axes = space.extent > 0 ? 4 : space.depth > 0 ? 3 : 2;
  const auto content = [&](double off) {
    double product = 1;
    for (std::size_t a = 0; a < axes; ++a) product *= sides[a] - 2 * off;
    return product;
  };
  const double rim = 0.25 * radius;
  const double deep = 1.5 * radius;
  double outer = 0, inner = 0;
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    Context context;
    context.seed = seed;
    const Points points = sample(space, radii, options, context);
    const std::array columns{&points.x, &points.y, &points.z, &points.w};
    for (std::size_t i = 0; i < points.size(); ++i) {
      double off = sides[0];
      for (std::size_t a = 0; a < axes; ++a) {
        const double at = (*columns[a])[i];
        EXPECT_TRUE(at >= 0 && at < sides[a]);
        off = std::min({off, at, sides[a] - at});
      }
      outer += off < rim;
      inner += off > deep;
    }
  }
  return outer / (content(0) - content(rim)) / (inner / content(deep));
}

TEST(CutSets, AreAsDenseAtTheBorderOfBoxesAndOfClasses) {
  const ClassRadii classes{{3, 2}};
  struct Case {
    Space space;
    Radii radii;
    double radius;
    std::int64_t count;
  };
  const Space box = Space::box({26, 24, false}, 22);
  for (const auto& [space, radii, radius, count] :
       {Case{box, 2.0, 2, 0}, Case{box, 0.0, 2, 1300},
        Case{Space::box({9, 9, false}, 9, 9), 1.3, 1.3, 0},
        Case{Domain{90, 80, false}, classes, 3, 0}, Case{box, classes, 3, 0},
        Case{Domain{90, 80, false}, 0.0, 2, 1200}}) {
    SampleOptions options;
    options.count = count;
    options.progressive = count == 1200;
    if (!options.progressive) {
      EXPECT_GT(density_at_border(space, radii, radius, options), 1.5);
    }
    options.frame = FrameEdge::cut;
    options.certify = true;  // of the larger set
    EXPECT_NEAR(density_at_border(space, radii, radius, options), 1, 0.15);
  }
}

TEST(CutSets, OfBoxesHaveTheirCountAndKeepTheirDistance) {
  const Space box = Space::box({30, 20, false}, 10);
  for (const std::int64_t count : {1, 2, 9, 400}) {
    SampleOptions options;
    options.count = count;
    options.frame = FrameEdge::cut;
    options.progressive = count == 400;
    Context context;
    context.threads = 1;
    const Points points = sample(box, 0.0, options, context);
    ASSERT_EQ(points.size(), static_cast<std::size_t>(count));
    EXPECT_EQ(points.domain, box.domain);
    EXPECT_EQ(points.depth, box.depth);
    EXPECT_EQ(points.rank.size(), options.progressive ? points.size() : 0);
    EXPECT_EQ(certify(points, context).violations, 0);
    context.threads = 3;
    EXPECT_EQ(sample(box, 0.0, options, context).x, points.x);
  }
}

// Points of a cube as a solid, where the depth below its faces is known.
TEST(CutSets, HaveTheShapeOfASolid) {
  constexpr double side = 1;
  constexpr double shell = 0.025;  // a quarter of the radius
  const Mesh mesh = cube();
  const auto depth_of = [](const Points& points, std::size_t i) {
    const std::array at{points.x[i], points.y[i], points.z[i]};
    double least = side;
    for (const double v : at) least = std::min({least, v, side - v});
    return least;
  };
  const auto share_at_border = [&](const Points& points) {
    std::size_t near = 0;
    for (std::size_t i = 0; i < points.size(); ++i) near += depth_of(points, i) < shell ? 1 : 0;
    return static_cast<double>(near) / static_cast<double>(points.size());
  };
  const double even = 1 - std::pow(1 - 2 * shell / side, 3);
  for (const auto& [radii, count] : {std::pair{Radii(0.1), 0},
                                     {Radii(0.1), 600},
                                     {Radii(ClassRadii{{0.14, 0.1}}), 0},
                                     {Radii(ClassRadii{{0.14, 0.1}}), 300}}) {
    SampleOptions options;
    options.count = count;
    Context context;
    EXPECT_GT(share_at_border(sample(Space::in_solid(mesh), radii, options, context)), 1.5 * even);
    options.frame = FrameEdge::cut;
    options.certify = true;  // of the larger set
    options.progressive = count == 300;
    double mean = 0;
    for (context.seed = 1; context.seed <= 4; ++context.seed) {
      const Points points = sample(Space::in_solid(mesh), radii, options, context);
      ASSERT_TRUE(count == 0 || points.size() == static_cast<std::size_t>(count));
      EXPECT_EQ(points.rank.size(), options.progressive ? points.size() : 0);
      for (std::size_t i = 0; i < points.size(); ++i) ASSERT_GE(depth_of(points, i), -1e-9);
      const Certificate proof = certify(points, context);
      EXPECT_EQ(proof.violations + proof.outside, 0);
      mean += share_at_border(points) / 4;
    }
    EXPECT_NEAR(mean / even, 1, 0.12);
  }
}

TEST(CutSets, RefuseWhatNoLargerSetHas) {
  Context context;
  SampleOptions options;
  options.frame = FrameEdge::cut;
  const Domain domain{9, 9, false};
  EXPECT_THROW(sample(Space::on_sphere(1), 0.1, options, context), Error);
  EXPECT_THROW(sample(domain, DensityField::constant(domain, 2), options, context), Error);
  EXPECT_THROW(sample(Space::box({9, 9, true}, 9), 2.0, options, context), Error);
  options.certify = true;
  EXPECT_THROW(sample(domain, 2.0, options, context), Error);
  options.certify = false;
  options.method = SampleMethod::bridson;
  EXPECT_THROW(sample(Space::box(domain, 9), 2.0, options, context), Error);
  options.method = SampleMethod::darts;
  options.keep.points = std::make_shared<const Points>();
  EXPECT_THROW(sample(Space::box(domain, 9), 2.0, options, context), Error);
}

TEST(CutSets, AreForOneRadiusInThePlane) {
  Context context;
  PointsOptions options;
  options.sample.frame = FrameEdge::cut;
  options.size = {64, 64};
  options.field.count = 300;
  EXPECT_EQ(make_points(nullptr, options, context).size(), 300u);
  EXPECT_THROW(sample_cut({9, 9, true}, 1, 0, context), Error);
  options.sample.wrap = true;
  EXPECT_THROW(make_points(nullptr, options, context), Error);
}

}  // namespace
}  // namespace dapple
