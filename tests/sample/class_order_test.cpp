// Classes with distances of their own in an order: each beginning holds the share of every class,
// and is well spaced in each and together, against all pairs in double.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <memory>
#include <string>
#include <tuple>

#include "brute_force.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "meshes.hpp"
#include "old_names.hpp"
#include "sample/class_shares.hpp"
#include "sample/progressive/class_schedule.hpp"

namespace dapple {
namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

struct Case {
  const char* name;
  double depth;  // 0: the plane
  bool wrap;
  ClassDistance distance;
  std::vector<double> radii;
  std::vector<double> shares;
  // What spacing_of() and spacing_alone() are above. Those of one class alone are as random as all
  // of them are where the distances let them be denser than they are.
  double together, alone;
};
const Case cases[] = {
    {"even_together", 0, true, ClassDistance::density, {24, 10, 5}, {}, 0.65, 0.5},
    {"never_overlapping", 0, true, ClassDistance::mean, {24, 10, 5}, {}, 0.54, 0.4},
    {"with_a_border", 0, false, ClassDistance::density, {12, 6}, {}, 0.7, 0.53},
    {"by_shares", 0, true, ClassDistance::density, {9, 9, 9}, {.6, .3, .1}, 0.6, 0.45},
    {"a_rare_one", 0, true, ClassDistance::max, {12, 6}, {.02, .98}, 0.68, 0.2},
    {"many_alike", 0, true, ClassDistance::min, {12, 11, 10, 9, 8, 8, 8}, {}, 0.55, 0.28},
    {"in_a_volume", 48, true, ClassDistance::density, {9, 5}, {}, 0.68, 0.54},
    {"in_a_box", 60, false, ClassDistance::mean, {12, 6}, {}, 0.68, 0.54},
};

ClassOptions options_of(const Case& of, bool progressive) {
  ClassOptions options;
  options.radii = of.radii;
  options.shares = of.shares;
  options.distance = of.distance;
  options.progressive = progressive;
  return options;
}
Domain domain_of(const Case& of) {
  return of.depth > 0 ? Domain{60, 60, of.wrap} : Domain{300, 240, of.wrap};
}
Points sample(const Case& of, bool progressive, int threads = 0, std::int64_t count = 0) {
  Context context;
  context.threads = threads;
  return sample_classes(domain_of(of), of.depth, options_of(of, progressive), count, context);
}

double distance(const Points& points, std::size_t i, std::size_t j) {
  const bool deep = !points.z.empty();
  const std::array<double, 3> side{points.domain.width, points.domain.height, points.depth};
  std::array<double, 3> d{points.x[i] - points.x[j], points.y[i] - points.y[j],
                          deep ? points.z[i] - points.z[j] : 0};
  double sum = 0;
  for (std::size_t a = 0; a < (deep ? 3u : 2u); ++a) {
    double along = std::abs(d[a]);
    if (points.domain.wrap) along = std::min(along, side[a] - along);
    sum += along * along;
  }
  return std::sqrt(sum);
}

double root(double content, bool deep) {
  return deep ? std::cbrt(content) : std::sqrt(content);
}

// Of the first `count`, the least distance of a pair in parts of what its classes keep, times as
// much as so many of all have more room.
double spacing_of(const Points& points, const std::vector<std::vector<double>>& asked,
                  std::size_t count) {
  double least = unlimited;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      const auto a = static_cast<std::size_t>(points.class_id[i]);
      const auto b = static_cast<std::size_t>(points.class_id[j]);
      least = std::min(least, distance(points, i, j) / asked[a][b]);
    }
  }
  const double part = static_cast<double>(count) / static_cast<double>(points.size());
  return least * root(part, points.depth > 0);
}

// Of those of one class the least distance, in parts of that of the densest lattice of as many.
double spacing_alone(const Points& points, std::int32_t class_id, std::size_t count) {
  double least = unlimited;
  std::size_t found = 0;
  for (std::size_t i = 0; i < count; ++i) {
    if (points.class_id[i] != class_id) continue;
    ++found;
    for (std::size_t j = 0; j < i; ++j) {
      if (points.class_id[j] == class_id) least = std::min(least, distance(points, i, j));
    }
  }
  const bool deep = points.depth > 0;
  const double content = points.domain.width * points.domain.height * (deep ? points.depth : 1);
  const double lattice = deep ? std::sqrt(2.0) : 2 / std::sqrt(3.0);
  return found < 8 ? unlimited : least / root(lattice * content / static_cast<double>(found), deep);
}

