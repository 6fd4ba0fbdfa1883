// Describes a drawing for a pen, a printer or a screen: paper and layers of discs and lines, in
// millimeters.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "dapple/buffers.hpp"
#include "dapple/extend/option_words.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

struct Disc {
  Vec2 center = {};           // mm from the top left corner of the paper
  double radius = 0;          // mm
  std::uint16_t outline = 0;  // index into Drawing::outlines, if those exist
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
  // Filled areas under the rest of the layer: closed polygons that pens cannot draw. The inside
  // lies to the right of an edge that goes down (y grows), so holes run the other way.
  std::vector<std::vector<Vec2>> fills{};
  bool same_pen{};    // same pen as the layer before, of which this is a later part
  std::string ink{};  // name of the ink, such as "black"; layers of one ink share it
  // Power and dwell of a laser for this layer, as Plotter has them; 0: those of the plotter. The
  // machine does not stop before a layer with its own power.
  double laser_power{};
  double dwell{};
};

// The place of a picture's pixels on paper.
struct PaperPlace {
  Vec2 origin;  // of the picture, mm
  double mm_per_pixel = 1;

  Vec2 operator()(Vec2 pixel) const { return origin + pixel * mm_per_pixel; }
};

// How dots are drawn: filled; a pen touch; an outline; filled by a spiral of
// the pen. `outline` is a custom shape: filled, or drawn as lines by a pen.
enum class DotShape { disc, point, circle, spiral, outline };
constexpr auto option_names(DotShape) {
  return words_to<DotShape::spiral>("disc", "point", "circle", "spiral");
}

// A shape of dots, of area pi around its centroid: scaled by the radius of a disc it has the disc's
// area. A shape of only lines is as long as the unit circle and centered on its middle.
struct Outline {
  struct Part {
    std::vector<std::vector<Vec2>> rings;    // closed polygons
    bool even_odd = false;                   // fill rule: even-odd, otherwise nonzero winding
    std::vector<std::vector<Vec2>> lines{};  // open, for pens only
  };
  std::vector<Part> parts = {};  // the shape is the union of the parts' insides
  // The boundary without its level edges. To the right of an edge the shape begins if the edge goes
  // down (y grows), and ends if it goes up.
  std::vector<std::array<Vec2, 2>> edges = {};
  double reach = 0;      // distance of the farthest point from the center
  double perimeter = 0;  // of all rings and lines
  // Sentences on what the file asks for and its reader does not honor; read_outline() warns of
  // them.
  std::vector<std::string> notes = {};
};
// Moves and scales polygons and lines of any size to a shape. Throws Error(input) if they have
// neither area nor length, or are too detailed for dots.
Outline make_outline(std::vector<Outline::Part> parts);
// Returns the shape turned clockwise around its center by `turns` full circles.
Outline turned(const Outline& outline, double turns);
// Returns each part as a separate shape; a single part is returned as is. Throws as make_outline().
std::vector<Outline> parts_of(const Outline& outline);
// Returns the lines of a pen that draws the shape at `disc`; rings end at their start.
std::vector<std::vector<Vec2>> lines_of(const Outline& outline, const Disc& disc);

// The origin of HP-GL: the lower left corner of the paper, or its center, as of large plotters.
enum class HpglOrigin { corner, center };
constexpr auto option_names(HpglOrigin) {
  return words_to<HpglOrigin::center>("corner", "center");
}
// The length of a plotter unit: 0.025 mm as HP-GL defines it, or 0.02488 mm as the 7475A has it.
enum class HpglUnit { nominal, hp7475 };
constexpr auto option_names(HpglUnit) {
  return words_to<HpglUnit::hp7475>("0.025mm", "0.02488mm");
}

// A laser in place of the pen. constant: of the same power at any speed; dynamic: the power of
// lines follows the speed, so that corners do not burn.
enum class LaserPower { none, constant, dynamic };
constexpr auto option_names(LaserPower) {
  return words_to<LaserPower::dynamic>("none", "constant", "dynamic");
}

