// The paper that sheets of figures are drawn on: boxes, pictures, lettering and plots.
#pragma once

#include <array>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "analyze/sheet/lettering.hpp"
#include "dapple/analyze.hpp"

namespace dapple {

// One ink a layer, in drawing order.
enum Ink : std::size_t { faint, gray, pale, middle, accent, warm, dark, inks };

using Tint = std::function<std::array<float, 3>(float)>;

constexpr double margin = 52;  // of every sheet

class Sheet {
 public:
  // Headed by a title and the command that made it.
  Sheet(double width, double height, std::string_view title, std::string_view command);

  void line(Ink ink, std::vector<Vec2> points, double width);
  void text(Ink ink, std::string_view words, Vec2 at, double height,
            TextAlign align = TextAlign::left, double weight = 1.25, bool upwards = false);
  // A filled box with exact edges, under all lines.
  void fill(Ink ink, const Box& box);
  // A plane scaled into the box, each pixel the mean of what falls on it.
  void show(const Plane<float>& plane, const Box& box, const Tint& tint);
  // A picture, gray or of three colors, with its transparency, pixel on pixel.
  void show(const Image& picture, Vec2 corner);

  Image finish(Context& context);

 private:
  void for_pixels(const Box& box, const std::function<void(int, int, double)>& visit) const;

  double width_;
  double height_;
  Image image_;
  Drawing drawing_;
};

// Four digits at most, as they are read off an axis or a table.
std::string brief(double value);
// 256 steps between two colors, for values 0..1.
Tint tint_between(const char* from, const char* to);
Tint picture_tint();  // of what was measured
// The tint of differences from -range to range: too dark blue, none pale, too light orange.
Tint difference_tint(double range);
Tint spectrum_tint();  // of power: half way is white noise, the last tenth is left to peaks
// Error(input) for curves that are not as long as their places, places that are not finite, and
// pictures without pixels.
void require_drawable(const QualityReport& report);
// Curves that share a title, in order of first appearance.
std::vector<std::vector<const Curve*>> plots_of(const QualityReport& report);
// The largest box of the plane's shape inside width x height from (x, y).
Box fitted(const Plane<float>& plane, double x, double y, double room, double high);

struct PlotLook {
  bool heading = true;  // title and label of the values above the plot
  double high = 0;      // values from 0 to this; 0: as the curves ask for
};

// Curves that share their axes, with title, ticks and legend, in the box.
void draw_plot(Sheet& sheet, const std::vector<const Curve*>& curves, const Box& place,
               const PlotLook& look = {});

}  // namespace dapple
