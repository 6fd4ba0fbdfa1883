// Samples points around fixed points without warnings about the mesh: for trials.
#pragma once

#include <cstdint>

#include "dapple/surface.hpp"

namespace dapple::surface {

struct MadeAround {
  SurfaceWithFixedPoints set;
  std::int64_t without_area = 0, cracks = 0;  // as in Sampled
};
// Samples a mesh around `kept`. The mesh and the options must have been checked.
MadeAround sample_around(const Mesh& mesh, const PointSet& kept, std::int64_t count,
                         const SurfaceRadius& radius, const SurfaceOptions& options,
                         Context& context);

}  // namespace dapple::surface
