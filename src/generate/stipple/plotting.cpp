#include "generate/stipple/plotting.hpp"

#include <algorithm>
#include <cmath>

#include "dapple/error.hpp"
#include "draw/pen_path.hpp"
#include "draw/tiles.hpp"
#include "relax/dot_classes.hpp"

namespace dapple::stippling {
namespace {

constexpr double bare = 0.025 * 0.025;  // darkness squared, as the dots of a line have it
constexpr double long_way = 3;          // in median hops
constexpr double fringe = 2;            // pixels of white that the smooth map shows as gray

double usual_hop(const Drawing& drawing) {
  std::vector<double> hops;
  for (const Layer& layer : drawing.layers) {
    for (std::size_t i = 1; i < layer.discs.size(); ++i) {
      hops.push_back(length(layer.discs[i].center - layer.discs[i - 1].center));
    }
  }
  if (hops.empty()) return 0;
  const auto middle = hops.begin() + std::ssize(hops) / 2;
  std::nth_element(hops.begin(), middle, hops.end());
  return *middle;
}

// Returns the longest stretch of bare paper between two places, pixels.
double bare_way(const Plane<float>& darkness, Vec2 from, Vec2 to) {
  constexpr double step = 0.5;
  const double all = length(to - from);
  const auto steps = static_cast<int>(std::ceil(all / step));
  double longest = 0;
  double way = 0;
  for (int i = 0; i < steps; ++i) {
    const Vec2 p = from + (to - from) * ((i + 0.5) / steps);
    const int x = std::clamp(static_cast<int>(p.x), 0, darkness.width() - 1);
    const int y = std::clamp(static_cast<int>(p.y), 0, darkness.height() - 1);
    way = static_cast<double>(darkness(x, y)) < bare ? way + all / steps : 0;
    longest = std::max(longest, way);
  }
  return longest;
}

}  // namespace

double ink_share(const Stippling& made, const DotPlan& plan, const StippleLayout& layout,
                 double asked) {
  double ink = 0;
  if (plan.line_ink > 0) {
    for (const Layer& layer : made.drawing.layers) {
      for (const Polyline& line : layer.lines) {
        for (std::size_t i = 1; i < line.points.size(); ++i) {
          ink += length(line.points[i] - line.points[i - 1]) * line.width;
        }
      }
    }
    ink /= layout.place.mm_per_pixel * layout.place.mm_per_pixel;
  } else {
    for (const float r : made.dots.radius) {
      ink += ink_of(plan, 2 * static_cast<double>(r) * plan.cells);
    }
    ink /= static_cast<double>(plan.cells) * plan.cells;
  }
  return asked > 0 ? ink / asked : 1;
}

void draw_line(Drawing& drawing, const Plane<float>& darkness, const std::vector<double>& inks,
               const StippleLayout& layout, const StippleOptions& options) {
  const auto in_pixels = [&](Vec2 p) {
    return (p - layout.place.origin) * (1 / layout.place.mm_per_pixel);
  };
  const double shorter = std::min(layout.width, layout.height);
  const double longest =
      options.longest_hop.length.pixels({shorter, 1 / layout.place.mm_per_pixel}) *
      layout.place.mm_per_pixel;
  const double most_bare = long_way * usual_hop(drawing);
  const auto breaks = [&](const Disc& a, const Disc& b) {
    const double hop = length(b.center - a.center);
    switch (options.longest_hop.rule) {
      case LongestHop::Rule::none:
        return false;
      case LongestHop::Rule::length:
        return hop > longest;
      case LongestHop::Rule::automatic:
        break;
    }
    if (hop <= most_bare) return false;
    const double way = bare_way(darkness, in_pixels(a.center), in_pixels(b.center)) - fringe;
    return way * layout.place.mm_per_pixel > most_bare;
  };
  draw_as_lines(drawing, layout.pen, inks, breaks);
}

std::vector<std::size_t> split_layers(Drawing& drawing, int parts, DotOrder order,
                                      Context& context) {
  const auto count = static_cast<std::size_t>(parts);
  std::vector<Layer> layers;
  std::vector<std::size_t> places;
  std::size_t before = 0;  // dots of earlier layers
  for (Layer& whole : drawing.layers) {
    Points dots;
    dots.domain = {drawing.width, drawing.height, false};
    for (const Disc& disc : whole.discs) {
      dots.x.push_back(disc.center.x);
      dots.y.push_back(disc.center.y);
    }
    const std::vector<std::vector<float>> shares(
        count, std::vector<float>(dots.size(), 1 / static_cast<float>(parts)));
    const std::vector<std::int32_t> part_of = dot_classes(dots, shares, context);
    for (int part = 0; part < parts; ++part) {
      Layer layer;
      layer.name =
          whole.name + ", part " + std::to_string(part + 1) + " of " + std::to_string(parts);
      layer.color = whole.color;
      layer.ink = whole.ink;
      layer.same_pen = part > 0;
      if (part == 0) layer.lines = std::move(whole.lines);
      Points own;
      own.domain = dots.domain;
      std::vector<std::size_t> chosen;
      for (std::size_t i = 0; i < dots.size(); ++i) {
        if (part_of[i] != part) continue;
        own.append(dots, i);
        chosen.push_back(i);
      }
      for (const std::int32_t k : drawing_order(own, order, context)) {
        const std::size_t dot = chosen[static_cast<std::size_t>(k)];
        layer.discs.push_back(whole.discs[dot]);
        places.push_back(before + dot);
      }
      layers.push_back(std::move(layer));
    }
    before += dots.size();
  }
  drawing.layers = std::move(layers);
  return places;
}

Tiling tiling_of(const Drawing& drawing, const StippleOptions& options,
                 const StippleLayout& layout) {
  Tiling tiling;
  if (!options.tiles) return tiling;
  const Scale scale{static_cast<double>(std::min(layout.width, layout.height)),
                    1 / layout.place.mm_per_pixel};
  tiling.overlap = options.tile_overlap.pixels(scale) * layout.place.mm_per_pixel;
  tiling.order = options.progressive ? DotOrder::none : options.order;
  tiling.columns = options.tiles.columns;
  tiling.rows = options.tiles.rows;
  if (options.tiles.area.empty()) return tiling;
  // Every tile but the first and the last has a seam on both sides.
  const double seam = 0.5 * tiling.overlap + reach_of_marks(drawing);
  const auto number = [&](double paper, double area) {
    if (paper <= area) return 1;
    if (paper <= 2 * (area - seam)) return 2;
    constexpr double most = 100;
    const double cell = area - 2 * seam;
    if (!(cell > 0) || paper / cell > most) {
      throw Error(ErrorKind::usage,
                  Problem{"tiles", "an area of " + to_text(options.tiles.area) +
                                       " leaves no room for a tile next to the `tile-overlap`: "
                                       "give a larger area or a smaller overlap"});
    }
    return static_cast<int>(std::ceil(paper / cell));
  };
  tiling.columns = number(drawing.width, options.tiles.area.width_mm());
  tiling.rows = number(drawing.height, options.tiles.area.height_mm());
  return tiling;
}

namespace {

// Returns the number of dots that are drawn or that lines go through.
std::size_t dots_in(const Drawing& drawing) {
  std::size_t dots = 0;
  for (const Layer& layer : drawing.layers) {
    dots += layer.discs.size();
    for (const Polyline& line : layer.lines) dots += line.points.size();
  }
  return dots;
}

}  // namespace

std::size_t leave_out(Drawing& drawing, std::int64_t count) {
  const std::size_t all = dots_in(drawing);
  const bool lines = std::all_of(drawing.layers.begin(), drawing.layers.end(),
                                 [](const Layer& layer) { return layer.discs.empty(); });
  if (!leave_out_first(drawing, count)) {
    throw Error(ErrorKind::usage,
                Problem{"from", "leaves nothing to draw: the drawing has at most " +
                                    std::to_string(count) + " dots and lines" +
                                    (lines ? " (`path tsp` counts each line as one)" : "")});
  }
  return all - dots_in(drawing);
}

}  // namespace dapple::stippling
