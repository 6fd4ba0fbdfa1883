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
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {
namespace {

Points random_points(int n, Domain domain, std::uint64_t place) {
  Points points;
  points.domain = domain;
  Random random(1, Stream::tests, place);
  for (int i = 0; i < n; ++i) {
    const double x = random.uniform() * domain.width;
    points.add({x, random.uniform() * domain.height}, 0.0f);
  }
  return points;
}

// |sum exp(-2 pi i f x)|^2 / N at a whole number of periods, term by term.
double direct_power(const Points& points, int kx, int ky) {
  std::complex<double> sum = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    const double turns =
        kx * points.x[i] / points.domain.width + ky * points.y[i] / points.domain.height;
    sum += std::polar(1.0, -2 * std::numbers::pi * turns);
  }
  return std::norm(sum) / static_cast<double>(points.size());
}

TEST(PointSpectrum, AgreesWithTheDirectSum) {
  const Points points = random_points(300, {40, 25, true}, 1);
  Context context;
  const PowerSpectrum spectrum = power_spectrum(points, context);
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
  const Points points = random_points(400, {4000, 1, true}, 2);
  Context context;
  const PowerSpectrum spectrum = power_spectrum(points, context);
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
  const Points points = random_points(5000, {100, 100, true}, 3);
  Context one;
  one.threads = 1;
  Context seven;
  seven.threads = 7;
  EXPECT_EQ(power_spectrum(points, one).power, power_spectrum(points, seven).power);
}

TEST(PointSpectrum, OfWhiteNoiseIsOne) {
  for (const bool wrap : {true, false}) {
    const Points points = random_points(4000, {100, 100, wrap}, 4);
    Context context;
    const PowerSpectrum spectrum = power_spectrum(points, context);
    EXPECT_NEAR(mean_power_below(spectrum, 0.3), 1, 0.15) << wrap;
    EXPECT_NEAR(mean_power_below(spectrum, 4), 1, 0.02) << wrap;
    const auto radial = radial_power(spectrum, spectrum.step_x);
    EXPECT_NEAR(anisotropy_db(radial), 0, 0.2) << wrap;
    EXPECT_LT(oscillation(radial), 1) << wrap;
    EXPECT_LT(effective_nyquist(spectrum), 0.1) << wrap;
  }
}

TEST(PointSpectrum, OfAGridIsItsLattice) {
  Points points;
  points.domain = {64, 64, true};
  for (int i = 0; i < 64; ++i) points.add({i % 8 * 8 + 3.25, i / 8 * 8 + 1.5}, 8);
  Context context;
  const PowerSpectrum spectrum = power_spectrum(points, context);
  EXPECT_NEAR(spectrum.at(8, 0), 64, 1e-3);
  EXPECT_NEAR(spectrum.at(8, 16), 64, 1e-3);
  EXPECT_NEAR(spectrum.at(7, 3), 0, 1e-5);
  EXPECT_DOUBLE_EQ(effective_nyquist(spectrum), 1);  // the lattice's own frequency
  EXPECT_NEAR(mean_power_below(spectrum, 0.9), 0, 1e-6);
  EXPECT_GT(anisotropy_db(radial_power(spectrum, spectrum.step_x)), 10);
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
    const PowerSpectrum spectrum = power_spectrum(raster, context);
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

// The definition, step by step: each of 63 grays (fewer of a mask of fewer pixels) dithered,
// blurred with the full periodic Gaussian, compared with its mean.
double gray_error_by_pictures(const Plane<float>& mask, double sigma) {
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
  const int grays = std::min(64, width * height);
  for (int gray = 1; gray < grays; ++gray) {
    Plane<double> across(width, height);
    double share = 0;
    for (const float v : mask.values()) {
      if (static_cast<double>(v) * grays < gray) share += 1.0 / (width * height);
    }
    for (int y = 0; y < height; ++y) {
      for (int x = 0; x < width; ++x) {
        for (int i = 0; i < width; ++i) {
          const bool set = static_cast<double>(mask(i, y)) * grays < gray;
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
        total += std::pow(sum - share, 2);
      }
    }
  }
  return 255 * std::sqrt(total / ((grays - 1.0) * width * height));
}

TEST(MaskFigures, GrayErrorAgreesWithItsDefinition) {
  for (const auto& mask :
       {white_mask(48, 48), bayer_mask(32), white_mask(20, 33), white_mask(7, 5), bayer_mask(4)}) {
    Context context;
    const QualityReport report = analyze_mask(image_of(mask, PixelType::f32), context);
    EXPECT_NEAR(value(report, "grey_1.5"), gray_error_by_pictures(mask, 1.5), 2e-3);
    EXPECT_NEAR(value(report, "grey_2"), gray_error_by_pictures(mask, 2), 2e-3);
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

// ---- point sets ---------------------------------------------------------------------------------

// A hexagonal lattice that closes on its torus up to one part in 10,000.
Points hexagonal(int columns, int rows, double spacing) {
  Points points;
  points.domain = {columns * spacing, rows * spacing * std::numbers::sqrt3 / 2, true};
  for (int j = 0; j < rows; ++j) {
    for (int i = 0; i < columns; ++i) {
      const double x = (i + 0.5 * (j % 2) + 0.1) * spacing;
      points.add({x, (j + 0.1) * spacing * std::numbers::sqrt3 / 2}, static_cast<float>(spacing));
    }
  }
  return points;
}

TEST(PointFigures, OfTheHexagonalLattice) {
  Context context;
  Points points = hexagonal(30, 36, 4);
  // Its r as a file would give it: a float is no more exact than this.
  for (float& r : points.radius) r = std::nextafter(r, 0.0f);
  const QualityReport report = analyze_points(points, context);
  EXPECT_NEAR(value(report, "kappa"), 2 / std::numbers::sqrt3, 1e-5);
  EXPECT_NEAR(value(report, "rho_min"), 1, 1e-9);
  EXPECT_NEAR(value(report, "rho_mean"), 1, 1e-9);
  EXPECT_NEAR(value(report, "d_min"), 4, 1e-9);
  EXPECT_EQ(value(report, "violations"), 0);
  EXPECT_NEAR(value(report, "hole"), 1 / std::numbers::sqrt3, 2e-3);
  EXPECT_NEAR(value(report, "nu_eff"), std::sqrt(2 / std::numbers::sqrt3), 1e-6);
  EXPECT_NEAR(value(report, "LF"), 0, 1e-6);
  EXPECT_GT(value(report, "oscillation"), 10);
  // Without r the smallest distance stands for it.
  points.radius.assign(points.size(), 0.0f);
  const QualityReport alone = analyze_points(points, context);
  EXPECT_NEAR(value(alone, "kappa"), 2 / std::numbers::sqrt3, 1e-5);
  EXPECT_EQ(alone.find("violations"), nullptr);
}

TEST(PointFigures, ViolationsAreCountedPairByPair) {
  Points points = random_points(400, {60, 50, true}, 7);
  Random random(1, Stream::tests, 8);
  for (float& r : points.radius) r = static_cast<float>(1 + 4 * random.uniform());
  double pairs = 0;
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) {
      double dx = std::abs(points.x[i] - points.x[j]);
      double dy = std::abs(points.y[i] - points.y[j]);
      dx = std::min(dx, 60 - dx);
      dy = std::min(dy, 50 - dy);
      const double rule =
          0.5 * (static_cast<double>(points.radius[i]) + static_cast<double>(points.radius[j]));
      pairs += std::hypot(dx, dy) < rule;
    }
  }
  Context context;
  const QualityReport report = analyze_points(points, context);
  EXPECT_GT(pairs, 100);
  EXPECT_EQ(value(report, "violations"), pairs);
  EXPECT_EQ(report.find("LF"), nullptr);  // a spectrum would show the sizes
  EXPECT_FALSE(report.notes.empty());
}

TEST(PointFigures, BandsFollowTheMap) {
  // Two halves, the left four times as dense as the right, each filled with as many points as its
  // kappa says: 0.6 on the left, 0.9 on the right.
  Plane<float> radius(100, 50);
  for (int y = 0; y < 50; ++y) {
    for (int x = 0; x < 100; ++x) radius(x, y) = x < 50 ? 1.0f : 2.0f;
  }
  const DensityField field = DensityField::from_radius(radius, {100, 50, false}, std::nullopt);
  Points points;
  points.domain = field.domain();
  const auto fill = [&](double x0, int count, float r) {
    const int across = 25;
    for (int i = 0; i < count; ++i) {
      const double rows = std::ceil(count / 25.0);
      points.add({x0 + (i % across + 0.5) * 2, (i / across + 0.5) * 50 / rows}, r);
    }
  };
  fill(0, 1500, 1);
  fill(50, 562, 2);
  Context context;
  const QualityReport report = analyze_points(points, field, ConflictRule::mean, context);
  EXPECT_NEAR(value(report, "kappa_1"), 0.6, 1e-9);
  EXPECT_NEAR(value(report, "kappa_2"), 562.0 * 4 / 2500, 1e-9);
  EXPECT_EQ(report.find("kappa_3"), nullptr);
  EXPECT_NEAR(value(report, "kappa_cv"), 20, 0.05);
  EXPECT_NEAR(value(report, "kappa"), 2062 / (2500.0 + 625.0), 1e-9);
}

TEST(PointFigures, SmallSetsAreNoError) {
  for (const int n : {0, 1, 2, 3}) {
    for (const bool wrap : {false, true}) {
      Context context;
      const Points points = random_points(n, {10, 7, wrap}, 9);
      const QualityReport report = analyze_points(points, context);
      EXPECT_EQ(value(report, "N"), n);
      EXPECT_GT(report_sheet(report, context).height(), 0);
    }
  }
}

TEST(PointFigures, AreTheSameOnAnyNumberOfThreads) {
  Context one;
  one.threads = 1;
  Context seven;
  seven.threads = 7;
  const Points points = random_points(3000, {100, 80, false}, 10);
  EXPECT_EQ(report_json(analyze_points(points, one)), report_json(analyze_points(points, seven)));
}

// ---- stipplings ---------------------------------------------------------------------------------

TEST(StippleFigures, OfAGridOnEvenGray) {
  // Each dot in the middle of a square of 8 pixels.
  Points dots;
  dots.domain = {96, 64, false};
  for (int i = 0; i < 96; ++i) dots.add({i % 12 * 8 + 4.0, i / 12 * 8 + 4.0}, 2);
  const Plane<float> darkness(96, 64, 0.25f);
  Context context;
  const QualityReport report = analyze_stippling(dots, darkness, context);
  const double square = std::sqrt(std::numbers::sqrt3 / 2);
  EXPECT_NEAR(value(report, "h"), 8, 1e-12);
  EXPECT_NEAR(value(report, "ink"), 100 * std::numbers::pi * 4 / (64 * 0.25), 1e-4);
  EXPECT_NEAR(value(report, "dmin"), square, 1e-6);
  EXPECT_NEAR(value(report, "dmean"), square, 1e-6);
  EXPECT_NEAR(value(report, "cap"), 0, 1e-6);
  // A lattice through a Gaussian of its own spacing is flat to 170 dB; five sigma are summed.
  EXPECT_GT(value(report, "P1"), 100);
  EXPECT_GT(value(report, "P2"), 100);
}

TEST(StippleFigures, LikenessAgreesWithItsDefinition) {
  // A gradient with random dots, against sums over mirror images term by term.
  Plane<float> darkness(16, 8);
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 16; ++x) darkness(x, y) = static_cast<float>(x + 1) / 30;
  }
  Points dots = random_points(20, {16, 8, false}, 11);
  for (std::size_t i = 0; i < dots.size(); ++i) dots.radius[i] = i % 2 == 0 ? 1.0f : 2.0f;
  double total = 0;
  for (const float d : darkness.values()) total += static_cast<double>(d);
  double sum = 0;
  const double sigma = std::sqrt(16 * 8 / 20.0);
  const auto bell = [&](double t) {
    return std::exp(-0.5 * t * t / (sigma * sigma)) / (sigma * std::sqrt(2 * std::numbers::pi));
  };
  const auto mirrored = [](int i, int n) {
    i = ((i % (2 * n)) + 2 * n) % (2 * n);
    return i < n ? i : 2 * n - 1 - i;
  };
  for (int y = 0; y < 8; ++y) {
    for (int x = 0; x < 16; ++x) {
      double asked = 0;
      for (int j = -24; j < 32; ++j) {
        for (int i = -24; i < 40; ++i) {
          // A pixel as 3 x 3 samples.
          for (const double a : {-1 / 3.0, 0.0, 1 / 3.0}) {
            for (const double b : {-1 / 3.0, 0.0, 1 / 3.0}) {
              asked += static_cast<double>(darkness(mirrored(i, 16), mirrored(j, 8))) / 9 *
                       bell(i + a - x) * bell(j + b - y);
            }
          }
        }
      }
      double got = 0;
      for (std::size_t k = 0; k < dots.size(); ++k) {
        const double ink = total * (k % 2 == 0 ? 1 : 4) / (10 * 1 + 10 * 4);
        for (int j = -3; j <= 3; ++j) {
          for (int i = -2; i <= 2; ++i) {
            const double u = (i % 2 == 0 ? 16 * i + dots.x[k] : 16 * (i + 1) - dots.x[k]);
            const double v = (j % 2 == 0 ? 8 * j + dots.y[k] : 8 * (j + 1) - dots.y[k]);
            got += ink * bell(u - x - 0.5) * bell(v - y - 0.5);
          }
        }
      }
      sum += (got - asked) * (got - asked);
    }
  }
  Context context;
  const QualityReport report = analyze_stippling(dots, darkness, context);
  EXPECT_NEAR(value(report, "P1"), 10 * std::log10(16 * 8 / sum), 0.01);
}

TEST(StippleFigures, ToneAndCapacityAreSeen) {
  // All dots on the left half of even gray: half the columns hold twice their tone, half none.
  Points dots;
  dots.domain = {64, 32, false};
  for (int i = 0; i < 128; ++i) dots.add({i % 8 * 4 + 2.0, i / 8 * 2 + 1.0}, 1);
  Context context;
  const QualityReport report = analyze_stippling(dots, Plane<float>(64, 32, 0.5f), context);
  EXPECT_GT(value(report, "cap"), 1);
  EXPECT_GT(value(report, "ramp"), 50);
  EXPECT_LT(value(report, "P2"), 10);
  EXPECT_THROW(analyze_stippling(dots, Plane<float>(64, 32, 0.0f), context), Error);
  EXPECT_THROW(analyze_stippling(dots, Plane<float>(64, 64, 0.5f), context), Error);
  Points none;
  none.domain = dots.domain;
  EXPECT_THROW(analyze_stippling(none, Plane<float>(64, 32, 1.0f), context), Error);
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

TEST(Report, EveryFigureIsDefinedInTheDocumentation) {
  std::ifstream file(std::string(DAPPLE_SOURCE_FOLDER) + "/docs/quality.md");
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  ASSERT_FALSE(text.empty());
  Context context;
  Plane<float> radius(20, 20);
  for (int i = 0; i < 400; ++i) radius(i % 20, i / 20) = 1.0f + 0.1f * static_cast<float>(i % 20);
  const DensityField field = DensityField::from_radius(radius, {20, 20, false}, std::nullopt);
  Points points = random_points(50, {20, 20, false}, 12);
  points.radius.assign(50, 1.0f);
  const Image mask = image_of(white_mask(16, 16), PixelType::f32);
  for (const QualityReport& report :
       {analyze_points(points, context), analyze_points(points, field, ConflictRule::mean, context),
        analyze_mask(mask, context),
        analyze_stippling(points, Plane<float>(20, 20, 0.5f), context)}) {
    for (const Measurement& m : report.measurements) {
      const bool band = m.name.starts_with("kappa_") && m.name != "kappa_cv";
      const std::string name = "`" + (band ? "kappa_1" : m.name) + "`";
      EXPECT_NE(text.find(name), std::string::npos) << name << " is not in docs/quality.md";
    }
    EXPECT_EQ(report_sheet(report, context).width(), report.kind == "stippling" ? 1984 : 1200);
  }
}

}  // namespace
}  // namespace dapple
