// Nets between points, and the paths of a pen along them.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "generate/styles/style.hpp"

namespace dapple::styles {

// Straight pieces between nodes.
struct Net {
  std::vector<Vec2> nodes = {};
  std::vector<std::array<std::int32_t, 2>> edges = {};
};

// Returns the borders between the Voronoi cells of points within their domain.
Net voronoi_net(const Points& points, Context& context);
// Returns the pairs of points whose Voronoi cells touch within the domain.
Net delaunay_net(const Points& points, Context& context);

// Returns paths that draw each edge once, except edges with a long part on bare paper. Paths go as
// straight as possible at nodes, and start at nodes with an odd number of edges, so that few are
// needed. O(edges).
Marks paths_along(Net net, const Request& request);

}  // namespace dapple::styles
