// Every engine at sizes where all of its loops really run on several threads at a time: the bytes
// of seven threads are those of one. Under ThreadSanitizer this is where races would show.
#include "core/parallel.hpp"

#include <array>
#include <cmath>
#include <functional>
#include <gtest/gtest.h>
#include <span>
#include <tbb/global_control.h>

#include "core/random.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/stipple.hpp"
#include "dapple/worley.hpp"
#include "generate/mask/block_schedule.hpp"
#include "generate/mask/engine.hpp"
#include "generate/mask/tiles.hpp"
#include "old_names.hpp"
#include "relax/kernel/kernel.hpp"
#include "sanitized.hpp"

namespace dapple {
namespace {

// What `make` gives on seven threads, having compared it with that of one.
template <class Make>
auto on_seven_threads(const Make& make) {
  Context one;
  one.threads = 1;
  Context seven;
  seven.threads = 7;
  auto result = make(seven);
  if (!test::is_thread_sanitized()) {
    EXPECT_TRUE(result == make(one)) << "seven threads make something else than one";
  }
  return result;
}

// Ranks by blocks at a time are those by one after the other.
template <class Ranks>
void expect_same_ranks(const Ranks& ranks) {
  const auto at_a_time = ranks(true);
  if (!test::is_thread_sanitized()) {
    EXPECT_EQ(at_a_time, ranks(false));
  }
}

std::vector<double> numbers(const Points& points) {
  std::vector<double> all(points.x);
  all.insert(all.end(), points.y.begin(), points.y.end());
  all.insert(all.end(), points.radius.begin(), points.radius.end());
  return all;
}

DensityField constant_field(bool wrap) {
  return DensityField::constant({200, 160, wrap}, 1.1);
}

// Radii of 100:1 on a diagonal, with a hard edge in it.
DensityField steep_field(bool wrap) {
  Plane<float> map(400, 300);
  for (int y = 0; y < 300; ++y) {
    for (int x = 0; x < 400; ++x) {
      const double r = 1.2 * std::pow(100, (x + y) / 700.0);
      map(x, y) = static_cast<float>(x > 250 && y < 100 ? 1.5 : r);
    }
  }
  return DensityField::from_radius(std::move(map), {400, 300, wrap}, 1.0);
}

// Without a slope limit, 60:1 from pixel to pixel.
DensityField wild_field(bool wrap) {
  Random random(11, Stream::tests);
  Plane<float> map(40, 40);
  for (float& r : map.values()) {
    r = static_cast<float>(0.5 * std::pow(60, random.uniform()));
  }
  return DensityField::from_radius(std::move(map), {40, 40, wrap}, std::nullopt);
}

std::vector<double> sampled(const DensityField& field, ConflictRule rule, std::int64_t count,
                            Context& context) {
  SampleOptions options;
  options.conflict = rule;
  return numbers(sample(field, options, count, context));
}

class Darts : public ::testing::TestWithParam<bool> {};

TEST_P(Darts, OfOneRadius) {
  const auto make = [](Context& context) {
    return sampled(constant_field(GetParam()), ConflictRule::mean, 0, context);
  };
  EXPECT_GT(on_seven_threads(make).size(), 3u * 15000);
}

TEST_P(Darts, OfVolumes) {
  const Domain domain{24, 24, GetParam()};
  on_seven_threads([&](Context& context) {
    Points points = sample_volume(domain, 24, 0, 1, context);
    verify_volume(points, 1, context);
    std::vector<double> all = numbers(points);
    all.insert(all.end(), points.z.begin(), points.z.end());
    return all;
  });
}

TEST_P(Darts, OfVolumesWhoseRadiusVaries) {
  Voxels radius{24, 24, 24, {}};
  for (int i = 0; i < 24 * 24 * 24; ++i) {
    radius.values.push_back(static_cast<float>(i / 576 < 20 ? 1 + 0.05 * (i % 24) : 0));
  }
  VolumeRules rules;
  rules.wrap = GetParam();
  on_seven_threads([&](Context& context) {
    const VolumeField field = VolumeField::from_radius(radius, rules, context);
    const Points points = sample_volume(field, ConflictRule::mean, 0, context).points;
    EXPECT_EQ(certify_volume(points, field, ConflictRule::mean, context).holes, 0);
    std::vector<double> all = numbers(points);
    all.insert(all.end(), points.z.begin(), points.z.end());
    return all;
  });
}

TEST_P(Darts, OfClasses) {
  ClassOptions options;
  options.radii = {6, 3, 1.5};
  options.certify = true;
  const Domain domain{200, 160, GetParam()};
  on_seven_threads(
      [&](Context& context) { return numbers(sample_classes(domain, 0, options, 0, context)); });
}

// High enough for several bands of rows.
TEST_P(Darts, OfOneRadiusInBands) {
  on_seven_threads([](Context& context) {
    return sampled(DensityField::constant({20, 1200, GetParam()}, 1), ConflictRule::mean, 0,
                   context);
  });
}

TEST(EndlessPoints, ByBands) {
  on_seven_threads([](Context& context) {
    return numbers(sample_window(1, {-10, -700, 10, 700}, context));
  });
}

// Of one radius, of many, and of radii for which one tree on one thread answers.
TEST_P(Darts, ByDefinition) {
  for (const DensityField& field :
       {constant_field(GetParam()), steep_field(GetParam()), wild_field(GetParam())}) {
    on_seven_threads([&](Context& context) {
      SampleOptions options;
      options.method = SampleMethod::dart_throwing;
      return numbers(sample(field.domain(), field, options, context));
    });
  }
}

TEST_P(Darts, DenseAndPolished) {
  for (const SampleMethod method : {SampleMethod::dense, SampleMethod::polished}) {
    on_seven_threads([&](Context& context) {
      SampleOptions options;
      options.method = method;
      return numbers(
          sample(DensityField::constant({200, 160, GetParam()}, 1.5), options, 0, context));
    });
  }
}

TEST_P(Darts, InLayersAndByElimination) {
  on_seven_threads([](Context& context) {
    SampleOptions options;
    options.progressive = true;
    return numbers(sample(steep_field(GetParam()), options, 0, context));
  });
  on_seven_threads([](Context& context) {
    SampleOptions options;
    options.method = SampleMethod::elimination;
    return numbers(sample(steep_field(GetParam()), options, 4000, context));
  });
}

TEST_P(Darts, OfManyRadiiUnderEveryRule) {
  for (const ConflictRule rule :
       {ConflictRule::mean, ConflictRule::min, ConflictRule::max, ConflictRule::candidate}) {
    on_seven_threads(
        [&](Context& context) { return sampled(steep_field(GetParam()), rule, 0, context); });
  }
}

TEST_P(Darts, OfWildRadii) {
  on_seven_threads([](Context& context) {
    return sampled(wild_field(GetParam()), ConflictRule::mean, 0, context);
  });
}

TEST_P(Darts, OfACount) {
  const auto make = [](Context& context) {
    return sampled(steep_field(GetParam()), ConflictRule::mean, 4000, context);
  };
  EXPECT_EQ(on_seven_threads(make).size(), 3u * 4000);
}

TEST_P(Darts, Certified) {
  const DensityField field = DensityField::constant({60, 50, GetParam()}, 1.1);
  Context context;
  const Points points = sample(field.domain(), field, {}, context);
  on_seven_threads([&](Context& threads) {
    const Certificate proof = certify(points, field, ConflictRule::mean, threads);
    return std::array{proof.closest, proof.hole, proof.worst_pair_place.x, proof.hole_place.x};
  });
}

INSTANTIATE_TEST_SUITE_P(Parallel, Darts, ::testing::Bool(),
                         [](const auto& row) { return row.param ? "torus" : "flat"; });

// Ranks of slices below each other, grown from a pixel in every 14th row, in blocks as narrow as
// the kernels allow: 62 pixels.
Plane<std::int32_t> ranks_in_blocks(int width, int height, int depth,
                                    std::span<const mask::Stage> stages, bool parallel) {
  Plane<std::int32_t> ranks(width, height * depth, -1);
  Random random(7, Stream::tests);
  std::int32_t next = 0;
  for (int y = 0; y < ranks.height(); y += 14) {
    ranks(static_cast<int>(random.below(static_cast<std::uint32_t>(width))), y) = next++;
  }
  Context context;
  context.threads = 2;  // more would wait for each other most of the time
  mask::fill_voids(
      ranks, depth, next, stages, context, parallel, [](double) {}, 1);
  return ranks;
}

TEST(Parallel, RanksOfMasks) {
  const std::array<mask::Stage, 2> stages{
      mask::sparse_stage(mask::make_kernel({1.4, 0.3, 3, 8, 1}, 1, 30000, mask::sparse_sum(0.05)),
                         0.05),
      mask::dense_stage(
          mask::make_kernel(mask::dense_shape, 1, 30000, mask::EnergyField::taken - 1))};
  // From 124 on there are two blocks along a side, from 248 on four: two of a color.
  for (const auto& size : {std::pair{250, 249},
                           {253, 130},
                           {130, 255},
                           {21, 380},
                           {380, 21},
                           {251, 63},
                           {1, 700},
                           {700, 1},
                           {125, 127},
                           {500, 7}}) {
    SCOPED_TRACE(std::to_string(size.first) + "x" + std::to_string(size.second));
    expect_same_ranks([&](bool parallel) {
      return ranks_in_blocks(size.first, size.second, 1, stages, parallel);
    });
  }
}

TEST(Parallel, RanksOfSlices) {
  constexpr mask::KernelShape narrow{1, 0.3, 2, 4, 1};
  const std::array<mask::Stage, 1> volume{
      mask::dense_stage(mask::make_volume_kernel(narrow, 1, 30000, 65534))};
  const std::array<mask::Stage, 1> frames{mask::dense_stage(
      mask::make_frame_kernel(narrow, 1, {1.1, 0.5, 3, 6, 1}, 0.4, 30000, 65534))};
  for (const auto& stages : {volume, frames}) {
    expect_same_ranks(
        [&](bool parallel) { return ranks_in_blocks(250, 130, 3, stages, parallel); });
  }
}

// One after the other, and in blocks as narrow as the kernel allows, 48 pixels, on two threads.
TEST(Parallel, RanksOfTiles) {
  const std::array kernels{
      mask::TileKernel(mask::make_kernel({1.4, 0.3, 3, 12, 1}, 1, 30000, 1200000)),
      mask::TileKernel(mask::make_kernel(mask::dense_shape, 1, 30000, mask::largest_dense_sum))};
  const auto ranks_of = [&](int width, int height, int way) {
    Plane<std::int32_t> ranks(width, height, -1);
    Random random(7, Stream::tests);
    std::int32_t next = 0;
    for (int y = 0; y < height; y += 14) {
      ranks(static_cast<int>(random.below(static_cast<std::uint32_t>(width))), y) = next++;
    }
    Context context;
    context.threads = 2;
    for (const mask::TileKernel& kernel : kernels) {
      const int end = &kernel == &kernels[0] ? 50000 : mask::EnergyField::taken;
      mask::TileField field(ranks);
      field.begin(kernel, {});
      next = way == 0 ? field.grow(end, next)
                      : field.grow_in_blocks(end, next, 1, context, way == 2, [](std::int32_t) {});
    }
    EXPECT_EQ(next, width * height);
    return ranks;
  };
  // From 96 on there are two blocks along a side, from 192 on four: two of a color.
  for (const auto& [width, height] : {std::pair{250, 249},
                                      {253, 130},
                                      {21, 380},
                                      {380, 21},
                                      {193, 63},
                                      {1, 700},
                                      {700, 1},
                                      {500, 7}}) {
    SCOPED_TRACE(std::to_string(width) + "x" + std::to_string(height));
    const Plane<std::int32_t> at_a_time = ranks_of(width, height, 2);
    if (test::is_thread_sanitized()) continue;
    EXPECT_EQ(ranks_of(width, height, 0), at_a_time);
    EXPECT_EQ(ranks_of(width, height, 1), at_a_time);
  }
}

// Each block finds all around it where one thread would have left them; nobody else is there.
TEST(Parallel, BlocksTakeTurns) {
  constexpr mask::BlockGrid grid{6, 4};
  const auto color = [](int column, int row) { return row % 2 * 2 + column % 2; };
  std::vector<int> done(grid.size());  // not atomic: ThreadSanitizer looks on
  Context context;
  context.threads = 7;
  mask::visit_in_turns(grid, 3, 40, context, true, [&](std::size_t block, int turn) {
    const int column = static_cast<int>(block) % grid.columns;
    const int row = static_cast<int>(block) / grid.columns;
    for (const int v : {grid.rows - 1, 0, 1}) {
      for (const int u : {grid.columns - 1, 0, 1}) {
        const int i = (column + u) % grid.columns;
        const int j = (row + v) % grid.rows;
        const int now = done[static_cast<std::size_t>(j * grid.columns + i)];
        EXPECT_EQ(now, color(i, j) < color(column, row) ? turn : turn == 3 ? 0 : turn - 1);
      }
    }
    done[block] = turn;
  });
  EXPECT_EQ(done, std::vector<int>(grid.size(), 40));
}

TEST(Parallel, BlocksStopAtTheFirstMistake) {
  Context context;
  context.threads = 3;
  const auto fail = [](std::size_t block, int turn) {
    if (block == 5 && turn == 2) throw Error(ErrorKind::usage, "enough");
  };
  EXPECT_THROW(mask::visit_in_turns({4, 4}, 1, 1000, context, true, fail), Error);
}

// In blocks as wide as they usually are.
TEST(Parallel, RanksOfAWideMask) {
  Context context;
  context.threads = 2;
  const std::vector<mask::Pixel> start{{20, 3}, {500, 12}, {900, 8}};
  expect_same_ranks([&](bool parallel) {
    return mask::grow_ranks(1040, 70, start, 1.44, context, parallel, [](double) {});
  });
}

TEST(Parallel, MasksOfMaps) {
  on_seven_threads([](Context& context) {
    Image map;
    map.channels.emplace_back(90, 70);
    map.names = {"Y"};
    for (int y = 0; y < 70; ++y) {
      for (int x = 0; x < 90; ++x) map.channels[0](x, y) = static_cast<float>(x * y) / 6300;
    }
    MaskOptions options;
    options.density.image = std::make_shared<const Image>(std::move(map));
    return make_mask(options, context).channels;
  });
}

TEST(Parallel, Masks) {
  on_seven_threads([](Context& context) {
    MaskOptions options;
    options.size = {96, 112};
    options.channels = 4;
    return make_mask(options, context).channels;
  });
}

std::vector<Points> octaves(bool wrap) {
  std::vector<Points> all;
  for (const int count : {900, 3600}) {
    Points sites;
    sites.domain = {320, 256, wrap};
    Random random(static_cast<std::uint64_t>(count), Stream::tests);
    for (int i = 0; i < count; ++i) {
      // Half of them in a corner.
      const double part = i % 2 ? 1 : 0.12;
      const double x = random.uniform() * 320 * part;
      sites.add({x, random.uniform() * 256 * part}, static_cast<float>(1 + i % 5));
    }
    all.push_back(std::move(sites));
  }
  return all;
}

TEST(Parallel, CellTextures) {
  for (const bool wrap : {true, false}) {
    const std::vector<Points> sites = octaves(wrap);
    for (const Metric metric : std::initializer_list<Metric>{
             Metric::euclidean, Metric::manhattan, Metric::chebyshev, {Metric::minkowski, 3}}) {
      on_seven_threads([&](Context& context) {
        WorleyOptions options;
        options.metric = metric;
        options.outputs = {"f1", "f2", "f3", "f8-f4", "id", "random", "area", "position"};
        if (metric == Metric::euclidean) {
          options.outputs.insert(options.outputs.end(),
                                 {"edge", "corner", "perimeter", "direction", "normal"});
        }
        return worley(sites[0], 320, 256, options, context).channels;
      });
    }
    on_seven_threads([&](Context& context) {
      WorleyOptions options;
      options.outputs = {"f1", "height", "normal"};
      options.octaves = 2;
      options.warp = {6, Unit::px};
      options.smooth = {2, Unit::px};
      return worley(sites, 320, 256, options, context).channels;
    });
    for (const double power : {0.0, 1.0}) {
      on_seven_threads([&](Context& context) {
        WorleyOptions options;
        options.outputs = {"f1", "id", "edge", "normal", "occlusion", "random", "lines", "radius"};
        options.height_of = HeightOf::edge;
        options.bevel = {3, Unit::px};
        options.power = power;
        options.antialias = true;
        return worley(sites[0], 320, 256, options, context).channels;
      });
    }
    on_seven_threads([&](Context& context) {
      WorleyOptions options;
      options.depth = 3;
      options.outputs = {"f2", "edge", "slope"};
      options.height_of = HeightOf::f2_f1;
      options.smooth = {2, Unit::px};
      Points space = sample_volume({160, 128, wrap}, 3, 400, 0, context);
      return worley(space, 160, 128, options, context).channels;
    });
    on_seven_threads([&](Context& context) {
      WorleyLook look;
      look.gradient = {"#102030", "#f0e0d0"};
      look.variation = 0.4;
      look.relief = 0.5;
      look.line_color = "#000";
      return worley_picture(sites, 160, 128, {}, look, context).channels;
    });
  }
}

Image picture(int width, int height) {
  Image image;
  image.names = {"R", "G", "B"};
  for (int c = 0; c < 3; ++c) {
    Plane<float> plane(width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        plane(x, y) =
            static_cast<float>(0.5 + 0.5 * std::sin(0.03 * (x + 40 * c)) * std::cos(0.02 * y));
      }
    }
    image.channels.push_back(std::move(plane));
  }
  return image;
}

TEST(Parallel, Dithers) {
  const Image image = picture(300, 400);
  for (const char* palette : {"", "#000,#f80,#08f,#fff,#3a5"}) {
    for (const bool gray : {false, true}) {
      on_seven_threads([&](Context& context) {
        DitherOptions options;
        options.size = {32, 32};
        options.gray = gray;
        options.palette.path = palette;
        return dither(image, options, context).channels;
      });
    }
  }
}

TEST(Parallel, Relaxation) {
  Plane<float> density(160, 120);
  for (int y = 0; y < 120; ++y) {
    for (int x = 0; x < 160; ++x) {
      density(x, y) = static_cast<float>(3000.0 / (160 * 120) * (1 + std::sin(x * 0.07)));
    }
  }
  on_seven_threads([&](Context& context) {
    Points dots = walk_dots(density, 3000, context);
    relax_kernel(dots, density, {}, context);
    return numbers(dots);
  });
}

TEST(Parallel, StipplingsInInks) {
  const Image image = picture(96, 72);
  on_seven_threads([&](Context& context) {
    PictureOptions field;
    field.as = MapKind::tone;
    StippleOptions options;
    options.ink.path = "red,navy,#226622";
    options.dots = 900;
    const Points dots = stipple(image, field, options, context).dots;
    std::vector<double> all = numbers(dots);
    all.insert(all.end(), dots.class_id.begin(), dots.class_id.end());
    return all;
  });
}

// Motion, dots that come and go, and those that move again.
TEST(Parallel, Sequences) {
  const Image image = picture(192, 144);
  Image moved = image;
  for (Plane<float>& plane : moved.channels) {
    for (int y = 0; y < plane.height(); ++y) {
      float* row = plane.row(y);
      std::copy(row + 3, row + plane.width(), row);
    }
  }
  on_seven_threads([&](Context& context) {
    PictureOptions field;
    field.as = MapKind::tone;
    StippleOptions options;
    options.dots = 2500;
    StippleSequence sequence(field, options);
    sequence.next(image, context);
    const Points dots = sequence.next(moved, context).dots;
    std::vector<double> all = numbers(dots);
    all.insert(all.end(), dots.id.begin(), dots.id.end());
    return all;
  });
}

// From a picture to dots in drawing order, their picture and its measures.
TEST(Parallel, Stipplings) {
  const Image image = picture(192, 144);
  on_seven_threads([&](Context& context) {
    PictureOptions field;
    field.as = MapKind::tone;
    StippleOptions options;
    options.method = StippleMethod::poisson;
    options.dots = 3000;
    const Stippling made = stipple(image, field, options, context);
    std::vector<double> all = numbers(made.dots);
    const Image drawn = rasterize(made.drawing, 384, 288, context);
    for (const Plane<float>& plane : drawn.channels) {
      all.insert(all.end(), plane.values().begin(), plane.values().end());
    }
    const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
    for (const Measurement& m : report.measurements) all.push_back(m.value);
    return all;
  });
}

}  // namespace
}  // namespace dapple
