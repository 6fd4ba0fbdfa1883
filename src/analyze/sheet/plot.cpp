// Draws a plot on a sheet: axes with round numbers, curves or bars.
#include <algorithm>
#include <cmath>

#include "analyze/sheet/canvas.hpp"
#include "core/deterministic_math.hpp"

namespace dapple {

namespace {

struct PlotAxis {
  double low, high, step;

  // Sets ticks at about `wanted` round numbers.
  PlotAxis(double from, double to, int wanted) : low(from), high(to) {
    const double rough = (to - from) / wanted;
    const double tens = power_of_ten(decimal_exponent(rough));
    step = tens;
    for (const double s : {2.0, 5.0, 10.0}) {
      if (std::abs(s * tens - rough) < std::abs(step - rough)) step = s * tens;
    }
  }
  std::vector<double> ticks() const {
    std::vector<double> at;
    for (double k = std::ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; ++k) {
      at.push_back(k == 0 ? 0.0 : k * step);  // never -0
    }
    return at;
  }
  double part(double v) const { return (v - low) / (high - low); }
};

// Returns the range of a plot's values; some plots have a fixed range.
std::pair<double, double> value_range(const std::vector<const Curve*>& curves) {
  double low = 0;
  double high = 0;
  for (const Curve* c : curves) {
    for (const double v : c->y) {
      if (!std::isfinite(v)) continue;
      low = std::min(low, v);
      high = std::max(high, v);
    }
  }
  const std::string& title = curves.front()->title;
  if (title == "Radial power")
    return {0, std::clamp(high * 1.1, 2.0, 4.0)};  // peaks run off the top
  if (title == "Anisotropy") return {-10, std::clamp(high * 1.1, 10.0, 30.0)};
  return {low, high > low ? high * 1.1 : low + 1};
}

// Returns at most `most` points, each the mean of its neighbors, since rings are many and noisy.
Curve thinned(const Curve& curve, std::size_t most) {
  const std::size_t group = (curve.x.size() + most - 1) / most;
  if (group <= 1) return curve;
  Curve result = curve;
  result.x.clear();
  result.y.clear();
  for (std::size_t i = 0; i < curve.x.size(); i += group) {
    const std::size_t end = std::min(i + group, curve.x.size());
    double x = 0;
    double y = 0;
    for (std::size_t k = i; k < end; ++k) {
      x += curve.x[k];
      y += curve.y[k];
    }
    result.x.push_back(x / static_cast<double>(end - i));
    result.y.push_back(y / static_cast<double>(end - i));
  }
  return result;
}

// Draws the parts of a curve inside the box, clipped at the edge.
void draw_clipped(Sheet& sheet, Ink ink, const std::vector<Vec2>& points, const Box& box) {
  std::vector<Vec2> run;
  const auto flush = [&] {
    if (run.size() > 1) sheet.line(ink, run, 1.7);
    run.clear();
  };
  const auto inside = [&](Vec2 p) { return p.y >= box.y0 && p.y <= box.y1; };
  const auto cut = [&](Vec2 a, Vec2 b) {
    const double edge = std::min(a.y, b.y) < box.y0 ? box.y0 : box.y1;
    return Vec2{a.x + (b.x - a.x) * (edge - a.y) / (b.y - a.y), edge};
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const bool now = inside(points[i]);
    if (i > 0 && now != inside(points[i - 1])) {
      run.push_back(cut(points[i - 1], points[i]));
      if (!now) flush();
    }
    if (now) run.push_back(points[i]);
  }
  flush();
}

void draw_bars(Sheet& sheet, const Curve& curve, const PlotAxis& ax, const PlotAxis& ay,
               const Box& box) {
  const double step = curve.x.size() > 1 ? curve.x[1] - curve.x[0] : 1;
  for (std::size_t i = 0; i < curve.x.size(); ++i) {
    const double x0 = box.x0 + ax.part(curve.x[i] - 0.42 * step) * box.width();
    const double x1 = box.x0 + ax.part(curve.x[i] + 0.42 * step) * box.width();
    const double y = box.y1 - std::clamp(ay.part(curve.y[i]), 0.0, 1.0) * box.height();
    if (x0 >= box.x0 - 1 && x1 <= box.x1 + 1 && y < box.y1) {
      sheet.fill(accent, {x0, y, x1, box.y1});
    }
  }
}

}  // namespace

void draw_plot(Sheet& sheet, const std::vector<const Curve*>& curves, const Box& place,
               const PlotLook& look) {
  const Curve& first = *curves.front();
  const Box box{place.x0 + 34, place.y0 + (look.heading ? 44 : 10), place.x1, place.y1 - 44};
  double left = HUGE_VAL;
  double right = -HUGE_VAL;
  for (const Curve* c : curves) {
    if (c->x.empty()) return;
    const double half = c->bars && c->x.size() > 1 ? 0.5 * (c->x[1] - c->x[0]) : 0;
    left = std::min(left, c->x.front() - half);
    right = std::max(right, c->x.back() + half);
  }
  if (left > 0 && left < 0.2 * right && !first.bars) left = 0;
  if (!(right > left)) return;
  const auto [low, high] = look.high > 0 ? std::pair{0.0, look.high} : value_range(curves);
  const PlotAxis ax(left, right, 6);
  const PlotAxis ay(low, high, 4);

  if (look.heading) {
    sheet.text(dark, first.title, {place.x0, place.y0 + 12}, 11.5, TextAlign::left, 1.5);
    sheet.text(gray, first.y_label, {place.x0, place.y0 + 31}, 8.5, TextAlign::left, 1.0);
  }
  for (const double v : ay.ticks()) {
    const double y = box.y1 - ay.part(v) * box.height();
    sheet.fill(faint, {box.x0, y - 0.5, box.x1, y + 0.5});
    sheet.text(gray, brief(v), {box.x0 - 8, y + 4}, 8.5, TextAlign::right, 1.0);
  }
  for (const double v : ax.ticks()) {
    const double x = box.x0 + ax.part(v) * box.width();
    sheet.line(gray, {{x, box.y1}, {x, box.y1 + 4}}, 1);
    sheet.text(gray, brief(v), {x, box.y1 + 17}, 8.5, TextAlign::middle, 1.0);
  }
  sheet.line(gray, {{box.x0, box.y1}, {box.x1, box.y1}}, 1);
  sheet.text(gray, first.x_label, {0.5 * (box.x0 + box.x1), box.y1 + 37}, 8.5, TextAlign::middle,
             1.0);
  // A line marks what white noise, or a pattern without direction, would show.
  if (first.title == "Radial power" || first.title == "Anisotropy") {
    const double y = box.y1 - ay.part(first.title == "Anisotropy" ? 0 : 1) * box.height();
    for (double x = box.x0; x < box.x1; x += 9) {
      sheet.line(gray, {{x, y}, {std::min(x + 4, box.x1), y}}, 1);
    }
  }

  double legend = place.x1;
  for (std::size_t i = curves.size(); i-- > 0;) {
    const Ink ink = curves.size() == 1 || i + 1 == curves.size() ? accent
                    : i + 2 == curves.size()                     ? middle
                                                                 : pale;
    if (curves[i]->bars) {
      draw_bars(sheet, *curves[i], ax, ay, box);
      continue;
    }
    const Curve curve = thinned(*curves[i], 220);
    std::vector<Vec2> points;
    for (std::size_t k = 0; k < curve.x.size(); ++k) {
      points.push_back({box.x0 + ax.part(curve.x[k]) * box.width(),
                        box.y1 - ay.part(curve.y[k]) * box.height()});
    }
    draw_clipped(sheet, ink, points, box);
    if (curve.name.empty()) continue;
    sheet.text(ink, curve.name, {legend, place.y0 + 12}, 9.5, TextAlign::right, 1.3);
    legend -= lettering_width(curve.name, 9.5) + 30;
    sheet.line(ink, {{legend + 8, place.y0 + 7}, {legend + 22, place.y0 + 7}}, 1.7);
  }
}

}  // namespace dapple
