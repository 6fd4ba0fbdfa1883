// The parts that relaxation is made of.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <set>
#include <string_view>
#include <vector>

#include "field/blur.hpp"
#include "field/plane_sum.hpp"
#include "relax/cut_pixels.hpp"
#include "relax/density_stack.hpp"
#include "relax/distance_projection.hpp"
#include "relax/dot_boxes.hpp"
#include "relax/dot_classes.hpp"
#include "relax/flow_equation.hpp"
#include "relax/kernel/border_padding.hpp"
#include "relax/kernel/draft_dots.hpp"
#include "relax/kernel/kernel.hpp"
#include "relax/kernel/relaxed_dots.hpp"
#include "relax/spline.hpp"
#include "relax/tone_flow.hpp"
#include "simd_targets.hpp"

namespace dapple {
namespace {

Plane<float> density_of(int width, int height, double (*at)(double, double)) {
  Plane<float> density(width, height);
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      density(x, y) = static_cast<float>(at((x + 0.5) / width, (y + 0.5) / height));
    }
  }
  return density;
}

double even(double, double) {
  return 0.01;
}
double slope(double x, double y) {
  return 0.002 + 0.02 * x + 0.005 * y;
}

TEST(Walk, FollowsTheHilbertCurveOverPixels) {
  // A dot a pixel: the walk comes through neighboring pixels, and each once but for the chance of
  // a share that begins in one pixel and has its dot in the next.
  const Plane<float> density = density_of(64, 64, even);
  Context context;
  const Points dots = walk_dots(density, 64 * 64, context);
  ASSERT_EQ(dots.size(), 4096u);
  for (std::size_t i = 1; i < dots.size(); ++i) {
    const double dx = std::floor(dots.x[i]) - std::floor(dots.x[i - 1]);
    const double dy = std::floor(dots.y[i]) - std::floor(dots.y[i - 1]);
    ASSERT_LE(std::abs(dx) + std::abs(dy), 2) << i;
  }
  EXPECT_LT(dots.x.front(), 2);
  EXPECT_LT(dots.y.front(), 2);
  EXPECT_GT(dots.x.back(), 62);
  EXPECT_LT(dots.y.back(), 2);
}

TEST(Walk, GivesEveryPlaceItsShare) {
  // Wide and tall pictures, tiles and rows of squares: counts of a quarter within a few dots.
  for (const auto& [w, h] : {std::pair{300, 90}, {90, 300}, {1, 50}, {33, 1}, {200, 200}}) {
    const Plane<float> density = density_of(w, h, slope);
    double total = 0;
    double left = 0;
    for (int y = 0; y < h; ++y) {
      for (int x = 0; x < w; ++x) {
        total += static_cast<double>(density(x, y));
        if (2 * x < w) left += static_cast<double>(density(x, y));
      }
    }
    Context context;
    const Points dots = walk_dots(density, 2000, context);
    ASSERT_EQ(dots.size(), 2000u);
    double found = 0;
    const int middle = (w + 1) / 2;
    for (const double x : dots.x) {
      ASSERT_TRUE(x >= 0 && x <= w);
      if (x < middle) ++found;
    }
    EXPECT_NEAR(found, 2000 * left / total, 12) << w << 'x' << h;
  }
}

TEST(Spline, SharesAreMeansOfValues) {
  for (const double a : {3.1, 3.9, 4.0, 4.45}) {
    const double b = a + 0.7;
    const SplineShares shares = spline_over(a, b);
    std::array<double, 4> means{};
    constexpr int steps = 20000;
    for (int i = 0; i < steps; ++i) {
      const SplineWeights at = spline_at(a + (b - a) * (i + 0.5) / steps);
      for (std::size_t k = 0; k < 3; ++k) {
        means.at(static_cast<std::size_t>(at.first - shares.first) + k) += at.value[k] / steps;
      }
    }
    for (std::size_t k = 0; k < 4; ++k) EXPECT_NEAR(shares.value[k], means[k], 1e-7);
  }
}

