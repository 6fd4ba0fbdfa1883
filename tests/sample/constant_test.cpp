// Darts of one radius: the same points whichever vector code makes them and however the plane is
// cut up, and no trace of the lattice of cells in where they are.
#include "sample/darts/constant.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

Points sample_torus(double side, double radius, std::uint64_t seed, int threads) {
  Context context;
  context.seed = seed;
  context.threads = threads;
  return sample(DensityField::constant({side, side, true}, radius), {}, 0, context);
}

TEST(ConstantDarts, AreTheSameFromAnyVectorCode) {
  const Points expected = sample_torus(150, 1.3, 5, 1);
  int targets = 0;
  for_each_simd_target([&](const char* name) {
    SCOPED_TRACE(name);
    const Points points = sample_torus(150, 1.3, 5, 1);
    EXPECT_EQ(points.x, expected.x);
    EXPECT_EQ(points.y, expected.y);
    ++targets;
  });
  EXPECT_GE(targets, 2);
}

TEST(ConstantDarts, AreTheSameFromAnyNumberOfBands) {
  // Enough rows of cells for three bands.
  const Points one = sample_torus(1200, 1, 3, 1);
  for (const int threads : {2, 3, 64}) {
    const Points other = sample_torus(1200, 1, 3, threads);
    EXPECT_EQ(other.x, one.x);
    EXPECT_EQ(other.y, one.y);
  }
}

using Places = std::vector<std::array<double, 2>>;

Places places_of(const constant::CellRange& range, std::uint64_t seed) {
  std::vector<double> x;
  std::vector<double> y;
  constant::Rows rows(constant::endless_lattice(1), range, seed);
  while (rows.next(x, y)) {
  }
  Places places;
  for (std::size_t i = 0; i < x.size(); ++i) places.push_back({x[i], y[i]});
  std::sort(places.begin(), places.end());
  return places;
}

TEST(ConstantDarts, APartOfThePlaneIsCutOutOfAnyLarger) {
  const constant::CellRange all{-70, -90, 130, 80};
  const double cell = constant::endless_lattice(1).cell_width;
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Places plane = places_of(all, seed);
    for (const constant::CellRange& part : {constant::CellRange{-3, -2, 9, 11},
                                            {0, 0, 1, 1},
                                            {-70, -90, -60, -89},
                                            {90, 60, 130, 80}}) {
      Places expected;
      for (const auto& [x, y] : plane) {
        if (x >= static_cast<double>(part.x0) * cell && x < static_cast<double>(part.x1) * cell &&
            y >= static_cast<double>(part.y0) * cell && y < static_cast<double>(part.y1) * cell) {
          expected.push_back({x, y});
        }
      }
      EXPECT_EQ(places_of(part, seed), expected);
    }
  }
}

// Counts over places in a period of cells. Sets with blue noise vary less than a Poisson process of
// the same density, so its chi-square is a bound.
double chi_square(const std::vector<double>& v, double period, std::size_t bins) {
  std::vector<double> counts(bins);
  for (const double at : v) {
    const double part = at / period - std::floor(at / period);
    ++counts[std::min(bins - 1, static_cast<std::size_t>(part * static_cast<double>(bins)))];
  }
  const double expected = static_cast<double>(v.size()) / static_cast<double>(bins);
  double sum = 0;
  for (const double c : counts) sum += (c - expected) * (c - expected) / expected;
  return sum;
}

TEST(ConstantDarts, HaveNoPreferenceForRowsOfCells) {
  // The last passes go over every third row and column of cells: nothing of that may show.
  constexpr double side = 1500;
  const Points points = sample_torus(side, 2, 1, 2);
  constant::Lattice lattice;
  ASSERT_TRUE(constant::lattice_of({side, side, true}, 2, lattice));
  const double cell = lattice.cell_width;
  for (const auto& v : {points.x, points.y}) {
    EXPECT_LT(chi_square(v, 3 * cell, 3), 13.8);  // 2 degrees of freedom, 1 in 1000
    // Within a cell density is even up to 2 %.
    std::array<double, 8> parts{};
    for (const double at : v) {
      parts[static_cast<std::size_t>(8 * (at / cell - std::floor(at / cell))) % 8] += 1;
    }
    for (const double n : parts) EXPECT_NEAR(8 * n / static_cast<double>(v.size()), 1, 0.02);
  }
}

