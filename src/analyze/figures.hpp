// What the three reports share: curves and pictures.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyze/spectrum.hpp"
#include "dapple/analyze.hpp"

namespace dapple {

// Radial power and anisotropy of the rings up to `limit`, as curves.
void add_radial_curves(QualityReport& report, const std::vector<Ring>& rings, double limit,
                       const std::string& x_label, const std::string& name);

// Histogram of distances to the nearest point, each over its hexagonal one.
void add_spacing_curve(QualityReport& report, const std::vector<double>& relative);

// How many different values there are, and how often the commonest and the rarest occur; of sorted
// values, at least one.
struct ValueCounts {
  std::size_t distinct = 0, most = 0, least = 0;
};
ValueCounts count_values(std::span<const float> sorted);

// time_10, time_25, product and top_frames of a mask's channel, its frames one below the other, by
// the places of its pixels in the order of all.
void add_time_figures(QualityReport& report, const Plane<float>& place, int frames,
                      const std::string& suffix, Context& context);

// Whether every pixel is a vector of length 1, of two or three components, and figures of such a
// mask: vector_low, vector_near, and of frames vector_time.
bool holds_unit_vectors(const Image& mask);
QualityReport analyze_vectors(const Image& mask, Context& context);

// The middle of the set, `part` of its domain in width and height, as discs of `radius` each.
Plane<float> picture_of(const PointSet& points, double part, const std::vector<double>& radius,
                        Context& context);

// The figures of analyze_points() for points with a z, or with z and w.
QualityReport analyze_volume(const PointSet& points, Context& context);

// The share of points, three mean spacings inside a flat domain, whose nearest other lies within 5
// degrees of an axis: a raster that shows raises it. One ninth where directions are all alike.
constexpr double isotropic_along_axes = 1.0 / 9;
double along_axes(const PointSet& points, Context& context);

// How far patches of hexagonal lattice reach, in spacings: where the correlation of the bond order
// psi6 of two points (the mean of exp(6 i angle) over their neighbors in the Voronoi diagram) falls
// below 1/e, by pairs in bins of one spacing; 16 where it does not, 0 for too few points. Spacings
// are those of the two points, which lie 4 and more inside a flat domain. O(N log N) and pairs of
// 20,000 points.
double grain_of(const PointSet& points, Context& context);

// Ink in 35 strips along the frame of a picture, a seventh of a mean spacing wide each, from the
// frame inwards: what there is and what is asked for. `inks` add up to the darkness.
struct FrameProfile {
  std::vector<double> found, wanted;
  double highest() const;  // of found over wanted
  double rim() const;      // the first spacing: found over wanted, less 1
};
FrameProfile frame_profile(const PointSet& dots, std::span<const double> inks,
                           const Plane<float>& darkness);
// rim, and rows where strips hold enough dots to tell.
void add_frame(QualityReport& report, const PointSet& dots, std::span<const double> inks,
               const Plane<float>& darkness);

// tone_error() of both sides seen so: darkness through a Gaussian of sigma cells, `cells` a side of
// a pixel.
ToneError tone_error_of(const Plane<double>& wanted, const Plane<double>& drawn, double sigma,
                        int cells);
// worst, the sentence that says where tone is worst, and the pictures of tone: wanted, drawn and
// their difference. All on `cells` cells a side of a pixel; `wanted` and `drawn` are darkness seen
// through a Gaussian of sigma cells.
void add_tone_error(QualityReport& report, const Plane<float>& darkness,
                    const Plane<double>& wanted, const Plane<double>& drawn, double sigma,
                    int cells);

// The report of a stippling as one picture.
Image stipple_sheet(const QualityReport& report, Context& context);

// Paper, gap and, for a pen, minutes and ways.
void add_paper_figures(const Drawing& drawing, QualityReport& report);

// way, bound and above: what the pen travels from dot to dot in the order given, each class by
// itself, and how far above way_bound() that is.
void add_way(QualityReport& report, const PointSet& dots, Context& context);

}  // namespace dapple
