// Dense maximal packing: points grown at the edge of what is covered.
#pragma once

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// The two ways to grow: one radius everywhere, which leaves nothing to fill; and any field, round
// points that hold others off, each by its own radius, and are no part of the result.
bool grows_evenly(const DensityField& field);
PointSet dense_even(const DensityField& field, Context& context);
PointSet dense_uneven(const DensityField& field, ConflictRule rule, const PointSet* kept,
                      Context& context);

}  // namespace dapple
