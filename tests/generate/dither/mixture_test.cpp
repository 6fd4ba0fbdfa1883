// Mixtures of a palette's colors: which are taken, what strength changes, and those of the table.
#include <gtest/gtest.h>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dither_differences.hpp"
#include "dither_pictures.hpp"
#include "generate/dither/mixtures.hpp"

namespace dapple {
namespace {

using palette::Rgb;

// Returns Oklab of light that has a fiftieth of white added, its colors times `chroma`.
Rgb weighed(const Rgb& light, double chroma) {
  Image one;
  for (const double v : light) {
    one.channels.emplace_back(1, 1, linear_to_srgb(static_cast<float>((v + 0.02) / 1.02)));
  }
  const Lab lab = seen(one, 0);
  return {lab[0][0], chroma * lab[0][1], chroma * lab[0][2]};
}

// What a mixture costs, by definition: differences of light are as steep as Oklab is, found by
// differences.
struct Cost {
  double mean = 0;   // squared error of it
  double grain = 0;  // variance round what is wanted
};

class LevelScale {
 public:
  explicit LevelScale(const Rgb& wanted, double chroma) : wanted_(wanted) {
    constexpr double step = 1e-3;
    for (std::size_t j = 0; j < 3; ++j) {
      Rgb more = wanted;
      Rgb less = wanted;
      more[j] += step;
      less[j] -= std::min(step, wanted[j]);
      const Rgb a = weighed(more, chroma);
      const Rgb b = weighed(less, chroma);
      for (std::size_t k = 0; k < 3; ++k) slopes_[k][j] = (a[k] - b[k]) / (more[j] - less[j]);
    }
  }
  Rgb place(const Rgb& color) const {
    Rgb place{};
    for (std::size_t k = 0; k < 3; ++k) {
      for (std::size_t j = 0; j < 3; ++j) place[k] += slopes_[k][j] * (color[j] - wanted_[j]);
    }
    return place;
  }
  double square(const Rgb& color) const {
    const Rgb p = place(color);
    return p[0] * p[0] + p[1] * p[1] + p[2] * p[2];
  }
  Cost of(const palette::Mixer& mixer, const palette::Mixture& mixture) const {
    Cost cost{square(mixer.mean(mixture)), 0};
    for (int i = 0; i < mixture.count; ++i) {
      const palette::Part& part = mixture.parts[static_cast<std::size_t>(i)];
      cost.grain += part.weight * square(mixer.wanted(part.color));
    }
    return cost;
  }

