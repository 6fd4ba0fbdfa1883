// Points round others, without a word of what is wrong with the mesh: for trials.
#pragma once

#include <cstdint>

#include "dapple/surface.hpp"

namespace dapple::surface {

struct MadeRound {
  KeptSurface set;
  std::int64_t without_area = 0, cracks = 0;  // as of Sampled
};
// Of a mesh and options that were checked.
MadeRound sample_round(const Mesh& mesh, const PointSet& kept, std::int64_t count,
                       const SurfaceRadius& radius, const SurfaceOptions& options,
                       Context& context);

}  // namespace dapple::surface
