// Draws the sheet of a stippling: the wanted tone, the dots and the error of tone side by side. The
// worst places, the figures with their goals, and the plots follow.
#include <algorithm>
#include <cmath>

#include "analyze/figures.hpp"
#include "analyze/sheet/canvas.hpp"
#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"

namespace dapple {

namespace {

constexpr double gutter = 40;
constexpr double longest = 600;  // largest side of a picture, px
constexpr double least_column = 500;
constexpr double plot_height = 230;
constexpr double row_height = 24;

const Picture* difference_of(const QualityReport& report) {
  const auto found = std::find_if(report.pictures.begin(), report.pictures.end(),
                                  [](const Picture& picture) { return picture.range > 0; });
  return found == report.pictures.end() ? nullptr : &*found;
}

// Breaks words into lines of at most this width.
std::vector<std::string> wrapped(const std::string& words, double height, double width) {
  std::vector<std::string> lines;
  std::size_t from = 0;
  while (from < words.size()) {
    std::size_t to = words.size();
    while (to > from && lettering_width(words.substr(from, to - from), height) > width) {
      const std::size_t blank = words.rfind(' ', to - 1);
      if (blank == std::string::npos || blank <= from) break;
      to = blank;
    }
    lines.push_back(words.substr(from, to - from));
    from = to + 1;
  }
  return lines;
}

class StippleSheet {
 public:
  explicit StippleSheet(const QualityReport& report)
      : report_(report),
        shown_({&report.pictures.at(1), &report.pictures.at(0), difference_of(report)}),
        plots_(plots_of(report)) {
    const Box box = fitted(shown_[1]->values, 0, 0, longest, longest);
    column_ = std::max(least_column, box.width());
    high_ = box.height();
    if (const std::string verdict = verdict_of(report); !verdict.empty()) {
      notes_ = wrapped(verdict, 11, text_width());
    }
    for (const std::string& note : report.notes) {
      for (std::string& line : wrapped(note, 11, text_width())) notes_.push_back(std::move(line));
    }
  }

  Image draw(Context& context) const {
    const double width = 2 * margin + 3 * column_ + 2 * gutter;
    const double below = std::max(text_height(), plot_height * static_cast<double>(plots_.size()));
    Sheet sheet(width, std::round(text_top() + below + margin), "Stippling", "dapple analyze");
    for (std::size_t i = 0; i < shown_.size(); ++i) draw_picture(sheet, *shown_[i], left(i));
    context.check();
    draw_notes(sheet);
    draw_table(sheet);
    for (std::size_t i = 0; i < plots_.size(); ++i) {
      const double y = text_top() + plot_height * static_cast<double>(i);
      draw_plot(sheet, plots_[i], {left(2), y, left(2) + column_, y + plot_height - 20});
    }
    return sheet.finish(context);
  }

 private:
  static constexpr double picture_top = margin + 52;
  static constexpr double note_height = 24;

  double left(std::size_t i) const { return margin + static_cast<double>(i) * (column_ + gutter); }
  double text_width() const { return 2 * column_ + gutter; }
  double text_top() const { return picture_top + high_ + 78; }
  double table_top() const {
    return text_top() + note_height * static_cast<double>(notes_.size()) + 14;
  }
  double text_height() const {
    const auto rows = static_cast<double>(report_.measurements.size() + 1);
    return table_top() + rows * row_height - text_top();
  }

  void draw_picture(Sheet& sheet, const Picture& picture, double x) const {
    const Box box = fitted(picture.values, x, picture_top, longest, longest);
    sheet.fill(faint, {box.x0 - 1, box.y0 - 1, box.x1 + 1, box.y1 + 1});
    const bool difference = picture.range > 0;
    sheet.show(picture.values, box, difference ? difference_tint(picture.range) : picture_tint());
    sheet.text(dark, picture.title, {x, box.y1 + 22}, 10.5, TextAlign::left, 1.3);
    if (!difference) return;
    for (std::size_t i = 0; i < picture.marks.size(); ++i) {
      draw_mark(sheet, box, picture, i);
    }
    draw_scale(sheet, picture.range, x, box.y1 + 34);
  }

