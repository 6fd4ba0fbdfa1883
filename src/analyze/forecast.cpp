// Computes how far a pen goes to make a drawing, and how long that takes.
//
// Moves between stops take the time of a trapezoid: even acceleration, even speed, even braking. A
// line is one move. At a corner the pen keeps the speed of a curve that passes it at a fixed
// distance. This curve needs no more than the acceleration (junction deviation of motion
// controllers; Jeon 2011). The pen brakes before the corner and accelerates after it. A circle is
// drawn at the speed that its curve allows.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "dapple/analyze.hpp"
#include "draw/pen_path.hpp"

namespace dapple {
namespace {

constexpr double corner_deviation = 0.02;  // mm between curve and corner

// Returns the time from one speed to another over a distance, with at most `top` in between.
double seconds_between(double distance, double from, double to, double top, double acceleration) {
  const double a = acceleration;
  const double peak = std::sqrt(a * distance + 0.5 * (from * from + to * to));
  if (peak <= top) return (2 * peak - from - to) / a;
  const double ramps = (2 * top * top - from * from - to * to) / (2 * a);
  return (2 * top - from - to) / a + (distance - ramps) / top;
}

// Returns the square of the speed at which the pen may pass corner b.
double corner_speed(Vec2 a, Vec2 b, Vec2 c, double acceleration) {
  const Vec2 in = a - b;
  const Vec2 out = c - b;
  const double cosine =
      std::clamp((in.x * out.x + in.y * out.y) / (length(in) * length(out)), -1.0, 1.0);
  const double half = std::sqrt(0.5 * (1 - cosine));  // sine of half the angle; 1 if straight
  if (half >= 1) return std::numeric_limits<double>::infinity();
  return acceleration * corner_deviation * half / (1 - half);
}

double line_seconds(const std::vector<Vec2>& given, const Plotter& plotter, double& drawn) {
  std::vector<Vec2> points;
  for (const Vec2& p : given) {
    if (points.empty() || !(p == points.back())) points.push_back(p);
  }
  const std::size_t n = points.size();
  if (n < 2) return 0;
  // Squares of the speed at each point.
  std::vector<double> speed(n, 0);
  for (std::size_t i = 1; i + 1 < n; ++i) {
    speed[i] =
        std::min(plotter.speed * plotter.speed,
                 corner_speed(points[i - 1], points[i], points[i + 1], plotter.acceleration));
  }
  const auto gain = [&](std::size_t i) {
    return 2 * plotter.acceleration * length(points[i] - points[i - 1]);
  };
  for (std::size_t i = 1; i < n; ++i) speed[i] = std::min(speed[i], speed[i - 1] + gain(i));
  for (std::size_t i = n - 1; i > 0; --i) {
    speed[i - 1] = std::min(speed[i - 1], speed[i] + gain(i));
  }
  double seconds = 0;
  for (std::size_t i = 1; i < n; ++i) {
    const double distance = length(points[i] - points[i - 1]);
    drawn += distance;
    seconds += seconds_between(distance, std::sqrt(speed[i - 1]), std::sqrt(speed[i]),
                               plotter.speed, plotter.acceleration);
  }
  return seconds;
}

class Pen {
 public:
  Pen(const Plotter& plotter, PlotForecast& forecast) : plotter_(plotter), forecast_(forecast) {}

  void travel(Vec2 to) {
    const double distance = length(to - at_);
    forecast_.travel += distance;
    forecast_.seconds +=
        seconds_between(distance, 0, 0, plotter_.travel_speed, plotter_.acceleration);
    at_ = to;
  }
  // A laser needs no time to go on and off.
  double lift() const { return plotter_.laser == LaserPower::none ? plotter_.pen_lift : 0; }
  void down() { forecast_.seconds += lift(); }
  void up() {
    forecast_.seconds += lift();
    ++forecast_.lifts;
  }

  void circle(const Disc& disc) {
    travel(disc.center + Vec2{disc.radius, 0});
    down();
    const double around = 2 * std::numbers::pi * disc.radius;
    const double top = std::min(plotter_.speed, std::sqrt(plotter_.acceleration * disc.radius));
    forecast_.drawn += around;
    if (around > 0) {
      forecast_.seconds += seconds_between(around, 0, 0, top, plotter_.acceleration);
    }
    up();
    ++forecast_.lines;
  }
  void touch(Vec2 at) {
    travel(at);
    down();
    if (plotter_.laser != LaserPower::none) forecast_.seconds += plotter_.dwell;
    up();
    ++forecast_.touches;
  }
  void line(const std::vector<Vec2>& points) {
    travel(points.front());
    down();
    forecast_.seconds += line_seconds(points, plotter_, forecast_.drawn);
    at_ = points.back();
    up();
    ++forecast_.lines;
  }

 private:
  const Plotter& plotter_;
  PlotForecast& forecast_;
  Vec2 at_;
};

}  // namespace

PlotForecast forecast(const Drawing& drawing) {
  require_drawable(drawing);
  PlotForecast result;
  Pen pen(drawing.plotter, result);
  bool first = true;
  for (const Layer& layer : drawing.layers) {
    if (is_empty(layer)) continue;
    if (!first) {
      pen.travel({0, 0});
      if (!layer.same_pen) {
        ++result.pen_changes;
        result.seconds += drawing.plotter.pen_change;
      }
    }
    first = false;
    draw_with(pen, drawing, layer);
  }
  pen.travel({0, 0});
  return result;
}

}  // namespace dapple