 private:
  Rgb wanted_;
  std::array<Rgb, 3> slopes_{};
};

std::vector<palette::Rgb8> random_colors(Random& random, int count) {
  std::vector<palette::Rgb8> colors;
  for (int i = 0; i < count; ++i) {
    palette::Rgb8 c;
    for (std::uint8_t& v : c) v = static_cast<std::uint8_t>(random.below(256));
    colors.push_back(c);
  }
  return colors;
}

constexpr double least_grain = 0.003;

// The least of |mean|^2 + grain * variance: no color of the palette would lower it (the conditions
// of Karush, Kuhn and Tucker). So what cannot be mixed is the nearest mean, but for the grain.
TEST(Mixture, NoOtherColorWouldLowerTheCost) {
  Random random(6, Stream::tests);
  for (int round = 0; round < 300; ++round) {
    const double strength = round % 3 == 0 ? 0.5 : 1;
    const double grain = least_grain + 1 / strength - 1;
    const palette::Mixer mixer(random_colors(random, 2 + round % 20), palette::Space::light, true,
                               strength);
    const Rgb wanted{random.uniform(), random.uniform(), random.uniform()};
    // With and without a guess, which may be far off.
    const palette::Mixture guess = mixer.mix({random.uniform(), 0, random.uniform()});
    const palette::Mixture mixture = mixer.mix(wanted, round % 2 ? guess : palette::Mixture{});
    EXPECT_LE(mixture.count, 4);
    double sum = 0;
    for (int i = 0; i < mixture.count; ++i) {
      EXPECT_GE(mixture.parts[static_cast<std::size_t>(i)].weight, 0);
      sum += mixture.parts[static_cast<std::size_t>(i)].weight;
    }
    EXPECT_NEAR(sum, 1, 1e-6);
    const LevelScale scale(wanted, strength < 1 ? 1 : 0.4);
    const Cost cost = scale.of(mixer, mixture);
    const Rgb mean = scale.place(mixer.mean(mixture));
    const double level = 2 * cost.mean + grain * cost.grain;
    for (int i = 0; i < static_cast<int>(mixer.colors().size()); ++i) {
      const Rgb color = scale.place(mixer.wanted(i));
      double slope = grain * scale.square(mixer.wanted(i));
      for (std::size_t k = 0; k < 3; ++k) slope += 2 * color[k] * mean[k];
      EXPECT_GT(slope, level - 2e-5 - 2e-3 * std::abs(level)) << round;
    }
  }
}

TEST(Mixture, IsOfNeighborsNotOfExtremes) {
  const palette::Mixer mixer({{0, 0, 0}, {85, 85, 85}, {170, 170, 170}, {255, 255, 255}},
                             palette::Space::light);
  for (const double v : {0.1, 0.4, 0.5, 0.6, 0.9}) {
    const palette::Mixture mixture = mixer.mix({light(v), light(v), light(v)});
    ASSERT_EQ(mixture.count, 2) << v;
    EXPECT_EQ(mixture.parts[0].color, static_cast<int>(v * 3));
    EXPECT_EQ(mixture.parts[1].color, static_cast<int>(v * 3) + 1);
  }
}

// A brown so dark that its hue is not seen is made of the darks beside it, though white, yellow and
// red would have its hue exactly.
TEST(Mixture, HasNoSpecksOfLightInTheDark) {
  const palette::Mixer mixer(
      {{0, 0, 0}, {24, 24, 28}, {60, 60, 66}, {255, 255, 255}, {250, 220, 60}, {230, 60, 40}},
      palette::Space::light);
  for (const palette::Rgb8& brown : {palette::Rgb8{16, 13, 12}, {22, 19, 18}, {40, 36, 35}}) {
    Rgb wanted;
    for (std::size_t k = 0; k < 3; ++k) wanted[k] = light(brown[k] / 255.0);
    const palette::Mixture mixture = mixer.mix(wanted);
    for (int i = 0; i < mixture.count; ++i) {
      const int color = mixture.parts[static_cast<std::size_t>(i)].color;
      EXPECT_LT(mixer.wanted(color)[1], light(0.3)) << int(brown[0]);
    }
  }
}

TEST(Mixture, LessStrengthIsLessGrainAndMoreErrorForEveryColor) {
  Random random(11, Stream::tests);
  const std::array strengths{0.99, 0.9, 0.7, 0.5, 0.3, 0.1, 0.02, 0.0};
  for (int round = 0; round < 100; ++round) {
    const std::vector<palette::Rgb8> colors = random_colors(random, 2 + round % 30);
    const Rgb wanted{random.uniform(), random.uniform(), random.uniform()};
    const LevelScale scale(wanted, 1);
    Cost before{0, 1e9};
    for (const double strength : strengths) {
      const palette::Mixer mixer(colors, palette::Space::light, true, strength);
      const palette::Mixture mixture = mixer.mix(wanted);
      const Cost cost = scale.of(mixer, mixture);
      EXPECT_LE(cost.grain, before.grain * 1.001 + 1e-4) << strength;
      EXPECT_GE(cost.mean, before.mean * 0.999 - 1e-4) << strength;
      before = cost;
      if (strength > 0) continue;
      ASSERT_EQ(mixture.count, 1);
      for (int i = 0; i < static_cast<int>(colors.size()); ++i) {
        EXPECT_GE(scale.square(mixer.wanted(i)), cost.grain * 0.999 - 1e-6);
      }
    }
  }
}

// Of black and white at strength s, a light v is the part (v - 1/2) / s + 1/2 white, whatever way
// it is dithered.
TEST(Mixture, StrengthIsThePartBetweenTwoThatIsDithered) {
  Context context;
  for (const double strength : {0.25, 0.5, 0.8}) {
    for (const double v : {0.02, 0.15, 0.3, 0.45, 0.62, 0.85, 0.99}) {
      const double expected = std::clamp((v - 0.5) / strength + 0.5, 0.0, 1.0);
      Image image = flat(64, {0, 0, 0}, {"R", "G", "B"});
      image.encoding = Encoding::linear;
      for (auto& plane : image.channels) {
        for (float& value : plane.values()) value = static_cast<float>(v);
      }
      for (const DitherMethod method : {DitherMethod::mask, DitherMethod::floyd_steinberg}) {
        for (const char* palette : {"", "#000,#fff"}) {
          DitherOptions options;
          options.method = method;
          options.palette.path = palette;
          options.strength = strength;
          const Image out = dither(image, options, context);
          EXPECT_NEAR(mean(out.channels[1], light), expected, 0.01)
              << strength << " " << v << palette;
        }
      }
    }
  }
}

constexpr const char* sixteen_colors =
    "#000000,#1d2b53,#7e2553,#008751,#ab5236,#5f574f,#c2c3c7,#fff1e8,#ff004d,#ffa300,#ffec27,"
    "#00e436,#29adff,#83769c,#ff77a8,#ffccaa";

// A lit sphere of the color of skin before a pale wall.
Image skin_sphere() {
  constexpr int side = 160;
  Image image = flat(side, {0, 0, 0}, {"R", "G", "B"});
  const std::array<double, 3> skin{232, 182, 150};
  const std::array<double, 3> wall{210, 215, 220};
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      const double u = (x - 80) / 65.0;
      const double v = (y - 80) / 65.0;
      const bool inside = u * u + v * v < 1;
      const double shade =
          inside
              ? 0.15 + 0.9 * std::max(0.0, 0.77 * std::sqrt(1 - u * u - v * v) - 0.4 * u - 0.5 * v)
              : 1;
      for (std::size_t c = 0; c < 3; ++c) {
        const double wanted = shade * light((inside ? skin[c] : wall[c]) / 255);
        image.channels[c](x, y) = linear_to_srgb(static_cast<float>(std::min(1.0, wanted)));
      }
    }
  }
  return image;
}

