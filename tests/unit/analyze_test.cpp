// Figures against sets whose values are known, and against direct sums in double.
#include "dapple/analyze.hpp"

#include <cmath>
#include <complex>
#include <fstream>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "analyze/spectrum.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"

namespace dapple {
namespace {

PointSet random_points(int n, Domain domain, std::uint64_t place) {
  PointSet points;
  points.domain = domain;
  Random random(1, Stream::tests, place);
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform() * domain.width;
    points.add({x, random.uniform() * domain.height}, 0.0f);
  }
  return points;
}

// |sum exp(-2 pi i f x)|^2 / N at a whole number of periods, term by term.
double direct_power(const PointSet& points, int kx, int ky) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double turns =
        kx * points.x[i] / points.domain.width + ky * points.y[i] / points.domain.height;
    sum += std::polar(1.0, -2 * std::numbers::pi * turns);
  }
  return std::norm(sum) / static_cast<double>(points.size());
}

TEST(PointSpectrum, AgreesWithTheDirectSum) {
  const PointSet points = random_points(300, {40, 25, true}, 1);
  Context context;
  const PowerSpectrum spectrum = point_spectrum(points, context);
  const double unit = std::sqrt(300.0 / 1000.0);
  EXPECT_NEAR(spectrum.step_x, 1 / (40 * unit), 1e-15);
  EXPECT_NEAR(spectrum.step_y, 1 / (25 * unit), 1e-15);
  EXPECT_GE((spectrum.power.width() - 1) * spectrum.step_x, 4);
  EXPECT_GE(spectrum.zero_row * spectrum.step_y, 4);
  double worst = 0;
  for (int j = 0; j < spectrum.power.height(); ++j) {
    for (int i = 0; i < spectrum.power.width(); ++i) {
      const int k = j - spectrum.zero_row;
      if (i == 0 && k <= 0) {
        EXPECT_LT(spectrum.power(i, j), 0);
        continue;
      }
      const double expected = direct_power(points, i, k);
      worst = std::max(
          worst, std::abs(static_cast<double>(spectrum.power(i, j)) - expected) / (1 + expected));
    }
  }
  EXPECT_LT(worst, 2e-6);
  EXPECT_EQ(spectrum.at(-3, 2), spectrum.at(3, -2));
  EXPECT_EQ(spectrum.at(0, -2), spectrum.at(0, 2));
}

TEST(PointSpectrum, ManyPointsAreSeenAtEverySoManyFrequencies) {
  // A long strip, so that one axis needs steps while the set stays small.
  const PointSet points = random_points(400, {4000, 1, true}, 2);
  Context context;
  const PowerSpectrum spectrum = point_spectrum(points, context);
  const int step =
      static_cast<int>(std::lround(spectrum.step_x * 4000 * std::sqrt(400.0 / 4000.0)));
  EXPECT_GT(step, 1);
  for (const int i : {1, 7, 100, spectrum.power.width() - 1}) {
    for (const int k : {-2, 0, 1}) {
      const double expected = direct_power(points, i * step, k);
      EXPECT_NEAR(spectrum.at(i, k), expected, 1e-5 * (1 + expected)) << i << " " << k;
    }
  }
}

TEST(PointSpectrum, IsTheSameOnAnyNumberOfThreads) {
  const PointSet points = random_points(5000, {100, 100, true}, 3);
  Context one;
  one.threads = 1;
  Context seven;
  seven.threads = 7;
  EXPECT_EQ(point_spectrum(points, one).power, point_spectrum(points, seven).power);
}

TEST(PointSpectrum, OfWhiteNoiseIsOne) {
  for (const bool wrap : {true, false}) {
    const PointSet points = random_points(4000, {100, 100, wrap}, 4);
    Context context;
    const PowerSpectrum spectrum = point_spectrum(points, context);
    EXPECT_NEAR(mean_power_below(spectrum, 0.3), 1, 0.15) << wrap;
    EXPECT_NEAR(mean_power_below(spectrum, 4), 1, 0.02) << wrap;
    const auto radial = rings(spectrum, spectrum.step_x, 16);
    EXPECT_NEAR(anisotropy_db(radial), 0, 0.2) << wrap;
    EXPECT_LT(oscillation(radial), 1) << wrap;
    EXPECT_LT(effective_nyquist(spectrum), 0.1) << wrap;
  }
}

