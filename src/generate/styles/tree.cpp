// Draws the shortest tree that joins all points: `style tree`.
//
// Kruskal (1956) takes edges of the Delaunay net, which contains the tree, from the shortest on,
// and leaves out those that would close a loop.
#include <algorithm>
#include <numeric>
#include <utility>

#include "generate/styles/point_net.hpp"

namespace dapple::styles {

Marks draw_tree(const Request& request) {
  Net net = delaunay_net(request.points, request.context);
  const auto length_of = [&](const std::array<std::int32_t, 2>& edge) {
    return length_squared(net.nodes[static_cast<std::size_t>(edge[0])] -
                          net.nodes[static_cast<std::size_t>(edge[1])]);
  };
  std::stable_sort(net.edges.begin(), net.edges.end(),
                   [&](const auto& a, const auto& b) { return length_of(a) < length_of(b); });
  // The tree of each node, by a node that stands for it.
  std::vector<std::int32_t> tree(net.nodes.size());
  std::iota(tree.begin(), tree.end(), 0);
  const auto root = [&](std::int32_t node) {
    while (tree[static_cast<std::size_t>(node)] != node) {
      std::int32_t& up = tree[static_cast<std::size_t>(node)];
      up = tree[static_cast<std::size_t>(up)];
      node = up;
    }
    return node;
  };
  std::erase_if(net.edges, [&](const std::array<std::int32_t, 2>& edge) {
    const std::int32_t a = root(edge[0]);
    const std::int32_t b = root(edge[1]);
    tree[static_cast<std::size_t>(a)] = b;
    return a == b;
  });
  return paths_along(std::move(net), request);
}

}  // namespace dapple::styles
