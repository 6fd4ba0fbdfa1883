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

// The middle of the set, `part` of its domain in width and height, as discs of `radius` each.
Plane<float> picture_of(const PointSet& points, double part, const std::vector<double>& radius,
                        Context& context);

// worst, the sentence that says where tone is worst, and the pictures of tone: wanted, drawn and
// their difference. `wanted` and `drawn` are darkness seen through a Gaussian of sigma pixels.
void add_tone_error(QualityReport& report, const Plane<float>& darkness,
                    const Plane<double>& wanted, const Plane<double>& drawn, double sigma);

// The report of a stippling as one picture.
Image stipple_sheet(const QualityReport& report, Context& context);

// way, bound and above: what the pen travels from dot to dot in the order given, each class by
// itself, and how far above way_bound() that is.
void add_way(QualityReport& report, const PointSet& dots, Context& context);

}  // namespace dapple