TEST(Spline, RefinedCellsAreTheSameCurve) {
  Plane<float> coarse(8, 6);
  for (std::size_t i = 0; i < coarse.size(); ++i) {
    coarse.values()[i] = static_cast<float>(std::sin(2.3 * static_cast<double>(i)));
  }
  const Plane<float> fine = refined(coarse);
  const auto read = [](const Plane<float>& cells, double x, double y) {
    const SplineWeights wx = spline_at(x);
    const SplineWeights wy = spline_at(y);
    double sum = 0;
    for (int j = 0; j < 3; ++j) {
      for (int i = 0; i < 3; ++i) {
        sum += wx.value[static_cast<std::size_t>(i)] * wy.value[static_cast<std::size_t>(j)] *
               static_cast<double>(cells(mirrored(wx.first + i, cells.width()),
                                         mirrored(wy.first + j, cells.height())));
      }
    }
    return sum;
  };
  for (const auto& [x, y] : {std::pair{0.1, 0.2}, {3.77, 2.5}, {7.9, 5.95}, {4.0, 3.0}}) {
    EXPECT_NEAR(read(coarse, x, y), read(fine, 2 * x, 2 * y), 1e-6);
  }
}

TEST(DensityStack, SpacingIsAFixedPoint) {
  Context context;
  const Plane<float> density = density_of(200, 160, slope);
  const DensityStack stack(density, 2, 60, context);
  double h = 10;
  const Vec2 p{120, 40};
  for (int i = 0; i < 6; ++i) h = stack.spacing(p, h, 1, 100);
  EXPECT_NEAR(stack.value(h, p) * h * h, 1, 2e-3);
  EXPECT_NEAR(h, 1 / std::sqrt(slope(0.6, 0.25)), 0.05);
  EXPECT_EQ(stack.spacing(p, h, 20, 100), 20);
}

TEST(FlowEquation, SolvesForUnevenDensity) {
  // A known potential, and the source that the same differences make of it.
  constexpr int w = 64;
  constexpr int h = 48;
  Plane<float> density = density_of(w, h, slope);
  Plane<double> potential(w, h);
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) potential(x, y) = std::cos(0.2 * x) * std::cos(0.13 * y);
  }
  Plane<float> source(w, h);
  const auto flux = [&](int x, int y, int u, int v, double cell) {
    if (u < 0 || v < 0 || u >= w || v >= h) return 0.0;
    const double between =
        0.5 * (static_cast<double>(density(x, y)) + static_cast<double>(density(u, v)));
    return between * (potential(u, v) - potential(x, y)) / (cell * cell);
  };
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      source(x, y) = static_cast<float>(flux(x, y, x + 1, y, 2) + flux(x, y, x - 1, y, 2) +
                                        flux(x, y, x, y + 1, 3) + flux(x, y, x, y - 1, 3));
    }
  }
  Context context;
  FlowEquation equation(density, 2, 3, context);
  double error = 0;
  for (const int cycles : {1, 8}) {
    const Plane<float>& found = equation.solve(source, cycles, context);
    double mean = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      mean += static_cast<double>(found.values()[i]) - potential.values()[i];
    }
    mean /= static_cast<double>(found.size());
    const double before = error;
    error = 0;
    for (std::size_t i = 0; i < found.size(); ++i) {
      error = std::max(
          error, std::abs(static_cast<double>(found.values()[i]) - potential.values()[i] - mean));
    }
    EXPECT_LT(error, cycles == 1 ? 0.6 : 0.1 * before);
  }
  EXPECT_LT(error, 0.005);
}

