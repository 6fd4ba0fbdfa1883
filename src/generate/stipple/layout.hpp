// Computes the place of the picture on its paper, and the sizes of dots.
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
  // The drawn part of the image, and the size to which it is drawn, pixels.
  int left = 0, top = 0, cut_width = 0, cut_height = 0;
  int width = 0, height = 0;
  PaperPlace place;  // of the drawn part
  double pen = 0;    // mm
  int raster_width = 0;
  int raster_height = 0;
};

// Returns the drawn part of a plane of the image.
Plane<float> fitted(const Plane<float>& plane, const StippleLayout& layout, Context& context);
// Throws Error(usage) if the margins leave no room.
StippleLayout lay_out(int image_width, int image_height, double image_dpi,
                      const StippleOptions& options);

// Returns the options with lengths of the preparation, which users may give on paper, in pixels.
MapOptions in_pixels(MapOptions field, const StippleOptions& options, const StippleLayout& layout);

// Returns the diameter of the largest dots, in pixels of a picture with this shorter side, or 0 if
// neither a size nor a pen gives it.
double largest_dot(const StippleOptions& options, const StippleLayout& layout, int shorter_side);

// Returns the mean spacing of the dots in pixels of the image, as far as the options tell it, or 0
// for other styles than dots.
double dot_spacing(const StippleOptions& options, const StippleLayout& layout);

// Returns true if dots of several inks should mix to the colors of the picture from afar.
bool mix_from_afar(const MapOptions& field, const StippleOptions& options,
                   const StippleLayout& layout);

// The values that the first picture of a sequence settles for all. `factor` is the number of dots
// per number that the tones require.
struct DotScale {
  double smallest = 0;
  double largest = 0;
  double factor = 1;
  int cells = 1;  // per pixel, along each side
};

// The rule from darkness to the size of a dot and to the number of dots. Lengths in pixels.
struct DotPlan {
  DotShape shape = DotShape::disc;
  double pen = 0;
  double reach = 1;                         // distance of the shape's farthest point, in radii
  double perimeter = 2 * std::numbers::pi;  // length of its lines, in radii
  bool open = false;                        // the shape has no area, and its lines enclose none
  double smallest = 0;                      // diameter in the lightest tone
  double largest = 0;                       // diameter at full darkness
  std::int64_t count = 0;
  double line_ink = 0;    // ink of a line through the dots, px^2
  double gap = 0;         // least distance between rims
  Plane<float> darkness;  // the part of the wanted darkness that can be drawn
  Plane<float> asked;     // wanted darkness that sizes follow, if dots are held apart
  Plane<float> tones;     // 0..1, the values that sizes follow, if there are several sizes
  SizeSteps steps;
  double inked = 1;      // ink of all dots / darkness
  bool fits = false;     // true: dots can be held apart at their sizes
  Plane<float> density;  // dots per pixel; sums to `count` before rounding
  int cells = 1;         // per pixel, along each side; lengths and maps are in cells

  double diameter(double darkness_there) const {
    return smallest + (largest - smallest) * darkness_there;
  }
};

// Returns the number of cells per pixel, along each side, that the dots of the plan require. It is
// above 1 if dots are so close that pixels would show.
int cells_of(const DotPlan& plan);
// Converts the plan to cells. Maps are read as smooth functions, and all lengths but `line_ink`
// become cells.
void cut(DotPlan& plan, int cells, Context& context);

// Returns the ink of a dot; diameter_of() returns the diameter that has this ink.
double ink_of(const DotPlan& plan, double diameter);
double diameter_of(const DotPlan& plan, double ink);

// Returns the distance of a dot's center from its rim.
double rim_of(const DotPlan& plan, double radius);

// Plans the dots. The options give their number or size, or a pen. An empty `scale` is set here.
// Otherwise it is used, and a number of dots in the options counts for the first picture. Throws as
// stipple() does.
DotPlan plan_dots(Plane<float> darkness, const StippleOptions& options, const StippleLayout& layout,
                  std::optional<DotScale>& scale, Context& context);

}  // namespace dapple::stippling
