// Points of a volume whose radius varies, and points in four dimensions: sample_volume() of
// dapple/sample.hpp is for one radius.
#pragma once

#include <array>
#include <cstdint>

#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/volume_field.hpp"

namespace dapple {

struct VolumeCertificate;  // dapple/sample.hpp

// Points of a volume, and the field that they keep the rule of.
struct VolumeSet {
  PointSet points;
  VolumeField field;
};

// Exact and maximal by the rule, mean or max, of r(x); spread as darts that are thrown one
// after the other for ever where 1 / r^3 asks for them. Or `count` of them, where that is above 0:
// the first of a set of hardly more, by radii that are scaled for it. progressive: in the order of
// rank, of which each beginning of K points is spaced as a maximal set of at most 2 K.
// Deterministic in (context.seed, arguments); O(N), about twice what one radius takes. Throws
// Error(usage) for another rule, Error(limit) where memory would not do.
// Kept points, which are not among them, keep the rule of all, whatever their own is.
VolumeSet sample_volume(const VolumeField& field, ConflictRule rule, std::int64_t count,
                        Context& context, bool progressive = false, const KeptPoints& kept = {});

// What points prove of r(x): as of one radius, but `closest` is in what the rule asks of a pair,
// and points where nothing may be placed are violations. `tolerance`: at least 2e-5.
VolumeCertificate certify_volume(const PointSet& points, const VolumeField& field,
                                 ConflictRule rule, Context& context, double tolerance = 2e-5,
                                 const KeptPoints& kept = {});

// Points in four dimensions, as sample_volume() makes them in three: in a box of these sides, a
// torus along all of them where it wraps, in columns x, y, z and w. About N = 0.84 content / r^4
// points in a torus, and 2 KB of memory for each while darts are thrown, which is required before
// that begins; O(N), some six times what a point of a volume takes. certify_volume() and
// verify_volume() take these points too. Throws as sample_volume() does.
PointSet sample_four(const std::array<double, 4>& sides, bool wrap, std::int64_t count,
                     double radius, Context& context, bool progressive = false,
                     const KeptPoints& kept = {});

}  // namespace dapple