// Dots too dense on the left flow right, and as far as it takes.
TEST(ToneFlow, UndoesAnErrorOverManySpacings) {
  constexpr int side = 240;
  const Plane<float> density = density_of(side, side, even);
  Context context;
  const DensityStack stack(density, 5, 40, context);
  ToneFlow flow(density, stack, 10, 10, 2, context);
  std::vector<Vec2> dots;
  const auto bent = [&](double x) { return x - 4 * std::sin(2 * 3.141592653589793 * x / side); };
  for (int j = 0; j < 24; ++j) {
    for (int i = 0; i < 24; ++i) dots.push_back({bent(10 * i + 5), 10 * j + 5.0});
  }
  const std::vector<Vec2> ways = flow.ways(dots, {}, context);
  double before = 0;
  double after = 0;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const double wanted = 10 * static_cast<double>(i % 24) + 5;
    before += std::pow(dots[i].x - wanted, 2);
    after += std::pow(dots[i].x + ways[i].x - wanted, 2);
    EXPECT_LT(std::abs(ways[i].y), 0.4);
  }
  EXPECT_LT(after, 0.02 * before);
}

TEST(DotBoxes, FindsEveryBlockThatMeets) {
  Context context;
  const Points dots = walk_dots(density_of(300, 200, slope), 3000, context);
  FixedPlaces places;
  for (std::size_t i = 0; i < 3008; ++i) {
    const std::size_t dot = std::min<std::size_t>(i, 2999);
    places.x.push_back(static_cast<std::int32_t>(dots.x[dot] * 1000));
    places.y.push_back(static_cast<std::int32_t>(dots.y[dot] * 1000));
  }
  DotBoxes boxes(3000);
  boxes.update(places);
  const FixedBox box{60000, 50000, 90000, 120000};
  std::vector<std::int32_t> found;
  boxes.find(box, found);
  EXPECT_TRUE(std::is_sorted(found.begin(), found.end()));
  const std::set<std::int32_t> blocks(found.begin(), found.end());
  EXPECT_LT(blocks.size(), 188u);
  for (std::size_t i = 0; i < 3000; ++i) {
    const bool inside = box.meets({places.x[i], places.y[i], places.x[i], places.y[i]});
    EXPECT_TRUE(!inside || blocks.contains(static_cast<std::int32_t>(i / block_dots)));
  }
}

TEST(KeepApart, PartsDotsThatAreTooNear) {
  FixedPlaces dots;
  dots.unit = 0.001;
  const auto add = [&](double x, double y) {
    dots.x.push_back(static_cast<std::int32_t>(x * 1000));
    dots.y.push_back(static_cast<std::int32_t>(y * 1000));
  };
  for (int j = 0; j < 6; ++j) {
    for (int i = 0; i < 6; ++i) add(10 * i + 5, 10 * j + 5);
  }
  dots.x[14] += 6000;  // dot 14 nearly sits on dot 15
  dots.x[7] += 500;    // a little off, and none's fault
  const FixedPlaces before = dots;
  std::vector<std::int32_t> all;
  for (std::int32_t i = 0; i < 36; ++i) all.push_back(i);
  const Surroundings surroundings{[&](std::size_t) { return std::span<const std::int32_t>(all); },
                                  [](Vec2) { return 10.0; }};
  keep_apart({14}, dots, {60, 60, false}, surroundings, 0.7, Context());
  double nearest = 1e9;
  for (std::size_t i = 0; i < 36; ++i) {
    for (std::size_t k = 0; k < i; ++k) {
      nearest = std::min(nearest, std::hypot(dots.x[i] - dots.x[k], dots.y[i] - dots.y[k]) / 1000);
    }
    EXPECT_TRUE(i == 14 || i == 15 || dots.x[i] == before.x[i]) << i;
  }
  EXPECT_GE(nearest, 7);
}