class ClassOrder : public ::testing::TestWithParam<Case> {};

using Row = std::tuple<double, double, double, float, std::int32_t>;
std::vector<Row> rows_of(const Points& points) {
  std::vector<Row> rows;
  for (std::size_t i = 0; i < points.size(); ++i) {
    rows.emplace_back(points.x[i], points.y[i], points.z.empty() ? 0 : points.z[i],
                      points.radius[i], points.class_id[i]);
  }
  return rows;
}

// Of the first K of N points of all classes n[c].
void expect_shares(const std::vector<std::int32_t>& class_id, std::size_t classes) {
  std::vector<double> all(classes), found(classes);
  for (const std::int32_t c : class_id) ++all[static_cast<std::size_t>(c)];
  for (std::size_t k = 0; k < class_id.size(); ++k) {
    ++found[static_cast<std::size_t>(class_id[k])];
    const double part = static_cast<double>(k + 1) / static_cast<double>(class_id.size());
    for (std::size_t c = 0; c < classes; ++c) {
      ASSERT_LT(std::abs(found[c] - part * all[c]), 1) << c << " of the first " << k + 1;
    }
  }
}

TEST_P(ClassOrder, EachBeginningHasItsSharesAndIsWellSpaced) {
  const Case& of = GetParam();
  const Points plain = sample(of, false);
  const Points points = sample(of, true);
  std::vector<Row> before = rows_of(plain), after = rows_of(points);
  EXPECT_NE(before, after);
  std::sort(before.begin(), before.end());
  std::sort(after.begin(), after.end());
  EXPECT_EQ(before, after);
  ASSERT_EQ(points.rank.size(), points.size());
  EXPECT_EQ(plain.rank.size(), 0u);
  for (std::size_t i = 0; i < points.size(); ++i) {
    ASSERT_EQ(points.rank[i], static_cast<std::int32_t>(i));
  }
  expect_shares(points.class_id, of.radii.size());
  const auto asked =
      class_distances(old_names::radii_of(options_of(of, true)), of.depth > 0 ? 3 : 2);
  double together = unlimited, alone = unlimited, in_any_order = unlimited;
  for (std::size_t count = points.size(); count >= 16; count = count * 3 / 5) {
    together = std::min(together, spacing_of(points, asked, count));
    in_any_order = std::min(in_any_order, spacing_of(plain, asked, count));
    for (std::size_t c = 0; c < of.radii.size(); ++c) {
      alone = std::min(alone, spacing_alone(points, static_cast<std::int32_t>(c), count));
    }
  }
  EXPECT_GT(together, of.together);
  EXPECT_GT(alone, of.alone);
  EXPECT_LT(in_any_order, 0.35);
}

INSTANTIATE_TEST_SUITE_P(Rooms, ClassOrder, ::testing::ValuesIn(cases),
                         [](const auto& of) { return std::string(of.param.name); });

TEST(ClassTurns, AreWithinAPointOfTheShares) {
  Random random(8, Stream::tests);
  for (int run = 0; run < 60; ++run) {
    std::vector<std::size_t> counts;
    for (int c = 0; c <= run % 9; ++c) counts.push_back(random.below(run % 4 == 0 ? 4 : 300));
    const std::vector<std::int32_t> turns = class_turns(counts);
    std::vector<std::size_t> found(counts.size());
    for (const std::int32_t c : turns) ++found[static_cast<std::size_t>(c)];
    EXPECT_EQ(found, counts);
    expect_shares(turns, counts.size());
  }
}

// Points of one class with a map, around a few fixed points of that class: the first of the new
// points keep far away from these, too.
TEST(ClassOrders, OfMapsKeepTheFirstPointsAwayFromFixedOnes) {
  Context context;
  const Domain domain{120, 120, true};
  const double r = 4;
  const ClassFields classes{{DensityField::constant(domain, r), DensityField::constant(domain, 6)}};
  SampleOptions options;
  options.progressive = true;
  const Points all = sample(domain, classes, options, context);
  Points kept;
  kept.domain = domain;
  for (std::size_t i = 0; i < all.size() / 16; ++i) kept.append(all, i);
  options.keep.points = std::make_shared<const Points>(kept);
  options.only_new = true;
  const Points fresh = sample(domain, classes, options, context);
  const auto nearest = [&](std::size_t first, std::size_t end) {
    double least = 1e9;
    for (std::size_t i = first; i < end; ++i) {
      for (std::size_t k = 0; k < kept.size(); ++k) {
        if (fresh.class_id[i] != 0 || kept.class_id[k] != 0) continue;
        least = std::min(least, domain.distance(fresh[i], kept[k]));
      }
    }
    return least;
  };
  EXPECT_GE(nearest(0, fresh.size()), r);
  EXPECT_GT(nearest(0, fresh.size() / 8), 1.6 * r);
  EXPECT_LT(nearest(fresh.size() / 8, fresh.size()), 1.3 * r);
}

