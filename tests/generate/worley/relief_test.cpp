// Smooth distances, gradients, occlusion and exact shares of pixels, against brute force and closed
// forms.
#include <algorithm>
#include <numbers>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "simd_targets.hpp"
#include "worley_sets.hpp"

namespace dapple {
namespace {

constexpr int width = 48;
constexpr int height = 40;

double distance(const Metric& metric, Vec2 d) {
  if (metric == Metric::manhattan) return std::abs(d.x) + std::abs(d.y);
  return length(d);
}

TEST(WorleySmooth, OfOneSiteIsTheDistance) {
  Points sites;
  sites.domain = {width, height, false};
  sites.add({11.25, 7.5}, 1);
  WorleyOptions options;
  const Image plain = texture_of(sites, options);
  options.smooth = {5, Unit::px};
  EXPECT_EQ(texture_of(sites, options).channels, plain.channels);
}

TEST(WorleySmooth, IsTheLogOfTheSumOverAllImages) {
  for (const bool wrap : {true, false}) {
    for (const Metric metric : {Metric(), Metric(Metric::manhattan)}) {
      const Points sites = dyadic_sites(60, width, height, wrap);
      const std::vector<SiteImage> images = images_of(sites);
      WorleyOptions options;
      options.metric = metric;
      options.smooth = {5, Unit::px};
      const Image image = texture_of(sites, options);
      const double k = 4 * std::numbers::ln2 / 5;
      double worst = 0;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          double sum = 0;
          for (const SiteImage& site : images) {
            sum += std::exp(-k * distance(metric, site.at - Vec2{x + 0.5, y + 0.5}));
          }
          const double right = std::max(-std::log(sum) / k, 0.0);
          const double found = image.channels[0](x, y);
          worst = std::max(worst, std::abs(found - right));
        }
      }
      EXPECT_LE(worst, 1e-4) << wrap << to_text(metric);
    }
  }
}

TEST(WorleySmooth, IsTheSameByEverySetOfInstructions) {
  const Points sites = dyadic_sites(60, width, height, true);
  for (const char* metric : {"euclidean", "chebyshev", "minkowski:2.5"}) {
    WorleyOptions options;
    from_text(metric, options.metric);
    options.smooth = {5, Unit::px};
    const Image widest = texture_of(sites, options);
    for_each_simd_target([&](const char* target) {
      EXPECT_EQ(texture_of(sites, options).channels, widest.channels) << metric << target;
    });
  }
}

// Height in double at any place, and 0 beyond the bevel.
struct Heights {
  std::vector<SiteImage> images;
  HeightOf of;
  double bevel;

  double operator()(Vec2 p) const {
    std::vector<double> nearest;
    double f1 = 1e30, f2 = 1e30;
    const SiteImage* owner = nullptr;
    for (const SiteImage& site : images) {
      const double d = length(site.at - p);
      if (d < f1) {
        f1 = d;
        owner = &site;
      }
    }
    double edge = 1e30;
    for (const SiteImage& site : images) {
      if (site.id != owner->id) f2 = std::min(f2, length(site.at - p));
      if (&site == owner) continue;
      edge = std::min(edge,
                      (length_squared(site.at - p) - f1 * f1) / (2 * length(site.at - owner->at)));
    }
    if (of == HeightOf::f1) return -f1;
    if (of == HeightOf::f2_f1) return f2 - f1;
    const double t = std::min(edge / bevel, 1.0);
    return bevel * std::sqrt(1 - (1 - t) * (1 - t));
  }
};

