// Forecasts of plots against closed forms.
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>

#include "dapple/analyze.hpp"

namespace dapple {
namespace {

Drawing paper() {
  Drawing drawing;
  drawing.width = 200;
  drawing.height = 100;
  drawing.plotter = {50, 100, 1000, 0.2, 20};
  drawing.layers.resize(1);
  return drawing;
}

TEST(Forecast, DotsAreTravelAndLifts) {
  Drawing drawing = paper();
  drawing.pen = 0.3;
  drawing.shape = DotShape::point;
  // v^2 / a = 10 mm: 40 and 50 mm reach full speed, 9 mm do not.
  drawing.layers[0].discs = {{{40, 0}, 0.15}, {{49, 0}, 0.15}};
  const PlotForecast plot = forecast(drawing);
  EXPECT_NEAR(plot.travel, 98, 1e-12);
  EXPECT_EQ(plot.drawn, 0);
  EXPECT_EQ(plot.lifts, 2);
  EXPECT_EQ(plot.pen_changes, 0);
  const double moves = (0.4 + 0.1) + 2 * std::sqrt(9 / 1000.0) + (0.49 + 0.1);
  EXPECT_NEAR(plot.seconds, moves + 4 * 0.2, 1e-12);
}

TEST(Forecast, LayersChangePensAtTheCorner) {
  Drawing drawing = paper();
  drawing.layers[0].discs = {{{30, 40}, 1}};
  drawing.layers.push_back({});  // empty: no pen
  drawing.layers.push_back(drawing.layers[0]);
  const PlotForecast plot = forecast(drawing);
  EXPECT_NEAR(plot.travel, 200, 1e-12);
  EXPECT_EQ(plot.pen_changes, 1);
  EXPECT_NEAR(plot.seconds, 4 * (0.5 + 0.1) + 4 * 0.2 + 20, 1e-12);
}

TEST(Forecast, CirclesAreAsFastAsTheirCurve) {
  Drawing drawing = paper();
  drawing.pen = 0.1;
  drawing.shape = DotShape::circle;
  drawing.layers[0].discs = {{{48, 0}, 2}};
  const PlotForecast plot = forecast(drawing);
  const double around = 4 * std::numbers::pi;
  const double top = std::sqrt(2000.0);  // below 50
  EXPECT_NEAR(plot.drawn, around, 1e-12);
  EXPECT_NEAR(plot.seconds, 2 * (0.5 + 0.1) + 0.4 + around / top + top / 1000, 1e-12);
}

TEST(Forecast, LinesSlowDownAtCorners) {
  Drawing drawing = paper();
  const auto seconds = [&](std::vector<Vec2> points) {
    drawing.layers[0].lines = {{std::move(points), 0.3}};
    return forecast(drawing).seconds;
  };
  const double straight = seconds({{0, 0}, {40, 0}});
  EXPECT_NEAR(straight, 0.8 + 0.05 + 0.4 + 0.4 + 0.1, 1e-12);
  // Points along a straight line change nothing, nor do repeated ones.
  EXPECT_NEAR(seconds({{0, 0}, {1, 0}, {1, 0}, {17, 0}, {40, 0}}), straight, 1e-12);
  EXPECT_NEAR(forecast(drawing).drawn, 40, 1e-12);
  // To turn back is to stop: 20 there, 20 back.
  EXPECT_NEAR(seconds({{0, 0}, {20, 0}, {0, 0}}), 2 * (0.4 + 0.05) + 0.4, 1e-12);
  // At a right angle s = sqrt(1/2): the corner's speed u between two moves that reach full speed.
  const double s = std::sqrt(0.5);
  const double u = std::sqrt(1000 * 0.02 * s / (1 - s));
  const double half = (2 * 50 - u) / 1000 + (30 - (2 * 2500 - u * u) / 2000) / 50;
  EXPECT_NEAR(seconds({{0, 0}, {30, 0}, {30, 30}}), 2 * half + 0.4 + std::hypot(30, 30) / 100 + 0.1,
              1e-12);
  // No time, however many points there are, for a line that goes nowhere.
  EXPECT_NEAR(seconds({{0, 0}, {0, 0}}), 0.4, 1e-12);
  // Steps of 0.2 mm, each from corner speed to corner speed.
  std::vector<Vec2> stairs{{0, 0}};
  for (int i = 0; i < 200; ++i) {
    const Vec2 last = stairs.back();
    stairs.push_back(i % 2 == 0 ? Vec2{last.x + 0.2, last.y} : Vec2{last.x, last.y + 0.2});
  }
  const double back = std::hypot(20, 20);
  const double between = 2 * (std::sqrt(1000 * 0.2 + u * u) - u) / 1000;
  const double ends = (2 * std::sqrt(1000 * 0.2 + u * u / 2) - u) / 1000;
  EXPECT_NEAR(seconds(stairs), 198 * between + 2 * ends + 0.4 + back / 100 + 0.1, 1e-9);
}

}  // namespace
}  // namespace dapple
