// The scan is laid onto the sheet by the crosses, in linear light. A surface of second order
// through the bare paper between the fields takes uneven light out. The tone of a field is the
// light that it and its surround lack, as a part of what solid ink lacks: blur moves light but
// keeps the sum. The width of the line is the one at which the same marks, drawn by the program,
// have this tone.
#include "app/calibrate/scan.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

#include "app/calibrate/crosses.hpp"
#include "core/color.hpp"
#include "dapple/error.hpp"
#include "field/resample.hpp"

namespace dapple::app {
namespace {

using Kind = CalibrationField::Kind;

Plane<float> light_of(const Image& scan, std::size_t channel) {
  Plane<float> light = scan.channels[channel];
  if (scan.encoding == Encoding::srgb) {
    for (float& v : light.values()) v = srgb_to_linear(v);
  }
  return light;
}

// Returns the channels of color, without alpha.
std::vector<std::size_t> colors_of(const Image& scan) {
  std::vector<std::size_t> colors;
  for (std::size_t c = 0; c < scan.channels.size(); ++c) {
    if (scan.names[c] != "A") colors.push_back(c);
  }
  return colors;
}

double median(std::vector<double> values) {
  const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
  std::nth_element(values.begin(), middle, values.end());
  return *middle;
}

// The scan on the sheet.
class Sight {
 public:
  Sight(const CalibrationSheet& sheet, const Projection& to_scan, Plane<float> light)
      : sheet_(&sheet), to_scan_(to_scan), light_(std::move(light)) {}

  double at(Vec2 mm) const { return bilinear(light_, to_scan_(mm)); }

  // Calls look(value, place) on a grid of places `step` mm apart in a box.
  template <class Look>
  void each(const Box& box, double step, const Look& look) const {
    const int across = std::max(1, static_cast<int>(std::lround(box.width() / step)));
    const int down = std::max(1, static_cast<int>(std::lround(box.height() / step)));
    for (int j = 0; j < down; ++j) {
      for (int i = 0; i < across; ++i) {
        const Vec2 p{box.x0 + (i + 0.5) * box.width() / across,
                     box.y0 + (j + 0.5) * box.height() / down};
        look(at(p), p);
      }
    }
  }

  // Fits the light of the bare paper.
  void fit_paper() {
    std::vector<std::pair<Vec2, double>> bare;
    constexpr double step = 2;  // mm
    constexpr double patch = 1.6;
    const Box inside{sheet_->crosses[0].x, sheet_->crosses[0].y, sheet_->crosses[2].x,
                     sheet_->crosses[2].y};
    for (double y = inside.y0; y <= inside.y1; y += step) {
      for (double x = inside.x0; x <= inside.x1; x += step) {
        if (!is_bare({x, y})) continue;
        double sum = 0;
        int count = 0;
        each({x - 0.5 * patch, y - 0.5 * patch, x + 0.5 * patch, y + 0.5 * patch}, 0.2,
             [&](double v, Vec2) {
               sum += v;
               ++count;
             });
        bare.emplace_back(Vec2{x, y}, sum / count);
      }
    }
    std::vector<double> all;
    for (const auto& sample : bare) all.push_back(sample.second);
    const double usual = median(all);
    paper_ = {usual};
    // The second fit leaves out specks and shadows.
    for (const double off : {0.5, 0.05}) {
      std::vector<std::pair<Vec2, double>> good;
      for (const auto& [p, v] : bare) {
        if (std::abs(v - paper(p)) <= off * usual) good.emplace_back(p, v);
      }
      solve(good);
    }
  }

  // Returns the light at a place over that of bare paper there.
  double relative(double value, Vec2 p) const { return value / std::max(paper(p), 1e-6); }

  // Returns the mean relative light of a box.
  double mean(const Box& box, double step) const {
    double sum = 0;
    int count = 0;
    each(box, step, [&](double v, Vec2 p) {
      sum += relative(v, p);
      ++count;
    });
    return sum / count;
  }

 private:
  // Returns true at places whose surround of a few millimeters has no marks.
  bool is_bare(Vec2 p) const {
    constexpr double away = 3;  // mm
    for (const CalibrationField& field : sheet_->fields) {
      const Box& b = field.box;
      if (p.x > b.x0 - away && p.x < b.x1 + away && p.y > b.y0 - away && p.y < b.y1 + away) {
        return false;
      }
    }
    const auto near = [&](Vec2 cross) {
      return std::max(std::abs(p.x - cross.x), std::abs(p.y - cross.y)) < cross_arm + away;
    };
    return !near(sheet_->mark) &&
           std::none_of(sheet_->crosses.begin(), sheet_->crosses.end(), near);
  }