TEST(WorleyRelief, GradientsAreExact) {
  for (const bool wrap : {true, false}) {
    const Points sites = dyadic_sites(60, width, height, wrap);
    for (const HeightOf of : {HeightOf::f1, HeightOf::f2_f1, HeightOf::edge}) {
      WorleyOptions options;
      options.outputs = {"slope", "normal"};
      options.height_of = of;
      options.bevel = {2.5, Unit::px};
      options.normal_strength = 2;
      options.normal_y = NormalY::down;
      const Image image = texture_of(sites, options);
      const Heights heights{images_of(sites), of, 2.5};
      int seen = 0;
      double worst = 0, worst_normal = 0;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          constexpr double step = 1e-5;
          const Vec2 p{x + 0.5, y + 0.5};
          const double here = heights(p);
          const auto rise = [&](Vec2 d) { return (heights(p + d) - here) / step; };
          const Vec2 right{rise({step, 0}), rise({0, step})};
          const Vec2 left{-rise({-step, 0}), -rise({0, -step})};
          // On a crease there is none.
          if (std::abs(right.x - left.x) > 1e-3 || std::abs(right.y - left.y) > 1e-3) continue;
          ++seen;
          worst = std::max({worst, std::abs(channel(image, "slope.x")(x, y) - right.x),
                            std::abs(channel(image, "slope.y")(x, y) - right.y)});
          const double scale = 0.5 / std::sqrt(4 * length_squared(right) + 1);
          worst_normal =
              std::max({worst_normal,
                        std::abs(channel(image, "normal.R")(x, y) - (0.5 - 2 * right.x * scale)),
                        std::abs(channel(image, "normal.G")(x, y) - (0.5 - 2 * right.y * scale)),
                        std::abs(channel(image, "normal.B")(x, y) - (0.5 + scale))});
        }
      }
      EXPECT_GT(seen, width * height * 9 / 10);
      EXPECT_LE(worst, 2e-3);
      EXPECT_LE(worst_normal, 1e-3);
    }
  }
}

TEST(WorleyRelief, OfSmoothHeightsSlopesAreDifferences) {
  const Points sites = dyadic_sites(30, width, height, true);
  WorleyOptions options;
  options.outputs = {"f1", "slope"};
  options.smooth = {6, Unit::px};
  const Image image = texture_of(sites, options);
  const auto height_of = [&](int x, int y) {
    return -channel(image, "F1")((x + width) % width, (y + height) % height);
  };
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      ASSERT_NEAR(channel(image, "slope.x")(x, y),
                  0.5f * (height_of(x + 1, y) - height_of(x - 1, y)), 1e-5f);
      ASSERT_NEAR(channel(image, "slope.y")(x, y),
                  0.5f * (height_of(x, y + 1) - height_of(x, y - 1)), 1e-5f);
    }
  }
}

TEST(WorleyRelief, ProfilesRiseOverTheBevel) {
  const Points sites = dyadic_sites(12, width, height, true);
  WorleyOptions options;
  options.outputs = {"edge", "height"};
  options.height_of = HeightOf::edge;
  options.bevel = {4, Unit::px};
  const auto expected = [](Profile profile, double t) {
    if (profile == Profile::straight) return t;
    if (profile == Profile::smooth) return t * t * (3 - 2 * t);
    if (profile == Profile::hollow) return 1 - std::sqrt(1 - t * t);
    return std::sqrt(t * (2 - t));
  };
  for (const Profile profile :
       {Profile::round, Profile::straight, Profile::smooth, Profile::hollow}) {
    options.profile = profile;
    const Image image = texture_of(sites, options);
    for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
      const double t = std::min(static_cast<double>(image.channels[0].values()[i]) / 4, 1.0);
      ASSERT_NEAR(image.channels[1].values()[i], expected(profile, t), 2e-3);
    }
  }
}

TEST(WorleyRelief, OcclusionOfSlopesAndTops) {
  // One cone whose sides fall by 1 a pixel: uphill the horizon is as high as cos of the angle to
  // it.
  Points sites;
  sites.domain = {200, 200, false};
  sites.add({100.5, 100.5}, 1);
  WorleyOptions options;
  options.outputs = {"occlusion"};
  options.occlusion_radius = {6, Unit::px};
  Image image = texture_of(sites, options);
  EXPECT_FLOAT_EQ(image.channels[0](100, 100), 1);
  EXPECT_NEAR(image.channels[0](190, 100), 0.5 + 0.5 / std::numbers::sqrt2, 0.01);
  // Twice as steep: mean of 1 / (1 + 4 cos^2).
  options.normal_strength = 2;
  image = texture_of(sites, options);
  EXPECT_NEAR(image.channels[0](190, 100), 0.5 + 0.5 / std::sqrt(5.0), 0.01);
  // What is level is open, and cracks are not.
  const Points cells = dyadic_sites(12, width, height, true);
  options.height_of = HeightOf::edge;
  options.bevel = {2, Unit::px};
  options.outputs = {"occlusion", "edge"};
  image = texture_of(cells, options);
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    const float edge = image.channels[1].values()[i];
    const float open = image.channels[0].values()[i];
    EXPECT_TRUE(edge < 2 || open == 1) << open;
    EXPECT_TRUE(edge >= 0.3f || open < 0.8f) << open;
  }
}

