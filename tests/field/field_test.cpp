// Density fields against brute force: bounds over boxes, slope limits, scaling.
#include "dapple/field.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <limits>

#include "core/random.hpp"
#include "dapple/error.hpp"
#include "field/plane_sum.hpp"

namespace dapple {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();

// Rough: some pixels forbidden, the rest spread over several octaves.
Plane<float> noise(int width, int height, std::uint64_t seed, double forbidden) {
  Random random(seed, Stream::tests);
  Plane<float> map(width, height);
  for (float& value : map.values()) {
    const double r = std::exp2(6 * random.uniform());
    value = random.uniform() < forbidden ? 0.0f : static_cast<float>(r);
  }
  return map;
}

// The bounds by definition: every pixel that shares a place with the half-open box.
RadiusBounds brute_bounds(const Plane<float>& map, const Domain& domain, const Box& box) {
  RadiusBounds bounds{infinity, 0};
  const double sx = domain.width / map.width();
  const double sy = domain.height / map.height();
  const int copies = domain.wrap ? 2 : 0;
  for (int j = -copies; j <= copies; ++j) {
    for (int i = -copies; i <= copies; ++i) {
      for (int y = 0; y < map.height(); ++y) {
        for (int x = 0; x < map.width(); ++x) {
          const double left = i * domain.width + x * sx;
          const double top = j * domain.height + y * sy;
          if (left >= box.x1 || left + sx <= box.x0 || top >= box.y1 || top + sy <= box.y0)
            continue;
          const double r = static_cast<double>(map(x, y));
          if (!(r > 0) || !std::isfinite(r)) continue;
          bounds.min = std::min(bounds.min, r);
          bounds.max = std::max(bounds.max, r);
        }
      }
    }
  }
  return bounds;
}

void check_bounds(int width, int height, bool wrap, double pixel, int boxes) {
  const Plane<float> map = noise(width, height, 7, 0.2);
  const Domain domain{width * pixel, height * pixel, wrap};
  const DensityField field = DensityField::from_radius(map, domain, {});
  Random random(3, Stream::tests);
  for (int i = 0; i < boxes; ++i) {
    Box box;
    // Every size from a fraction of a pixel to more than the domain, half of them on pixel borders.
    const double size = std::exp2(random.uniform() * 8 - 2) * pixel;
    box.x0 = (random.uniform() * 1.6 - 0.3) * domain.width;
    box.y0 = (random.uniform() * 1.6 - 0.3) * domain.height;
    box.x1 = box.x0 + size * (0.2 + random.uniform());
    box.y1 = box.y0 + size * (0.2 + random.uniform());
    if (i % 2 == 0) {
      for (double* side : {&box.x0, &box.y0, &box.x1, &box.y1}) {
        *side = std::floor(*side / pixel) * pixel;
      }
      box.x1 = std::max(box.x1, box.x0 + pixel);
      box.y1 = std::max(box.y1, box.y0 + pixel);
    }
    if (box.width() > 1.9 * domain.width || box.height() > 1.9 * domain.height) continue;
    const RadiusBounds expected = brute_bounds(map, domain, box);
    const RadiusBounds found = field.radius_bounds(box);
    ASSERT_EQ(found.min, expected.min) << box.x0 << ' ' << box.y0 << ' ' << box.x1 << ' ' << box.y1;
    ASSERT_EQ(found.max, expected.max) << box.x0 << ' ' << box.y0 << ' ' << box.x1 << ' ' << box.y1;
  }
}

TEST(DensityField, BoundsAreExactOnAFlatDomain) {
  check_bounds(37, 21, false, 1, 2000);
  check_bounds(64, 64, false, 0.5, 2000);
  check_bounds(1, 9, false, 1, 500);
}

TEST(DensityField, BoundsAreExactOnATorus) {
  check_bounds(37, 21, true, 1, 2000);
  check_bounds(5, 1, true, 4, 500);
}

// With pixels of odd size the borders round; what must hold is that no place of the box is missed.
TEST(DensityField, BoundsHoldWhereverPixelsRound) {
  const Plane<float> map = noise(29, 31, 5, 0.1);
  for (const bool wrap : {false, true}) {
    const Domain domain{10, 7, wrap};
    const DensityField field = DensityField::from_radius(map, domain, {});
    Random random(8, Stream::tests);
    for (int i = 0; i < 20000; ++i) {
      const double x = domain.width * static_cast<double>(random.below(30)) / 29;
      const double y = domain.height * static_cast<double>(random.below(32)) / 31;
      const Box box{x - random.uniform(), y - random.uniform(), x, y};
      const RadiusBounds bounds = field.radius_bounds(box);
      const Vec2 corner{std::nextafter(x, -1.0), std::nextafter(y, -1.0)};
      for (const Vec2 p : {Vec2{box.x0, box.y0}, corner}) {
        const double r = field.radius(p);
        if (r == infinity) continue;
        ASSERT_LE(bounds.min, r);
        ASSERT_GE(bounds.max, r);
      }
    }
  }
}

TEST(DensityField, RadiusAtPlaces) {
  Plane<float> map(3, 2, 1.0f);
  map(0, 0) = 2;
  map(2, 1) = 0;
  const DensityField flat = DensityField::from_radius(map, {3, 2, false}, {});
  EXPECT_EQ(flat.radius({0.999, 0.999}), 2);
  EXPECT_EQ(flat.radius({1, 0}), 1);
  EXPECT_EQ(flat.radius({2.5, 1.5}), infinity);
  EXPECT_EQ(flat.radius({3, 0}), infinity);
  EXPECT_EQ(flat.radius({-1e-9, 0}), infinity);
  EXPECT_EQ(flat.radius({std::nextafter(3.0, 0.0), 0}), 1);
  const DensityField torus = DensityField::from_radius(map, {3, 2, true}, {});
  EXPECT_EQ(torus.radius({3, 0}), 2);
  EXPECT_EQ(torus.radius({-0.5, -0.5}), infinity);
  EXPECT_EQ(torus.radius({-2.5, 2.5}), 2);
  EXPECT_EQ(torus.density({0.5, 0.5}), 0.25);
  EXPECT_EQ(torus.density({2.5, 1.5}), 0);
}

TEST(DensityField, ConstantField) {
  const DensityField field = DensityField::constant({40, 10, false}, 2.5);
  EXPECT_TRUE(field.is_constant());
  EXPECT_EQ(field.radius({39.9, 9.9}), 2.5);
  EXPECT_EQ(field.radius({40, 0}), infinity);
  EXPECT_EQ(field.radius_map(), Plane<float>(1, 1, 2.5f));
  EXPECT_DOUBLE_EQ(field.integral(), 400 / 6.25);
  EXPECT_EQ(field.density({1, 1}), 1);
  const DensityField twice = field.scaled(2);
  EXPECT_EQ(twice.radius({1, 1}), 5);
  EXPECT_DOUBLE_EQ(twice.integral(), 400 / 25.0);
  const RadiusBounds inside = field.radius_bounds({-5, -5, 50, 50});
  EXPECT_EQ(inside.min, 2.5);
  EXPECT_EQ(inside.max, 2.5);
  const RadiusBounds outside = field.radius_bounds({-5, -5, -1, -1});
  EXPECT_EQ(outside.min, infinity);
  EXPECT_EQ(outside.max, 0);
  EXPECT_THROW(DensityField::constant({4, 4, false}, 0), Error);
  EXPECT_THROW(DensityField::constant({4, 4, false}, infinity), Error);
}

TEST(DensityField, RadiusFromDensity) {
  Plane<float> density(4, 1);
  density(0, 0) = 1;
  density(1, 0) = 0.25f;
  density(2, 0) = 4;
  const Domain domain{4, 1, false};
  const DensityField field = DensityField::from_density(density, domain, 3, {});
  EXPECT_EQ(field.radius({0.5, 0.5}), 3);
  EXPECT_EQ(field.radius({1.5, 0.5}), 6);
  EXPECT_EQ(field.radius({2.5, 0.5}), 1.5);
  EXPECT_EQ(field.radius({3.5, 0.5}), infinity);
  EXPECT_EQ(field.density({2.5, 0.5}), 4);
  EXPECT_DOUBLE_EQ(field.integral(), (1 + 0.25 + 4) / 9);
  EXPECT_FALSE(field.is_constant());

  const DensityField clamped = DensityField::from_density(density, domain, 3, {}, 2, 4);
  EXPECT_EQ(clamped.radius({0.5, 0.5}), 3);
  EXPECT_EQ(clamped.radius({1.5, 0.5}), 4);
  EXPECT_EQ(clamped.radius({2.5, 0.5}), 2);
  EXPECT_EQ(clamped.radius({3.5, 0.5}), infinity);
  // Clamps stay where they are when the map is scaled.
  EXPECT_EQ(clamped.scaled(10).radius({2.5, 0.5}), 4);

  EXPECT_THROW(DensityField::from_density(Plane<float>(4, 4), {4, 4, false}, 1, {}), Error);
  density(3, 0) = -1;
  EXPECT_THROW(DensityField::from_density(density, domain, 1, {}), Error);
  density(3, 0) = std::nanf("");
  EXPECT_THROW(DensityField::from_density(density, domain, 1, {}), Error);
}

TEST(DensityField, UniformMapsAreConstant) {
  EXPECT_TRUE(DensityField::from_radius(Plane<float>(5, 4, 2.0f), {5, 4, true}, 1.0).is_constant());
  Plane<float> hole(5, 4, 2.0f);
  hole(3, 3) = 0;
  EXPECT_FALSE(DensityField::from_radius(hole, {5, 4, true}, 1.0).is_constant());
}

// The slope limit, between all pairs of pixel centers in double.
void check_slope(int width, int height, double slope, bool wrap, double forbidden) {
  const Plane<float> given = noise(width, height, 11, forbidden);
  Plane<float> limited = given;
  limit_slope(limited, slope, wrap);
  const Domain domain{static_cast<double>(width), static_cast<double>(height), wrap};
  int lowered = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      const double r = static_cast<double>(limited(x, y));
      if (given(x, y) == 0) {
        ASSERT_EQ(r, 0);
        continue;
      }
      double envelope = infinity;  // the largest function that keeps the limit
      for (int j = 0; j < height; ++j) {
        for (int i = 0; i < width; ++i) {
          if (given(i, j) == 0) continue;
          const double way = slope * domain.distance({x + 0.5, y + 0.5}, {i + 0.5, j + 0.5});
          envelope = std::min(envelope, static_cast<double>(given(i, j)) + way);
          ASSERT_LE(r, (static_cast<double>(limited(i, j)) + way) * (1 + 1e-6));
        }
      }
      ASSERT_LE(r, envelope * (1 + 1e-6));
      ASSERT_GE(r, envelope * 0.973);
      lowered += limited(x, y) < given(x, y);
    }
  }
  EXPECT_GT(lowered, 0);
}