  std::array<double, 6> terms(Vec2 p) const {
    const double x = p.x / sheet_->drawing.width - 0.5;
    const double y = p.y / sheet_->drawing.height - 0.5;
    return {1, x, y, x * x, x * y, y * y};
  }
  double paper(Vec2 p) const {
    const auto t = terms(p);
    double sum = 0;
    for (std::size_t i = 0; i < t.size(); ++i) sum += paper_[i] * t[i];
    return sum;
  }

  // Least squares by the normal equations.
  void solve(const std::vector<std::pair<Vec2, double>>& samples) {
    constexpr std::size_t n = 6;
    if (samples.size() < 4 * n) {
      throw Error(ErrorKind::input, "shows too little bare paper between its fields");
    }
    std::array<std::array<double, n + 1>, n> rows{};
    for (const auto& [p, v] : samples) {
      const auto t = terms(p);
      for (std::size_t i = 0; i < n; ++i) {
        for (std::size_t k = 0; k < n; ++k) rows[i][k] += t[i] * t[k];
        rows[i][n] += t[i] * v;
      }
    }
    for (std::size_t c = 0; c < n; ++c) {
      for (std::size_t r = 0; r < n; ++r) {
        if (r == c) continue;
        const double factor = rows[r][c] / rows[c][c];
        for (std::size_t k = c; k <= n; ++k) rows[r][k] -= factor * rows[c][k];
      }
    }
    for (std::size_t c = 0; c < n; ++c) paper_[c] = rows[c][n] / rows[c][c];
  }

