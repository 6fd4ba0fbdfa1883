// Points of several classes in the plane whose radii come from a map of each (Wei 2010).
//
//     const DensityField species[]{make_field(oaks, ...), make_field(birches, ...)};
//     const PointSet forest = sample_classes(species, options, 0, context);
//
// Points of one class are the mean of their radii apart. Points of two classes are so far apart as
// ClassDistance says of the radius of either at its own place: the mean, the min or the max; or
// density, by which each has at its place what all points of classes that are not finer than both,
// on the whole, would have there if they were one, and the two are the mean of that apart.
#pragma once

#include <cstdint>
#include <span>

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

enum class ClassDistance;  // dapple/sample.hpp
struct ClassOptions;       // dapple/sample.hpp

// With their class, and their radius by its field: exact, and maximal in the sense that no place is
// left where a point of a class may be and finds room. Fields are of one domain, options.radii is
// empty, and shares are by default in proportion to the integrals of 1 / r^2; a warning tells of
// classes whose distances leave no room for their share within 2 %. `count` > 0: so many, of radii
// that are scaled alike. Kept points are not among them and hold off as in sample_classes() of one
// radius a class. Deterministic in (context.seed, arguments). Throws Error(usage) for fields and
// shares that are none, Error(limit) where memory would not do, Error(verification) where
// options.certify fails.
PointSet sample_classes(std::span<const DensityField> fields, const ClassOptions& options,
                        std::int64_t count, Context& context, const KeptPoints& kept = {});

// What such a set proves: distances in double, cover by bounds over squares.
struct ClassCertificate {
  std::int64_t violations = 0;  // pairs that are too near, and points where their class may not be
  double closest = 0;           // least distance of a pair, in what is asked of it; inf: no pairs
  std::int64_t holes = 0;       // squares with a place for a point of `hole_class`
  Vec2 hole_place = {};
  std::int32_t hole_class = 0;
  bool maximal() const { return holes == 0; }
};
// `tolerance`: at least 2e-5 of what is asked.
ClassCertificate certify_classes(const PointSet& points, std::span<const DensityField> fields,
                                 ClassDistance distance, Context& context, double tolerance = 2e-5,
                                 const KeptPoints& kept = {});

}  // namespace dapple
