// Points on a mesh round others that are there already.
#pragma once

#include <cstddef>
#include <cstdint>

#include "dapple/points.hpp"
#include "dapple/sample.hpp"
#include "dapple/surface.hpp"

namespace dapple {

struct KeptSurface {
  SurfacePoints points;  // the kept ones first, where they are, as their nearest faces see them
  std::size_t kept = 0;  // how many
  SurfaceRadius radius;  // with which certify() proves them
};

// Fills the room that points leave which are there already, as sample_surface() fills the mesh: no
// new point is too near a kept one or another new one, and no place is left for one more. `kept`:
// x, y and z in the unit of the mesh; each holds others off by a radius of its own, where it has
// one above 0, else by that of its place; radius.rule says by how far, where they differ. It is of
// the sheet of the face that is nearest to it. `count` > 0: so many points in all, by radii that
// are scaled for it. Throws as sample_surface() does, Error(usage) for classes, and Error(input)
// for points without z, points that lie farther from the mesh than they hold others off, and a
// count that leaves no room for new ones.
KeptSurface sample_surface_round(const Mesh& mesh, const PointSet& kept, std::int64_t count,
                                 const SurfaceRadius& radius, const SurfaceOptions& options,
                                 Context& context);
// As certify() of a whole set; pairs of kept points do not count.
SurfaceCertificate certify(const KeptSurface& set, const Mesh& mesh, const SurfaceOptions& options,
                           Context& context, double tolerance = 2e-5);

}  // namespace dapple
