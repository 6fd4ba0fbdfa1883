// Points of a volume whose radius varies: sample_volume() of dapple/sample.hpp is for one radius.
#pragma once

#include <cstdint>

#include "dapple/sample.hpp"
#include "dapple/volume_field.hpp"

namespace dapple {

// Points of a volume, and the field that they keep the rule of.
struct VolumeSet {
  PointSet points;
  VolumeField field;
};

// Exact and maximal by the rule, mean or max, of r(x); spread as darts that are thrown one after
// the other for ever where 1 / r^3 asks for them. Or `count` of them, where that is above 0: the
// first of a set of hardly more, by radii that are scaled for it. progressive: in the order of
// rank, of which each beginning of K points is spaced as a maximal set of at most 2 K.
// Deterministic in (context.seed, arguments); O(N), about twice what one radius takes. Throws
// Error(usage) for another rule, Error(limit) where memory would not do.
VolumeSet sample_volume(const VolumeField& field, ConflictRule rule, std::int64_t count,
                        Context& context, bool progressive = false);

// What points prove of r(x): as of one radius, but `closest` is in what the rule asks of a pair,
// and points where nothing may be placed are violations. `tolerance`: at least 2e-5.
VolumeCertificate certify_volume(const PointSet& points, const VolumeField& field,
                                 ConflictRule rule, Context& context, double tolerance = 2e-5);

}  // namespace dapple
