#include "sample/regions/region_set.hpp"

#include <algorithm>
#include <cstdint>

namespace dapple {

void RegionTiles::add(std::size_t of, const Box& box) {
  region.push_back(static_cast<std::uint32_t>(of));
  std::vector<std::uint32_t> found;
  shapes.for_edges(of, box, [&](std::uint32_t e) {
    if (shapes.edge(e).touches(box)) found.push_back(e);
  });
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  for (const std::uint32_t e : found) edges.add(e);
  edges.end_list();
}

}  // namespace dapple
