// Faces that are wound against their neighbors: their normals point to the other side, so that
// points on them do not see those round them.
#include <vector>

#include "core/random.hpp"
#include "core/sort_hashes.hpp"
#include "sample/surface/sampled.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::surface {
std::int64_t edges_against(const Mesh& mesh) {
  std::vector<std::uint64_t> vertices;
  vertices.reserve(mesh.vertices.size());
  for (const Vec3& p : mesh.vertices) vertices.push_back(add_to_key(0, p));
  // Of two faces that agree, one walks their edge one way and the other back.
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * mesh.triangles.size());
  for (const auto& triangle : mesh.triangles) {
    std::array<std::uint64_t, 3> corner;
    for (std::size_t i = 0; i < 3; ++i) corner[i] = vertices[static_cast<std::size_t>(triangle[i])];
    if (corner[0] == corner[1] || corner[1] == corner[2] || corner[2] == corner[0]) continue;
    for (std::size_t i = 0; i < 3; ++i) edges.push_back(hash(corner[i], corner[(i + 1) % 3]));
  }
  sort_by_hash(edges, [](std::uint64_t edge) { return edge; });
  std::int64_t against = 0;
  for (std::size_t i = 1; i < edges.size(); ++i) against += edges[i] == edges[i - 1] ? 1 : 0;
  return against;
}

void say_what_is_wound_against(const Mesh& mesh, const SurfaceOptions& options, Context& context) {
  if (options.gate >= 180 || options.metric == SurfaceMetric::surface) return;
  const std::int64_t edges = edges_against(mesh);
  if (edges == 0) return;
  context.warn("the faces at " + std::to_string(edges) + (edges == 1 ? " edge" : " edges") +
               " are wound against each other, so their points do not hold each other off; make "
               "the normals of the mesh consistent, or take distances alone with `gate` 180");
}

}  // namespace dapple::surface