  // Draws a ring around the place and its number beside it, inside the picture.
  static void draw_mark(Sheet& sheet, const Box& box, const Picture& picture, std::size_t i) {
    constexpr double radius = 13;
    const double scale = box.width() / picture.values.width();
    const Vec2 at{box.x0 + picture.marks[i].x * scale, box.y0 + picture.marks[i].y * scale};
    std::vector<Vec2> ring;
    for (int k = 0; k <= 32; ++k) {
      ring.push_back(at + direction(k / 32.0) * radius);
    }
    sheet.line(dark, std::move(ring), 1.3);
    const bool right = at.x + radius + 16 < box.x1;
    sheet.text(dark, std::to_string(i + 1), {at.x + (right ? radius + 4 : -radius - 4), at.y + 4.5},
               9.5, right ? TextAlign::left : TextAlign::right, 1.4);
  }

  void draw_scale(Sheet& sheet, double range, double x, double y) const {
    constexpr double bar = 200;
    constexpr double thick = 9;
    const std::string percent = brief(100 * range) + " %";
    const std::string low = percent + " too dark";
    x += lettering_width(low, 9) + 10;
    Plane<float> steps(200, 1);
    for (int i = 0; i < 200; ++i) {
      steps(i, 0) = static_cast<float>(range * ((i + 0.5) / 100 - 1));
    }
    const Box box{std::round(x), std::round(y), std::round(x) + bar, std::round(y) + thick};
    sheet.show(steps, box, difference_tint(range));
    sheet.text(gray, low, {box.x0 - 10, box.y1}, 9, TextAlign::right, 1.1);
    sheet.text(gray, percent + " too light", {box.x1 + 10, box.y1}, 9, TextAlign::left, 1.1);
  }

  void draw_notes(Sheet& sheet) const {
    double y = text_top() + 12;
    for (const std::string& line : notes_) {
      sheet.text(dark, line, {margin, y}, 11, TextAlign::left, 1.3);
      y += note_height;
    }
  }

  void draw_table(Sheet& sheet) const {
    const double value = margin + 150;
    const double target = value + 190;
    const double words = target + 90;
    double y = table_top() + row_height;
    sheet.text(gray, "good at 10 000 dots", {target - 60, y - 7}, 8.5, TextAlign::left, 1.0);
    sheet.line(gray, {{margin, y}, {margin + text_width(), y}}, 1);
    for (const Measurement& m : report_.measurements) {
      y += row_height;
      const bool missed = m.target && !m.target->is_met_by(m.value);
      sheet.text(dark, m.name, {margin, y - 7}, 10, TextAlign::left, 1.25);
      sheet.text(missed ? warm : accent, brief(m.value), {value, y - 7}, 10, TextAlign::right, 1.5);
      sheet.text(gray, m.unit, {value + 10, y - 7}, 8.5, TextAlign::left, 1.0);
      if (m.target) {
        sheet.text(gray, brief(m.target->value) + (m.target->at_most ? " or less" : " or more"),
                   {target - 60, y - 7}, 8.5, TextAlign::left, 1.0);
      }
      sheet.text(gray, m.doc, {words + 20, y - 7}, 8.5, TextAlign::left, 1.0);
      sheet.line(faint, {{margin, y}, {margin + text_width(), y}}, 1);
    }
  }

  const QualityReport& report_;
  std::array<const Picture*, 3> shown_;
  std::vector<std::vector<const Curve*>> plots_;
  std::vector<std::string> notes_;
  double column_ = 0;
  double high_ = 0;
};

}  // namespace

Image stipple_sheet(const QualityReport& report, Context& context) {
  if (report.pictures.size() < 2 || difference_of(report) == nullptr) {
    throw Error(ErrorKind::input,
                "the report lacks the pictures of tone and its error that the sheet shows");
  }
  const auto stage = context.stage("sheet");
  return StippleSheet(report).draw(context);
}

}  // namespace dapple