TEST(SlopeLimit, HoldsBetweenAllPixelCenters) {
  check_slope(33, 18, 1, false, 0);
  check_slope(24, 24, 0.3, false, 0.5);
  check_slope(1, 40, 1, false, 0.1);
}

TEST(SlopeLimit, HoldsAcrossTheSeamsOfATorus) {
  check_slope(33, 18, 0.4, true, 0.2);
  check_slope(24, 24, 1, true, 0.9);
  check_slope(3, 2, 0.1, true, 0);
  check_slope(40, 1, 0.5, true, 0.1);
}

TEST(SlopeLimit, OneSpeckInABigPlane) {
  Plane<float> map(101, 101, 1000.0f);
  map(50, 50) = 1;
  limit_slope(map, 1, false);
  for (int y = 0; y < 101; ++y) {
    for (int x = 0; x < 101; ++x) {
      const double exact = 1 + std::hypot(x - 50, y - 50);
      ASSERT_LE(static_cast<double>(map(x, y)), exact * (1 + 1e-6));
      ASSERT_GE(static_cast<double>(map(x, y)), exact * 0.973);
    }
  }
}

TEST(DensityField, SlopeIsMeasuredInUnitsOfTheDomain) {
  Plane<float> map(8, 1, 100.0f);
  map(0, 0) = 1;
  const DensityField field = DensityField::from_radius(map, {80, 10, false}, 1.0);
  EXPECT_NEAR(field.radius({35, 5}), 31, 31 * 0.027);
  EXPECT_LE(field.radius({35, 5}), 31);
  // Scaling comes before the limit: the speck grows, its slope stays.
  EXPECT_NEAR(field.scaled(2).radius({35, 5}), 32, 32 * 0.027);
}

TEST(PlaneSum, ACancelEndsIt) {
  Plane<float> plane(2000, 1000);
  for (std::size_t i = 0; i < plane.size(); ++i)
    plane.values()[i] = 0.1f * static_cast<float>(i % 7);
  Context context;
  EXPECT_EQ(sum_of(plane, context), sum_of(plane));
  context.cancel();
  EXPECT_THROW(sum_of(plane, context), Error);
}

}  // namespace
}  // namespace dapple
