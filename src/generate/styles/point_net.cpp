// Makes nets of Voronoi cells, and walks along them.
#include "generate/styles/point_net.hpp"

#include <algorithm>
#include <numeric>

#include "core/lists.hpp"
#include "core/parallel.hpp"
#include "generate/worley/grid.hpp"
#include "generate/worley/voronoi_cell.hpp"

namespace dapple::styles {
namespace {

constexpr std::size_t run = 256;  // cells that a thread takes at a time

// A border between two cells, from `a` to `b`. Two cells and a third name a corner; -1 is the
// frame.
struct Border {
  std::array<std::int32_t, 2> cells;
  std::array<std::array<std::int32_t, 3>, 2> names;
  std::array<Vec2, 2> ends;
};

// Returns each border once, in the order of its first cell.
std::vector<Border> borders_of(const Points& points, Context& context) {
  const cells::SiteGrid grid(points, static_cast<int>(points.domain.width),
                             static_cast<int>(points.domain.height), context);
  const std::size_t runs = (points.size() + run - 1) / run;
  std::vector<std::vector<Border>> parts(runs);
  parallel_for(context, runs, [&](std::size_t r) {
    cells::VoronoiCell cell(grid);
    for (std::size_t i = r * run; i < std::min(points.size(), (r + 1) * run); ++i) {
      const auto id = static_cast<std::int32_t>(i);
      cell.cut_out(id);
      if (cell.is_double()) continue;
      const auto corners = cell.corners();
      const auto name = [&](std::size_t k) {
        const std::size_t before = (k + corners.size() - 1) % corners.size();
        std::array<std::int32_t, 3> sites{id, corners[before].id, corners[k].id};
        std::sort(sites.begin(), sites.end());
        return sites;
      };
      for (std::size_t k = 0; k < corners.size(); ++k) {
        if (corners[k].id <= id) continue;
        const std::size_t next = (k + 1) % corners.size();
        parts[r].push_back({{id, corners[k].id},
                            {name(k), name(next)},
                            {cell.site() + corners[k].at, cell.site() + corners[next].at}});
      }
    }
  });
  std::vector<Border> all;
  for (const std::vector<Border>& part : parts) all.insert(all.end(), part.begin(), part.end());
  return all;
}

// Returns true for edges with a part on bare paper that is too long to belong to a shape.
bool crosses_bare(const Request& request, Vec2 a, Vec2 b) {
  constexpr double step = 0.5;    // pixels
  constexpr double longest = 10;  // pens
  constexpr double fringe = 2;    // pixels of white that a smooth map shows as gray
  const double all = length(b - a);
  const double allowed = longest * request.pen + fringe;
  if (all <= allowed) return false;
  const auto steps = static_cast<int>(std::ceil(all / step));
  double way = 0;
  for (int i = 0; i < steps && way <= allowed; ++i) {
    way = is_bare(request, a + (b - a) * ((i + 0.5) / steps)) ? way + all / steps : 0;
  }
  return way > allowed;
}

}  // namespace

Net voronoi_net(const Points& points, Context& context) {
  const std::vector<Border> borders = borders_of(points, context);
  // Ends of one name are one node.
  std::vector<std::size_t> ends(2 * borders.size());
  std::iota(ends.begin(), ends.end(), std::size_t{0});
  const auto name = [&](std::size_t end) { return borders[end / 2].names[end % 2]; };
  std::sort(ends.begin(), ends.end(), [&](std::size_t a, std::size_t b) {
    return name(a) != name(b) ? name(a) < name(b) : a < b;
  });
  Net net;
  net.edges.resize(borders.size());
  for (std::size_t i = 0; i < ends.size(); ++i) {
    const std::size_t end = ends[i];
    const Vec2 at = borders[end / 2].ends[end % 2];
    // Two ends of one border on the frame may share a name.
    constexpr double apart = 1e-3;
    const bool same =
        i > 0 && name(ends[i - 1]) == name(end) && length(net.nodes.back() - at) < apart;
    if (!same) net.nodes.push_back(at);
    net.edges[end / 2][end % 2] = static_cast<std::int32_t>(net.nodes.size()) - 1;
  }
  return net;
}

Net delaunay_net(const Points& points, Context& context) {
  Net net;
  for (std::size_t i = 0; i < points.size(); ++i) net.nodes.push_back(points[i]);
  for (const Border& border : borders_of(points, context)) net.edges.push_back(border.cells);
  return net;
}

Marks paths_along(Net net, const Request& request) {
  std::erase_if(net.edges, [&](const std::array<std::int32_t, 2>& edge) {
    return crosses_bare(request, net.nodes[static_cast<std::size_t>(edge[0])],
                        net.nodes[static_cast<std::size_t>(edge[1])]);
  });
  const std::size_t count = net.nodes.size();
  const Lists<std::size_t> at_node(count, [&](const auto& add) {
    for (std::size_t e = 0; e < net.edges.size(); ++e) {
      for (const std::int32_t node : net.edges[e]) add(static_cast<std::size_t>(node), e);
    }
  });
  std::vector<char> drawn(net.edges.size(), 0);
  std::vector<std::size_t> left(count);
  for (std::size_t i = 0; i < count; ++i) left[i] = at_node.of(i).size();
  const auto other_end = [&](std::size_t edge, std::size_t node) {
    const auto a = static_cast<std::size_t>(net.edges[edge][0]);
    return a == node ? static_cast<std::size_t>(net.edges[edge][1]) : a;
  };
  Marks marks;
  const auto walk = [&](std::size_t node) {
    std::vector<Vec2> path{net.nodes[node]};
    Vec2 heading{};
    while (left[node] > 0) {
      std::size_t best = net.edges.size();
      double straightest = -2;
      for (const std::size_t edge : at_node.of(node)) {
        if (drawn[edge] != 0) continue;
        const Vec2 step = net.nodes[other_end(edge, node)] - net.nodes[node];
        const double straight = dot(heading, step) / std::max(length(step), 1e-12);
        if (straight > straightest) {
          straightest = straight;
          best = edge;
        }
      }
      const std::size_t next = other_end(best, node);
      const Vec2 step = net.nodes[next] - net.nodes[node];
      heading = step * (1 / std::max(length(step), 1e-12));
      drawn[best] = 1;
      --left[node];
      --left[next];
      path.push_back(net.nodes[next]);
      node = next;
    }
    if (path.size() > 1) marks.push_back(std::move(path));
  };
  for (std::size_t node = 0; node < count; ++node) {
    if (left[node] % 2 == 1) walk(node);
  }
  for (std::size_t node = 0; node < count; ++node) {
    while (left[node] > 0) walk(node);
  }
  return marks;
}

}  // namespace dapple::styles
