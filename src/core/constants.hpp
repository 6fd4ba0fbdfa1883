// Defines numbers that several stages share.
#pragma once

namespace dapple {

// Packings N r^2 / area of N points that keep the distance r.
inline constexpr double hexagonal_packing = 1.1547005383792515;  // 2 / sqrt 3, the densest
inline constexpr double even_packing = 0.6964;    // a maximal random set of one radius
inline constexpr double varied_packing = 0.6966;  // maximal random set of varying radii (mean rule)

// The distance of neighbors in a hexagonal lattice of density 1: (2 / sqrt 3)^(1/2).
inline constexpr double hexagonal_spacing = 1.0745699318235418;

inline constexpr double full_circle = 6.28318530717958647692;  // radians

// A pixel without a size of its own is 1/96 inch, as in CSS and SVG.
inline constexpr double mm_per_inch = 25.4;
inline constexpr double css_pixels_per_mm = 96 / mm_per_inch;
inline constexpr double mm_per_css_pixel = mm_per_inch / 96;

}  // namespace dapple
