// Samples points of a volume whose radius varies, and points in four dimensions. sample_volume() of
// dapple/sample.hpp is for one radius.
#pragma once

#include <array>
#include <cstdint>

#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/volume_field.hpp"

namespace dapple {

struct VolumeCertificate;  // dapple/sample.hpp

// Points of a volume, and the field whose rule they keep.
struct VolumeSet {
  PointSet points;
  VolumeField field;
};

// Returns points that are exact and maximal by the rule, mean or max, of r(x). They are distributed
// as darts thrown one after the other for ever, at a rate of 1 / r^3. `count` > 0: the first
// `count` points of a set with hardly more, by radii scaled to it. progressive: in order of rank;
// the first K points are spaced as a maximal set of at most 2 K. Deterministic in (context.seed,
// arguments); O(N), about twice the cost of one radius. Throws Error(usage) for another rule,
// Error(limit) if memory is too small. Fixed points (`kept`) are not returned; they follow `rule`,
// whatever their own rule is.
VolumeSet sample_volume(const VolumeField& field, ConflictRule rule, std::int64_t count,
                        Context& context, bool progressive = false, const KeptPoints& kept = {});

// Proves points of r(x) as for one radius, but `closest` is relative to the distance that the rule
// requires, and points in forbidden places are violations. `tolerance`: at least 2e-5.
VolumeCertificate certify_volume(const PointSet& points, const VolumeField& field,
                                 ConflictRule rule, Context& context, double tolerance = 2e-5,
                                 const KeptPoints& kept = {});

// Returns points in four dimensions, as sample_volume() makes them in three: in a box of these
// sides, a torus along all of them if it wraps, in columns x, y, z and w. A torus holds about N =
// 0.84 content / r^4 points. Darts take 2 KB per point, which is required before they are thrown.
// O(N), about six times the cost of a point of a volume. certify_volume() and verify_volume() take
// these points too. Throws as sample_volume() does.
PointSet sample_four(const std::array<double, 4>& sides, bool wrap, std::int64_t count,
                     double radius, Context& context, bool progressive = false,
                     const KeptPoints& kept = {});

}  // namespace dapple
