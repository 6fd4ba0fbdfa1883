// How much a surface bends at its vertices.
#pragma once

#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple::surface {

// sqrt(k1^2 + k2^2) of the principal curvatures, in one over the unit of the mesh, for each vertex:
// how fast the normal turns between vertices whose normals are those of the faces round them.
// Vertices in one place are one. The same whatever the order of faces and vertices.
struct Curvature {
  std::vector<float> of_vertex;
  double high = 0;  // no more than 2 % of the area bends more than that
};
Curvature curvature_of(const Mesh& mesh, Context& context);

}  // namespace dapple::surface