TEST(PointSpectrum, OfAGridIsItsLattice) {
  PointSet points;
  points.domain = {64, 64, true};
  for (int i = 0; i < 64; ++i) points.add({i % 8 * 8 + 3.25, i / 8 * 8 + 1.5}, 8);
  Context context;
  const PowerSpectrum spectrum = point_spectrum(points, context);
  EXPECT_NEAR(spectrum.at(8, 0), 64, 1e-3);
  EXPECT_NEAR(spectrum.at(8, 16), 64, 1e-3);
  EXPECT_NEAR(spectrum.at(7, 3), 0, 1e-5);
  EXPECT_DOUBLE_EQ(effective_nyquist(spectrum), 1);  // the lattice's own frequency
  EXPECT_NEAR(mean_power_below(spectrum, 0.9), 0, 1e-6);
  EXPECT_GT(anisotropy_db(rings(spectrum, spectrum.step_x, 16)), 10);
}

TEST(RasterSpectrum, AgreesWithTheDirectSum) {
  for (const auto& [width, height] : {std::pair{12, 9}, std::pair{7, 16}, std::pair{1, 5}}) {
    Plane<float> raster(width, height);
    Random random(1, Stream::tests, 5);
    for (float& v : raster.values()) v = static_cast<float>(random.uniform());
    double mean = 0;
    for (const float v : raster.values()) mean += static_cast<double>(v) / (width * height);
    double energy = 0;
    for (const float v : raster.values()) energy += std::pow(static_cast<double>(v) - mean, 2);
    Context context;
    const PowerSpectrum spectrum = raster_spectrum(raster, context);
    int independent = 0;
    for (int ky = -(height - 1) / 2; ky <= height / 2; ++ky) {
      for (int kx = -(width - 1) / 2; kx <= width / 2; ++kx) {
        if (kx == 0 && ky == 0) continue;
        std::complex<double> sum = 0;
        for (int y = 0; y < height; ++y) {
          for (int x = 0; x < width; ++x) {
            const double turns =
                static_cast<double>(kx) * x / width + static_cast<double>(ky) * y / height;
            sum +=
                static_cast<double>(raster(x, y)) * std::polar(1.0, -2 * std::numbers::pi * turns);
          }
        }
        EXPECT_NEAR(spectrum.at(kx, ky), std::norm(sum) / energy, 1e-5) << kx << " " << ky;
      }
    }
    for (const float v : spectrum.power.values()) independent += v >= 0;
    // Every frequency but zero once; pairs of mirror images count as one.
    int own_mirror = 0;
    for (const int kx : {0, width / 2}) {
      for (const int ky : {0, height / 2}) {
        own_mirror +=
            (kx > 0 || ky > 0) && (kx == 0 || width % 2 == 0) && (ky == 0 || height % 2 == 0);
      }
    }
    EXPECT_EQ(independent, (width * height - 1 - own_mirror) / 2 + own_mirror)
        << width << "x" << height;
  }
}

// ---- masks --------------------------------------------------------------------------------------

Image image_of(Plane<float> plane, PixelType type) {
  Image image;
  image.channels.push_back(std::move(plane));
  image.names = {"Y"};
  image.encoding = Encoding::data;
  image.type = type;
  return image;
}

