// The place of the picture on its paper, and the size of a stippling's dots.
#pragma once

#include <numbers>
#include <optional>

#include "dapple/stipple.hpp"
#include "generate/stipple/sizes.hpp"

namespace dapple::stippling {

struct StippleLayout {
  double paper_width = 0;  // mm
  double paper_height = 0;
  double margin = 0;
  // The part of the image that is drawn, and how large it is then, pixels.
  int left = 0, top = 0, cut_width = 0, cut_height = 0;
  int width = 0, height = 0;
  Vec2 origin;  // of what is drawn on the paper, mm
  double mm_per_pixel = 1;
  double pen = 0;  // mm
  int raster_width = 0;
  int raster_height = 0;

  Vec2 on_paper(Vec2 pixel) const { return origin + pixel * mm_per_pixel; }
};

// The part of a plane of the image that is drawn.
Plane<float> fitted(const Plane<float>& plane, const StippleLayout& layout, Context& context);
// Throws Error(usage) where the margins leave no room.
StippleLayout lay_out(int image_width, int image_height, const StippleOptions& options);

// The same with lengths of its preparation in pixels of the image, which users may give on paper.
MapOptions in_pixels(MapOptions field, const StippleOptions& options, const StippleLayout& layout);

// Dots where neither a number nor a size is asked for. Those of a night nearly close: what is left
// between them are its lights, which 10,000 cut too roughly.
constexpr std::int64_t default_dots = 10000;
constexpr std::int64_t default_dots_of_night = 30000;

// Nearly black for the most part, with some lights.
bool is_night(const Plane<float>& darkness);

// The first picture of a sequence settles this for all of them: sizes, and how many dots there are
// for each that the tones ask for.
struct DotScale {
  double smallest = 0;
  double largest = 0;
  double factor = 1;
  int cells = 1;  // a side of a pixel
};

// How the size of a dot follows from darkness, and the number of dots from both. Pixels.
struct DotPlan {
  DotShape shape = DotShape::disc;
  double pen = 0;
  double reach = 1;                         // of the shape's farthest point, in radii
  double perimeter = 2 * std::numbers::pi;  // of its lines, in radii
  bool open = false;                        // it has no area, and its lines go round none
  double smallest = 0;                      // diameter in the lightest tone
  double largest = 0;                       // and at full darkness
  std::int64_t count = 0;
  double line_ink = 0;    // of a line through the dots, px^2
  double gap = 0;         // between rims
  Plane<float> darkness;  // what can be drawn of the darkness asked for
  Plane<float> asked;     // that darkness, where dots are held apart: sizes follow it
  Plane<float> tones;     // 0..1, that sizes follow, where there are several
  SizeSteps steps;
  double inked = 1;      // ink of all dots over the darkness
  bool fits = false;     // dots can be held apart as they are
  Plane<float> density;  // dots per pixel; sums to `count` before rounding
  int cells = 1;         // a side of a pixel, which lengths and maps are in

  double diameter(double darkness_there) const {
    return smallest + (largest - smallest) * darkness_there;
  }
};

// Cells a side that the plan's pixels are cut into for its dots, where those are so close that
// pixels would show.
int cells_of(const DotPlan& plan);
// The plan on such cells: its maps read as smooth functions, and all lengths but `line_ink` in
// cells.
void cut(DotPlan& plan, int cells, Context& context);

// Ink of one dot, and the diameter that has that ink.
double ink_of(const DotPlan& plan, double diameter);
double diameter_of(const DotPlan& plan, double ink);

// The distance of a dot's center from its rim.
double rim_of(const DotPlan& plan, double radius);

// `scale`: empty, it is settled here; else it holds, and the
// numbers of dots asked for are those of the first picture, and none is a number too. Throws as
// stipple() does.
DotPlan plan_dots(Plane<float> darkness, const StippleOptions& options, const StippleLayout& layout,
                  std::optional<DotScale>& scale, Context& context);

}  // namespace dapple::stippling
