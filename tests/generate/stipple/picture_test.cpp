// What an artist sees of a stippling: no raster, no frame, sizes that carry the tone.
#include <algorithm>
#include <array>
#include <cmath>
#include <gtest/gtest.h>
#include <string>
#include <tuple>
#include <vector>

#include "analyze/figures.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "dapple/stipple.hpp"
#include "field/blur.hpp"
#include "field/resample.hpp"
#include "stipple_scene.hpp"

namespace dapple {
namespace {

using test::tone_field;

double figure(const QualityReport& report, std::string_view name) {
  for (const Measurement& m : report.measurements) {
    if (m.name == name) return m.value;
  }
  ADD_FAILURE() << "no figure " << name;
  return 0;
}

Image sample_picture(const std::string& name) {
  Context context;
  return read_image(std::string(DAPPLE_SOURCE_FOLDER) + "/samples/" + name, context);
}

Image small(Image image, int side) {
  for (Plane<float>& plane : image.channels) plane = resample(plane, side, side);
  return image;
}

StippleOptions of_dots(std::int64_t dots) {
  StippleOptions options;
  options.dots = dots;
  options.order = DotOrder::none;
  return options;
}

// Without the smooth function of the map: 13.9 to 16.6 % from one dot a pixel on. Of so few dots
// the share is off by .4 points from seed to seed, so the mean of some is held.
TEST(StipplePicture, PixelsOfSmallPhotosDoNotShow) {
  for (const int a_pixel : {1, 10, 50}) {
    const int side = a_pixel == 1 ? 128 : a_pixel == 10 ? 48 : 24;
    for (const char* name : {"raccoon.png", "ascent.png", "ramp.png"}) {
      const Image image = small(sample_picture(name), side);
      constexpr int seeds = 4;
      double mean = 0;
      Context context;
      for (context.seed = 1; context.seed <= seeds; ++context.seed) {
        const Stippling made =
            stipple(image, tone_field(), of_dots(std::int64_t{a_pixel} * side * side), context);
        mean += along_axes(made.dots, context) / seeds;
      }
      EXPECT_NEAR(100 * mean, 100 * isotropic_along_axes, 0.5) << name << ", " << a_pixel;
    }
  }
}

TEST(StipplePicture, SquaresOnDemandShowAsSquares) {
  Image image;
  image.names = {"Y"};
  image.channels.emplace_back(4, 4, 1.0f);
  image.channels[0](1, 1) = image.channels[0](2, 2) = 0;
  PictureOptions field = tone_field();
  field.interpolation = Interpolation::nearest;
  Context context;
  const Stippling squares = stipple(image, field, of_dots(2000), context);
  for (std::size_t i = 0; i < squares.dots.size(); ++i) {
    const Vec2 p = squares.dots[i];
    const double off = std::max(std::min(std::abs(p.x - 1.5), std::abs(p.x - 2.5)),
                                std::min(std::abs(p.y - 1.5), std::abs(p.y - 2.5)));
    ASSERT_LT(off, 0.56) << p.x << ", " << p.y;
  }
}

// A picture of one tone, cut out: five rows and the rim, over seeds and sides.
TEST(StipplePicture, TheFrameDoesNotShow) {
  const Image even = test::picture(400, 300, [](double, double) { return 0.4; });
  for (const double regularity : {0.0, 0.5, 1.0}) {
    FrameProfile all;
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      Context context;
      context.seed = seed;
      StippleOptions options = of_dots(12000);
      options.regularity = regularity;
      const Stippling made = stipple(even, tone_field(), options, context);
      const std::vector<double> inks(made.dots.size(), 400.0 * 300 * 0.6 / 12000);
      const FrameProfile one = frame_profile(made.dots, inks, made.darkness);
      all.found.resize(one.found.size());
      all.wanted.resize(one.wanted.size());
      for (std::size_t k = 0; k < one.found.size(); ++k) {
        all.found[k] += one.found[k];
        all.wanted[k] += one.wanted[k];
      }
    }
    EXPECT_LE(all.highest(), 1.25) << regularity;
    EXPECT_NEAR(all.rim(), 0, 0.02) << regularity;
  }
}

// Where nothing but the dots themselves breaks them, patches of lattice grow largest.
TEST(StipplePicture, FlatAreasHaveNoGrain) {
  const Image even = test::picture(800, 600, [](double, double) { return 0.5; });
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    Context context;
    context.seed = seed;
    const Stippling made = stipple(even, tone_field(), of_dots(20000), context);
    const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
    EXPECT_LE(figure(report, "grain"), 3.2) << seed;
    EXPECT_GE(figure(report, "dmean"), 0.915) << seed;
  }
}

// Where the paper round it is blank, the nearest dots beyond the frame are far away.
TEST(StipplePicture, ADrawingOnBlankPaperStaysWhereItIs) {
  Context context;
  for (context.seed = 1; context.seed <= 3; ++context.seed) {
    const Stippling made =
        stipple(sample_picture("owl.png"), tone_field(), of_dots(10000), context);
    const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
    EXPECT_GE(figure(report, "P1"), 50) << context.seed;
    EXPECT_GE(figure(report, "P2"), 62) << context.seed;
    EXPECT_LE(figure(report, "worst"), 1) << context.seed;
  }
}

