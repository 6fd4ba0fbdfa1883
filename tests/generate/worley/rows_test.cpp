// Cell textures by rows are the whole ones, bit by bit, wherever rows are parted.
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "worley_sets.hpp"

namespace dapple {
namespace {

const std::vector<std::vector<std::string>> sets_of_outputs{
    {"f1"},
    {"f1", "f2", "f3", "f4"},
    {"f8-f1", "2*f1-0.5f3"},
    {"edge", "lines"},
    {"corner", "perimeter", "neighbors", "radius", "uv"},
    {"id", "random", "color", "position"},
    {"vector", "direction"},
    {"height", "slope", "normal"},
};

// Rows parted at tiles, within tiles, and one alone.
void expect_same(const Points& sites, int width, int height, const WorleyOptions& options,
                 const std::string& what) {
  Context context;
  const Image whole = worley(sites, width, height, options, context);
  const ImageRows rows = worley_rows({&sites, 1}, width, height, options, context);
  EXPECT_EQ(rows.width, width);
  EXPECT_EQ(rows.height, height);
  const std::vector<std::vector<int>> parts{{0, 64, 128, height}, {0, 1, 70, 150, height}};
  for (const std::vector<int>& part : parts) {
    for (std::size_t i = 0; i + 1 < part.size(); ++i) {
      const Image strip = rows.rows(part[i], part[i + 1]);
      const Image expected = rows_of(whole, part[i], part[i + 1]);
      ASSERT_EQ(strip.names, expected.names);
      EXPECT_EQ(strip.hints.labels, expected.hints.labels);
      EXPECT_EQ(strip.hints.integers, expected.hints.integers) << what;
      for (std::size_t c = 0; c < strip.channels.size(); ++c) {
        EXPECT_TRUE(strip.channels[c] == expected.channels[c])
            << what << ", " << strip.names[c] << " from row " << part[i];
      }
    }
  }
}

Points uneven(int width, int height, bool wrap) {
  // Most sites in a corner, a void in the rest.
  Points sites = dyadic_sites(3000, width, height, wrap);
  for (std::size_t i = 0; i < sites.size(); ++i) {
    if (i % 50 == 0) continue;
    sites.x[i] = dyadic(sites.x[i] * 0.3);
    sites.y[i] = dyadic(sites.y[i] * 0.4);
  }
  return sites;
}

TEST(WorleyRows, AreThoseOfTheWhole) {
  constexpr int width = 300, height = 210;
  for (const bool wrap : {false, true}) {
    const std::vector<Points> all{dyadic_sites(12, width, height, wrap),
                                  dyadic_sites(2000, width, height, wrap),
                                  uneven(width, height, wrap)};
    for (const Points& sites : all) {
      for (const auto& outputs : sets_of_outputs) {
        WorleyOptions options;
        options.outputs = outputs;
        options.whole_ids = true;
        const std::string what =
            std::to_string(sites.size()) + " sites" + (wrap ? " on the torus" : "");
        expect_same(sites, width, height, options, what);
      }
    }
  }
}

TEST(WorleyRows, OptionsThatBendCellsAreThoseOfTheWhole) {
  constexpr int width = 300, height = 210;
  const Points sites = dyadic_sites(400, width, height, true);
  WorleyOptions options;
  options.outputs = {"f1", "f2", "edge", "id"};
  options.power = 1;
  expect_same(sites, width, height, options, "power");
  options.outputs = {"f1", "height"};
  options.power = 0;
  options.smooth = {6, Unit::px};
  expect_same(sites, width, height, options, "smooth");
  for (const HeightOf of : {HeightOf::f2_f1, HeightOf::edge}) {
    options.smooth = {};
    options.height_of = of;
    options.outputs = {"height", "normal"};
    expect_same(sites, width, height, options, "height-of");
  }
  for (const char* metric : {"manhattan", "chebyshev", "minkowski:3", "minkowski:0.5"}) {
    options.outputs = {"f1", "f2", "id"};
    from_text(metric, options.metric);
    expect_same(sites, width, height, options, metric);
  }
}

TEST(WorleyRows, OctavesAreThoseOfTheWhole) {
  constexpr int width = 200, height = 210;
  const std::vector<Points> octaves{dyadic_sites(50, width, height, true),
                                    dyadic_sites(200, width, height, true)};
  WorleyOptions options;
  options.outputs = {"f2-f1", "edge", "height"};
  options.height_of = HeightOf::edge;
  Context context;
  const Image whole = worley(octaves, width, height, options, context);
  const Image strip = worley_rows(octaves, width, height, options, context).rows(64, 200);
  EXPECT_EQ(strip.channels, rows_of(whole, 64, 200).channels);
}

TEST(WorleyRows, PicturesOfThemAreThoseOfTheWhole) {
  constexpr int width = 100, height = 3000;
  const Points sites = dyadic_sites(900, width, height, true);
  WorleyOptions options;
  options.outputs = {"f1", "f2-f1", "id", "vector", "normal", "position", "slope"};
  WorleyLook look;
  look.curve = 1.5;
  Context context;
  ImageRows rows = worley_rows({&sites, 1}, width, height, options, context);
  rows.step = 128;  // several, with the extremes in different ones
  const Image shown = normalized(worley(sites, width, height, options, context), look);
  const Image strip = normalized(rows, look).rows(100, 1000);
  EXPECT_EQ(strip.channels, rows_of(shown, 100, 1000).channels);
  EXPECT_EQ(strip.metadata, shown.metadata);
  EXPECT_EQ(strip.type, shown.type);
}

TEST(WorleyRows, OutputsOfAllPixelsHaveNone) {
  const Points sites = dyadic_sites(20, 100, 100, true);
  Context context;
  WorleyOptions options;
  EXPECT_TRUE(has_rows(options));
  for (const char* output : {"area", "centroid", "occlusion"}) {
    options.outputs = {output};
    EXPECT_FALSE(has_rows(options)) << output;
    EXPECT_THROW(worley_rows({&sites, 1}, 100, 100, options, context), Error);
  }
  options.outputs = {"lines"};
  EXPECT_TRUE(has_rows(options));
  options.antialias = true;
  EXPECT_FALSE(has_rows(options));
  options = {};
  options.frames = 3;
  EXPECT_FALSE(has_rows(options));
  options = {};
  options.warp = {5, Unit::px};
  EXPECT_FALSE(has_rows(options));
  options = {};
  options.outputs = {"normal"};
  EXPECT_TRUE(has_rows(options));
  options.octaves = 2;
  EXPECT_FALSE(has_rows(options));
}

}  // namespace
}  // namespace dapple