// Classes of an even set: as many as wanted, and those of a class farther from each other than by
// chance.
TEST(DotClasses, AreAsManyAsWantedAndEvenThemselves) {
  const Plane<float> density = density_of(200, 200, even);
  Context context;
  Points dots = walk_dots(density, 2000, context);
  relax_kernel(dots, density, {}, context);
  std::vector<std::vector<float>> shares(3);
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const auto x = static_cast<float>(dots.x[i] / 200);
    shares[0].push_back(0.1f);
    shares[1].push_back(0.6f * x);
    shares[2].push_back(0.9f - 0.6f * x);
  }
  const std::vector<std::int32_t> class_id = dot_classes(dots, shares, context);
  for (std::size_t c = 0; c < 3; ++c) {
    double wanted = 0;
    for (const float share : shares[c]) wanted += static_cast<double>(share);
    const auto found = std::count(class_id.begin(), class_id.end(), static_cast<std::int32_t>(c));
    EXPECT_NEAR(static_cast<double>(found), wanted, 1.5);
  }
  // The mean way to the next of the rarest class, over that of random dots, 0.5 / sqrt(density).
  double sum = 0;
  double count = 0;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (class_id[i] != 0) continue;
    double nearest = 1e9;
    for (std::size_t k = 0; k < dots.size(); ++k) {
      if (k != i && class_id[k] == 0) nearest = std::min(nearest, length(dots[i] - dots[k]));
    }
    sum += nearest;
    ++count;
  }
  EXPECT_GT(sum / count, 1.5 * 0.5 * std::sqrt(40000 / count));
  EXPECT_EQ(dot_classes(dots, {shares[0]}, context), std::vector<std::int32_t>(dots.size(), 0));
}

TEST(Relax, SameDotsOnEveryKindOfVectors) {
  const Plane<float> density = density_of(190, 140, slope);
  for (const double regularity : {0.0, 0.5}) {
    std::vector<double> first;
    for_each_simd_target([&](const char* name) {
      Context context;
      context.threads = 2;
      Points dots = walk_dots(density, 405, context);
      relax_kernel(dots, density, {regularity}, context);
      if (first.empty()) first = dots.x;
      EXPECT_EQ(dots.x, first) << name;
    });
  }
}

// Seen through a Gaussian of one mean spacing, how far dots are from a density, as a share of it.
double worst_tone(const Points& dots, const Plane<float>& density) {
  Plane<float> error(density.width(), density.height());
  for (std::size_t i = 0; i < density.size(); ++i) error.values()[i] = -density.values()[i];
  for (std::size_t i = 0; i < dots.size(); ++i) {
    error(static_cast<int>(dots.x[i]), static_cast<int>(dots.y[i])) += 1;
  }
  const double spacing = std::sqrt(dots.domain.area() / static_cast<double>(dots.size()));
  Context context;
  error = gaussian_blurred(error, 2 * spacing, context);
  double sum = 0;
  for (const float v : error.values()) sum += static_cast<double>(v) * static_cast<double>(v);
  const auto size = static_cast<double>(density.size());
  return std::sqrt(sum / size) * size / static_cast<double>(dots.size());
}

// The share of dots of `after` within .4 spacings of one of `before`, of those left of `limit`.
double stayed(const Points& before, const Points& after, double limit) {
  const PointIndex index(before);
  std::vector<Neighbor> near;
  double stay = 0;
  double all = 0;
  for (std::size_t i = 0; i < after.size(); ++i) {
    if (after.x[i] >= limit) continue;
    ++all;
    index.nearest(after[i], 1, near);
    if (near[0].distance <
        0.4 * std::sqrt(after.domain.area() / static_cast<double>(after.size()))) {
      ++stay;
    }
  }
  return stay / all;
}

constexpr std::int64_t drafted = 1500;

// Scales a density to `drafted` dots.
Plane<float> scaled(Plane<float> density) {
  const auto unit = static_cast<float>(drafted / sum_of(density));
  for (float& d : density.values()) d *= unit;
  return density;
}

// Returns the density after a stroke that doubles it at the right, with as many dots.
Plane<float> brushed_of(Plane<float> density) {
  for (int y = 120; y < 180; ++y) {
    for (int x = 300; x < 360; ++x) density(x, y) *= 2;
  }
  return scaled(std::move(density));
}