// Kept points are a sixteenth of a set, well spaced themselves.
TEST(ClassOrders, GoOnRoundPointsThatAreThere) {
  const Case& of = cases[0];
  const auto asked = class_distances(old_names::radii_of(options_of(of, true)), 2);
  Points kept;
  kept.domain = domain_of(of);
  const Points all = sample(of, true);
  for (std::size_t i = 0; i < all.size() / 16; ++i) {
    kept.add(all[i], all.radius[i]);
    kept.class_id.push_back(all.class_id[i]);
  }
  for (const bool with_class : {true, false}) {
    if (!with_class) kept.class_id.clear();
    Context context;
    const Points points = sample_classes(domain_of(of), 0, options_of(of, true), 0, context,
                                         {&kept, ConflictRule::mean});
    expect_shares(points.class_id, of.radii.size());
    const auto whole = static_cast<double>(points.size() + kept.size());
    double least = unlimited;
    for (std::size_t count = points.size(); count >= 16; count = count * 3 / 5) {
      double apart = unlimited;
      for (std::size_t i = 0; i < count; ++i) {
        const auto own = static_cast<std::size_t>(points.class_id[i]);
        for (std::size_t k = 0; k < kept.size(); ++k) {
          const double distance = plain_distance(points.domain, points[i], kept[k]);
          const double mean = 0.5 * static_cast<double>(points.radius[i]) +
                              0.5 * static_cast<double>(kept.radius[k]);
          apart = std::min(
              apart, distance / (with_class ? asked[own][static_cast<std::size_t>(kept.class_id[k])]
                                            : mean));
        }
        for (std::size_t j = 0; j < i; ++j) {
          const auto other = static_cast<std::size_t>(points.class_id[j]);
          apart = std::min(apart,
                           plain_distance(points.domain, points[i], points[j]) / asked[own][other]);
        }
      }
      const double part = static_cast<double>(count + kept.size()) / whole;
      least = std::min(least, apart * std::sqrt(part));
    }
    // By radii of their own they claim far more room than classes leave each other.
    EXPECT_GT(least, with_class ? 0.6 : 0.3);
  }
}

TEST(ClassOrders, OnAMeshKeepSharesAndSpacing) {
  const Mesh mesh = torus(60, 30);
  ClassOptions options;
  options.radii = {.3, .12, .06};
  const auto made = [&](bool progressive, int threads, const Mesh& on) {
    Context context;
    context.threads = threads;
    options.progressive = progressive;
    return sample_classes(on, options, 0, {}, context);
  };
  const SurfaceSet set = made(true, 1, mesh);
  const Points& points = set.points;
  expect_shares(points.class_id, 3);
  ASSERT_EQ(points.rank.size(), points.size());
  const auto spacing = [&](const Points& of, std::size_t count) {
    double least = unlimited;
    for (std::size_t i = 0; i < count; ++i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (dot(normal(of, i), normal(of, j)) <= -0.5) continue;
        const double asked = set.radius.classes[static_cast<std::size_t>(of.class_id[i])]
                                               [static_cast<std::size_t>(of.class_id[j])];
        least = std::min(least, length(place(of, i) - place(of, j)) / asked);
      }
    }
    return least * std::sqrt(static_cast<double>(count) / static_cast<double>(of.size()));
  };
  const Points plain = made(false, 1, mesh).points;
  double together = unlimited;
  for (std::size_t count = points.size(); count >= 16; count = count * 3 / 5) {
    together = std::min(together, spacing(points, count));
  }
  EXPECT_GT(together, 0.65);
  EXPECT_LT(spacing(plain, plain.size() / 4), 0.55);
  Context context;
  const Certificate proof = certify(points, mesh, set.radius, {}, context);
  EXPECT_EQ(proof.violations, 0);
  EXPECT_EQ(proof.holes, 0);
  EXPECT_EQ(points.x, made(true, 2, mesh).points.x);
  EXPECT_EQ(points.x, made(true, 7, mesh).points.x);
  EXPECT_EQ(points.x, made(true, 3, in_another_order(mesh).mesh).points.x);
}

}  // namespace
}  // namespace dapple
