// Distances to borders where cells have few pixels, which are found block by block, and beside
// those that are cut out, against a scan of all sites in double.
#include <cmath>
#include <gtest/gtest.h>
#include <string>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/worley.hpp"
#include "generate/worley/edge_block.hpp"
#include "simd_targets.hpp"
#include "worley_sets.hpp"

namespace dapple {
using namespace cells;
namespace {

Points make_set(const std::string& name, bool wrap, int w, int h) {
  Points sites;
  sites.domain = {static_cast<double>(w), static_cast<double>(h), wrap};
  Random random(11, Stream::tests);
  const auto add = [&](double x, double y) {
    if (sites.domain.contains({x, y})) sites.add({x, y}, 1);
  };
  const auto add_random = [&](int n, double x0, double y0, double size_x, double size_y) {
    for (int i = 0; i < n; ++i) {
      const double x = dyadic(x0 + random.uniform() * size_x);
      add(x, dyadic(y0 + random.uniform() * size_y));
    }
  };
  if (name == "fine" || name == "void") {  // 1.5 px a cell, and nothing beside
    for (double x = 0; x < (name == "fine" ? w : 0.4 * w); x += 1.5) {
      for (double y = 0; y < h; y += 1.5) add_random(1, x, y, 1.5, 1.5);
    }
    add_random(2, 0, 0, w, h);
  } else if (name == "finest") {  // many cells a pixel
    add_random(3 * w * h, 0, 0, w, h);
  } else if (name == "graded") {  // spacing from 1 to 9 px
    for (double x = 0, step = 1; x < w; x += step, step = std::min(1.15 * step, 9.0)) {
      for (double y = 0; y < h; y += step) add_random(1, x, y, step, step);
    }
  } else if (name == "lattice") {  // every other pixel on a border
    for (int j = 0; 2 * j < h; ++j) {
      for (int i = 0; 2 * i < w; ++i) add(2 * i + 0.5, 2 * j + 0.5);
    }
  } else if (name == "doubled") {  // two at each place, and some as near as can be told apart
    for (int k = 0; k < 2; ++k) {
      Random again(12, Stream::tests);
      for (int i = 0; i < w * h / 3; ++i) {
        const double x = dyadic(again.uniform() * w);
        add(i % 5 == 0 ? x + k * 0x1p-16 : x, dyadic(again.uniform() * h));
      }
    }
  } else if (name == "few") {  // too far apart for blocks
    add_random(w * h / 1500 + 4, 0, 0, w, h);
  }
  return sites;
}

Plane<float> edges_of(const Points& sites, int threads = 0) {
  WorleyOptions options;
  options.outputs = {"edge"};
  Context context;
  context.threads = threads;
  return worley(sites, static_cast<int>(sites.domain.width), static_cast<int>(sites.domain.height),
                options, context)
      .channels[0];
}

double edge_distance(const std::vector<Vec2>& images, Vec2 at) {
  Vec2 owner = images[0];
  for (const Vec2 p : images) {
    if (length_squared(p - at) < length_squared(owner - at)) owner = p;
  }
  double least = 1e30;
  for (const Vec2 p : images) {
    if (p == owner) continue;
    const double further = length_squared(p - at) - length_squared(owner - at);
    least = std::min(least, further / (2 * length(p - owner)));
  }
  return least;
}

void expect_edges(const std::string& name, bool wrap, int w, int h) {
  const Points sites = make_set(name, wrap, w, h);
  std::vector<Vec2> images;
  const int reach = wrap ? 1 : 0;
  for (std::size_t i = 0; i < sites.size(); ++i) {
    for (int v = -reach; v <= reach; ++v) {
      for (int u = -reach; u <= reach; ++u) {
        images.push_back(sites[i] + Vec2{1.0 * u * w, 1.0 * v * h});
      }
    }
  }
  const Plane<float> edges = edges_of(sites);
  double worst = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) {
      const double right = edge_distance(images, {x + 0.5, y + 0.5});
      worst = std::max(worst, std::abs(static_cast<double>(edges(x, y)) - right));
      if (right < 0.9e-6) {
        EXPECT_EQ(edges(x, y), 0);
      } else if (right > 1.1e-6) {
        EXPECT_GT(edges(x, y), 0);
      }
    }
  }
  EXPECT_LE(worst, 1e-4) << w << "x" << h << (wrap ? ", torus" : ", flat");
}

class WorleyEdges : public ::testing::TestWithParam<std::string> {};

TEST_P(WorleyEdges, AreThoseOfBruteForce) {
  for (const bool wrap : {true, false}) expect_edges(GetParam(), wrap, 50, 38);
}

TEST_P(WorleyEdges, RowsAndColumnsAreEnough) {
  expect_edges(GetParam(), false, 150, 1);
  expect_edges(GetParam(), false, 1, 150);
  expect_edges(GetParam(), true, 70, 9);
}

TEST_P(WorleyEdges, TheSeamCannotBeSeen) {
  constexpr int w = 90, h = 70, dx = 21, dy = 11;
  const Points sites = make_set(GetParam(), true, w, h);
  Points moved = sites;
  for (double& x : moved.x) x += x >= w - dx ? dx - w : dx;
  for (double& y : moved.y) y += y >= h - dy ? dy - h : dy;
  const Plane<float> a = edges_of(sites);
  const Plane<float> b = edges_of(moved);
  int different = 0;
  for (int y = 0; y < h; ++y) {
    for (int x = 0; x < w; ++x) different += a(x, y) != b((x + dx) % w, (y + dy) % h) ? 1 : 0;
  }
  EXPECT_EQ(different, 0);
}

TEST_P(WorleyEdges, VectorsAndThreadsDoNotMatter) {
  const Points sites = make_set(GetParam(), true, 150, 90);
  const Plane<float> widest = edges_of(sites, 1);
  EXPECT_EQ(edges_of(sites, 3), widest);
  for_each_simd_target([&](const char* target) { EXPECT_EQ(edges_of(sites), widest) << target; });
}

INSTANTIATE_TEST_SUITE_P(Sets, WorleyEdges,
                         ::testing::Values("fine", "void", "finest", "graded", "lattice", "doubled",
                                           "few"),
                         [](const auto& row) { return row.param; });

// Pixels of a tile that blocks do not tell; -1 where they are not tried.
int open_pixels(const std::string& name) {
  const Points sites = make_set(name, false, 400, 192);
  Context context;
  const SiteGrid grid(sites, 400, 192, context);
  Band<float> edges{Plane<float>(400, 192)};
  StripSites strips;
  std::vector<PixelBox> open;
  const PixelBox tile{128, 64, 192, 128};
  if (!strips.fill(grid, tile, 3, StripSites::Bins::squares)) return -1;
  search_edge_blocks(grid, strips, tile, edges, open);
  int count = 0;
  for (const PixelBox& box : open) count += box.width() * box.height();
  return count;
}

TEST(WorleyEdgeBlocks, AreLeftOpenBesideAVoid) {
  EXPECT_EQ(open_pixels("fine"), 0);
  EXPECT_EQ(open_pixels("lattice"), 0);
  EXPECT_GT(open_pixels("void"), 100);
  EXPECT_LT(open_pixels("void"), 64 * 64 - 100);
}

}  // namespace
}  // namespace dapple