TEST(ConstantDarts, ChiSquareSeesAPreference) {
  std::vector<double> v;
  for (int i = 0; i < 300000; ++i) v.push_back(i % 100 == 0 ? 3.0 * i : i);
  EXPECT_GT(chi_square(v, 3, 3), 13.8);
}

TEST(ConstantDarts, AreExactAndMaximalInCellsOfAnyShape) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    for (const bool wrap : {false, true}) {
      Context context;
      context.seed = seed;
      // Cells of another shape than square, more and less than r / sqrt(2).
      const DensityField field =
          DensityField::constant({70.0 + 0.37 * static_cast<double>(seed), 61, wrap}, 1.7);
      const Points points = sample(field.domain(), field, {}, context);
      const Certificate proof = certify(points, field, ConflictRule::mean, context);
      EXPECT_EQ(proof.violations, 0) << seed;
      EXPECT_TRUE(proof.maximal()) << seed << ": " << proof.hole;
    }
  }
}

TEST(ConstantDarts, AreExactAndMaximalWhereANarrowTorusCloses) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    Context context;
    context.seed = seed;
    const DensityField field = DensityField::constant({18, 900, true}, 2);
    const Points points = sample(field.domain(), field, {}, context);
    const Certificate proof = certify(points, field, ConflictRule::mean, context);
    EXPECT_EQ(proof.violations, 0) << seed;
    EXPECT_TRUE(proof.maximal()) << seed << ": " << proof.hole;
  }
}

// ---- windows of an endless plane ----

using SortedPlaces = std::vector<std::pair<double, double>>;

SortedPlaces window_points(double radius, const Box& window, int threads) {
  Context context;
  context.threads = threads;
  EndlessPoints endless(radius, window, context);
  SortedPlaces all;
  for (std::vector<Vec2> strip; endless.next(strip);) {
    for (const Vec2 p : strip) all.emplace_back(p.x, p.y);
  }
  std::sort(all.begin(), all.end());
  return all;
}

TEST(EndlessPoints, AWindowIsCutOutOfAnyLarger) {
  const Box large{-61.7, -840, 95.3, 822.4};
  for (const int threads : {1, 2, 5}) {
    const SortedPlaces plane = window_points(0.93, large, threads);
    for (const Box& window : {Box{-61.7, -840, 95.3, 822.4},
                              {-10, -10, 13.5, 9.25},
                              {0, 0, 0.5, 0.25},
                              {90, 700.125, 95, 705}}) {
      SortedPlaces expected;
      for (const auto& [x, y] : plane) {
        if (window.contains({x, y})) expected.emplace_back(x, y);
      }
      EXPECT_EQ(window_points(0.93, window, 1), expected);
    }
  }
}

TEST(EndlessPoints, KeepTheirDistanceAndLeaveNoGap) {
  Context context;
  const double r = 2.5;
  const Box window{-200, 300, -80, 410};
  const Points points = sample_window(r, window, context);
  EXPECT_EQ(points.origin.x, window.x0);
  EXPECT_EQ(points.domain, (Domain{120, 110, false}));
  const Certificate proof =
      certify(points, DensityField::constant(points.domain, r), ConflictRule::mean, context);
  EXPECT_EQ(proof.violations, 0);
  // Points beyond the border cover what is near it: a finer grid than any gap, away from there.
  for (double y = r; y < points.domain.height - r; y += 0.2) {
    for (double x = r; x < points.domain.width - r; x += 0.2) {
      double nearest = 1e9;
      for (std::size_t i = 0; i < points.size(); ++i) {
        nearest = std::min(nearest, length_squared(points[i] - Vec2{x, y}));
      }
      ASSERT_LT(nearest, r * r * (1 + 1e-5)) << x << ", " << y;
    }
  }
}

TEST(EndlessPoints, RefuseWhatIsNoWindow) {
  Context context;
  const auto kind_of = [&](double radius, const Box& window) {
    try {
      EndlessPoints(radius, window, context);
    } catch (const Error& error) {
      return error.kind();
    }
    return ErrorKind::internal;
  };
  EXPECT_EQ(kind_of(0, {0, 0, 1, 1}), ErrorKind::usage);
  EXPECT_EQ(kind_of(1, {0, 0, 0, 1}), ErrorKind::usage);
  EXPECT_EQ(kind_of(1, {0, 0, std::nan(""), 1}), ErrorKind::usage);
  EXPECT_EQ(kind_of(1, {0, 0, 1e7, 1}), ErrorKind::usage);
}

}  // namespace
}  // namespace dapple
