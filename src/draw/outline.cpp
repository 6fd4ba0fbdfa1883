// Resolves shapes of dots, which are polygons to fill, to the boundary of the area they cover.
//
// A sweep goes over slabs between the heights of all corners and crossings. Inside a slab edges do
// not cross. In the order of their x, the winding of each part shows where the shape begins and
// ends. The boundary parts of the edges are kept. They make area, centroid and coverage exact for
// any fill rule and any overlap.
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"

namespace dapple {
namespace {

constexpr std::size_t most_corners = 4096;
constexpr std::size_t most_crossings = 8000;

struct Side {
  Vec2 low, high;  // low.y < high.y
  int direction = 1;
  std::size_t part = 0;

  double x_at(double y) const {
    return low.x + (high.x - low.x) * ((y - low.y) / (high.y - low.y));
  }
};

// The part of a side that is boundary: the shape begins or ends there as x grows.
struct Run {
  bool any = false;
  bool begins = false;
  double from = 0, to = 0;
};

std::vector<Side> sides_of(const std::vector<Outline::Part>& parts) {
  std::vector<Side> sides;
  std::size_t corners = 0;
  for (std::size_t part = 0; part < parts.size(); ++part) {
    for (const std::vector<Vec2>& line : parts[part].lines) corners += line.size();
    for (const std::vector<Vec2>& ring : parts[part].rings) {
      corners += ring.size();
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = ring[i];
        const Vec2 b = ring[(i + 1) % ring.size()];
        if (a.y < b.y) sides.push_back({a, b, 1, part});
        if (b.y < a.y) sides.push_back({b, a, -1, part});
      }
    }
  }
  if (corners > most_corners) {
    throw Error(ErrorKind::input, "a shape of " + std::to_string(corners) +
                                      " corners is too detailed for a dot; at most " +
                                      std::to_string(most_corners) + " are allowed");
  }
  std::stable_sort(sides.begin(), sides.end(),
                   [](const Side& a, const Side& b) { return a.low.y < b.low.y; });
  return sides;
}

// Returns the heights at which slabs begin and end.
std::vector<double> heights_of(const std::vector<Side>& sides) {
  std::vector<double> heights;
  for (const Side& side : sides) {
    heights.push_back(side.low.y);
    heights.push_back(side.high.y);
  }
  std::size_t crossings = 0;
  for (std::size_t i = 0; i < sides.size(); ++i) {
    for (std::size_t k = i + 1; k < sides.size() && sides[k].low.y < sides[i].high.y; ++k) {
      const double y0 = sides[k].low.y;
      const double y1 = std::min(sides[i].high.y, sides[k].high.y);
      const double before = sides[i].x_at(y0) - sides[k].x_at(y0);
      const double after = sides[i].x_at(y1) - sides[k].x_at(y1);
      if (!((before < 0 && after > 0) || (before > 0 && after < 0))) continue;
      heights.push_back(y0 + (y1 - y0) * (before / (before - after)));
      if (++crossings > most_crossings) {
        throw Error(ErrorKind::input, "the lines of the shape cross more than " +
                                          std::to_string(most_crossings) +
                                          " times; simplify the shape");
      }
    }
  }
  std::sort(heights.begin(), heights.end());
  heights.erase(std::unique(heights.begin(), heights.end()), heights.end());
  return heights;
}

std::vector<std::array<Vec2, 2>> boundary(const std::vector<Outline::Part>& parts) {
  const std::vector<Side> sides = sides_of(parts);
  const std::vector<double> heights = heights_of(sides);
  std::vector<std::array<Vec2, 2>> edges;
  std::vector<Run> runs(sides.size());
  const auto finish = [&](std::size_t s) {
    const Run& run = runs[s];
    if (!run.any) return;
    const Vec2 low{sides[s].x_at(run.from), run.from};
    const Vec2 high{sides[s].x_at(run.to), run.to};
    edges.push_back(run.begins ? std::array{low, high} : std::array{high, low});
  };
  std::vector<std::size_t> active;
  std::vector<int> winding(parts.size());
  std::size_t next = 0;
  for (std::size_t h = 0; h + 1 < heights.size(); ++h) {
    const double y0 = heights[h];
    const double y1 = heights[h + 1];
    std::erase_if(active, [&](std::size_t s) { return sides[s].high.y <= y0; });
    for (; next < sides.size() && sides[next].low.y <= y0; ++next) active.push_back(next);
    const double middle = 0.5 * (y0 + y1);
    std::sort(active.begin(), active.end(), [&](std::size_t a, std::size_t b) {
      const double xa = sides[a].x_at(middle);
      const double xb = sides[b].x_at(middle);
      return xa != xb ? xa < xb : a < b;
    });
    std::fill(winding.begin(), winding.end(), 0);
    std::size_t inside = 0;  // number of parts that contain the place
    for (const std::size_t s : active) {
      const std::size_t part = sides[s].part;
      const auto filled = [&] {
        return parts[part].even_odd ? winding[part] % 2 != 0 : winding[part] != 0;
      };
      const bool was_inside = inside > 0;
      inside -= filled() ? 1 : 0;
      winding[part] += sides[s].direction;
      inside += filled() ? 1 : 0;
      const bool is_inside = inside > 0;
      if (was_inside == is_inside) continue;
      Run& run = runs[s];
      if (run.any && run.begins == is_inside && run.to == y0) {
        run.to = y1;
      } else {
        finish(s);
        run = {true, is_inside, y0, y1};
      }
    }
  }
  for (std::size_t s = 0; s < sides.size(); ++s) finish(s);
  return edges;
}

struct Moments {
  double area = 0;
  Vec2 centroid;
};

// Integrates by Green's theorem.
Moments moments_of(const std::vector<std::array<Vec2, 2>>& edges) {
  Moments sum;
  for (const auto& [a, b] : edges) {
    const double dy = b.y - a.y;
    sum.area -= 0.5 * (a.x + b.x) * dy;
    sum.centroid.x -= (a.x * a.x + a.x * b.x + b.x * b.x) / 6 * dy;
    sum.centroid.y -= (a.x * (2 * a.y + b.y) + b.x * (a.y + 2 * b.y)) / 6 * dy;
  }
  if (sum.area > 0) sum.centroid = sum.centroid * (1 / sum.area);
  return sum;
}

double drawn_length(const std::vector<Outline::Part>& parts) {
  double sum = 0;
  for (const Outline::Part& part : parts) {
    for (const std::vector<Vec2>& ring : part.rings) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        sum += length(ring[(i + 1) % ring.size()] - ring[i]);
      }
    }
    for (const std::vector<Vec2>& line : part.lines) {
      for (std::size_t i = 0; i + 1 < line.size(); ++i) sum += length(line[i + 1] - line[i]);
    }
  }
  return sum;
}

}  // namespace

