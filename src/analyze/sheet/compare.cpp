// Draws point sets side by side, at the same scale: the points, their spectra, the radial power,
// and the figures below each other.
#include <algorithm>
#include <array>
#include <cmath>

#include "analyze/figures.hpp"
#include "analyze/sheet/canvas.hpp"
#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/units.hpp"

namespace dapple {

namespace {

constexpr double labels = 96;  // names of the rows, on the left
constexpr double cell = 236;
constexpr double gutter = 24;
constexpr double plot_height = 170;
constexpr double row_height = 21;
constexpr double band_gap = 56;
constexpr std::size_t most_columns = 5;
constexpr double seen = 600;  // approximate number of points in a picture

// The figures to compare; sets without one of them show "-".
constexpr std::array<std::string_view, 13> figures = {
    "N",    "kappa", "kappa_cv", "rho_min", "rho_mean",    "violations", "hole",
    "open", "holes", "LF",       "nu_eff",  "oscillation", "aniso"};

std::vector<std::string_view> shared_figures(std::span<const Compared> sets) {
  std::vector<std::string_view> names;
  for (const std::string_view name : figures) {
    const bool any = std::any_of(sets.begin(), sets.end(), [&](const Compared& set) {
      return set.report.find(name) != nullptr;
    });
    if (any) names.push_back(name);
  }
  return names;
}

std::string value_of(const Compared& set, std::string_view name) {
  // A set without radii measures holes in units of its smallest distance, which does not compare.
  if (name == "hole" && set.report.find("violations") == nullptr) return "-";
  const Measurement* m = set.report.find(name);
  return m == nullptr ? "-" : brief(m->value);
}

// Draws a slice through the middle of a volume, as thick as the mean spacing.
Plane<float> picture_of_slice(const Points& points, Context& context) {
  const double room = points.domain.area() * points.depth;
  const double spacing = portable_cbrt(room / static_cast<double>(points.size()));
  Points slice;
  slice.domain = points.domain;
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::abs(points.z[i] - 0.5 * points.depth) < 0.5 * spacing) slice.add(points[i], 0);
  }
  const std::vector<double> radii(slice.size(), 0.22 * spacing);
  return picture_of(slice, 1, radii, context);
}

// Draws a set of one radius as dots of one size, cropped to the middle so that about `seen` show.
// Draws other sets whole, as the report shows them.
Plane<float> picture_of_set(const Compared& set, Context& context) {
  if (!set.points.z.empty()) return picture_of_slice(set.points, context);
  if (set.report.spectrum.empty()) return set.report.pictures.front().values;
  const auto n = static_cast<double>(set.points.size());
  const double spacing = std::sqrt(set.points.domain.area() / n);
  const std::vector<double> radii(set.points.size(), 0.22 * spacing);
  return picture_of(set.points, std::min(1.0, std::sqrt(seen / n)), radii, context);
}

class Comparison {
 public:
  Comparison(std::span<const Compared> sets)
      : sets_(sets),
        names_(shared_figures(sets)),
        bands_((sets.size() + most_columns - 1) / most_columns),
        columns_((sets.size() + bands_ - 1) / bands_) {
    for (const Compared& set : sets) {
      spectra_ |= !set.report.spectrum.empty();
      plots_ |= spectra_ || !set.points.z.empty();
      const Domain& domain = set.points.domain;
      tallest_ = std::max(tallest_, cell * domain.height / domain.width);
    }
    tallest_ = std::min(tallest_, 1.5 * cell);
  }

  Image draw(Context& context) const {
    const double width = std::max(
        2 * margin + labels + static_cast<double>(columns_) * (cell + gutter) - gutter, 620.0);
    const double top = margin + 58;
    const double height =
        top + static_cast<double>(bands_) * (band_height() + band_gap) - band_gap + margin;
    Sheet sheet(width, std::round(height), "Point sets compared", "dapple compare");
    for (std::size_t band = 0; band < bands_; ++band) {
      const double y = top + static_cast<double>(band) * (band_height() + band_gap);
      draw_labels(sheet, y);
      const std::size_t first = band * columns_;
      for (std::size_t i = first; i < std::min(sets_.size(), first + columns_); ++i) {
        const double x = margin + labels + static_cast<double>(i - first) * (cell + gutter);
        draw_set(sheet, sets_[i], x, y, context);
        context.check();
      }
    }
    return sheet.finish(context);
  }

