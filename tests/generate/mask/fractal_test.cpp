// Patterns of dots that hold themselves at half the scale.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <gtest/gtest.h>
#include <set>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/mask.hpp"
#include "generate/mask/engine.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

// A place on the grid of 510 x 510 that all dots lie on.
std::pair<int, int> place_of(const Vec2& dot) {
  return {static_cast<int>(std::lround(dot.x * 510)), static_cast<int>(std::lround(dot.y * 510))};
}

// The finest level is the coarsest at half the scale, twice each way, and holds it.
TEST(FractalDots, HoldThemselvesAtHalfTheScale) {
  for (const int count : {8, 16, 64, 200}) {
    Context context;
    const std::vector<Vec2> dots = mask::fractal_dots(count, 5, context);
    ASSERT_EQ(dots.size(), 4U * static_cast<unsigned>(count));
    std::set<std::pair<int, int>> finest;
    std::set<std::pair<int, int>> halved;
    for (const Vec2& dot : dots) finest.insert(place_of(dot));
    for (int i = 0; i < count; ++i) {
      for (const double dy : {0, 1}) {
        for (const double dx : {0, 1}) {
          const Vec2& dot = dots[static_cast<std::size_t>(i)];
          halved.insert(place_of({(dot.x + dx) / 2, (dot.y + dy) / 2}));
        }
      }
    }
    EXPECT_EQ(finest.size(), dots.size());
    EXPECT_EQ(finest, halved);
  }
}

// Smallest distance on the torus between the first `count` dots, over that of a hexagonal lattice.
double spacing_of(const std::vector<Vec2>& dots, std::size_t count) {
  double best = 2;
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double dx = std::abs(dots[i].x - dots[j].x);
      double dy = std::abs(dots[i].y - dots[j].y);
      dx = std::min(dx, 1 - dx);
      dy = std::min(dy, 1 - dy);
      best = std::min(best, std::hypot(dx, dy));
    }
  }
  return best / std::sqrt(1.1547 / static_cast<double>(count));
}

TEST(FractalDots, AreWellSpacedAtEveryNumberAndSeed) {
  for (std::uint64_t seed = 1; seed <= 8; ++seed) {
    Context context;
    const std::vector<Vec2> dots = mask::fractal_dots(64, seed, context);
    for (std::size_t count = 64; count <= 256; count += 16) {
      EXPECT_GT(spacing_of(dots, count), 0.42) << count << ", seed " << seed;
    }
    EXPECT_GT(spacing_of(dots, 64), 0.5) << seed;
    // Not those of another seed, nor noise.
    EXPECT_NE(dots, mask::fractal_dots(64, seed + 100, context));
    std::vector<Vec2> noise;
    Random random(seed, Stream::tests);
    for (int i = 0; i < 64; ++i) noise.push_back({random.uniform(), random.uniform()});
    EXPECT_LT(spacing_of(noise, 64), 0.3);
  }
}

TEST(FractalLayers, GoOnFromTheLastToTheFirst) {
  MaskOptions options;
  options.kind = MaskKind::fractal;
  options.size = {64, 64, 7};
  options.bits = MaskBits::f32;
  Context context;
  const Image image = make_mask(options, context);
  EXPECT_EQ(image.slices, 7);
  EXPECT_TRUE(image.volume);
  const Plane<float>& layers = image.channels[0];
  for (int y = 0; y < 64; ++y) {
    for (int x = 0; x < 64; ++x) {
      EXPECT_GE(layers(x, y), 0.0f);
      EXPECT_LE(layers(x, y), 1.0f);
      // Twice the place lies between four texels, across which a distance changes by one at most.
      const int u = 2 * x % 64;
      const int v = 2 * y % 64;
      const float mean = (layers(u, v) + layers((u + 1) % 64, v) + layers(u, (v + 1) % 64) +
                          layers((u + 1) % 64, (v + 1) % 64)) /
                         4;
      EXPECT_NEAR(layers(x, 6 * 64 + y), mean, 0.05) << x << " " << y;
    }
  }
  for (const Size& size : {Size{64, 32, 4}, Size{16, 16, 4}, Size{1024, 1024, 2}}) {
    options.size = size;
    EXPECT_THROW(make_mask(options, context), Error);
  }
}

// The sample shader is one that compilers of drivers take.
TEST(FractalShader, IsGlsl) {
  const std::string compiler = "/usr/bin/glslangValidator";
  if (!std::filesystem::exists(compiler)) GTEST_SKIP() << "there is no " << compiler;
  const test::TemporaryFolder folder;
  const std::string source =
      read_file(DAPPLE_SOURCE_FOLDER "/samples/fractal_dither.glsl", 1 << 20);
  const auto compile = [&](const std::string& call) {
    folder.write("dots.frag",
                 "#version 330 core\nuniform sampler3D dots;\nin vec2 uv;\nout vec4 color;\n" +
                     source + "void main() { color = vec4(" + call + "); }\n");
    return test::run_process({compiler, "dots.frag"}, folder.path());
  };
  const test::Outcome good = compile("fractal_dither(dots, uv, 0.5, 2.0)");
  EXPECT_EQ(good.code, 0) << good.out << good.err;
  EXPECT_NE(compile("fractal_dither(dots, uv, 0.5)").code, 0) << "what is wrong is found";
}

}  // namespace
}  // namespace dapple
