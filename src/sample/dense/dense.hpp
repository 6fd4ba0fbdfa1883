// Packs points densely, up to a maximal set: they grow at the edge of the covered area.
#pragma once

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// There are two ways to grow. dense_even() takes one radius and leaves no gaps. dense_uneven()
// takes any field; it grows around `kept`, fixed points with own radii, and does not return them.
bool grows_evenly(const DensityField& field);
Points dense_even(const DensityField& field, Context& context);
Points dense_uneven(const DensityField& field, ConflictRule rule, const Points* kept,
                    Context& context);

}  // namespace dapple
