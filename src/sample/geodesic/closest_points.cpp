#include "sample/geodesic/closest_points.hpp"

#include <algorithm>
#include <utility>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "sample/surface/obstacles.hpp"

namespace dapple::geodesic {

Vec3 place_of_foot(const surface::Triangle& triangle, const Vec3& place) {
  const surface::Weights at = surface::nearest_in(triangle.a, triangle.e1, triangle.e2, place);
  return triangle.a + triangle.e1 * at.s + triangle.e2 * at.t;
}

ObstaclesAlong obstacles_along(const Net& net, const surface::Tiles& tiles,
                               std::span<const Foot> feet, double reach, Context& context) {
  constexpr std::size_t group = 16;
  ObstaclesAlong made;
  made.discs.resize(feet.size());
  parallel_for(context, (feet.size() + group - 1) / group, [&](std::size_t g) {
    PathFinder finder(net);
    const std::size_t end = std::min(feet.size(), (g + 1) * group);
    for (std::size_t i = g * group; i < end; ++i) {
      const Foot& foot = feet[i];
      made.discs[i] = finder.disc(foot.triangle, foot.place, reach + foot.limit - 1, true);
      made.discs[i].lengthen(1 - foot.limit);
    }
  });
  std::vector<std::pair<std::int32_t, std::int32_t>> reached;  // face, disc
  double bytes = 0;
  for (std::size_t i = 0; i < feet.size(); ++i) {
    bytes += static_cast<double>(made.discs[i].bytes());
    for (const std::int32_t face : made.discs[i].faces()) {
      reached.emplace_back(face, static_cast<std::int32_t>(i));
    }
  }
  context.require_memory(bytes + 8 * static_cast<double>(reached.size()),
                         "searching paths along the surface around points of `keep`");
  std::sort(reached.begin(), reached.end());
  made.of_tile.resize(tiles.tiles.size());
  for (std::size_t t = 0; t < tiles.tiles.size(); ++t) {
    std::vector<std::int32_t>& of_tile = made.of_tile[t];
    std::int32_t last = -1;
    for (std::uint32_t p = tiles.tiles[t].first; p < tiles.tiles[t].end; ++p) {
      const std::int32_t face = tiles.pieces[p].triangle;
      if (face == last) continue;
      last = face;
      const auto first = std::lower_bound(reached.begin(), reached.end(), std::pair(face, 0));
      for (auto at = first; at != reached.end() && at->first == face; ++at) {
        of_tile.push_back(at->second);
      }
    }
    std::sort(of_tile.begin(), of_tile.end());
    of_tile.erase(std::unique(of_tile.begin(), of_tile.end()), of_tile.end());
  }
  return made;
}

}  // namespace dapple::geodesic