// Ranks in random order, written as floats.
Plane<float> white_mask(int width, int height) {
  std::vector<int> order(static_cast<std::size_t>(width * height));
  std::iota(order.begin(), order.end(), 0);
  Random random(1, Stream::tests, 6);
  for (std::size_t i = order.size(); i > 1; --i) {
    std::swap(order[i - 1], order[random.below(static_cast<std::uint32_t>(i))]);
  }
  Plane<float> mask(width, height);
  for (std::size_t i = 0; i < order.size(); ++i) {
    mask.values()[i] = (static_cast<float>(order[i]) + 0.5f) / static_cast<float>(order.size());
  }
  return mask;
}

Plane<float> bayer_mask(int side) {
  Plane<float> mask(side, side);
  for (int y = 0; y < side; ++y) {
    for (int x = 0; x < side; ++x) {
      int rank = 0;
      for (int bit = 1, place = side * side / 4; bit < side; bit *= 2, place /= 4) {
        const int a = (x & bit) != 0;
        const int b = (y & bit) != 0;
        rank += place * (2 * (a ^ b) + b);
      }
      mask(x, y) = (static_cast<float>(rank) + 0.5f) / static_cast<float>(side * side);
    }
  }
  return mask;
}

double value(const QualityReport& report, std::string_view name) {
  const Measurement* m = report.find(name);
  EXPECT_NE(m, nullptr) << name;
  return m == nullptr ? std::nan("") : m->value;
}

// The definition, step by step: each of 63 greys dithered, blurred with the full periodic Gaussian,
// compared.
double grey_error_by_pictures(const Plane<float>& mask, double sigma) {
  const int width = mask.width();
  const int height = mask.height();
  const auto bell = [&](int side) {
    std::vector<double> g(static_cast<std::size_t>(side), 0.0);
    for (int i = -100; i <= 100; ++i) {
      g[static_cast<std::size_t>(((i % side) + side) % side)] +=
          std::exp(-0.5 * i * i / (sigma * sigma));
    }
    const double sum = std::accumulate(g.begin(), g.end(), 0.0);
    for (double& v : g) v /= sum;
    return g;
  };
  const auto gx = bell(width);
  const auto gy = bell(height);
  double total = 0;
  for (int grey = 1; grey < 64; ++grey) {
    Plane<double> across(width, height);
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int i = 0; i < width; ++i) {
          const bool set = static_cast<double>(mask(i, y)) < grey / 64.0;
          if (set) across(x, y) += gx[static_cast<std::size_t>((x - i + width) % width)];
        }
      }
    }
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        double sum = 0;
        for (int j = 0; j < height; ++j) {
          sum += gy[static_cast<std::size_t>((y - j + height) % height)] * across(x, j);
        }
        total += std::pow(sum - grey / 64.0, 2);
      }
    }
  }
  return 255 * std::sqrt(total / (63.0 * width * height));
}

TEST(MaskFigures, GreyErrorAgreesWithItsDefinition) {
  for (const auto& mask : {white_mask(48, 48), bayer_mask(32), white_mask(20, 33)}) {
    Context context;
    const QualityReport report = analyze_mask(image_of(mask, PixelType::f32), context);
    EXPECT_NEAR(value(report, "grey_1.5"), grey_error_by_pictures(mask, 1.5), 2e-3);
    EXPECT_NEAR(value(report, "grey_2"), grey_error_by_pictures(mask, 2), 2e-3);
  }
}

TEST(MaskFigures, TellWhiteNoiseFromALattice) {
  Context context;
  const QualityReport white = analyze_mask(image_of(white_mask(64, 64), PixelType::f32), context);
  const QualityReport bayer = analyze_mask(image_of(bayer_mask(64), PixelType::f32), context);
  EXPECT_NEAR(value(white, "p32"), 1, 0.4);
  EXPECT_LT(value(white, "pk2"), 2);
  EXPECT_NEAR(value(white, "aniso_2"), 0, 0.5);
  EXPECT_LT(value(white, "d256"), 0.5);
  EXPECT_LT(value(bayer, "p32"), 1e-6);
  EXPECT_GT(value(bayer, "pk2"), 30);  // a chessboard has one frequency
  EXPECT_GT(value(bayer, "aniso_8"), 6);
  EXPECT_LT(value(bayer, "grey_2"), value(white, "grey_2") / 4);
  // The first 16 pixels of Bayer's 64 x 64 are a square lattice of 16 pixels.
  EXPECT_NEAR(value(bayer, "d256"), std::sqrt(std::numbers::sqrt3 / 2), 1e-6);
  for (const auto* report : {&white, &bayer}) {
    EXPECT_EQ(value(*report, "missing"), 0);
    EXPECT_EQ(value(*report, "spread"), 0);
  }
}

