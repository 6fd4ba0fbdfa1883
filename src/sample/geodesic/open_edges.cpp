// Counts edges at which faces nearly meet without sharing corners: T-junctions, and corners that
// rounding in a file moved apart.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <map>

#include "sample/geodesic/face_adjacency.hpp"

namespace dapple::geodesic {
namespace {

using Cell = std::array<std::int32_t, 3>;

// Vertices of the border in the cubes of a lattice.
class Border {
 public:
  Border(const Net& net, const std::vector<std::size_t>& edges, double cube)
      : net_(net), cube_(cube) {
    std::vector<std::int32_t> vertices;
    for (const std::size_t e : edges) {
      for (const std::int32_t v : net.edges[e].ends) vertices.push_back(v);
    }
    std::sort(vertices.begin(), vertices.end());
    vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
    for (const std::int32_t v : vertices) {
      cells_[cell_of(net.places[static_cast<std::size_t>(v)])].push_back(v);
    }
  }

  // Returns true if a vertex of another face is within `near` of the edge; `work` counts tests.
  bool touches(const Net::Edge& edge, double near, std::size_t& work) const {
    const Net::Way& way = net_.ways[edge.first];
    const auto& corner = net_.faces[static_cast<std::size_t>(way.face)].corner;
    const Vec3& from = net_.places[static_cast<std::size_t>(edge.ends[0])];
    const Vec3 along =
        (net_.places[static_cast<std::size_t>(edge.ends[1])] - from) * (1 / edge.length);
    const int steps = static_cast<int>(std::ceil(edge.length / cube_));
    for (int i = 0; i <= steps; ++i) {
      const Cell middle = cell_of(from + along * (edge.length * i / steps));
      for (std::int32_t n = 0; n < 27; ++n) {
        const Cell cell{middle[0] + n % 3 - 1, middle[1] + n / 3 % 3 - 1, middle[2] + n / 9 - 1};
        const auto found = cells_.find(cell);
        ++work;
        if (found == cells_.end()) continue;
        work += found->second.size();
        for (const std::int32_t v : found->second) {
          if (std::find(corner.begin(), corner.end(), v) != corner.end()) continue;
          const Vec3 there = net_.places[static_cast<std::size_t>(v)] - from;
          const double at = std::clamp(dot(there, along), 0.0, edge.length);
          if (length(there - along * at) < near) return true;
        }
      }
    }
    return false;
  }

 private:
  Cell cell_of(const Vec3& p) const {
    const auto along = [&](double v) { return static_cast<std::int32_t>(std::floor(v / cube_)); };
    return {along(p.x), along(p.y), along(p.z)};
  }

  const Net& net_;
  double cube_;
  std::map<Cell, std::vector<std::int32_t>> cells_;
};

}  // namespace

std::int64_t count_cracks(const Net& net, double extent) {
  constexpr double rounding = 4e-7;  // relative error of coordinates in floats
  constexpr std::size_t looks_an_edge = 4096;
  std::vector<std::size_t> open;
  double sum = 0;
  for (std::size_t e = 0; e < net.edges.size(); ++e) {
    if (net.edges[e].end - net.edges[e].first > 1) continue;
    open.push_back(e);
    sum += net.edges[e].length;
  }
  if (open.empty()) return 0;
  // An edge crosses few cubes, and their indices fit 32 bits.
  const double cube = std::max(sum / static_cast<double>(open.size()), 1e-8 * extent);
  const Border border(net, open, cube);
  std::int64_t cracks = 0;
  std::size_t work = 0;
  for (const std::size_t e : open) {
    const Net::Edge& edge = net.edges[e];
    const double near = std::min(rounding * extent, 0.01 * edge.length);
    if (border.touches(edge, near, work)) ++cracks;
    if (work > looks_an_edge * open.size()) break;
  }
  return cracks;
}

}  // namespace dapple::geodesic
