// Styles of drawings that a pen makes of lines instead of dots.
//
// A style turns a request into marks: open lines for a pen of one width. It follows a control, a
// plane of numbers, and need not know which tone a control makes. tone_curve() measures that on a
// swatch, so that overlaps, joints and turns count. A new style is one file with its draw function,
// and its row in the table of style.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/stipple.hpp"

namespace dapple::styles {

// The lines of a drawing, in pixels, each an open path.
using Marks = std::vector<std::vector<Vec2>>;

struct Request {
  const Plane<float>& darkness;  // share of the paper to cover, 0..1 per pixel
  // Styles on points: the width of the pen in spacings of the points. Styles of rows: the strength
  // of the marks, from 0, bare paper, to 1.
  const Plane<float>& control;
  const Points& points;  // of styles on points, otherwise empty
  double pen = 1;        // width, pixels
  double spacing = 1;    // of rows, pixels
  double turns = 0;      // of rows, clockwise, in full circles
  double ink = 0;        // number of the ink / number of inks
  const StippleOptions& options;
  Context& context;
  // Factor by which to lengthen the marks at a place, so that they cover what is wanted; empty: 1.
  Plane<float> longer = {};
};

// Ends the work at a cancel. Loops over marks call it.
void check_cancel(const Request& request);
std::uint64_t seed_of(const Request& request);
// Returns true where the paper is to stay bare.
bool is_bare(const Request& request, Vec2 p);
// Returns the factor by which a mark at a place gets longer.
double longer_at(const Request& request, Vec2 p);

// Adds a point to a line. It replaces the last point if that is at most `flat` beside the way
// there.
void add_point(std::vector<Vec2>& line, Vec2 p, double flat);

// How marks become a drawing.
struct Style {
  StippleStyle name = StippleStyle::dots;
  Marks (*draw)(const Request& request) = nullptr;
  bool on_points = true;
  // The number of points, or of squares between rows, that a picture gets by default.
  std::int64_t marks = 10000;
  double strongest = 1;    // the largest control
  double row_spacing = 6;  // pens; of rows, if only one of pen and rows is given
  int swatch_rows = 12;    // of the swatch on which tones are measured
  double turns = 0;        // of rows, if there is one ink
  bool in_order = true;    // marks come in the order in which a pen draws them
  double blur = 0.3;       // of the tones that rows follow, spacings
  // Number of times that the drawing is measured and its marks get longer or shorter.
  int corrections = 0;
};
const Style& style_of(StippleStyle name);

// One draw function per file.
Marks draw_voronoi(const Request& request);
Marks draw_delaunay(const Request& request);
Marks draw_tree(const Request& request);
Marks draw_dashes(const Request& request);
Marks draw_hatch(const Request& request);
Marks draw_spiral(const Request& request);
Marks draw_sine(const Request& request);
Marks draw_flow(const Request& request);
Marks draw_scribble(const Request& request);
Marks draw_halftone(const Request& request);
Marks draw_text(const Request& request);

// Returns the share of each pixel that the marks cover.
Plane<float> coverage(const Marks& marks, double pen, int width, int height, Context& context);

// The share of the paper that marks of a control cover.
class ToneCurve {
 public:
  // Requires controls and tones that begin at 0. Tones that do not grow are left out.
  ToneCurve(const std::vector<double>& controls, const std::vector<double>& tones);

  double control_for(double tone) const;  // that of darkest() for darker tones
  double darkest() const { return tones_.back(); }

 private:
  std::vector<double> controls_;
  std::vector<double> tones_;
};

// Makes `count` points of a density per pixel.
using PlacePoints = std::function<Points(const Plane<float>& density, std::int64_t count)>;

// Draws the style with several controls on a swatch of even tone, and measures what they cover.
// `row_spacing`: in pens.
ToneCurve tone_curve(const Style& style, double row_spacing, const StippleOptions& options,
                     const PlacePoints& place, Context& context);

}  // namespace dapple::styles
