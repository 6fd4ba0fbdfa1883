// Lays out pictures side by side, pixel for pixel, each with its name below.
#include <algorithm>

#include "analyze/sheet/canvas.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"

namespace dapple {

namespace {

constexpr double between = 24;
constexpr double label_height = 11;
constexpr double below = 30;  // px below a picture, for its label

// Returns the longest start of a label that is not wider than its picture.
std::string shortened(std::string label, double width) {
  if (lettering_width(label, label_height) <= width) return label;
  while (!label.empty() && lettering_width(label + "...", label_height) > width) label.pop_back();
  return label + "...";
}

}  // namespace

Image contact_sheet(std::span<const Labeled> pictures, int columns, std::string_view title,
                    std::string_view command, Context& context) {
  if (pictures.empty() || columns < 1) {
    throw Error(ErrorKind::usage, "a sheet of pictures needs at least one picture and one column");
  }
  double cell_width = 0;
  for (const Labeled& one : pictures) {
    require_planes(one.picture);
    cell_width = std::max<double>(cell_width, one.picture.width());
  }
  const std::size_t across = std::min(pictures.size(), static_cast<std::size_t>(columns));
  std::vector<double> row_heights;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    if (i % across == 0) row_heights.push_back(0);
    row_heights.back() = std::max<double>(row_heights.back(), pictures[i].picture.height());
  }
  const double top = margin + 48;
  double height = top + margin - below / 2;
  for (const double high : row_heights) height += high + below;
  const auto n = static_cast<double>(across);
  const double width = std::max(480.0, 2 * margin + n * cell_width + (n - 1) * between);
  context.require_pixels(static_cast<int>(width), static_cast<int>(height), "the sheet");

  Sheet sheet(width, height, title, command);
  double y = top;
  for (std::size_t i = 0; i < pictures.size(); ++i) {
    const double x = margin + static_cast<double>(i % across) * (cell_width + between);
    sheet.show(pictures[i].picture, {x, y});
    const double foot = y + pictures[i].picture.height() + 18;
    sheet.text(dark, shortened(pictures[i].label, cell_width), {x, foot}, label_height);
    if ((i + 1) % across == 0) y += row_heights[i / across] + below;
  }
  return sheet.finish(context);
}

}  // namespace dapple
