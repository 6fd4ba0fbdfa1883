// Measurements of point sets, masks and stipplings. The definitions stand in docs/quality.md.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/result.hpp"
#include "dapple/surface.hpp"

namespace dapple {

// The value that a figure should reach.
struct Target {
  double value = 0;
  bool at_most = false;  // else at least
  bool is_met_by(double figure) const { return at_most ? figure <= value : figure >= value; }
};

struct Measurement {
  std::string name;  // such as kappa, rho_min, LF
  double value = 0;
  std::string unit;  // "" where it has none
  std::string doc;   // what it means, one line
  std::optional<Target> target = std::nullopt;
};

// A curve of the report's sheet. Curves of one title share their axes.
struct Curve {
  std::string title, x_label, y_label;
  std::string name;  // in the legend; "" where the curve is alone
  std::vector<double> x, y;
  bool bars = false;  // a histogram: x are the centers of bins of equal width
};

// A picture of the report's sheet: 0 black, 1 white; or differences of such, above 0 too light.
struct Picture {
  std::string title;
  Plane<float> values;
  double range = 0;              // of differences: shown from -range to range; 0: a picture
  std::vector<Vec2> marks = {};  // places that the notes name, worst first
};

struct QualityReport {
  std::string kind;  // points, mask or stippling
  std::vector<Measurement> measurements;
  std::vector<std::string> notes;  // what limits the figures, full sentences
  std::vector<Curve> curves;
  Plane<float> spectrum;       // power, white = 1, zero frequency in the middle
  double spectrum_extent = 0;  // frequency at its left and right edge
  std::string spectrum_title;
  std::vector<Picture> pictures;  // what was measured, or the middle of it, comes first

  const Measurement* find(std::string_view name) const;
};

// kappa, rho_min, mean spacing, holes, spectrum figures (LF, nu_eff, oscillation, anisotropy). Of
// points in space, with a z: kappa (N r^3 / volume), closest, holes, and LF with the power in
// shells.
QualityReport analyze_points(const PointSet& points, Context& context);
// The figures of analyze_points(), and kappa by density decile, violations and hole against a
// field.
QualityReport analyze_points(const PointSet& points, const DensityField& field, ConflictRule rule,
                             Context& context);
// p32, pk2, grey_1.5, grey_2, ramp1, d256, anisotropy; ranks once each, histogram. Goals are named
// for one slice of 64 pixels or more a side. Of slices: the figures of the first, and `NAME.worst`
// over all.
QualityReport analyze_mask(const Image& mask, Context& context);
// Dots against the darkness (0..1 per pixel) they stand for. h = sqrt(pixels / dots):
//
//   P1, P2       likeness of the two in dB, both seen through a Gaussian of h or 2 h
//   dmin, dmean  least and mean distance to the nearest dot, in units of that of a hexagonal
//                lattice of the density asked for there
//   cap          standard deviation over mean of the darkness in the dots' Voronoi cells
//   axes         share of dots whose nearest other lies within 5 degrees of an axis; a ninth is
//   even
//
// `unprepared`: the darkness of the photo before its preparation, or empty; it adds P1_photo,
// P2_photo and tone_photo.
// Pictures: the dots, the tone wanted, the dots seen through 2 h, and the error of tone seen so.
// Where dots are closer than pixels, the darkness is the function of it that stipple() reads.
QualityReport analyze_stippling(const PointSet& dots, const Plane<float>& darkness,
                                Context& context,
                                Interpolation interpolation = Interpolation::smooth,
                                const Plane<float>& unprepared = {});
// Where a stippling's tone is off, as that report has it: the darkness wanted less that of the
// dots, both seen through a Gaussian of 2 h.
struct ToneError {
  Plane<float> values;       // above 0: too light; on a raster as fine as the dots need
  double seen_through = 0;   // 2 h, in pixels of the darkness
  double worst = 0;          // the largest
  double range = 0.01;       // the next of 1, 2, 5, 10, ... per cent: what a picture of it shows
  std::vector<Vec2> places;  // of the three worst that lie apart, in pixels of `values`
};
// Throws as analyze_stippling() does. O(pixels spacing + dots).
ToneError tone_error(const PointSet& dots, const Plane<float>& darkness, Context& context,
                     Interpolation interpolation = Interpolation::smooth);

// Of points on a surface: kappa, closest, violations and holes, by certify().
QualityReport analyze_surface(const SurfacePoints& points, const Mesh& mesh,
                              const SurfaceRadius& radius, const SurfaceOptions& options,
                              Context& context);

// Of points of one radius in the solid that a mesh encloses: the same by certify_inside().
QualityReport analyze_inside(const SurfacePoints& points, const Mesh& mesh, Context& context);
// On a sphere of that radius, by certify_sphere().
QualityReport analyze_sphere(const SurfacePoints& points, double sphere, Context& context);
QualityReport analyze_sphere(const SurfacePoints& points, double sphere,
                             const SurfaceRadius& radius, Context& context);

// What an operation made, measured as its row says. Nothing, and a warning, where dots of the
// paper's color lie on covered areas.
std::optional<QualityReport> measure(const Result& result, Measured as, Context& context);

// The field with the scale at which the set was made: the median of its radii over the field's.
DensityField scaled_to(const DensityField& field, const PointSet& points);

// A length that no way through all points, each once, goes below: the bound of Held and Karp
// (1970), some 1 % below the shortest way. Exact to rounding; the domain does not wrap. O(N log N).
double way_bound(const PointSet& points, Context& context);

// What a plot of a drawing takes, by the motion of its `plotter` (docs/plotting.md): from the
// corner (0, 0) of the paper through the dots and lines of each layer in their order and back; pens
// are changed at that corner.
struct PlotForecast {
  double travel = 0;  // mm, pen up
  double drawn = 0;   // mm, pen down
  std::int64_t touches = 0;
  std::int64_t lines = 0;
  std::int64_t lifts = 0;  // of both
  std::int64_t pen_changes = 0;
  double seconds = 0;
};
PlotForecast forecast(const Drawing& drawing);

// What a report comes to, in one sentence: which of its goals it misses, and on paper what a pen
// meets. "" where there is nothing to say.
std::string verdict_of(const QualityReport& report);

// Text for a terminal, and a sheet with plots; JSON for programs is report_json.hpp's.
std::string report_text(const QualityReport& report);
Image report_sheet(const QualityReport& report, Context& context);

// Point sets side by side: figures as a table, and points, spectra and figures as a sheet.
struct Compared {
  std::string name;
  PointSet points;
  QualityReport report;  // of at least two points
};
std::string compare_text(std::span<const Compared> sets);
Image compare_sheet(std::span<const Compared> sets, Context& context);

// Pictures (1 to 4 channels, values as shown) in rows of so many columns, each pixel on pixel and
// with its label below; printable ASCII shows. Throws Error(usage) without pictures, Error(limit)
// where the sheet is too large.
struct Labeled {
  std::string label;
  Image picture;
};
Image contact_sheet(std::span<const Labeled> pictures, int columns, std::string_view title,
                    std::string_view command, Context& context);

}  // namespace dapple
