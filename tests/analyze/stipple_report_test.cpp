// The report of a stippling: the error of tone, where it says it is worst, and its sheet.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <random>

#include "analyze/figures.hpp"
#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"

namespace dapple {
namespace {

const Picture& error_of(const QualityReport& report) {
  for (const Picture& picture : report.pictures) {
    if (picture.range > 0) return picture;
  }
  throw std::runtime_error("no picture of the error");
}

double mean(const Plane<float>& plane) {
  double sum = 0;
  for (const float v : plane.values()) sum += static_cast<double>(v);
  return sum / static_cast<double>(plane.size());
}

// A dot in the middle of each square of 8 pixels.
Points grid(int columns, int rows) {
  Points dots;
  dots.domain = {8.0 * columns, 8.0 * rows, false};
  for (int i = 0; i < columns * rows; ++i) {
    dots.add({i % columns * 8 + 4.0, i / columns * 8 + 4.0}, 2);
  }
  return dots;
}

TEST(StippleReport, ExactToneHasNoError) {
  Context context;
  const QualityReport report =
      analyze_stippling(grid(24, 16), Plane<float>(192, 128, 0.25f), context);
  const Picture& error = error_of(report);
  ASSERT_EQ(error.values.width(), 192);
  ASSERT_EQ(error.values.height(), 128);
  for (const float v : error.values.values()) ASSERT_NEAR(v, 0, 1e-5);
  EXPECT_LT(report.find("worst")->value, 1e-3);
  EXPECT_EQ(error.range, 0.01) << "small errors stay pale";
}

// Alone it is the same as in the report.
TEST(StippleReport, TheErrorOfToneAlone) {
  Context context;
  Plane<float> darkness(192, 128, 0.2f);
  for (int y = 40; y < 80; ++y) {
    for (int x = 20; x < 70; ++x) darkness(x, y) = 0.6f;
  }
  const QualityReport report = analyze_stippling(grid(24, 16), darkness, context);
  const ToneError alone = tone_error(grid(24, 16), darkness, context);
  const Picture& error = error_of(report);
  EXPECT_EQ(alone.values, error.values);
  EXPECT_EQ(alone.range, error.range);
  ASSERT_EQ(alone.places.size(), error.marks.size());
  EXPECT_EQ(100 * alone.worst, report.find("worst")->value);
  EXPECT_NEAR(alone.seen_through, 16, 1e-9);
  EXPECT_GT(alone.values(45, 60), 0.2f) << "too light where too few dots lie";
  EXPECT_THROW(tone_error(Points(), darkness, context), Error);
}

TEST(StippleReport, ToneAgainstThePhotoBeforeItsPreparation) {
  Context context;
  const Plane<float> darkness(192, 128, 0.25f);
  const QualityReport plain = analyze_stippling(grid(24, 16), darkness, context);
  EXPECT_EQ(plain.find("P1_photo"), nullptr);
  const QualityReport both = analyze_stippling(grid(24, 16), darkness, context,
                                               Interpolation::smooth, Plane<float>(192, 128, 0.2f));
  EXPECT_EQ(both.find("P1")->value, plain.find("P1")->value);
  EXPECT_NEAR(both.find("tone_photo")->value, 5, 1e-4);
  EXPECT_NEAR(both.find("P2_photo")->value, 10 * std::log10(1 / (0.05 * 0.05)), 0.1);
  EXPECT_NEAR(both.find("P1_photo")->value, both.find("P2_photo")->value, 0.1);
  EXPECT_THROW(analyze_stippling(grid(24, 16), darkness, context, Interpolation::smooth,
                                 Plane<float>(96, 64, 0.2f)),
               Error);
}

TEST(StippleReport, RemovedDotsAreTooLightThereAndNowhereElse) {
  Points dots = grid(24, 16);
  Points left;
  left.domain = dots.domain;
  // A hole of 6 x 4 dots about (136, 40).
  for (std::size_t i = 0; i < dots.size(); ++i) {
    const bool hole = std::abs(dots.x[i] - 136) < 24 && std::abs(dots.y[i] - 40) < 16;
    if (!hole) left.add(dots[i], 2);
  }
  ASSERT_EQ(left.size(), dots.size() - 24);
  Context context;
  const QualityReport report = analyze_stippling(left, Plane<float>(192, 128, 0.25f), context);
  const Picture& error = error_of(report);
  EXPECT_GT(error.values(136, 40), 0.1f);  // of .25, through 16 pixels
  EXPECT_LT(error.values(40, 90), -0.01f) << "the other dots hold what is missing";
  EXPECT_NEAR(mean(error.values), 0, 1e-6);
  ASSERT_FALSE(error.marks.empty());
  EXPECT_NEAR(error.marks[0].x, 136, 2);
  EXPECT_NEAR(error.marks[0].y, 40, 2);
  const double worst = report.find("worst")->value / 100;
  EXPECT_NEAR(worst, static_cast<double>(error.values(136, 40)), 0.01);
  EXPECT_GE(error.range, worst);
  EXPECT_EQ(error.range, 0.2);
  const std::string where = "x " + std::to_string(static_cast<int>(error.marks[0].x)) + ", y " +
                            std::to_string(static_cast<int>(error.marks[0].y)) + " (";
  ASSERT_EQ(report.notes.size(), 1u);
  EXPECT_NE(report.notes[0].find("worst at " + where), std::string::npos) << report.notes[0];
  EXPECT_NE(report.notes[0].find("of full scale too light"), std::string::npos);
  // The difference of the other two pictures of tone, wanted and drawn.
  ASSERT_EQ(report.pictures.size(), 4u);
  EXPECT_EQ(report.pictures[1].values(10, 10), 0.75f);
  EXPECT_NEAR(report.pictures[2].values(136, 40) - 0.75f, error.values(136, 40), 1e-4);
}

// Borders are mirrors however thin the picture is: the Gaussian reaches over many of them.
TEST(StippleReport, ThinPicturesAreMirroredManyTimes) {
  Context context;
  const QualityReport flat = analyze_stippling(grid(200, 1), Plane<float>(1600, 8, 0.3f), context);
  EXPECT_GT(flat.find("P1")->value, 100);
  EXPECT_GT(flat.find("P2")->value, 100);
  const QualityReport one = analyze_stippling(grid(1, 1), Plane<float>(8, 8, 0.3f), context);
  EXPECT_LT(one.find("worst")->value, 0.1);
}

TEST(StippleReport, SheetsHoldThreePicturesInARow) {
  Context context;
  const auto sheet = [&](int columns, int rows) {
    return report_sheet(
        analyze_stippling(grid(columns, rows), Plane<float>(8 * columns, 8 * rows, 0.25f), context),
        context);
  };
  // Three of 600 pixels, gutters and margins.
  const Image wide = sheet(24, 16);
  EXPECT_EQ(wide.width(), 3 * 600 + 2 * 40 + 2 * 52);
  ASSERT_EQ(wide.channels.size(), 3u);
  // The middle of the tone wanted is 3/4 gray, the error beside it none: warm white.
  const float tone = wide.channels[0](52 + 300, 52 + 52 + 200);
  EXPECT_GT(tone, 0.7f);
  EXPECT_LT(tone, 0.9f);
  const int third = 52 + 2 * 640 + 300;
  EXPECT_GT(wide.channels[0](third, 304), 0.93f);
  EXPECT_GT(wide.channels[0](third, 304), wide.channels[2](third, 304));
  const Image high = sheet(16, 24);
  EXPECT_EQ(high.width(), 3 * 500 + 2 * 40 + 2 * 52);
  EXPECT_GT(high.height(), wide.height());
  EXPECT_EQ(sheet(200, 1).width(), wide.width());
}

TEST(StippleReport, JsonSaysWhatFiguresShouldReach) {
  Context context;
  const auto json = nlohmann::json::parse(
      report_json(analyze_stippling(grid(24, 16), Plane<float>(192, 128, 0.25f), context)));
  EXPECT_EQ(json["targets"]["P1"]["at_least"], 45);
  EXPECT_EQ(json["targets"]["P1_inside"]["at_least"], 50);
  EXPECT_EQ(json["targets"]["cap"]["at_most"], 0.05);
}

TEST(StippleReport, PaperSpeaksOfGapsWaysAndMinutes) {
  Context context;
  Result result;
  result.points = grid(24, 16);
  DrawingMade made;
  made.darkness = Plane<float>(192, 128, 0.25f);
  Drawing& drawing = made.drawing;
  drawing.width = 160;
  drawing.height = 64;
  Layer layer;
  layer.name = "1 black";
  for (std::size_t i = 0; i < result.points->size(); ++i) {
    layer.discs.push_back({(*result.points)[i] * 0.5, 1.0});
  }
  drawing.layers = {layer};
  result.picture = made;
  EXPECT_EQ(measure(result, Measured::stippling, context)->find("gap"), nullptr)
      << "on a screen there is no paper";

  made.on_paper = true;
  result.picture = made;
  auto report = measure(result, Measured::stippling, context);
  EXPECT_NEAR(report->find("gap")->value, 2, 1e-6);  // 4 mm apart, 1 mm in radius
  EXPECT_EQ(report->find("minutes"), nullptr);

  // The nearest rim is not that of the nearest center.
  made.drawing.layers[0].discs.push_back({{94 + 22, 32}, 20.5});
  result.picture = made;
  report = measure(result, Measured::stippling, context);
  EXPECT_NEAR(report->find("gap")->value, std::hypot(22, 2) - 20.5 - 1, 1e-6);
  made.drawing.layers[0].discs.back().radius = 21.5;
  result.picture = made;
  report = measure(result, Measured::stippling, context);
  EXPECT_LT(report->find("gap")->value, 0);
  EXPECT_NE(verdict_of(*report).find("dots that overlap"), std::string::npos);

  // Two pens, each with its own line.
  made.drawing.layers = {layer, layer};
  made.drawing.layers[1].name = "2 red";
  made.drawing.layers[1].discs.resize(100);
  for (Disc& disc : made.drawing.layers[1].discs) disc.center = disc.center + Vec2{2, 2};
  made.drawing.shape = DotShape::circle;
  made.drawing.pen = 0.5;
  result.picture = made;
  report = measure(result, Measured::stippling, context);
  EXPECT_NEAR(report->find("gap")->value, std::sqrt(8.0) - 2 - 0.5, 1e-6);
  EXPECT_NEAR(report->find("line.red")->value, 100 * 2 * 3.14159265 / 1000, 1e-6);
  EXPECT_NEAR(report->find("line.red")->value + report->find("line.black")->value,
              report->find("line")->value, 1e-9);
  EXPECT_GT(report->find("minutes")->value, 1);
  const std::string verdict = verdict_of(*report);
  EXPECT_NE(verdict.find("minutes"), std::string::npos) << verdict;
  EXPECT_NE(verdict.find("gaps of at least 0.3284 mm"), std::string::npos) << verdict;
  EXPECT_NE(report_text(*report).find(verdict), std::string::npos);
  EXPECT_EQ(nlohmann::json::parse(report_json(*report))["verdict"], verdict);
}

TEST(StippleReport, GrainIsHowFarALatticeReaches) {
  Context context;
  // A hexagonal lattice reaches as far as is looked, turned or not, with any spacing.
  Points lattice;
  lattice.domain = {60, 34 * std::sqrt(3.0), true};
  for (int row = 0; row < 68; ++row) {
    for (int x = 0; x < 60; ++x) lattice.add({x + 0.5 * (row % 2), row * std::sqrt(0.75)}, 0.1f);
  }
  EXPECT_EQ(grain_of(lattice, context), 16);
  // Points by chance have none.
  std::mt19937 engine(3);
  Points chance;
  chance.domain = {100, 100, true};
  const auto place = [&] { return static_cast<double>(engine() % 1000000) / 10000; };
  for (int i = 0; i < 5000; ++i) {
    const double x = place();
    chance.add({x, place()}, 0.1f);
  }
  EXPECT_LT(grain_of(chance, context), 1);
  // Patches side by side, each turned by its own angle: some part of their side.
  Points patches;
  patches.domain = {96, 96, true};
  for (int p = 0; p < 64; ++p) {
    const double angle = 1.1 * p;
    const Vec2 middle{12.0 * (p % 8) + 6, 12.0 * (p / 8) + 6};
    for (int row = -16; row < 16; ++row) {
      for (int k = -16; k < 16; ++k) {
        const Vec2 at{k + 0.5 * (row & 1), row * std::sqrt(0.75)};
        const Vec2 q{at.x * std::cos(angle) - at.y * std::sin(angle),
                     at.x * std::sin(angle) + at.y * std::cos(angle)};
        if (std::max(std::abs(q.x), std::abs(q.y)) < 6) patches.add(middle + q, 0.1f);
      }
    }
  }
  const double found = grain_of(patches, context);
  EXPECT_GT(found, 3);
  EXPECT_LT(found, 8);
  Points one;
  one.domain = {1, 1, false};
  one.add({0.5, 0.5}, 0.1f);
  EXPECT_EQ(grain_of(one, context), 0);
}

TEST(StippleReport, TheVerdictNamesWhatMissesItsGoal) {
  QualityReport report;
  report.kind = "points";
  EXPECT_EQ(verdict_of(report), "");
  report.measurements = {{"P1", 45.5, "dB", "", Target{41, false}}, {"N", 7, "", ""}};
  EXPECT_EQ(verdict_of(report), "All goals are met.");
  report.measurements.push_back({"cap", 0.07, "", "", Target{0.05, true}});
  EXPECT_EQ(verdict_of(report), "Goals are missed: cap (0.07, 0.05 or less is good).");
}

}  // namespace
}  // namespace dapple
