// Places points of several classes in the plane, with radii from one map per class (Wei 2010).
//
//     const DensityField species[]{make_field(oaks, ...), make_field(birches, ...)};
//     const PointSet forest = sample_classes(species, options, 0, context);
//
// Two points of one class are at least the mean of their radii apart. For points of different
// classes, ClassDistance takes the mean, min or max of both radii, each at its own place. `density`
// replaces each radius by that of the joint density, at its place, of all classes that are not
// finer than both. The whole domain decides which class is finer. Both points are then the mean of
// the two apart.
#pragma once

#include <cstdint>
#include <span>

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

enum class ClassDistance;  // dapple/sample.hpp
struct ClassOptions;       // dapple/sample.hpp

// Returns points with their class, and with their radius by the field of that class. The set is
// exact and maximal: no place is left where a point of any class is allowed and has room. All
// fields have one domain, and options.radii is empty. Shares are by default proportional to the
// integrals of 1 / r^2. A warning names classes whose distances leave no room for their share
// within 2 %. `count` > 0: exactly `count` points, by one factor on all radii. Fixed points are not
// part of the result and act as in sample_classes() with one radius per class. Deterministic in
// (context.seed, arguments). Throws Error(usage) for invalid fields and shares, Error(limit) if
// memory is short, and Error(verification) if options.certify fails.
PointSet sample_classes(std::span<const DensityField> fields, const ClassOptions& options,
                        std::int64_t count, Context& context, const KeptPoints& kept = {});

// The proof of such a set: distances in double, coverage by bounds over squares.
struct ClassCertificate {
  std::int64_t violations = 0;  // pairs too near, and points where their class is not allowed
  double closest = 0;           // least distance of a pair / required distance; inf: no pairs
  std::int64_t holes = 0;       // squares with room for a point of `hole_class`
  Vec2 hole_place = {};
  std::int32_t hole_class = 0;
  bool maximal() const { return holes == 0; }
};
// Proves a set of classes. `tolerance` is relative to the required distance, at least 2e-5.
ClassCertificate certify_classes(const PointSet& points, std::span<const DensityField> fields,
                                 ClassDistance distance, Context& context, double tolerance = 2e-5,
                                 const KeptPoints& kept = {});

}  // namespace dapple