TEST(WorleyAntialias, SharesOfALatticeAreExact) {
  // Borders of cells 8 wide lie a quarter into every eighth pixel.
  Points sites;
  sites.domain = {width, height, true};
  for (int j = 0; j < 5; ++j) {
    for (int i = 0; i < 6; ++i) sites.add({8 * i + 4.25, 8 * j + 4.0}, 1);
  }
  WorleyOptions options;
  options.outputs = {"random", "lines"};
  const Image plain = texture_of(sites, options);
  options.antialias = true;
  options.line_width = {1, Unit::px};
  const Image image = texture_of(sites, options);
  const Plane<float>& random = channel(image, "random");
  const Plane<float>& lines = channel(image, "lines");
  for (int y = 0; y < height; ++y) {
    const float across = y % 8 == 0 || y % 8 == 7 ? 0.5f : 1.0f;
    for (int x = 0; x < width; ++x) {
      const auto cell = [&](int at) { return channel(plain, "random")((at + width) % width, y); };
      const float right = x % 8 == 0 ? 0.25f * cell(x - 4) + 0.75f * cell(x + 4) : cell(x);
      ASSERT_NEAR(random(x, y), right, 1e-6f) << x << " " << y;
      // The crack from -.25 to .75 of the pixel, and the next quarter.
      const float along = x % 8 == 0 ? 0.25f : x % 8 == 7 ? 0.75f : 1.0f;
      ASSERT_NEAR(lines(x, y), along * across, 1e-6f) << x << " " << y;
    }
  }
}

TEST(WorleyAntialias, SharesAreThoseOfManySamples) {
  constexpr int samples = 32;
  for (const bool wrap : {true, false}) {
    const Points sites = dyadic_sites(80, width, height, wrap);
    WorleyOptions options;
    options.outputs = {"random", "color", "lines"};
    options.antialias = true;
    options.line_width = {1.5, Unit::px};
    const Image image = texture_of(sites, options);
    options.antialias = false;
    options.outputs = {"random", "color", "edge"};
    Context context;
    const Image fine = worley(sites, width * samples, height * samples, options, context);
    for (std::size_t c = 0; c < 5; ++c) {
      double worst = 0;
      for (int y = 0; y < height; ++y) {
        for (int x = 0; x < width; ++x) {
          double sum = 0;
          for (int v = 0; v < samples; ++v) {
            for (int u = 0; u < samples; ++u) {
              const float value = fine.channels[c](x * samples + u, y * samples + v);
              sum += c < 4 ? static_cast<double>(value) : value > 0.75f * samples ? 1 : 0;
            }
          }
          const double found = image.channels[c](x, y);
          worst = std::max(worst, std::abs(found - sum / (samples * samples)));
        }
      }
      EXPECT_LE(worst, 0.02) << image.names[c] << (wrap ? ", torus" : ", flat");
    }
  }
}

TEST(WorleyAntialias, NeedsStraightCells) {
  WorleyOptions options;
  options.outputs = {"random"};
  options.antialias = true;
  options.warp = {3, Unit::px};
  EXPECT_THROW(texture_of(dyadic_sites(5, width, height, true), options), Error);
  options.warp = {};
  options.metric = Metric::chebyshev;
  EXPECT_THROW(texture_of(dyadic_sites(5, width, height, true), options), Error);
}

}  // namespace
}  // namespace dapple
