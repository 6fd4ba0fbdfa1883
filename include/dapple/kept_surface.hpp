// Points on a mesh round others that are there already.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dapple/points.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/surface.hpp"

namespace dapple {

struct ClassOptions;  // dapple/sample.hpp

struct KeptSurface {
  SurfacePoints points;  // the kept ones first, where they are, as their nearest faces see them
  std::size_t kept = 0;  // how many
  SurfaceRadius radius;  // with which certify() proves them
  // Of the classes of `radius` so many are placed. Those behind are of kept points without a class:
  // one for each radius that those have.
  std::size_t classes = 0;
};

// Fills the room that points leave which are there already, as sample_surface() fills the mesh: no
// new point is too near a kept one or another new one, and no place is left for one more. `kept`:
// x, y and z in the unit of the mesh; each holds others off by a radius of its own, where it has
// one above 0, else by that of its place; radius.rule says by how far, where they differ. It is of
// the sheet of the face that is nearest to it. `count` > 0: so many points in all, by radii that
// are scaled for it. radius.classes: points of several classes; kept ones with a column class hold
// others off as points of that class do. Throws as sample_surface() does, Error(usage) for kept
// points of so many radii beside classes that they cannot be told apart, and Error(input) for
// points without z, points that lie farther from the mesh than they hold others off, classes that
// there are none of, and a count that leaves no room for new ones.
KeptSurface sample_surface_round(const Mesh& mesh, const PointSet& kept, std::int64_t count,
                                 const SurfaceRadius& radius, const SurfaceOptions& options,
                                 Context& context);
// The same of classes whose shares, of the new points, are sought as sample_classes() seeks them;
// `rule`: of kept points that have a radius and no class.
KeptSurface sample_classes_round(const Mesh& mesh, const PointSet& kept,
                                 const ClassOptions& classes, std::int64_t count, ConflictRule rule,
                                 const SurfaceOptions& options, Context& context);
// As certify() of a whole set; pairs of kept points do not count.
SurfaceCertificate certify(const KeptSurface& set, const Mesh& mesh, const SurfaceOptions& options,
                           Context& context, double tolerance = 2e-5);

}  // namespace dapple
