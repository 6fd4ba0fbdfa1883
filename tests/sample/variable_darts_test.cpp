// Darts whose radius varies: the same on every processor, and as dense as the map asks for.
#include "brute_force.hpp"
#include "fields.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

TEST(VariableDarts, AreTheSameWithEveryKindOfVectorCode) {
  const DensityField smooth = radii(160, 120, true, 1.0, [](double x, double y) {
    return 0.5 * std::pow(30, (1 + std::sin(x / 25) * std::cos(y / 19)) / 2);
  });
  const DensityField jump =
      radii(90, 60, false, std::nullopt, [](double x, double) { return x < 45 ? 0.4 : 4; });
  for (const DensityField& f : {smooth, jump}) {
    for (const ConflictRule rule : {ConflictRule::mean, ConflictRule::min}) {
      SampleOptions options;
      options.conflict = rule;
      const Points points = run(f, options);
      int targets = 0;
      for_each_simd_target([&](const char* name) {
        const Points other = run(f, options);
        EXPECT_EQ(other.x, points.x) << name;
        EXPECT_EQ(other.y, points.y) << name;
        ++targets;
      });
      EXPECT_GT(targets, 1);
    }
  }
}

// Packing does not depend on density: the field in ten bands that should hold as many points each,
// of a torus, as borders pack closer.
TEST(VariableDarts, PackEveryDensityAlike) {
  const DensityField f = radii(512, 512, true, 1.0, [](double x, double y) {
    const double wave = 2 * std::numbers::pi / 512;
    return 0.15 * std::pow(1000, (2 + std::sin(wave * x) + std::sin(wave * y)) / 4);
  });
  const Points points = run(f, {});
  std::vector<double> radius;
  for (const float r : f.radius_map().values()) radius.push_back(static_cast<double>(r));
  std::sort(radius.begin(), radius.end());
  std::vector<double> upper;
  std::vector<double> expected(10, 0.0);
  double sum = 0;
  for (const double r : radius) {
    sum += 1 / (r * r);
    expected[upper.size()] += 1 / (r * r);
    const double bound = f.integral() * static_cast<double>(upper.size() + 1) / 10;
    if (upper.size() < 9 && sum >= bound) upper.push_back(r);
  }
  std::vector<double> kappa(10, 0.0);
  for (const float r : points.radius) {
    const auto band = std::lower_bound(upper.begin(), upper.end(), static_cast<double>(r));
    ++kappa[static_cast<std::size_t>(band - upper.begin())];
  }
  double mean = 0;
  for (std::size_t b = 0; b < 10; ++b) {
    kappa[b] /= expected[b];
    mean += kappa[b] / 10;
  }
  double square = 0;
  for (const double k : kappa) square += (k - mean) * (k - mean) / 10;
  EXPECT_LT(std::sqrt(square) / mean, 0.003);
  EXPECT_NEAR(mean, 0.701, 0.003);
}

// Both sides of a jump of 10:1 are as dense within one large r of it as they are far away.
TEST(VariableDarts, KeepTheDensityBesideAHardEdge) {
  constexpr int seeds = 24;
  const DensityField f =
      radii(130, 2000, true, std::nullopt, [](double x, double) { return x < 100 ? 10 : 1; });
  double light_near = 0;
  double light_far = 0;
  double dark_near = 0;
  double dark_far = 0;
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    const Points points = run(f, {}, 0, seed);
    for (const double x : points.x) {
      if (x < 100) {
        const double away = std::min(x, 100 - x);
        light_near += away < 10 ? 1 : 0;
        light_far += away > 30 ? 1 : 0;
      } else {
        const double away = std::min(x - 100, 130 - x);
        (away < 10 ? dark_near : dark_far) += 1;
      }
    }
  }
  // Areas: 20 of 40 columns, 20 of 10.
  EXPECT_NEAR(light_near / light_far, 0.5, 0.5 * 0.03);
  EXPECT_NEAR(dark_near / dark_far, 2, 2 * 0.03);
}

// Power in each of eight directions, where it rises to its first peak, of small windows in which
// the radius hardly changes, each at its own scale. In dB above the mean of all, the largest;
// `stretch` along x makes a direction.
double strongest_direction(const DensityField& field, double stretch) {
  constexpr int directions = 8;
  constexpr double half = 9;  // of a window, in r
  std::array<double, directions> power{};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const Points points = run(field, {}, 0, seed);
    const PointIndex index(points);
    std::vector<Neighbor> found;
    for (double x = 40; x < field.domain().width - 40; x += 40) {
      const double r = field.radius({x, 1});
      for (double y = half * r; y < field.domain().height - half * r; y += 2 * half * r) {
        index.within({x, y}, half * r, found);
        for (int d = 0; d < directions; ++d) {
          const double angle = std::numbers::pi * d / directions;
          for (int k = 0; k < 8; ++k) {
            const double f = 2 * std::numbers::pi * (0.65 + 0.04 * k) / r;
            double real = 0;
            double imaginary = 0;
            for (const Neighbor& n : found) {
              const Vec2 at = points[static_cast<std::size_t>(n.index)] - Vec2{x, y};
              const double fade = std::cos(0.5 * std::numbers::pi * n.distance / (half * r));
              const double phase = f * (stretch * at.x * std::cos(angle) + at.y * std::sin(angle));
              real += fade * fade * std::cos(phase);
              imaginary += fade * fade * std::sin(phase);
            }
            power[static_cast<std::size_t>(d)] +=
                (real * real + imaginary * imaginary) / static_cast<double>(found.size());
          }
        }
      }
    }
  }
  double mean = 0;
  for (const double p : power) mean += p / directions;
  double worst = 0;
  for (const double p : power) worst = std::max(worst, std::abs(10 * std::log10(p / mean)));
  return worst;
}

TEST(VariableDarts, PreferNoDirectionAtAnyDensity) {
  const DensityField f =
      radii(1000, 120, false, 1.0, [](double x, double) { return 0.6 * std::pow(6, x / 1000); });
  EXPECT_LT(strongest_direction(f, 1), 0.3);
  EXPECT_GT(strongest_direction(f, 1.1), 0.3);
}

}  // namespace
}  // namespace dapple