// A pen plotter or a laser: how it moves, for forecasts, and what its files hold. The defaults are
// close to an AxiDraw. The pen accelerates evenly from a stop and brakes evenly before the next.
struct Plotter {
  double speed = 50;           // mm/s, pen down
  double travel_speed = 150;   // mm/s, pen up
  double acceleration = 1000;  // mm/s^2
  double pen_lift = 0.15;      // s, per lift or lowering
  double pen_change = 30;      // s, per pen after the first
  // G-code; | separates several commands.
  std::string pen_up = "G0 Z5";
  std::string pen_down = "G1 Z0 F1000";
  LaserPower laser = LaserPower::none;
  double laser_power = 30;   // percent of full power
  double laser_full = 1000;  // the number S of full power in G-code
  double dwell = 0.02;       // s, of the laser on a dot
  // Most corners of a line in SVG and DXF; longer lines go on in another. 0: any number.
  int line_corners = 500;
  HpglOrigin hpgl_origin = HpglOrigin::corner;
  HpglUnit hpgl_unit = HpglUnit::nominal;
};
void describe(Plotter& plotter, OptionList& list);

// The order in which a pen visits the dots.
enum class DotOrder { travel, hilbert, none };
constexpr auto option_names(DotOrder) {
  return words_to<DotOrder::none>("travel", "hilbert", "none");
}

// Tiles of a drawing on a sheet that is moved between them.
struct Tiling {
  int columns = 0;  // 0: no tiles
  int rows = 0;
  double overlap = 0;                 // mm, width of the band along a seam that two tiles share
  DotOrder order = DotOrder::travel;  // of the dots in each tile; none: as in the whole drawing

  explicit operator bool() const { return columns > 0; }
};

struct Drawing {
  double width = 0;  // paper, mm
  double height = 0;
  std::string background = "#ffffff";  // "none": transparent
  double pen = 0;  // stroke width of points, circles, spirals and outlines, mm; 0: filled
  DotShape shape = DotShape::disc;
  // The shapes of the dots if `shape` is outline, otherwise empty. Disc::outline is an index into
  // them.
  std::vector<std::shared_ptr<const Outline>> outlines = {};
  double touch = 0;  // mm that the pen moves right in a touch, centered on the dot; 0: as little as
                     // the file can hold
  double gap = 0;    // mm of bare paper promised between any two dots; 0: none
  // mm that marks lie farther apart than the gap, as a reserve for the rounding in files.
  double slack = 0;
  Plotter plotter = {};
  Tiling tiling{};
  std::vector<Layer> layers = {};
  std::vector<std::pair<std::string, std::string>> metadata = {};

  // Returns nullptr if dots are discs.
  const Outline* outline_of(const Disc& disc) const {
    return outlines.empty() ? nullptr : outlines[disc.outline].get();
  }
};

// Returns an order of the points that keeps pen travel short; a permutation. `hilbert` follows the
// Hilbert (1891) curve. `travel` shortens that order by chains of moves with neighbor lists; a path
// through up to 250,000 dots does not cross itself. O(N log N).
std::vector<std::int32_t> drawing_order(const Points& points, DotOrder order, Context& context);

// Renders the whole paper at width x height pixels. The coverage of a pixel by a disc or a filled
// outline is its exact area, in closed form, without supersampling. Coverages of the discs of a
// layer add up, which is exact if discs lie apart. Pixels are split into up to 8 x 8 parts if over
// 0.01 of the ink overlaps and the mean radius is below 2 pixels. If more than 0.06 overlaps,
// coverages combine as 1 - prod(1 - c), as for random positions. Blends in linear light. The result
// is sRGB: gray if every color is gray, otherwise RGB, with alpha for background "none". O(pixels +
// covered pixels of all discs).
Image rasterize(const Drawing& drawing, int width, int height, Context& context);
// As above, but writes into memory of the caller, at its size, strip by strip. Its channels choose
// gray, RGB or alpha. Throws Error(usage) if they cannot hold the colors.
void rasterize(const Drawing& drawing, const ImageTarget& target, Context& context);

// Returns a line that fills a disc with a pen: a spiral with turns one pen apart, and the rim. It
// is only the center if the pen is as wide as the disc.
std::vector<Vec2> spiral(const Disc& disc, double pen);

// Returns the area of the intersection of a disc and an axis-aligned box, exact to double rounding.
double disc_box_area(Vec2 center, double radius, const Box& box);

// Draws points on or in a mesh or on a sphere as discs or balls in the color of their class, with
// the mesh in gray, seen from slightly right and above. Throws Error(usage) for points of a plane
// or a box, Error(limit) for more pixels than context.limits allows.
Image draw_in_space(const Points& points, int width, int height, Context& context);

}  // namespace dapple
