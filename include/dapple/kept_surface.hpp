// Places points on a mesh around fixed points.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/surface.hpp"

namespace dapple {

struct ClassOptions;  // dapple/sample.hpp

struct KeptSurface {
  SurfacePoints points;  // fixed points first, unmoved, with data of their nearest faces
  std::size_t kept = 0;  // number of fixed points
  SurfaceRadius radius;  // the radii with which certify() proves the points
  // Number of classes in `radius` that new points have. The classes after them are of fixed points
  // without a class, one class per radius.
  std::size_t classes = 0;
};

// Fills the room that fixed points leave, as sample_surface() fills the mesh. No new point is too
// near a fixed point or another new one, and no place is left for one more. `kept` has x, y and z
// in the unit of the mesh. A fixed point keeps others off by its own radius if that is above 0,
// otherwise by the radius of its place. If both radii differ, radius.rule combines them. A fixed
// point belongs to the sheet of its nearest face. `count` > 0: exactly `count` points in all, with
// radii scaled to fit. radius.classes: points of several classes; fixed points with a column class
// act as points of their class. Throws as sample_surface() does. Throws Error(usage) for fixed
// points of more than 256 radii beside classes. Throws Error(input) for points without z and for
// points farther from the mesh than their radius. Throws Error(input) for unknown classes, and for
// a count without room for new points.
KeptSurface sample_surface_round(const Mesh& mesh, const PointSet& kept, std::int64_t count,
                                 const SurfaceRadius& radius, const SurfaceOptions& options,
                                 Context& context);
// As above, but seeks the shares of the classes among new points as sample_classes() does. `rule`
// is for fixed points that have a radius and no class.
KeptSurface sample_classes_round(const Mesh& mesh, const PointSet& kept,
                                 const ClassOptions& classes, std::int64_t count, ConflictRule rule,
                                 const SurfaceOptions& options, Context& context);
// Proves the set as certify() does, without pairs of fixed points.
SurfaceCertificate certify(const KeptSurface& set, const Mesh& mesh, const SurfaceOptions& options,
                           Context& context, double tolerance = 2e-5);

}  // namespace dapple