TEST(StipplePicture, TonesInsideAreExactAndTheRimNearlySo) {
  for (const char* name : {"raccoon.png", "ascent.png"}) {
    Context context;
    const Stippling made = stipple(sample_picture(name), tone_field(), of_dots(10000), context);
    const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
    EXPECT_GE(figure(report, "P1_inside"), 50) << name;
    EXPECT_GE(figure(report, "P2_inside"), 62) << name;
    EXPECT_GE(figure(report, "P1"), 45) << name;
    EXPECT_GE(figure(report, "P2"), 60) << name;
    EXPECT_LE(figure(report, "worst"), 1.5) << name;
    EXPECT_GE(figure(report, "dmin"), 0.69) << name;
    EXPECT_GE(figure(report, "dmean"), 0.89) << name;
    EXPECT_LE(figure(report, "grain"), 3.5) << name;
  }
}

// In the last steps, inks give way to the whole where shares change. Otherwise P1_inside is 44.
TEST(StipplePicture, InksOfAPhotoHoldItsToneTogether) {
  Context context;
  StippleOptions options = of_dots(10000);
  options.ink.path = "cmyk";
  const Stippling made = stipple(sample_picture("raccoon.png"), tone_field(), options, context);
  const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
  EXPECT_GE(figure(report, "P1_inside"), 46);
  EXPECT_GE(figure(report, "P2_inside"), 65);
  EXPECT_GE(figure(report, "dmean"), 0.83);
}

TEST(StipplePicture, DotsOfManySizesAreAsGoodAsOfOne) {
  for (const char* name : {"raccoon.png", "ascent.png"}) {
    for (const double largest : {8.0, 12.0, 18.0}) {
      StippleOptions options;
      options.order = DotOrder::none;
      options.dot_size = {{largest == 8 ? 4.0 : 3.0, Unit::px}, {largest, Unit::px}};
      for (const FrameEdge frame : {FrameEdge::fitted, FrameEdge::cut}) {
        options.frame = frame;
        Context context;
        const Stippling made = stipple(sample_picture(name), tone_field(), options, context);
        const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
        EXPECT_GE(figure(report, "P1_inside"), 50) << name << " " << largest;
        EXPECT_GE(figure(report, "P2_inside"), 62) << name << " " << largest;
        EXPECT_GE(figure(report, "P1"), frame == FrameEdge::cut ? 48 : 55)
            << name << " " << largest;
        EXPECT_GE(figure(report, "P2"), 65) << name << " " << largest;
        EXPECT_LE(figure(report, "worst"), 1) << name << " " << largest;
        if (frame == FrameEdge::cut) continue;
        // Sizes stay what was asked for, but for a hair.
        for (const float r : made.dots.radius) {
          ASSERT_GE(2 * static_cast<double>(r), 0.969 * options.dot_size.min.value);
          ASSERT_LE(2 * static_cast<double>(r), 1.031 * largest);
        }
      }
    }
  }
}

// Of dots where it is lighter than most that can keep apart, those that cover others by so much.
std::size_t overlapping(const Stippling& made, double lightest, double share) {
  const Points& dots = made.dots;
  Context context;
  const double spacing =
      std::sqrt(static_cast<double>(made.darkness.size()) / static_cast<double>(dots.size()));
  const Plane<float> tone = gaussian_blurred(made.darkness, 0.5 * spacing, context);
  const double largest =
      static_cast<double>(*std::max_element(dots.radius.begin(), dots.radius.end()));
  const PointIndex index(dots);
  std::vector<Neighbor> found;
  std::size_t count = 0;
  for (std::size_t i = 0; i < dots.size(); ++i) {
    if (bilinear(tone, dots[i]) >= lightest) continue;
    const auto own = static_cast<double>(dots.radius[i]);
    index.within(dots[i], own + largest, found);
    count += std::any_of(found.begin(), found.end(), [&](const Neighbor& other) {
      const auto k = static_cast<std::size_t>(other.index);
      const double apart = own + static_cast<double>(dots.radius[k]);
      return k != i && other.distance < (1 - share) * apart;
    });
  }
  return count;
}

TEST(StipplePicture, DotsOfManySizesKeepApartWhereItIsLight) {
  for (const char* name : {"raccoon.png", "ascent.png"}) {
    StippleOptions options;
    options.order = DotOrder::none;
    options.dot_size = {{3, Unit::px}, {12, Unit::px}};
    Context context;
    const Stippling made = stipple(sample_picture(name), tone_field(), options, context);
    EXPECT_EQ(overlapping(made, 0.68, 0.05), 0u) << name;
    EXPECT_LT(overlapping(made, 0.68, 0.005), 0.008 * static_cast<double>(made.dots.size()))
        << name;
    // Darker, they cannot.
    EXPECT_GT(overlapping(made, 2, 0.05), 0u) << name;
  }
}

