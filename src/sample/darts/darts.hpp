// Places maximal Poisson-disk sets, exactly, at any ratio of radii.
#pragma once

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// Returns points of the field: no two are nearer than the rule allows, and no place is left for
// another. `start`: points that keep the rule; they come first, and the rest of the domain is
// filled. `kept`: fixed points, each with its own radius; they are not part of the result.
Points darts(const DensityField& field, ConflictRule rule, const Points* start, Context& context,
             const Points* kept = nullptr);

// Places darts in a field of one radius, an order of magnitude faster. Returns false if the domain
// is too small for this.
bool constant_darts(const DensityField& field, Context& context, Points& result);

// Places darts if radii vary so much from pixel to pixel that most of the domain is near most of
// the rest. Visits tiles one after the other in random order. Slower, on one thread.
class TileSet;
Points darts_one_by_one(const DensityField& field, ConflictRule rule, const TileSet& tiles,
                        const Points* start, const Points* kept, Context& context);

}  // namespace dapple
