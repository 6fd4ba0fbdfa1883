// Declares the figures, curves and pictures that several reports share.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyze/spectrum.hpp"
#include "dapple/analyze.hpp"

namespace dapple {

// Adds curves of the radial power and the anisotropy of the rings up to `limit`.
void add_radial_curves(QualityReport& report, const std::vector<Ring>& rings, double limit,
                       const std::string& x_label, const std::string& name);

// Adds a histogram of distances to the nearest point, each relative to its hexagonal distance.
void add_spacing_curve(QualityReport& report, const std::vector<double>& relative);

// Counts the different values, and how often the commonest and the rarest occur. count_values()
// requires at least one value, in sorted order.
struct ValueCounts {
  std::size_t distinct = 0, most = 0, least = 0;
};
ValueCounts count_values(std::span<const float> sorted);

// Adds time_10, time_25, product and top_frames of a mask's channel, whose frames lie one below the
// other. `place` holds the position of each pixel in the order of all values, 0..1.
void add_time_figures(QualityReport& report, const Plane<float>& place, int frames,
                      const std::string& suffix, Context& context);
// Adds the errors that means of frames leave of steps, ramps and boxes: step_8, step_blur_8 and so
// on (docs/quality.md). `place` as above.
void add_frame_errors(QualityReport& report, const Plane<float>& place, int frames,
                      const std::string& suffix, Context& context);

// holds_unit_vectors() returns true if every pixel is a vector of length 1, of two or three
// components. analyze_vectors() measures vector_low, vector_near and, for frames, vector_time.
bool holds_unit_vectors(const Image& mask);
QualityReport analyze_vectors(const Image& mask, Context& context);

// Draws the middle of the set, `part` of its domain in width and height, as discs of `radius` each.
Plane<float> picture_of(const Points& points, double part, const std::vector<double>& radius,
                        Context& context);

// Measure points of a volume or of four dimensions, and points of a surface, a solid or a sphere,
// for analyze_points().
QualityReport analyze_volume(const Points& points, Context& context);
QualityReport analyze_in_space(const Points& points, Context& context);

// Returns the share of points whose nearest neighbor lies within 5 degrees of an axis; a raster
// raises it. Uses points three mean spacings inside a flat domain. 1/9 if directions are equally
// likely.
constexpr double isotropic_along_axes = 1.0 / 9;
double along_axes(const Points& points, Context& context);

// Returns how far patches of hexagonal lattice reach, in spacings: the distance at which the
// correlation of the bond order psi6 of two points falls below 1/e. psi6 is the mean of exp(6 i
// angle) over neighbors in the Voronoi diagram; bins are one spacing wide, by the spacings of the
// two points. Returns 16 if it never falls, 0 for too few points. In a flat domain, points lie 4
// spacings or more inside. O(N log N), plus the pairs of 20,000 points.
double grain_of(const Points& points, Context& context);

// Ink in 35 strips along the frame of a picture, from the frame inwards, as found and as wanted. A
// strip is a seventh of a mean spacing wide. `inks` add up to the darkness.
struct FrameProfile {
  std::vector<double> found, wanted;
  double highest() const;  // largest ratio of found to wanted
  double rim() const;      // found / wanted - 1 in the first spacing
};
FrameProfile frame_profile(const Points& dots, std::span<const double> inks,
                           const Plane<float>& darkness);
// Adds rim, and also rows if each strip holds enough dots.
void add_frame(QualityReport& report, const Points& dots, std::span<const double> inks,
               const Plane<float>& darkness);

// Computes tone_error() from the wanted and the drawn tone, both seen through a Gaussian of sigma
// cells, with `cells` cells per side of a pixel.
ToneError tone_error_of(const Plane<double>& wanted, const Plane<double>& drawn, double sigma,
                        int cells);
// Adds worst, the sentence on where tone is worst, and the pictures of tone: wanted, drawn and
// their difference. All have `cells` cells per side of a pixel; `wanted` and `drawn` are darkness
// seen through a Gaussian of sigma cells.
void add_tone_error(QualityReport& report, const Plane<float>& darkness,
                    const Plane<double>& wanted, const Plane<double>& drawn, double sigma,
                    int cells);

// Draws the report of a stippling as one picture.
Image stipple_sheet(const QualityReport& report, Context& context);

// Adds the paper's size, the gap and, for a pen, the minutes and lengths of its paths.
void add_paper_figures(const Drawing& drawing, QualityReport& report);

// Adds way, bound and above: the length of the pen's path in the given order, with each class by
// itself; way_bound(); and the excess of the path over the bound, in percent.
void add_way(QualityReport& report, const Points& dots, Context& context);

}  // namespace dapple
