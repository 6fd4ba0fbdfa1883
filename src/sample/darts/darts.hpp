// Maximal Poisson-disk sampling, exact at any ratio of radii.
#pragma once

#include "dapple/field.hpp"
#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

// Points of the field: no two nearer than the rule allows, no place left where one more would fit.
// `start`: points that keep the rule already and stay, first; the rest of the domain is filled.
// `kept`: points that hold others off, each by its own radius, and are no part of the result.
PointSet darts(const DensityField& field, ConflictRule rule, const PointSet* start,
               Context& context, const PointSet* kept = nullptr);

// Darts in a field of one radius, an order of magnitude faster. False where the domain is too
// small for it.
bool constant_darts(const DensityField& field, Context& context, PointSet& result);

// Darts where radii vary so wildly from pixel to pixel that most of the domain is near most of
// the rest: one point after the other, tiles in random order. Slower, on one thread.
class TileSet;
PointSet darts_one_by_one(const DensityField& field, ConflictRule rule, const TileSet& tiles,
                          const PointSet* start, const PointSet* kept, Context& context);

}  // namespace dapple
