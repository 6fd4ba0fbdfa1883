// The report as one picture: what was measured, its spectrum, a table of figures and the curves.
#include <algorithm>
#include <array>
#include <cmath>
#include <functional>

#include "analyze/lettering.hpp"
#include "dapple/analyze.hpp"
#include "dapple/units.hpp"

namespace dapple {

namespace {

constexpr double sheet_width = 1200;
constexpr double margin = 52;
constexpr double gutter = 40;
constexpr double column = (sheet_width - 2 * margin - 2 * gutter) / 3;
constexpr double plot_height = 210;
constexpr double row_height = 21;  // of the table

// One ink a layer, in drawing order.
enum Ink : std::size_t { faint, grey, pale, middle, accent, dark, inks };
constexpr std::array<const char*, inks> colours = {"#e7e3da", "#7f8385", "#93bdc8",
                                                   "#4f97a8", "#0f6478", "#22282c"};
constexpr const char* paper = "#fbfaf6";

class Sheet {
 public:
  explicit Sheet(double height) : height_(height) {
    const std::array<float, 3> white = parse_colour(paper);
    for (std::size_t c = 0; c < 3; ++c) {
      image_.channels.emplace_back(static_cast<int>(sheet_width), static_cast<int>(height),
                                   white[c]);
    }
    image_.names = {"R", "G", "B"};
    image_.encoding = Encoding::srgb;
    drawing_.width = sheet_width;
    drawing_.height = height;
    drawing_.background = "none";
    for (const char* colour : colours) {
      Layer layer;
      layer.colour = colour;
      drawing_.layers.push_back(std::move(layer));
    }
  }

  void line(Ink ink, std::vector<Vec2> points, double width) {
    drawing_.layers[ink].lines.push_back({std::move(points), width});
  }
  void text(Ink ink, std::string_view words, Vec2 at, double height, Align align = Align::left,
            double weight = 1.25, bool upwards = false) {
    for (Polyline& stroke : lettering(words, at, height, weight, align, upwards)) {
      drawing_.layers[ink].lines.push_back(std::move(stroke));
    }
  }

  // A filled box with exact edges, under all lines.
  void fill(Ink ink, const Box& box) {
    const std::array<float, 3> colour = parse_colour(colours[ink]);
    for_pixels(box, [&](int x, int y, double cover) {
      for (std::size_t c = 0; c < 3; ++c) {
        float& v = image_.channels[c](x, y);
        v += static_cast<float>(cover) * (colour[c] - v);
      }
    });
  }

  // A plane scaled into the box, each pixel the mean of what falls on it.
  void show(const Plane<float>& plane, const Box& box,
            const std::function<std::array<float, 3>(float)>& tint) {
    const double sx = plane.width() / box.width();
    const double sy = plane.height() / box.height();
    for_pixels(box, [&](int x, int y, double) {
      const double x0 = std::max(0.0, (x - box.x0) * sx);
      const double x1 = std::min<double>(plane.width(), (x + 1 - box.x0) * sx);
      const double y0 = std::max(0.0, (y - box.y0) * sy);
      const double y1 = std::min<double>(plane.height(), (y + 1 - box.y0) * sy);
      std::array<double, 3> sum{};
      for (int j = static_cast<int>(y0); j < y1 && j < plane.height(); ++j) {
        for (int i = static_cast<int>(x0); i < x1 && i < plane.width(); ++i) {
          const double area = (std::min(x1, i + 1.0) - std::max<double>(x0, i)) *
                              (std::min(y1, j + 1.0) - std::max<double>(y0, j));
          const std::array<float, 3> colour = tint(plane(i, j));
          for (std::size_t c = 0; c < 3; ++c) sum[c] += area * static_cast<double>(colour[c]);
        }
      }
      const double area = (x1 - x0) * (y1 - y0);
      for (std::size_t c = 0; c < 3; ++c) {
        image_.channels[c](x, y) = static_cast<float>(sum[c] / area);
      }
    });
  }

  Image finish(Context& context) {
    const Image lines = rasterise(drawing_, image_.width(), image_.height(), context);
    const Plane<float>& alpha = lines.channels.back();
    for (std::size_t c = 0; c < 3; ++c) {
      for (std::size_t i = 0; i < alpha.size(); ++i) {
        float& v = image_.channels[c].values()[i];
        v += alpha.values()[i] * (lines.channels[c].values()[i] - v);
      }
    }
    return std::move(image_);
  }

 private:
  void for_pixels(const Box& box, const std::function<void(int, int, double)>& visit) const {
    const int last_y = std::min(static_cast<int>(height_), static_cast<int>(std::ceil(box.y1)));
    const int last_x = std::min(static_cast<int>(sheet_width), static_cast<int>(std::ceil(box.x1)));
    for (int y = static_cast<int>(box.y0); y < last_y; ++y) {
      for (int x = static_cast<int>(box.x0); x < last_x; ++x) {
        const double cover = (std::min(box.x1, x + 1.0) - std::max<double>(box.x0, x)) *
                             (std::min(box.y1, y + 1.0) - std::max<double>(box.y0, y));
        if (cover > 0) visit(x, y, cover);
      }
    }
  }