 private:
  double spectrum_top() const { return 22 + tallest_ + gutter; }
  double plot_top() const { return spectrum_top() + (spectra_ ? cell + gutter : 0); }
  double table_top() const { return plot_top() + (plots_ ? plot_height + 8 : 0); }
  double band_height() const {
    return table_top() + row_height * static_cast<double>(names_.size());
  }

  void draw_labels(Sheet& sheet, double y) const {
    const auto label = [&](std::string_view words, double down) {
      sheet.text(gray, words, {margin, y + down}, 9, TextAlign::left, 1.05);
    };
    label("points", 32);
    if (spectra_) {
      label("spectrum", spectrum_top() + 10);
      label("to 2 sqrt(N)", spectrum_top() + 26);
    }
    if (plots_) {
      label(spectra_ ? "radial power" : "power in shells", plot_top() + 16);
      label("white = 1", plot_top() + 32);
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const double down = y + table_top() + row_height * static_cast<double>(i + 1);
      sheet.text(dark, names_[i], {margin, down - 6}, 10, TextAlign::left, 1.25);
    }
  }

  void draw_set(Sheet& sheet, const Compared& set, double x, double y, Context& context) const {
    const QualityReport& report = set.report;
    sheet.text(dark, fitting(set.name), {x, y + 10}, 12, TextAlign::left, 1.6);
    const Plane<float> picture = picture_of_set(set, context);
    sheet.show(picture, fitted(picture, x, y + 22, cell, tallest_), picture_tint());
    if (!report.spectrum.empty()) {
      const double down = y + spectrum_top();
      sheet.show(report.spectrum, fitted(report.spectrum, x, down, cell, cell), spectrum_tint());
    }
    for (const Curve& curve : report.curves) {
      const bool shells = curve.title == "Power in shells";
      if (!shells && (report.spectrum.empty() || curve.title != "Radial power")) continue;
      const double plot = y + plot_top();
      draw_plot(sheet, {&curve}, {x - 34 + 20, plot, x + cell, plot + plot_height},
                {.heading = false, .high = 3});
    }
    for (std::size_t i = 0; i < names_.size(); ++i) {
      const double down = y + table_top() + row_height * static_cast<double>(i + 1);
      sheet.text(accent, value_of(set, names_[i]), {x + 0.5 * cell, down - 6}, 10, TextAlign::right,
                 1.5);
      // The line begins at the names of the figures, without a gap between columns.
      const bool leftmost = x == margin + labels;
      sheet.line(faint, {{leftmost ? margin : x - gutter, down}, {x + cell, down}}, 1);
    }
  }

  // Returns the longest start of the name that fits a column.
  static std::string fitting(std::string name) {
    if (lettering_width(name, 12) <= cell) return name;
    while (!name.empty() && lettering_width(name + "...", 12) > cell) name.pop_back();
    return name + "...";
  }

  std::span<const Compared> sets_;
  std::vector<std::string_view> names_;
  std::size_t bands_;
  std::size_t columns_;
  bool spectra_ = false;
  bool plots_ = false;
  double tallest_ = 0;
};

}  // namespace

std::string compare_text(std::span<const Compared> sets) {
  std::vector<std::vector<std::string>> rows;
  std::vector<std::string>& head = rows.emplace_back();
  head.emplace_back();
  for (const std::string_view name : shared_figures(sets)) head.emplace_back(name);
  for (const Compared& set : sets) {
    std::vector<std::string>& row = rows.emplace_back();
    row.push_back(set.name);
    for (const std::string_view name : shared_figures(sets)) row.push_back(value_of(set, name));
  }
  std::string text;
  for (const auto& row : rows) {
    for (std::size_t i = 0; i < row.size(); ++i) {
      std::size_t width = 0;
      for (const auto& other : rows) width = std::max(width, other[i].size());
      const std::string blanks(width - row[i].size(), ' ');
      text += i == 0 ? row[i] + blanks : "  " + blanks + row[i];
    }
    text.erase(text.find_last_not_of(' ') + 1);
    text += '\n';
  }
  return text;
}

Image compare_sheet(std::span<const Compared> sets, Context& context) {
  if (sets.empty()) throw Error(ErrorKind::usage, "there are no point sets to compare");
  for (const auto& [name, points, report] : sets) {
    validate(points);
    require_domain(points.domain);
    require_drawable(report);
    if (points.size() > 1 && (!report.pictures.empty() || !points.z.empty())) continue;
    throw Error(ErrorKind::input,
                "'" + name + "' has no report to compare: it needs at least two points");
  }
  const auto stage = context.stage("sheet");
  return Comparison(sets).draw(context);
}

}  // namespace dapple
