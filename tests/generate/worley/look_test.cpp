// Cell textures as pictures: levels, gradients, lines, relief, octaves, smooth and warp.
#include <cmath>
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/worley.hpp"

namespace dapple {
namespace {

constexpr int width = 64;
constexpr int height = 48;

Points make_sites(int count, std::uint64_t place = 0, bool wrap = true) {
  Points sites;
  sites.domain = {width, height, wrap};
  Random random(3, Stream::tests, place);
  for (int i = 0; i < count; ++i) {
    const double x = random.uniform() * width;
    const double y = random.uniform() * height;
    sites.add({x, y}, 1);
  }
  return sites;
}

Image picture(const Points& sites, const WorleyOptions& options, const WorleyLook& look) {
  Context context;
  return worley_picture({&sites, 1}, width, height, options, look, context);
}

Image texture(std::span<const Points> octaves, const WorleyOptions& options) {
  Context context;
  return worley(octaves, width, height, options, context);
}

TEST(WorleyLook, GradientEndsAreTheColorsGiven) {
  const Points sites = make_sites(20);
  WorleyOptions options;
  WorleyLook look;
  look.gradient = {"#204060", "#c08040"};
  from_text("1000:2000", look.levels);
  const Image low = picture(sites, options, look);
  look.invert_output = true;
  const Image high = picture(sites, options, look);
  ASSERT_EQ(low.names, (std::vector<std::string>{"R", "G", "B"}));
  EXPECT_EQ(low.encoding, Encoding::srgb);
  const float from[3] = {0x20, 0x40, 0x60};
  const float to[3] = {0xc0, 0x80, 0x40};
  for (std::size_t c = 0; c < 3; ++c) {
    for (const float v : low.channels[c].values()) ASSERT_NEAR(v * 255, from[c], 0.3);
    for (const float v : high.channels[c].values()) ASSERT_NEAR(v * 255, to[c], 0.3);
  }
}

TEST(WorleyLook, LinesHaveTheirWidth) {
  Points sites;
  sites.domain = {width, height, false};
  sites.add({22, 24}, 1);
  sites.add({42, 24}, 1);  // border at x = 32
  WorleyOptions options;
  from_text("6", options.line_width);
  WorleyLook look;
  look.color_of = "random";
  look.gradient = {"white"};
  look.line_color = "black";
  const Image image = picture(sites, options, look);
  double ink = 0;  // in linear light, of one row
  for (int x = 0; x < width; ++x) {
    ink += 1 - static_cast<double>(srgb_to_linear(image.channels[0](x, 5)));
  }
  EXPECT_NEAR(ink, 6, 0.01);
  EXPECT_NEAR(image.channels[0](31, 5), 0, 1e-6);
  EXPECT_NEAR(image.channels[0](26, 5), 1, 1e-3);
}

TEST(WorleyLook, ReliefIsLitFromTheTopLeft) {
  Points sites;
  sites.domain = {width, height, false};
  sites.add({32, 24}, 1);
  WorleyOptions options;  // a cone
  WorleyLook look;
  look.gradient = {"#808080"};
  look.relief = 1;
  const Image image = picture(sites, options, look);
  EXPECT_GT(image.channels[0](22, 14), image.channels[0](42, 14));
  EXPECT_GT(image.channels[0](22, 14), image.channels[0](22, 34));
  EXPECT_GT(image.channels[0](42, 14), image.channels[0](42, 34));
}

TEST(WorleyLook, LevelsAndCurveOfData) {
  const Points sites = make_sites(20);
  const Image raw = texture({&sites, 1}, {});
  WorleyLook look;
  from_text("2:6", look.levels);
  look.curve = 2;
  const Image graded = normalized(raw, look);
  const auto wanted = [](float f1) { return std::sqrt(std::clamp((f1 - 2.0f) / 4, 0.0f, 1.0f)); };
  for (std::size_t i = 0; i < raw.channels[0].size(); ++i) {
    ASSERT_NEAR(graded.channels[0].values()[i], wanted(raw.channels[0].values()[i]), 1e-5);
  }
  EXPECT_EQ(graded.metadata.at(0).second, "2..6 px, to the power of 0.5");
  from_text("6:6", look.levels);
  EXPECT_THROW(normalized(raw, look), Error);
}

TEST(WorleyLook, OctavesAddUp) {
  const std::vector<Points> octaves = {make_sites(10), make_sites(40, 1), make_sites(160, 2)};
  WorleyOptions options;
  options.outputs = {"f1", "f2"};
  options.roughness = 0.25;
  const Image sum = texture(octaves, options);
  std::vector<Image> alone;
  for (const Points& sites : octaves) alone.push_back(texture({&sites, 1}, options));
  for (std::size_t c = 0; c < 2; ++c) {
    for (std::size_t i = 0; i < sum.channels[c].size(); ++i) {
      const auto at = [&](std::size_t k) { return alone[k].channels[c].values()[i]; };
      ASSERT_NEAR(sum.channels[c].values()[i], at(0) + 0.5 * at(1) + 0.25 * at(2), 1e-4);
    }
  }
}

TEST(WorleyLook, OctavesHaveFourTimesTheSites) {
  SiteOptions options;
  options.size = {width, height};
  options.method = SampleMethod::jittered;
  FieldOptions field;
  field.count = 30;
  Context context;
  const std::uint64_t seed = context.seed;
  const std::vector<Points> octaves = worley_octaves(options, 3, field, context);
  ASSERT_EQ(octaves.size(), 3u);
  EXPECT_EQ(octaves[0].size(), 30u);
  EXPECT_EQ(octaves[1].size(), 120u);
  EXPECT_EQ(octaves[2].size(), 480u);
  EXPECT_EQ(context.seed, seed);
}

TEST(WorleyLook, SmoothStaysCloseAndNeverAbove) {
  const Points sites = make_sites(20);
  WorleyOptions options;
  const Image sharp = texture({&sites, 1}, options);
  from_text("4", options.smooth);
  const Image smooth = texture({&sites, 1}, options);
  int lower = 0;
  for (std::size_t i = 0; i < sharp.channels[0].size(); ++i) {
    const float a = sharp.channels[0].values()[i];
    const float b = smooth.channels[0].values()[i];
    ASSERT_LE(b, a);
    // As if all 20 sites were equally near.
    ASSERT_GE(b, std::max(a - 4 * std::log2(20.0f) / 4, 0.0f));
    lower += b < a ? 1 : 0;
  }
  EXPECT_GT(lower, width * height / 20);
}

TEST(WorleyLook, WarpTilesAndKeepsItsReach) {
  const Points sites = make_sites(20);
  WorleyOptions options;
  options.outputs = {"f1", "id"};
  const Image straight = texture({&sites, 1}, options);
  from_text("5", options.warp);
  const Image bent = texture({&sites, 1}, options);
  EXPECT_NE(bent.channels, straight.channels);
  // F1 changes by at most 1 a pixel, and a bend is at most 5 along each axis; the steps over the
  // seam are no larger than elsewhere.
  const auto step = [&](int x, int y, int u, int v) {
    return std::abs(bent.channels[0](x, y) - bent.channels[0](u, v));
  };
  float inside = 0;
  float seam = 0;
  for (int y = 0; y < height; ++y) {
    for (int x = 0; x < width; ++x) {
      ASSERT_LE(std::abs(bent.channels[0](x, y) - straight.channels[0](x, y)), 5 * 1.4143f);
      (x + 1 < width ? inside : seam) =
          std::max(x + 1 < width ? inside : seam, step(x, y, (x + 1) % width, y));
      (y + 1 < height ? inside : seam) =
          std::max(y + 1 < height ? inside : seam, step(x, y, x, (y + 1) % height));
    }
  }
  EXPECT_LE(seam, inside * 1.2f);
}

TEST(WorleyLook, ThreadsDoNotMatter) {
  const std::vector<Points> octaves = {make_sites(40), make_sites(160, 1)};
  WorleyOptions options;
  options.height_of = HeightOf::edge;
  from_text("3", options.warp);
  from_text("3", options.smooth);
  WorleyLook look;
  look.color_of = "edge";
  look.gradient = {"#102030", "#f0e0d0"};
  look.variation = 0.5;
  look.line_color = "red";
  look.relief = 1;
  look.gloss = 0.5;
  std::vector<Image> images;
  for (const int threads : {1, 2, 7}) {
    Context context;
    context.threads = threads;
    images.push_back(worley_picture(octaves, width, height, options, look, context));
  }
  EXPECT_EQ(images[1].channels, images[0].channels);
  EXPECT_EQ(images[2].channels, images[0].channels);
}

}  // namespace
}  // namespace dapple