TEST(MaskFigures, RampErrorOfWhiteNoise) {
  // Independent errors of variance g (1 - g), mean 1/6, through a Gaussian of sum of squares
  // 1 / (4 pi sigma^2).
  Context context;
  const QualityReport white = analyze_mask(image_of(white_mask(128, 128), PixelType::f32), context);
  EXPECT_NEAR(value(white, "ramp1"), 255 * std::sqrt(1 / (24 * std::numbers::pi)), 1.5);
}

TEST(MaskFigures, RepeatedAndMissingValuesAreFound) {
  Context context;
  Plane<float> mask = white_mask(16, 16);
  mask(3, 4) = mask(5, 6);
  const QualityReport report = analyze_mask(image_of(mask, PixelType::f32), context);
  EXPECT_EQ(value(report, "missing"), 1);
  EXPECT_EQ(value(report, "spread"), 2);

  Plane<float> bytes(32, 32);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes.values()[i] = static_cast<float>(i * 7 % 1024 / 4) / 255.0f;
  }
  const QualityReport equal = analyze_mask(image_of(bytes, PixelType::u8), context);
  EXPECT_EQ(value(equal, "missing"), 0);
  EXPECT_EQ(value(equal, "spread"), 0);
  for (float& v : bytes.values()) {
    if (v == 0.0f) v = 1.0f;
  }
  const QualityReport uneven = analyze_mask(image_of(bytes, PixelType::u8), context);
  EXPECT_EQ(value(uneven, "missing"), 1);
  EXPECT_EQ(value(uneven, "spread"), 8);
}

TEST(MaskFigures, ChannelsAreMeasuredOnce) {
  Context context;
  Image image = image_of(white_mask(16, 16), PixelType::f32);
  image.channels.push_back(image.channels[0]);
  image.channels.push_back(bayer_mask(16));
  image.channels.emplace_back(16, 16, 1.0f);
  image.names = {"R", "G", "B", "A"};
  const QualityReport report = analyze_mask(image, context);
  EXPECT_NE(report.find("grey_2"), nullptr);
  EXPECT_EQ(report.find("grey_2.G"), nullptr);
  EXPECT_NE(report.find("grey_2.B"), nullptr);
  EXPECT_EQ(report.find("grey_2.A"), nullptr);
  image.channels = {Plane<float>(16, 16, 0.5f)};
  EXPECT_THROW(analyze_mask(image, context), Error);
}

TEST(MaskFigures, AreTheSameOnAnyNumberOfThreads) {
  Context one;
  one.threads = 1;
  Context seven;
  seven.threads = 7;
  const Image mask = image_of(white_mask(40, 56), PixelType::f32);
  EXPECT_EQ(report_json(analyze_mask(mask, one)), report_json(analyze_mask(mask, seven)));
}

// ---- reports ------------------------------------------------------------------------------------

TEST(Report, JsonIsReadableByPrograms) {
  Context context;
  const QualityReport report = analyze_mask(image_of(white_mask(16, 16), PixelType::f32), context);
  const auto json = nlohmann::json::parse(report_json(report));
  EXPECT_EQ(json["kind"], "mask");
  for (const Measurement& m : report.measurements) {
    EXPECT_EQ(json["measurements"][m.name].get<double>(), m.value) << m.name;
  }
  const std::string text = report_text(report);
  EXPECT_NE(text.find("grey_1.5"), std::string::npos);
}

}  // namespace
}  // namespace dapple
