// Computes how much a surface bends at its vertices.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple::surface {

// sqrt(k1^2 + k2^2) of the principal curvatures at each vertex, in one over the unit of the mesh.
// It is how fast the normal turns between vertices, whose normals come from the faces around them.
// Vertices at one place count as one. The order of faces and vertices does not matter.
struct Curvature {
  std::vector<float> of_vertex;
  double high = 0;  // at most 2 % of the area has a higher curvature
};
Curvature curvature_of(const Mesh& mesh, Context& context);

}  // namespace dapple::surface
