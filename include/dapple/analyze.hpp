// Measures point sets, masks and stipplings. docs/quality.md defines the figures.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/extend/result.hpp"
#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// A goal: the value that a figure should reach.
struct Target {
  double value = 0;
  bool at_most = false;  // otherwise at least
  bool is_met_by(double figure) const { return at_most ? figure <= value : figure >= value; }
};

struct Measurement {
  std::string name;  // such as kappa, rho_min, LF
  double value = 0;
  std::string unit;  // "" if the figure has no unit
  std::string doc;   // the meaning in one line
  std::optional<Target> target = std::nullopt;
};

// A curve on the sheet of a report. Curves with the same title share their axes.
struct Curve {
  std::string title, x_label, y_label;
  std::string name;  // in the legend; "" if it is the only curve
  std::vector<double> x, y;
  bool bars = false;  // a histogram: x holds the centers of bins of equal width
};

// A picture on the sheet of a report. Values run from 0 (black) to 1 (white). In a picture of
// differences, values above 0 are too light.
struct Picture {
  std::string title;
  Plane<float> values;
  double range = 0;              // 0: a picture; above 0: differences, shown from -range to range
  std::vector<Vec2> marks = {};  // places that the notes name, worst first
};

struct QualityReport {
  std::string kind;  // points, mask, stippling, surface, inside or sphere
  std::vector<Measurement> measurements;
  std::vector<std::string> notes;  // full sentences on what limits the figures
  std::vector<Curve> curves;
  Plane<float> spectrum;       // power, white noise = 1, zero frequency in the middle
  double spectrum_extent = 0;  // frequency at the left and right edge of the spectrum
  std::string spectrum_title;
  std::vector<Picture> pictures;  // the first shows the measured set or its middle

  const Measurement* find(std::string_view name) const;
};

// Measures kappa, rho_min, mean spacing, holes and the spectrum (LF, nu_eff, oscillation,
// anisotropy). Points with a z have kappa (N r^3 / volume), closest, holes, and LF with the power
// in shells. Points on a surface, in a solid or on a sphere have kappa and what certify() proves.
QualityReport analyze_points(const Points& points, Context& context);
// As above, but adds kappa by density decile, violations and hole, all measured against `field`.
QualityReport analyze_points(const Points& points, const DensityField& field, ConflictRule rule,
                             Context& context);
// Measures p32, pk2, grey_1.5, grey_2, ramp1, d256, anisotropy, the histogram, and whether each
// rank occurs once. Goals apply to one slice of 64 pixels or more per side. An image with slices
// has the figures of its first slice, and `NAME.worst` over all slices.
QualityReport analyze_mask(const Image& mask, Context& context);
// Compares dots with the darkness (0..1 per pixel) that they draw. h = sqrt(pixels / dots):
//
//   P1, P2       likeness of dots and darkness in dB, both blurred by a Gaussian of h or 2 h;
//   dmin, dmean  least and mean distance to the nearest dot, in units of the spacing of a
//                hexagonal lattice of the target density there;
//   cap          standard deviation / mean of the darkness in the dots' Voronoi cells;
//   axes         share of dots whose nearest dot lies within 5 degrees of an axis; 1/9 is even.
//
// `unprepared` is the darkness of the photo before its preparation, or empty. If given, it adds
// P1_photo, P2_photo and tone_photo. The pictures show the dots, the target tone, the dots blurred
// by 2 h, and the error of the blurred tone. If dots are closer than pixels, the darkness is
// interpolated as in stipple().
QualityReport analyze_stippling(const Points& dots, const Plane<float>& darkness, Context& context,
                                Interpolation interpolation = Interpolation::smooth,
                                const Plane<float>& unprepared = {});
// The error of tone of a stippling, as its report shows it: the target darkness minus the darkness
// of the dots, both blurred by a Gaussian of 2 h.
struct ToneError {
  Plane<float> values;       // above 0: too light; on a raster as fine as the dots need
  double seen_through = 0;   // 2 h, in pixels of the darkness
  double worst = 0;          // the largest absolute value
  double range = 0.01;       // the next of 1, 2, 5, 10, ... percent; the range that a picture shows
  std::vector<Vec2> places;  // the three worst places that lie apart, in pixels of `values`
};
// Throws as analyze_stippling() does. O(pixels spacing + dots).
ToneError tone_error(const Points& dots, const Plane<float>& darkness, Context& context,
                     Interpolation interpolation = Interpolation::smooth);

// Measures the result of an operation as its row in the registry requires. Returns nothing, and
// warns, if dots of the paper's color lie on covered areas.
std::optional<QualityReport> measure(const Result& result, Measured as, Context& context);

// Returns `field` scaled by the median ratio of the points' radii to the radii of the field.
DensityField scaled_to(const DensityField& field, const Points& points);

// Returns a lower bound of the length of any path through all points: the bound of Held and Karp
// (1970), about 1 % below the shortest path. Exact to rounding; the domain does not wrap.
// O(N log N).
double way_bound(const Points& points, Context& context);

// The cost of plotting a drawing, by the motion of its `plotter` (docs/plotting.md). The pen starts
// at the corner (0, 0) of the paper, draws each layer in order, and returns. Pens change at that
// corner.
struct PlotForecast {
  double travel = 0;  // mm, pen up
  double drawn = 0;   // mm, pen down
  std::int64_t touches = 0;
  std::int64_t lines = 0;
  std::int64_t lifts = 0;  // after touches and lines
  std::int64_t pen_changes = 0;
  double seconds = 0;
};
PlotForecast forecast(const Drawing& drawing);

// Summarizes a report in one sentence: the goals that it misses, and for a drawing on paper the
// work of the pen and the gap between dots. Returns "" if there is nothing to report.
std::string verdict_of(const QualityReport& report);

// Format a report as text for a terminal and as a sheet with plots; report_json() makes JSON.
std::string report_text(const QualityReport& report);
Image report_sheet(const QualityReport& report, Context& context);

// Compare point sets: the figures as a table; points, spectra and figures side by side as a sheet.
struct Compared {
  std::string name;
  Points points;
  QualityReport report;  // requires at least two points
};
std::string compare_text(std::span<const Compared> sets);
Image compare_sheet(std::span<const Compared> sets, Context& context);

// Lays out pictures (1 to 4 channels, values as shown) in rows of `columns`, each at its own size
// with its label below. Labels show printable ASCII only. Throws Error(usage) without pictures,
// Error(limit) if the sheet is too large.
struct Labeled {
  std::string label;
  Image picture;
};
Image contact_sheet(std::span<const Labeled> pictures, int columns, std::string_view title,
                    std::string_view command, Context& context);

}  // namespace dapple