TEST(DraftDots, StayWhereNothingChanges) {
  const Plane<float> density = scaled(density_of(400, 300, slope));
  Context context;
  DraftStart start;
  const Points first = draft_dots(density, drafted, {}, start, context);
  ASSERT_EQ(first.size(), drafted);
  validate(first);
  EXPECT_EQ(start.dots.size(), drafted);
  EXPECT_LT(start.density.width(), 400);
  EXPECT_LT(worst_tone(first, density), 0.02);

  // The result is shown by then, whose dots lie well.
  start.dots = walk_dots(start.density, drafted, context);
  relax_kernel(start.dots, start.density, {}, context);
  Points shown = start.dots;
  scale(shown, 400.0 / start.density.width(), 300.0 / start.density.height());
  shown.domain = first.domain;
  const Plane<float> brushed = brushed_of(density);
  const Points second = draft_dots(brushed, drafted, {}, start, context);
  ASSERT_EQ(second.size(), drafted);
  validate(second);
  EXPECT_GT(stayed(shown, second, 250), 0.9);
  EXPECT_LT(worst_tone(second, brushed), 0.02);
  // Fewer dots, and another picture altogether.
  const Points fewer = draft_dots(scaled(density), drafted - 100, {}, start, context);
  EXPECT_EQ(fewer.size(), drafted - 100);
  const Plane<float> other = scaled(
      density_of(400, 300, [](double x, double y) { return x > 0.5 ? 0.001 : 0.001 + 0.1 * y; }));
  const Points anew = draft_dots(other, drafted, {}, start, context);
  EXPECT_EQ(anew.size(), drafted);
  EXPECT_LT(worst_tone(anew, other), 0.05);
  EXPECT_LT(stayed(second, anew, 400), 0.7);
  // The same whatever is done at once.
  DraftStart again;
  context.threads = 1;
  EXPECT_EQ(draft_dots(density, drafted, {}, again, context).x, first.x);
}

TEST(DraftDots, AdjustsManyWithoutRelaxingThem) {
  const Plane<float> density = scaled(density_of(400, 300, slope));
  Context context;
  DraftStart start;
  EXPECT_TRUE(adjusted_dots(density, drafted, start, context).empty()) << "nothing to adjust";
  const Points shown = relaxed_dots(density, drafted, {}, {}, context);
  start = start_from(shown, density, context);
  EXPECT_LT(start.density.width(), 400);
  // The same density keeps every dot. A stroke moves as many dots as it adds.
  EXPECT_GT(stayed(shown, adjusted_dots(density, drafted, start, context), 400), 0.999);
  const Plane<float> brushed = brushed_of(density);
  const Points second = adjusted_dots(brushed, drafted, start, context);
  ASSERT_EQ(second.size(), drafted);
  validate(second);
  EXPECT_GT(stayed(shown, second, 250), 0.9);
  EXPECT_GT(start.unrelaxed, 0);
  // Many small changes add up, and a large one is too much at once.
  const DraftStart last = start;
  int changes = 0;
  for (; changes < 100; ++changes) {
    if (adjusted_dots(changes % 2 == 0 ? density : brushed, drafted, start, context).empty()) break;
  }
  EXPECT_LT(changes, 100);
  start = last;
  const Plane<float> other = scaled(
      density_of(400, 300, [](double x, double y) { return x > 0.5 ? 0.001 : 0.001 + 0.1 * y; }));
  EXPECT_TRUE(adjusted_dots(other, drafted, start, context).empty());
}

// The relaxation is not all: the number stands at 1 once the tone along the rim is even too.
TEST(CutOut, ProgressGoesOnWhileTheRimIsEvened) {
  const Plane<float> density(120, 80, 0.1f);
  Context context;
  std::vector<double> told;
  context.on_progress = [&](std::string_view, double fraction) { told.push_back(fraction); };
  EXPECT_EQ(cut_out_dots(density, 300, {}, {}, context).size(), 300U);
  ASSERT_GE(told.size(), 4U);
  EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
  EXPECT_EQ(told.back(), 1);
  EXPECT_EQ(std::count(told.begin(), told.end(), 1), 1);
  const auto of_rim = std::find_if(told.begin(), told.end(), [](double f) { return f > 0.9; });
  EXPECT_EQ(told.end() - of_rim, 2) << "two steps even the rim";
}

}  // namespace
}  // namespace dapple