  double height_;
  Image image_;
  Drawing drawing_;
};

// Four digits at most, as they are read off an axis or a table.
std::string brief(double value) {
  if (!std::isfinite(value)) return "none";
  const double size = std::abs(value);
  if (size >= 1e5 && size < 1e15 && value == std::round(value)) {
    std::string digits = std::to_string(static_cast<long long>(value));
    for (std::size_t i = digits.size(); i > 3 + (value < 0 ? 1u : 0u); i -= 3) {
      digits.insert(i - 3, " ");
    }
    return digits;
  }
  if (size != 0 && (size < 1e-4 || size >= 1e6)) {
    const double tens = std::floor(std::log10(size));
    return shortest(std::round(value / std::pow(10, tens) * 10) / 10) + "e" +
           std::to_string(static_cast<int>(tens));
  }
  const double unit = size >= 1000  ? 1
                      : size >= 100 ? 10
                      : size >= 10  ? 100
                      : size >= 1   ? 1e3
                                    : 1e4;
  return shortest(std::round(value * unit) / unit);
}

// ---- plots --------------------------------------------------------------------------------------

struct Axis {
  double low, high, step;

  // At about `wanted` round numbers.
  Axis(double from, double to, int wanted) : low(from), high(to) {
    const double rough = (to - from) / wanted;
    const double tens = std::pow(10, std::floor(std::log10(rough)));
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

// Where the values of a plot lie; titles that need more than their extremes are named.
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

// At most `most` points, each the mean of its neighbours: rings are many and noisy.
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

// The parts of a curve inside the box, cut where they leave it.
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

void draw_bars(Sheet& sheet, const Curve& curve, const Axis& ax, const Axis& ay, const Box& box) {
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

void draw_plot(Sheet& sheet, const std::vector<const Curve*>& curves, const Box& place) {
  const Curve& first = *curves.front();
  const Box box{place.x0 + 34, place.y0 + 44, place.x1, place.y1 - 44};
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
  const auto [low, high] = value_range(curves);
  const Axis ax(left, right, 6);
  const Axis ay(low, high, 4);

  sheet.text(dark, first.title, {place.x0, place.y0 + 12}, 11.5, Align::left, 1.5);
  sheet.text(grey, first.y_label, {place.x0, place.y0 + 31}, 8.5, Align::left, 1.0);
  for (const double v : ay.ticks()) {
    const double y = box.y1 - ay.part(v) * box.height();
    sheet.fill(faint, {box.x0, y - 0.5, box.x1, y + 0.5});
    sheet.text(grey, brief(v), {box.x0 - 8, y + 4}, 8.5, Align::right, 1.0);
  }
  for (const double v : ax.ticks()) {
    const double x = box.x0 + ax.part(v) * box.width();
    sheet.line(grey, {{x, box.y1}, {x, box.y1 + 4}}, 1);
    sheet.text(grey, brief(v), {x, box.y1 + 17}, 8.5, Align::middle, 1.0);
  }
  sheet.line(grey, {{box.x0, box.y1}, {box.x1, box.y1}}, 1);
  sheet.text(grey, first.x_label, {0.5 * (box.x0 + box.x1), box.y1 + 37}, 8.5, Align::middle, 1.0);
  // What white noise, or a pattern without direction, would show.
  if (first.title == "Radial power" || first.title == "Anisotropy") {
    const double y = box.y1 - ay.part(first.title == "Anisotropy" ? 0 : 1) * box.height();
    for (double x = box.x0; x < box.x1; x += 9) {
      sheet.line(grey, {{x, y}, {std::min(x + 4, box.x1), y}}, 1);
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
    sheet.text(ink, curve.name, {legend, place.y0 + 12}, 9.5, Align::right, 1.3);
    legend -= lettering_width(curve.name, 9.5) + 30;
    sheet.line(ink, {{legend + 8, place.y0 + 7}, {legend + 22, place.y0 + 7}}, 1.7);
  }
}

// ---- pictures and table -------------------------------------------------------------------------

std::array<float, 3> blend(const char* from, const char* to, float part) {
  const std::array<float, 3> a = parse_colour(from);
  const std::array<float, 3> b = parse_colour(to);
  std::array<float, 3> result{};
  for (std::size_t c = 0; c < 3; ++c) result[c] = a[c] + part * (b[c] - a[c]);
  return result;
}

using Tint = std::function<std::array<float, 3>(float)>;

// 256 steps between two colours, for values 0..1.
Tint tint_between(const char* from, const char* to) {
  std::vector<std::array<float, 3>> table;
  for (int i = 0; i < 256; ++i) table.push_back(blend(from, to, static_cast<float>(i) / 255));
  return [table](float v) {
    return table[static_cast<std::size_t>(std::lround(std::clamp(v, 0.0f, 1.0f) * 255))];
  };
}

// The largest box of the plane's shape inside width x height from (x, y).
Box fitted(const Plane<float>& plane, double x, double y, double room, double high) {
  const double scale = std::min(room / plane.width(), high / plane.height());
  const double width = std::round(plane.width() * scale);
  const double height = std::round(plane.height() * scale);
  const double x0 = std::round(x);
  return {x0, std::round(y), x0 + width, std::round(y) + height};
}

// What the sheet's table lists: figures that a plot shows already stay out.
std::vector<const Measurement*> listed(const QualityReport& report) {
  std::vector<const Measurement*> result;
  for (const Measurement& m : report.measurements) {
    const bool band = m.name.starts_with("kappa_") && m.name != "kappa_cv";
    if (!band) result.push_back(&m);
  }
  return result;
}

double draw_table(Sheet& sheet, const QualityReport& report, double x, double y) {
  for (const Measurement* m : listed(report)) {
    y += row_height;
    sheet.text(dark, m->name, {x, y - 6}, 10, Align::left, 1.25);
    sheet.text(accent, brief(m->value), {x + 0.58 * column, y - 6}, 10, Align::right, 1.5);
    sheet.text(grey, m->unit, {x + 0.58 * column + 12, y - 6}, 8.5, Align::left, 1.0);
    sheet.line(faint, {{x, y}, {x + column, y}}, 1);
  }
  return y;
}

std::string capitalised(std::string word) {
  if (!word.empty() && word[0] >= 'a' && word[0] <= 'z') {
    word[0] = static_cast<char>(word[0] - 'a' + 'A');
  }
  return word;
}

// Curves that share a title, in order of first appearance.
std::vector<std::vector<const Curve*>> plots_of(const QualityReport& report) {
  std::vector<std::vector<const Curve*>> plots;
  for (const Curve& curve : report.curves) {
    const auto same = std::find_if(plots.begin(), plots.end(), [&](const auto& plot) {
      return plot.front()->title == curve.title;
    });
    if (same == plots.end()) {
      plots.push_back({&curve});
    } else {
      same->push_back(&curve);
    }
  }
  return plots;
}

}  // namespace

Image report_sheet(const QualityReport& report, Context& context) {
  const auto stage = context.stage("sheet");
  const std::vector<std::vector<const Curve*>> plots = plots_of(report);
  const double top = margin + 46;
  const double table = row_height * static_cast<double>(listed(report).size());
  const double first = std::max(column + 24, table);
  const std::size_t more = report.pictures.empty() ? 0 : report.pictures.size() - 1;
  const double rows = std::ceil(static_cast<double>(plots.size() + more) / 3);
  const double notes = 18 * static_cast<double>(report.notes.size());
  const double height = std::round(top + first + rows * (plot_height + gutter) + notes + margin);

  Sheet sheet(height);
  sheet.text(dark, capitalised(report.kind), {margin, margin + 16}, 18, Align::left, 2.2);
  sheet.text(grey, "dapple analyze", {sheet_width - margin, margin + 16}, 9.5, Align::right, 1.1);
  sheet.line(dark, {{margin, margin + 28}, {sheet_width - margin, margin + 28}}, 1.2);

  double x = margin;
  const Tint grey_tint = tint_between("#22282c", "#ffffff");
  if (!report.pictures.empty()) {
    const Picture& picture = report.pictures.front();
    // Without a spectrum the picture has both their places.
    const double room = report.spectrum.empty() ? 2 * column + gutter : column;
    const Box box = fitted(picture.values, x, top, room, column);
    sheet.show(picture.values, box, grey_tint);
    sheet.text(grey, picture.title, {box.x0, box.y1 + 18}, 8.5, Align::left, 1.0);
    x += room + gutter;
  }
  if (!report.spectrum.empty()) {
    const Box box = fitted(report.spectrum, x, top, column, column);
    // Half way is white noise; the last tenth is left to peaks.
    const Tint tint = tint_between("#0b2b36", "#fdfcf4");
    sheet.show(report.spectrum, box, [&](float power) { return tint(power / (1 + power)); });
    sheet.text(grey,
               report.spectrum_title + ", to " + brief(report.spectrum_extent) +
                   (report.kind == "mask" ? " cycles per pixel" : " sqrt(N)"),
               {box.x0, box.y1 + 18}, 8.5, Align::left, 1.0);
    x += column + gutter;
  }
  draw_table(sheet, report, x, top - row_height + 12);

  double y = top + first + gutter;
  for (std::size_t i = 0; i < plots.size() + more; ++i) {
    const std::size_t row = i / 3;
    const double left = margin + static_cast<double>(i % 3) * (column + gutter);
    const double down = y + static_cast<double>(row) * (plot_height + gutter);
    if (i < plots.size()) {
      draw_plot(sheet, plots[i], {left, down, left + column, down + plot_height});
      continue;
    }
    const Picture& picture = report.pictures[i - plots.size() + 1];
    sheet.text(dark, picture.title, {left, down + 12}, 11.5, Align::left, 1.5);
    sheet.show(picture.values, fitted(picture.values, left, down + 28, column, plot_height - 28),
               grey_tint);
  }
  y += rows * (plot_height + gutter) - gutter + 24;
  for (const std::string& note : report.notes) {
    sheet.text(grey, note, {margin, y}, 9, Align::left, 1.05);
    y += 18;
  }
  return sheet.finish(context);
}

}  // namespace dapple