  const CalibrationSheet* sheet_;
  Projection to_scan_;
  Plane<float> light_;
  std::array<double, 6> paper_{};
};

Box grown(const Box& box, double by) {
  return {box.x0 - by, box.y0 - by, box.x1 + by, box.y1 + by};
}

// Returns the light of solid ink over that of paper, in the middle of the solid fields.
double ink_of(const CalibrationSheet& sheet, const Sight& sight) {
  std::vector<double> values;
  for (const CalibrationField& field : sheet.fields) {
    if (field.kind != Kind::solid) continue;
    sight.each(grown(field.box, -0.2 * field.box.width()), 0.2,
               [&](double v, Vec2 p) { values.push_back(sight.relative(v, p)); });
  }
  return median(std::move(values));
}

constexpr double model_scale = 12;  // pixels per mm of the marks that the program draws

// Returns the ink of a field by a line of this width, 0..1 per pixel.
Plane<float> marks_of(const CalibrationSheet& sheet, const CalibrationField& field, double width,
                      Context& context) {
  const Drawing drawing = field_drawing(sheet, field, width);
  const int side = static_cast<int>(std::lround(drawing.width * model_scale));
  Plane<float> marks = light_of(rasterize(drawing, side, side, context), 0);
  for (float& v : marks.values()) v = 1 - v;
  return marks;
}

double mean_of(const Plane<float>& plane) {
  double sum = 0;
  for (const float v : plane.values()) sum += static_cast<double>(v);
  return sum / static_cast<double>(plane.size());
}

// Returns the width at which the marks have a cover, within a tenth and five times the planned
// width. The cover of dots grows with the square of the width, and that of lines with the width,
// until they overlap; so each step comes nearer from one side.
double width_for(double cover, const CalibrationSheet& sheet, const CalibrationField& field,
                 Context& context) {
  constexpr int most_steps = 30;
  constexpr double exact = 1e-4;  // parts of the width
  const double low = 0.1 * sheet.width;
  const double high = 5 * sheet.width;
  double width = sheet.width;
  for (int i = 0; i < most_steps; ++i) {
    const double ratio = std::max(cover, 0.0) / mean_of(marks_of(sheet, field, width, context));
    const double next =
        std::clamp(width * (field.kind == Kind::dots ? std::sqrt(ratio) : ratio), low, high);
    const bool is_there = std::abs(next / width - 1) < exact;
    width = next;
    if (is_there) break;
  }
  return width;
}

// Returns the correlation of the marks of a field with its place in the scan, seen softly.
double likeness(const CalibrationSheet& sheet, const MeasuredField& measured, const Sight& sight,
                Context& context) {
  constexpr double seen = 3;  // pixels per mm
  const Box box = grown(measured.field.box, field_surround);
  const int side = static_cast<int>(std::lround(box.width() * seen));
  const Plane<float> marks =
      resample(marks_of(sheet, measured.field, measured.width, context), side, side);
  double n = 0, a = 0, b = 0, aa = 0, bb = 0, ab = 0;
  // Without the surround, which all sheets have in common.
  const int bare = static_cast<int>(std::ceil(field_surround * seen));
  for (int y = bare; y < side - bare; ++y) {
    for (int x = bare; x < side - bare; ++x) {
      const double half = 0.5 / seen;
      const Vec2 p{box.x0 + (x + 0.5) / seen, box.y0 + (y + 0.5) / seen};
      const double u = static_cast<double>(marks(x, y));
      const double v = 1 - sight.mean({p.x - half, p.y - half, p.x + half, p.y + half}, 0.1);
      n += 1;
      a += u;
      b += v;
      aa += u * u;
      bb += v * v;
      ab += u * v;
    }
  }
  const double spread = std::sqrt((aa - a * a / n) * (bb - b * b / n));
  return spread > 0 ? (ab - a * b / n) / spread : 0;
}

// Chooses the channel in which ink and paper differ most.
Sight best_sight(const CalibrationSheet& sheet, const Image& scan, const Projection& to_scan,
                 double& ink) {
  std::optional<Sight> best;
  for (const std::size_t channel : colors_of(scan)) {
    Sight sight(sheet, to_scan, light_of(scan, channel));
    sight.fit_paper();
    const double here = ink_of(sheet, sight);
    if (best && here >= ink) continue;
    ink = here;
    best = std::move(sight);
  }
  return std::move(*best);
}

}  // namespace

CalibrationReading read_scan(const CalibrationSheet& sheet, const Image& scan, Context& context) {
  if (colors_of(scan).empty()) throw Error(ErrorKind::input, "the scan has no colors");
  Plane<float> darkest = light_of(scan, colors_of(scan).front());
  for (const std::size_t channel : colors_of(scan)) {
    const Plane<float> other = light_of(scan, channel);
    for (std::size_t i = 0; i < other.size(); ++i) {
      darkest.values()[i] = std::min(darkest.values()[i], other.values()[i]);
    }
  }
  const Projection to_scan = place_of_sheet(sheet, darkest, context);
  CalibrationReading reading;
  const Sight sight = best_sight(sheet, scan, to_scan, reading.ink);
  constexpr double lightest_ink = 0.9;
  if (reading.ink > lightest_ink) {
    throw Error(ErrorKind::input, "shows no ink in its solid fields: is it the sheet, plotted?");
  }
  std::vector<double> dots;
  std::vector<double> lines;
  std::vector<double> alike;
  double gain_at = 1;
  for (const CalibrationField& field : sheet.fields) {
    if (field.kind == Kind::solid) continue;
    MeasuredField measured{field};
    const double cover =
        (1 - sight.mean(grown(field.box, field_surround), 0.05)) / (1 - reading.ink);
    measured.width = width_for(cover, sheet, field, context);
    // Covers of the field and its surround become covers of the field.
    const double side = field.box.width();
    const double share = (side + 2 * field_surround) * (side + 2 * field_surround) / (side * side);
    measured.cover = cover * share;
    measured.planned = mean_of(marks_of(sheet, field, sheet.width, context)) * share;
    (field.kind == Kind::dots ? dots : lines).push_back(measured.width);
    if (field.kind == Kind::dots && field.power == 0) {
      alike.push_back(likeness(sheet, measured, sight, context));
    }
    const double off = std::abs(measured.planned - 0.5);
    if (off < gain_at) {
      gain_at = off;
      reading.gain = measured.cover - measured.planned;
    }
    reading.fields.push_back(measured);
  }
  constexpr double least_likeness = 0.3;
  if (!alike.empty() && median(alike) < least_likeness) {
    throw Error(ErrorKind::input,
                "shows another sheet: give the --width, --paper and --seed that the sheet was "
                "made with");
  }
  if (!dots.empty()) reading.dot_width = median(dots);
  if (!lines.empty()) reading.line_width = median(lines);
  return reading;
}

}  // namespace dapple::app