struct Differences {
  double pixels, of_light, of_values;
};

Differences differences(const Image& image, DitherOptions options) {
  Context context;
  options.palette.path = sixteen_colors;
  const Image out = dither(image, options, context);
  return {difference(seen(out, 0), seen(image, 0)), difference(seen(out, 6), seen(image, 6)),
          difference(seen(out, 6, Averages::values), seen(image, 6, Averages::values))};
}

// An average of encoded values, as programs scale pictures, turns mixtures of exact light green
// (about 50 here), and an average of light pales mixtures of exact values (28).
TEST(Palette, HasTheRightColorsInLightAndInEncodedValues) {
  const Image image = skin_sphere();
  for (const DitherMethod method : {DitherMethod::mask, DitherMethod::floyd_steinberg}) {
    DitherOptions options;
    options.method = method;
    const Differences both = differences(image, options);
    EXPECT_LT(both.of_light, 18);
    EXPECT_LT(both.of_values, 15);
    options.mixing = DitherMixing::light;
    const Differences exact = differences(image, options);
    EXPECT_LT(exact.of_light, 6);
    EXPECT_GT(exact.of_values, 30);
    EXPECT_GT(exact.pixels, both.pixels);
  }
}

TEST(Palette, LessStrengthHasLessGrainAndNoSuddenTint) {
  const Image image = skin_sphere();
  for (const DitherMixing mixing : {DitherMixing::both, DitherMixing::light}) {
    DitherOptions options = small_options();
    options.mixing = mixing;
    Differences before = differences(image, options);
    for (const double strength : {0.99, 0.95, 0.9, 0.8, 0.6, 0.4, 0.2, 0.0}) {
      options.strength = strength;
      const Differences now = differences(image, options);
      EXPECT_LT(now.pixels, before.pixels * 1.01) << strength;
      // A tenth of the strength costs less than a hundredth of the way from black to white.
      if (strength >= 0.8) {
        EXPECT_LT(now.of_light, before.of_light + 7) << strength;
        EXPECT_LT(now.of_values, before.of_values + 7) << strength;
      }
      before = now;
    }
  }
}

// Mixtures of the table cost, beside those of all colors, no more than a part of the square of a
// cell's size, and their means are as right.
TEST(MixtureTable, IsAsGoodAsAllColors) {
  Random random(12, Stream::tests);
  for (const int count : {4, 16, 256}) {
    const palette::Mixer mixer(random_colors(random, count), palette::Space::light);
    Image image = flat(48, {0, 0, 0}, {"R", "G", "B"});
    for (auto& plane : image.channels) {
      for (float& v : plane.values()) v = static_cast<float>(random.uniform());
    }
    const dithering::Picture picture(image, false, true);
    Context context;
    const dithering::MixtureTable table(picture, mixer, context);
    double grain = 0;
    double least = 0;
    for (int y = 0; y < 48; ++y) {
      dithering::PictureRows rows(picture);
      rows.read(y);
      for (int x = 0; x < 48; ++x) {
        const std::array<float, 3> rgb = rows.at(x);
        const Rgb wanted{rgb[0], rgb[1], rgb[2]};
        const LevelScale scale(wanted, 0.4);
        const Cost cost = scale.of(mixer, table.mix(rgb, {}));
        const Cost best = scale.of(mixer, mixer.mix(wanted));
        // In Oklab: half a hundredth where it is all that the palette can.
        EXPECT_LE(std::sqrt(cost.mean), std::sqrt(best.mean) + 0.005) << count;
        grain += cost.grain;
        least += best.grain;
      }
    }
    EXPECT_LE(grain, 1.02 * least) << count;
  }
}

}  // namespace
}  // namespace dapple
