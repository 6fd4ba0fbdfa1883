// Draws the report as one picture: the measured data, its spectrum, a table of figures, curves.
#include <algorithm>
#include <cmath>

#include "analyze/figures.hpp"
#include "analyze/sheet/canvas.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"

namespace dapple {

namespace {

constexpr double sheet_width = 1200;
constexpr double gutter = 40;
constexpr double column = (sheet_width - 2 * margin - 2 * gutter) / 3;
constexpr double plot_height = 210;
constexpr double row_height = 21;  // of the table

// Returns the figures of the sheet's table, without those that a plot shows already.
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
    sheet.text(dark, m->name, {x, y - 6}, 10, TextAlign::left, 1.25);
    sheet.text(accent, brief(m->value), {x + 0.58 * column, y - 6}, 10, TextAlign::right, 1.5);
    sheet.text(gray, m->unit, {x + 0.58 * column + 12, y - 6}, 8.5, TextAlign::left, 1.0);
    sheet.line(faint, {{x, y}, {x + column, y}}, 1);
  }
  return y;
}

}  // namespace

void require_drawable(const QualityReport& report) {
  for (const Curve& curve : report.curves) {
    const bool finite =
        std::all_of(curve.x.begin(), curve.x.end(), [](double x) { return std::isfinite(x); });
    if (finite && curve.x.size() == curve.y.size()) continue;
    throw Error(ErrorKind::input, "curve '" + curve.title + "' of the report has " +
                                      std::to_string(curve.x.size()) + " places for " +
                                      std::to_string(curve.y.size()) +
                                      " values, or places that are not finite");
  }
  for (const Picture& picture : report.pictures) {
    if (!picture.values.empty()) continue;
    throw Error(ErrorKind::input, "picture '" + picture.title + "' of the report has no pixels");
  }
}

Image report_sheet(const QualityReport& report, Context& context) {
  require_drawable(report);
  if (report.kind == "stippling") return stipple_sheet(report, context);
  const auto stage = context.stage("sheet");
  const std::vector<std::vector<const Curve*>> plots = plots_of(report);
  const double top = margin + 60;
  const double table = row_height * static_cast<double>(listed(report).size());
  const double first = std::max(column + 24, table);
  const std::size_t more = report.pictures.empty() ? 0 : report.pictures.size() - 1;
  const double rows = std::ceil(static_cast<double>(plots.size() + more) / 3);
  const double notes = 18 * static_cast<double>(report.notes.size());
  const double height = std::round(top + first + rows * (plot_height + gutter) + notes + margin);

  const std::string title = report.kind == "mask" ? "Mask" : "Points";
  Sheet sheet(sheet_width, height, title, "dapple analyze");
  sheet.text(dark, verdict_of(report), {margin, margin + 44}, 9.5, TextAlign::left, 1.2);
  double x = margin;
  const Tint gray_tint = picture_tint();
  if (!report.pictures.empty()) {
    const Picture& picture = report.pictures.front();
    // Without a spectrum, the picture uses both columns.
    const double room = report.spectrum.empty() ? 2 * column + gutter : column;
    const Box box = fitted(picture.values, x, top, room, column);
    sheet.show(picture.values, box, gray_tint);
    sheet.text(gray, picture.title, {box.x0, box.y1 + 18}, 8.5, TextAlign::left, 1.0);
    x += room + gutter;
  }
  if (!report.spectrum.empty()) {
    const Box box = fitted(report.spectrum, x, top, column, column);
    sheet.show(report.spectrum, box, spectrum_tint());
    sheet.text(gray,
               report.spectrum_title + ", to " + brief(report.spectrum_extent) +
                   (report.kind == "mask" ? " cycles per pixel" : " sqrt(N)"),
               {box.x0, box.y1 + 18}, 8.5, TextAlign::left, 1.0);
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
    sheet.text(dark, picture.title, {left, down + 12}, 11.5, TextAlign::left, 1.5);
    sheet.show(picture.values, fitted(picture.values, left, down + 28, column, plot_height - 28),
               gray_tint);
  }
  y += rows * (plot_height + gutter) - gutter + 24;
  for (const std::string& note : report.notes) {
    sheet.text(gray, note, {margin, y}, 9, TextAlign::left, 1.05);
    y += 18;
  }
  return sheet.finish(context);
}

}  // namespace dapple