// Dark bark beside a bright blurred half, as in photos whose light tones were worst.
TEST(StipplePicture, LightHalvesBesideDarkOnesAreAsGood) {
  const Image image = test::picture(800, 500, [](double x, double y) {
    const double bark =
        0.3 + 0.12 * std::sin(140 * x + 9 * std::sin(14 * y)) + 0.06 * std::sin(90 * y + 40 * x);
    const double light = 0.9 + 0.05 * std::sin(5 * x + 2) * std::cos(4 * y);
    const double edge = 0.4 + 0.03 * std::sin(11 * y);
    return x < edge ? bark : light;
  });
  StippleOptions options = of_dots(10000);
  Context context;
  Stippling made = stipple(image, tone_field(), options, context);
  const QualityReport cut = analyze_stippling(made.dots, made.darkness, context);
  EXPECT_GE(figure(cut, "P1_inside"), 50);
  EXPECT_GE(figure(cut, "P2_inside"), 62);
  options.frame = FrameEdge::fitted;
  made = stipple(image, tone_field(), options, context);
  const QualityReport fitted = analyze_stippling(made.dots, made.darkness, context);
  EXPECT_LE(figure(fitted, "cap"), 0.05);
}

StippleOptions of_sizes(DotSizeFrom from, int steps) {
  StippleOptions options = of_dots(10000);
  options.dot_size = {{4, Unit::px}, {16, Unit::px}};
  options.size_from = from;
  options.size_steps = steps;
  return options;
}

TEST(StipplePicture, FewSizesHoldTheTone) {
  const Image image = sample_picture("raccoon.png");
  for (const auto& [from, steps, p1, p2] :
       {std::tuple{DotSizeFrom::tone, 5, 53.0, 68.0}, std::tuple{DotSizeFrom::tone, 2, 45.0, 62.0},
        std::tuple{DotSizeFrom::random, 3, 44.0, 64.0}}) {
    Context context;
    const Stippling made = stipple(image, tone_field(), of_sizes(from, steps), context);
    std::vector<float> sizes(made.dots.radius.begin(), made.dots.radius.end());
    std::sort(sizes.begin(), sizes.end());
    sizes.erase(std::unique(sizes.begin(), sizes.end()), sizes.end());
    ASSERT_EQ(sizes.size(), static_cast<std::size_t>(steps));
    for (int k = 0; k < steps; ++k) {
      EXPECT_NEAR(sizes[static_cast<std::size_t>(k)], 2 + 6.0 * k / (steps - 1), 1e-5);
    }
    EXPECT_TRUE(made.dots.class_id.empty());
    const QualityReport report = analyze_stippling(made.dots, made.darkness, context);
    EXPECT_GE(figure(report, "P1_inside"), p1) << steps;
    EXPECT_GE(figure(report, "P2_inside"), p2) << steps;
  }
}

// The mean size near an edge of half a picture, and far from it.
TEST(StipplePicture, SizesFollowWhatTheyAreAskedTo) {
  const Image halves =
      test::picture(300, 200, [](double x, double) { return x < 0.5 ? 0.9 : 0.6; });
  const auto means = [&](DotSizeFrom from) {
    Context context;
    const Points dots = stipple(halves, tone_field(), of_sizes(from, 0), context).dots;
    std::array<double, 2> sum{};
    std::array<double, 2> count{};
    for (std::size_t i = 0; i < dots.size(); ++i) {
      const double away = std::abs(dots.x[i] - 150);
      if (away > 6 && away < 60) continue;
      const std::size_t far = away < 60 ? 0 : 1;
      sum.at(far) += 2 * static_cast<double>(dots.radius[i]);
      count.at(far) += 1;
    }
    return std::pair{sum[0] / count[0], sum[1] / count[1]};
  };
  for (const DotSizeFrom from : {DotSizeFrom::detail, DotSizeFrom::edges}) {
    const auto [near, far] = means(from);
    EXPECT_LT(near, 0.7 * far);
    EXPECT_GT(far, 14);
  }
  const auto [near, far] = means(DotSizeFrom::random);
  EXPECT_NEAR(near, far, 1.5);
  EXPECT_NEAR(far, 10, 1.5);
}

TEST(StipplePicture, SizesThatCannotBeAreRefused) {
  const Image image = test::scene();
  const auto refused = [&](const StippleOptions& options) {
    Context context;
    EXPECT_THROW(stipple(image, tone_field(), options, context), Error);
  };
  for (const int steps : {-1, 1, 17, 1 << 30}) refused(of_sizes(DotSizeFrom::tone, steps));
  StippleOptions options = of_sizes(DotSizeFrom::detail, 0);
  options.dot_size = {};
  refused(options);
  options = of_sizes(DotSizeFrom::random, 0);
  options.ink.path = "cmyk";
  refused(options);
  options = of_sizes(DotSizeFrom::tone, 3);
  options.progressive = true;
  refused(options);
  options.progressive = false;
  options.no_overlap = true;
  refused(options);
  options.no_overlap = false;
  EXPECT_THROW(StippleSequence(tone_field(), options), Error);
}

}  // namespace
}  // namespace dapple