Outline make_outline(std::vector<Outline::Part> parts) {
  Outline outline;
  outline.parts = std::move(parts);
  Vec2 low{INFINITY, INFINITY};
  Vec2 high{-INFINITY, -INFINITY};
  const auto each_corner = [&outline](const auto& visit) {
    for (Outline::Part& part : outline.parts) {
      for (auto* const group : {&part.rings, &part.lines}) {
        for (std::vector<Vec2>& line : *group) {
          for (Vec2& p : line) visit(p);
        }
      }
    }
  };
  each_corner([&](const Vec2& p) {
    if (!std::isfinite(p.x) || !std::isfinite(p.y)) {
      throw Error(ErrorKind::input, "the shape has a corner that is not finite");
    }
    low = {std::min(low.x, p.x), std::min(low.y, p.y)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y)};
  });
  const double extent = std::max(high.x - low.x, high.y - low.y);
  const Error nothing(ErrorKind::input, "the outlines of the shape enclose no area");
  const bool has_lines = std::any_of(outline.parts.begin(), outline.parts.end(),
                                     [](const Outline::Part& part) { return !part.lines.empty(); });
  if (!(extent > 0) || !std::isfinite(extent)) throw nothing;
  // The shape first gets a box of size 1, so that no product loses digits.
  const Vec2 middle = (low + high) * 0.5;
  each_corner([&](Vec2& p) { p = (p - middle) * (1 / extent); });
  outline.edges = boundary(outline.parts);
  Moments moments = moments_of(outline.edges);
  double scale = std::sqrt(std::numbers::pi / moments.area);
  if (!(moments.area > 1e-6)) {
    const double length = drawn_length(outline.parts);
    if (!has_lines || !(length > 0)) throw nothing;
    moments.centroid = {};
    outline.edges.clear();
    scale = full_circle / length;
  }
  const auto place = [&](Vec2& p) { p = (p - moments.centroid) * scale; };
  each_corner(place);
  for (auto& [a, b] : outline.edges) {
    place(a);
    place(b);
    outline.reach = std::max({outline.reach, length(a), length(b)});
  }
  for (const Outline::Part& part : outline.parts) {
    for (const std::vector<Vec2>& line : part.lines) {
      for (const Vec2& p : line) outline.reach = std::max(outline.reach, length(p));
    }
  }
  outline.perimeter = drawn_length(outline.parts);
  return outline;
}

