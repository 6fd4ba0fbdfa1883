// What a pen, a printer or a screen is to show: paper and layers of discs and lines, in
// millimeters.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dapple/buffers.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/option_words.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

struct Disc {
  Vec2 center = {};           // mm from the top left corner of the paper
  double radius = 0;          // mm
  std::uint16_t outline = 0;  // of Drawing::outlines, where there are some
};

struct Polyline {
  std::vector<Vec2> points = {};  // mm
  double width = 0;               // mm
};

struct Layer {
  std::string name = {};          // such as "1 black"
  std::string color = "#000000";  // #rrggbb
  std::vector<Disc> discs = {};   // in drawing order
  std::vector<Polyline> lines = {};
  // Filled, under the rest of the layer: closed polygons, what they hold to the right of an edge
  // that goes down (y grows), so that holes run the other way. Pens cannot draw them.
  std::vector<std::vector<Vec2>> fills{};
  bool same_pen{};  // as the layer before: a part to plot after it
};

// Filled; a pen touch (zero-length stroke); an outline; filled by a spiral of the pen; a shape of
// the drawing's own, filled, or its lines drawn where there is a pen.
enum class DotShape { disc, point, circle, spiral, outline };
constexpr auto option_names(DotShape) {
  return words_to<DotShape::spiral>("disc", "point", "circle", "spiral");
}

// A shape of dots, of area pi about its centroid: times the radius of a disc it has the disc's
// area. Without area, of lines alone, they are as long as the unit circle, about their middle.
struct Outline {
  struct Part {
    std::vector<std::vector<Vec2>> rings;    // closed polygons
    bool even_odd = false;                   // how they are filled; else where they wind at all
    std::vector<std::vector<Vec2>> lines{};  // open, for pens alone
  };
  std::vector<Part> parts = {};  // the shape is what lies inside any of them
  // Its boundary, but for what is level: to the right of an edge the shape begins where the edge
  // goes down (y grows), and ends where it goes up.
  std::vector<std::array<Vec2, 2>> edges = {};
  double reach = 0;      // of its farthest point from the center
  double perimeter = 0;  // of all rings and lines
};
// Polygons and lines of any size, moved and scaled. Throws Error(input) where they hold neither
// area nor length, or are too detailed for dots.
Outline make_outline(std::vector<Outline::Part> parts);
// The shape turned clockwise about its center by a part of a full circle.
Outline turned(const Outline& outline, double turns);
// Each of its parts as a shape of its own; itself where there is one. Throws as make_outline().
std::vector<Outline> parts_of(const Outline& outline);
// The lines of a pen that draws the shape of this dot; rings end where they start.
std::vector<std::vector<Vec2>> lines_of(const Outline& outline, const Disc& disc);

// How a pen plotter moves, for forecasts; the defaults are near those of an AxiDraw. From a stop it
// gains speed evenly and loses it evenly before the next.
struct Plotter {
  double speed = 50;           // mm/s, pen down
  double travel_speed = 150;   // mm/s, pen up
  double acceleration = 1000;  // mm/s^2
  double pen_lift = 0.15;      // s, of one lifting or lowering
  double pen_change = 30;      // s, of each pen after the first
  // G-code; several commands with | between them.
  std::string pen_up = "G0 Z5";
  std::string pen_down = "G1 Z0 F1000";
};
void describe(Plotter& plotter, OptionList& list);

// The order in which a pen goes from dot to dot.
enum class DotOrder { travel, hilbert, none };
constexpr auto option_names(DotOrder) {
  return words_to<DotOrder::none>("travel", "hilbert", "none");
}

// A drawing that is plotted in tiles, on a sheet that is moved between them.
struct Tiling {
  int columns = 0;  // 0: in one
  int rows = 0;
  double overlap = 0;  // mm, the width of the band along a seam of which both tiles draw a part
  DotOrder order = DotOrder::travel;  // of the dots of each tile; none: as they stand in the whole

  explicit operator bool() const { return columns > 0; }
};

struct Drawing {
  double width = 0;  // paper, mm
  double height = 0;
  std::string background = "#ffffff";  // "none": transparent
  double pen = 0;  // stroke width of points, circles, spirals and outlines, mm; 0: filled
  DotShape shape = DotShape::disc;
  // Of that shape, else none: each dot says which it has.
  std::vector<std::shared_ptr<const Outline>> outlines = {};
  double touch = 0;  // mm that the pen goes to the right in a touch, its middle on the dot
  double gap = 0;    // mm of bare paper that is promised between any two dots; 0: none
  // mm by which all marks lie farther apart than that: what files may round away.
  double slack = 0;
  Plotter plotter = {};
  Tiling tiling{};
  std::vector<Layer> layers = {};
  std::vector<std::pair<std::string, std::string>> metadata = {};

  // nullptr where dots are discs.
  const Outline* outline_of(const Disc& disc) const {
    return outlines.empty() ? nullptr : outlines[disc.outline].get();
  }
};

// An order of the points that keeps pen travel short; a permutation. Hilbert (1891) curve, improved
// by chains of moves with neighbor lists for `travel`, whose way through up to
// 250,000 dots does not cross itself. O(N log N).
std::vector<std::int32_t> drawing_order(const PointSet& points, DotOrder order, Context& context);

// Renders at width x height pixels over the whole paper. The coverage of each pixel by each disc is
// its exact area (circle against square, in closed form), no supersampling; that of a filled
// outline is exact too. Coverages of discs of a layer add up, which is exact where they lie apart.
// Where more than a hundredth of their ink lies on other ink and the mean dot is less than 2 pixels
// in radius, that is done for up to 8 x 8 parts of a pixel; where more than six hundredths do, they
// combine as 1 - prod(1 - c), as if they lay there by chance. Blended in linear light; sRGB result,
// RGB, or gray where every color is gray, alpha added for background "none". O(pixels + covered
// pixels of all discs).
Image rasterize(const Drawing& drawing, int width, int height, Context& context);
// The same into memory of the caller, as wide and high as it is, strip by strip: gray, RGB or with
// an alpha, as it has channels. Throws Error(usage) where these do not hold the colors.
void rasterize(const Drawing& drawing, const ImageTarget& target, Context& context);

// A line that fills a disc with a pen: a spiral whose turns lie one pen apart, and the rim. The
// center alone where the pen is as wide as the disc.
std::vector<Vec2> spiral(const Disc& disc, double pen);

// Area of the intersection of a disc and an axis-aligned box, exact to double rounding.
double disc_box_area(Vec2 center, double radius, const Box& box);

}  // namespace dapple
