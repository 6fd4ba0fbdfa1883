// Calibration sheets, read back from simulated scans.
#include "app/calibrate/scan.hpp"

#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>

#include "app/calibrate/crosses.hpp"
#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "field/blur.hpp"
#include "field/resample.hpp"

namespace dapple::app {
namespace {

// Simulates a scanner: turns, blurs, shades and disturbs the picture of a sheet.
struct Scanner {
  double dpi = 300;
  double degrees = 0;      // clockwise
  double perspective = 0;  // parts by which the lower edge is longer than the upper
  double blur = 0;         // mm
  double shade = 0;        // parts of the light that one corner lacks
  double noise = 0;        // of full scale
  double paper = 0.9;      // light
  double ink = 0.06;
};

Image scanned(Drawing drawing, double width, const Scanner& how) {
  Context context;
  drawing.pen = width;
  for (Layer& layer : drawing.layers) {
    for (Disc& disc : layer.discs) disc.radius = 0.5 * width;
    for (Polyline& line : layer.lines) line.width = width;
  }
  const double mm = how.dpi / 25.4;
  const int w = static_cast<int>(std::lround(drawing.width * mm));
  const int h = static_cast<int>(std::lround(drawing.height * mm));
  Image image = rasterize(drawing, w, h, context);
  Plane<float> light = image.channels[0];
  for (float& v : light.values()) {
    v = static_cast<float>(how.ink +
                           (how.paper - how.ink) * static_cast<double>(srgb_to_linear(v)));
  }
  if (how.blur > 0) light = gaussian_blurred(light, how.blur * mm, context);
  // The scan shows a little around the sheet.
  const int edge = static_cast<int>(3 * mm);
  Plane<float> seen(w + 2 * edge, h + 2 * edge);
  Random random(1, Stream::tests);
  const double turn = how.degrees / 360;
  const Vec2 middle{0.5 * seen.width(), 0.5 * seen.height()};
  for (int y = 0; y < seen.height(); ++y) {
    for (int x = 0; x < seen.width(); ++x) {
      const Vec2 p = Vec2{x + 0.5, y + 0.5} - middle;
      const Vec2 along = direction(turn);
      Vec2 q{dot(p, along), along.x * p.y - along.y * p.x};
      q = q * (1 / (1 + how.perspective * q.y / h));
      q = q + Vec2{0.5 * w, 0.5 * h};
      const bool on = q.x >= 0 && q.y >= 0 && q.x < w && q.y < h;
      double v = on ? bilinear(light, q) : how.paper;
      v *= 1 - how.shade * (x / static_cast<double>(seen.width())) *
                   (0.3 + 0.7 * y / static_cast<double>(seen.height()));
      double off = -2;  // four uniform numbers, nearly a normal distribution of variance 1/3
      for (int k = 0; k < 4; ++k) off += random.uniform();
      const double encoded = static_cast<double>(linear_to_srgb(static_cast<float>(v)));
      const double noisy = encoded + how.noise * off * std::sqrt(3.0);
      seen(x, y) = static_cast<float>(std::round(std::clamp(noisy, 0.0, 1.0) * 255) / 255);
    }
  }
  Image scan;
  scan.channels = {seen, seen, seen};
  scan.names = {"R", "G", "B"};
  return scan;
}

CalibrationSheet sheet_for(double width) {
  Context context;
  CalibrationOptions options;
  options.width = width;
  return calibration_sheet(options, context);
}

void expect_width(const CalibrationSheet& sheet, double width, const Scanner& how) {
  Context context;
  const CalibrationReading read = read_scan(sheet, scanned(sheet.drawing, width, how), context);
  EXPECT_NEAR(read.dot_width, width, 0.03 * width);
  EXPECT_NEAR(read.line_width, width, 0.03 * width);
}

TEST(Calibrate, ProjectionsMapFourPlaces) {
  const std::array<Vec2, 4> from{{{0, 0}, {10, 0}, {10, 10}, {0, 10}}};
  const std::array<Vec2, 4> to{{{1, 2}, {21, 3}, {18, 25}, {2, 22}}};
  const Projection projection = Projection::between(from, to);
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_NEAR(projection(from[i]).x, to[i].x, 1e-9);
    EXPECT_NEAR(projection(from[i]).y, to[i].y, 1e-9);
  }
  EXPECT_THROW(Projection::between({{{0, 0}, {1, 1}, {2, 2}, {0, 1}}}, to), Error);
}

TEST(Calibrate, FindsTheWidthInACleanScan) {
  const CalibrationSheet sheet = sheet_for(0.5);
  Scanner clean;
  clean.dpi = 200;
  for (const double width : {0.4, 0.7}) expect_width(sheet, width, clean);
}

TEST(Calibrate, FindsTheWidthInAPoorPhoto) {
  const CalibrationSheet sheet = sheet_for(0.5);
  Scanner poor;
  poor.degrees = 1;
  poor.perspective = 0.03;
  poor.blur = 0.12;
  poor.shade = 0.3;
  poor.noise = 0.03;
  for (const double width : {0.4, 0.62}) expect_width(sheet, width, poor);
  poor.degrees = 181;
  expect_width(sheet, 0.55, poor);
}

TEST(Calibrate, ReadsThinPensAndQuarterTurns) {
  const CalibrationSheet sheet = sheet_for(0.3);
  Scanner turned;
  turned.dpi = 400;
  turned.noise = 0.02;
  turned.blur = 0.06;
  Image scan = scanned(sheet.drawing, 0.34, turned);
  Plane<float> quarter(scan.height(), scan.width());
  for (int y = 0; y < scan.height(); ++y) {
    for (int x = 0; x < scan.width(); ++x) {
      quarter(scan.height() - 1 - y, x) = scan.channels[0](x, y);
    }
  }
  scan.channels = {quarter};
  scan.names = {"Y"};
  Context context;
  const CalibrationReading read = read_scan(sheet, scan, context);
  EXPECT_NEAR(read.dot_width, 0.34, 0.03 * 0.34);
  EXPECT_NEAR(read.line_width, 0.34, 0.03 * 0.34);
}

TEST(Calibrate, RefusesOtherPicturesAndSheets) {
  const CalibrationSheet sheet = sheet_for(0.5);
  Context context;
  Image blank;
  blank.channels.emplace_back(600, 850, 0.9f);
  blank.names = {"Y"};
  EXPECT_THROW(read_scan(sheet, blank, context), Error);
  Scanner quick;
  quick.dpi = 150;
  const Image same = scanned(sheet.drawing, 0.5, quick);
  EXPECT_NO_THROW(read_scan(sheet, same, context));
  const Image wider = scanned(sheet_for(0.8).drawing, 0.8, quick);
  EXPECT_THROW(read_scan(sheet, wider, context), Error);
  context.seed = 2;
  const CalibrationSheet other = calibration_sheet({}, context);
  EXPECT_THROW(read_scan(other, same, context), Error);
}

TEST(Calibrate, LaserFieldsTellTheirDots) {
  Context context;
  CalibrationOptions options;
  options.laser = true;
  options.width = 0.3;
  options.powers = {20, 40};
  options.dwells = {0.01, 0.05};
  const CalibrationSheet sheet = calibration_sheet(options, context);
  EXPECT_EQ(sheet.fields.size(), 7u);
  EXPECT_EQ(sheet.drawing.layers.size(), 5u);
  Scanner quick;
  quick.dpi = 200;
  const Image scan = scanned(sheet.drawing, 0.3, quick);
  const CalibrationReading read = read_scan(sheet, scan, context);
  for (const MeasuredField& one : read.fields) EXPECT_NEAR(one.width, 0.3, 0.01);
  for (const auto& wrong : {std::vector<double>{}, {0}, {101}, {1, 2, 3, 4}}) {
    CalibrationOptions bad = options;
    bad.powers = wrong;
    EXPECT_THROW(calibration_sheet(bad, context), Error);
  }
}

}  // namespace
}  // namespace dapple::app