// Returns the level lines of the boundary. At each height they lead from the ends of edges to the
// starts of other edges.
static std::vector<std::array<Vec2, 2>> level_edges(const std::vector<std::array<Vec2, 2>>& edges) {
  struct End {
    double y, x;
    int arriving;
  };
  std::vector<End> ends;
  for (const auto& [from, to] : edges) {
    ends.push_back({from.y, from.x, -1});
    ends.push_back({to.y, to.x, 1});
  }
  std::stable_sort(ends.begin(), ends.end(),
                   [](const End& a, const End& b) { return a.y != b.y ? a.y < b.y : a.x < b.x; });
  std::vector<std::array<Vec2, 2>> level;
  int under_way = 0;
  for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
    under_way += ends[i].arriving;
    if (under_way == 0 || ends[i].y != ends[i + 1].y || ends[i].x == ends[i + 1].x) continue;
    std::array<Vec2, 2> edge{Vec2{ends[i].x, ends[i].y}, Vec2{ends[i + 1].x, ends[i].y}};
    if (under_way < 0) std::swap(edge[0], edge[1]);
    level.insert(level.end(), static_cast<std::size_t>(std::abs(under_way)), edge);
  }
  return level;
}

Outline turned(const Outline& outline, double turns) {
  const Vec2 x = direction(turns);
  const auto turn = [x](Vec2& p) { p = {p.x * x.x - p.y * x.y, p.x * x.y + p.y * x.x}; };
  Outline result = outline;
  for (Outline::Part& part : result.parts) {
    for (auto* const group : {&part.rings, &part.lines}) {
      for (std::vector<Vec2>& line : *group) std::for_each(line.begin(), line.end(), turn);
    }
  }
  // The edges bound the covered area already, except for level lines.
  const auto level = level_edges(outline.edges);
  result.edges.insert(result.edges.end(), level.begin(), level.end());
  for (auto& edge : result.edges) std::for_each(edge.begin(), edge.end(), turn);
  std::erase_if(result.edges, [](const auto& edge) { return edge[0].y == edge[1].y; });
  return result;
}

std::vector<Outline> parts_of(const Outline& outline) {
  std::vector<Outline> shapes;
  if (outline.parts.size() < 2) return {outline};
  for (const Outline::Part& part : outline.parts) shapes.push_back(make_outline({part}));
  return shapes;
}

std::vector<std::vector<Vec2>> lines_of(const Outline& outline, const Disc& disc) {
  std::vector<std::vector<Vec2>> lines;
  const auto add = [&](const std::vector<Vec2>& points) {
    std::vector<Vec2>& line = lines.emplace_back();
    line.reserve(points.size() + 1);
    for (const Vec2& p : points) line.push_back(disc.center + p * disc.radius);
  };
  for (const Outline::Part& part : outline.parts) {
    for (const std::vector<Vec2>& ring : part.rings) {
      add(ring);
      if (!ring.empty()) lines.back().push_back(lines.back().front());
    }
    for (const std::vector<Vec2>& line : part.lines) add(line);
  }
  return lines;
}

}  // namespace dapple
