// Draws on the paper of sheets of figures: boxes, pictures, lettering and plots.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/analyze.hpp"
#include "draw/text/lettering.hpp"

namespace dapple {

// One ink per layer, in drawing order.
enum Ink : std::size_t { faint, gray, pale, middle, accent, warm, dark, inks };

using Tint = std::function<std::array<float, 3>(float)>;

constexpr double margin = 52;  // of every sheet, px

class Sheet {
 public:
  // Heads the sheet with a title and the command that made it.
  Sheet(double width, double height, std::string_view title, std::string_view command);

  void line(Ink ink, std::vector<Vec2> points, double width);
  void text(Ink ink, std::string_view words, Vec2 at, double height,
            TextAlign align = TextAlign::left, double weight = 1.25, bool upwards = false);
  // Fills a box with exact edges, under all lines.
  void fill(Ink ink, const Box& box);
  // Shows a plane scaled into the box; each pixel is the mean of the values that fall on it.
  void show(const Plane<float>& plane, const Box& box, const Tint& tint);
  // Shows a picture, gray or of three colors, with its transparency, pixel for pixel.
  void show(const Image& picture, Vec2 corner);

  Image finish(Context& context);

 private:
  void for_pixels(const Box& box, const std::function<void(int, int, double)>& visit) const;

  double width_;
  double height_;
  Image image_;
  Drawing drawing_;
};

// Formats a value for an axis or a table: four digits, but whole numbers in full.
std::string brief(double value);
// Returns a tint of 256 steps between two colors, for values 0..1.
Tint tint_between(const char* from, const char* to);
Tint picture_tint();  // for measured pictures
// Tints differences from -range to range: blue is too dark, pale is exact, orange is too light.
Tint difference_tint(double range);
Tint spectrum_tint();  // for power: 1 (white noise) is half way, 9 and more the last tenth
// Throws Error(input) if a curve has not as many values as places or a place that is not finite, or
// if a picture has no pixels.
void require_drawable(const QualityReport& report);
// Groups curves that share a title, in order of first appearance.
std::vector<std::vector<const Curve*>> plots_of(const QualityReport& report);
// Returns the largest box of the plane's aspect ratio in `room` x `high` pixels from (x, y).
Box fitted(const Plane<float>& plane, double x, double y, double room, double high);

struct PlotLook {
  bool heading = true;  // title and label of the values above the plot
  double high = 0;      // upper end of the axis, which begins at 0; 0: from the curves
};

// Draws curves that share their axes, with title, ticks and legend, in the box.
void draw_plot(Sheet& sheet, const std::vector<const Curve*>& curves, const Box& place,
               const PlotLook& look = {});

}  // namespace dapple
