// Defines numbers that several stages share.
#pragma once

namespace dapple {

// Packings N r^2 / area of N points that keep the distance r.
inline constexpr double hexagonal_packing = 1.1547005383792515;  // 2 / sqrt 3, the densest
inline constexpr double even_packing = 0.6964;    // a maximal random set of one radius
inline constexpr double varied_packing = 0.6966;  // maximal random set of varying radii (mean rule)
inline constexpr double class_packing = 0.57;     // classes in the distances of Wei 2010, per class
inline constexpr double mean_packing = 0.7;       // gives a spacing of points from their radii

// Packings N r^3 / volume and N r^4 / content of a torus (docs/quality.md).
inline constexpr double lattice_packing_3d = 1.4142135623730951;  // the densest lattice of spheres
inline constexpr double even_packing_3d = 0.7335;                 // a maximal random set
inline constexpr double even_packing_4d = 0.8438;

// A proof skips parts smaller than this, in radii: what they could hide is below every tolerance.
inline constexpr double smallest_proved_part = 1e-6;
// Distances are this much larger where places are compared in floats, whose error is below 2e-6 of
// the distance. Darts and proofs both use it.
inline constexpr double near_in_floats = 1.000004;

// The distance of neighbors in a hexagonal lattice of density 1: (2 / sqrt 3)^(1/2).
inline constexpr double hexagonal_spacing = 1.0745699318235418;

inline constexpr double full_circle = 6.28318530717958647692;  // radians

// A pixel without a size of its own is 1/96 inch, as in CSS and SVG.
inline constexpr double mm_per_inch = 25.4;
inline constexpr double css_pixels_per_mm = 96 / mm_per_inch;
inline constexpr double mm_per_css_pixel = mm_per_inch / 96;

}  // namespace dapple
