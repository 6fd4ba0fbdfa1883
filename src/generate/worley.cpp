// Cell textures from a point set (Worley 1996): what is searched for, octaves, and the way to the
// outputs. worley_search.cpp, worley_edge.cpp and worley_shape.cpp hold the searches,
// worley_outputs.cpp the outputs.
#include "dapple/worley.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dapple/error.hpp"
#include "generate/worley_search.hpp"
#include "generate/worley_texture.hpp"

namespace dapple {
namespace {

// A smooth F1 looks at so many distances, as far as there are sites.
constexpr std::size_t smoothed = 3;

void add_weighted(Plane<float>& sum, const Plane<float>& plane, float weight) {
  if (sum.empty() || plane.empty()) return;
  for (std::size_t i = 0; i < sum.size(); ++i) sum.values()[i] += weight * plane.values()[i];
}

// Channels, distances, ids and sites in bins, all at the same time.
double memory_needed(double sites, double pixels, const WorleyOptions& options,
                     const OutputNeeds& needs) {
  const auto distances =
      std::count(needs.cells.distances.begin(), needs.cells.distances.end(), true);
  const double planes = 2 + static_cast<double>(distances) + worley_channels(options.outputs);
  // Shapes, corners, and the grid of these.
  const double shapes = needs.euclidean() ? 200 : 0;
  return planes * 4 * pixels + (40 + shapes) * sites;
}

}  // namespace

Texture::Texture(const PointSet& sites, int width_px, int height_px, double unit,
                 const WorleyOptions& texture_options, Context& running)
    : options(texture_options),
      context(running),
      width(width_px),
      height(height_px),
      grid(sites, width_px, height_px, running),
      needs_(needs_of(options)),
      unit_(unit),
      scale_{grid.domain().shorter_side() / unit, 0} {
  search();
  if (options.smooth.value > 0) smooth(cells, pixels(options.smooth));
}

void Texture::search() {
  CellQuery query = needs_.cells;
  const auto farthest = static_cast<std::size_t>(query.farthest());
  if (grid.size() < farthest) {
    const std::string count = std::to_string(farthest);
    throw Error(ErrorKind::input,
                "f" + count + " needs " + count + " sites, but there " +
                    (grid.size() == 1 ? "is only one" : "are only " + std::to_string(grid.size())));
  }
  if (needs_.edges && !grid.distinct() && !grid.domain().wrap) {
    throw Error(ErrorKind::input,
                "an edge needs sites at two different places: with one cell there is no border");
  }
  if (options.smooth.value > 0 && farthest > 0) {
    std::fill_n(query.distances.begin(), std::min(smoothed, grid.size()), true);
  }
  cells = search_cells(grid, query, context);
  if (needs_.edges) edges = search_edges(grid, context);
  if (!needs_.shapes && !needs_.corners) return;
  CellShapes found = cell_shapes(grid, context);
  shapes = std::move(found.of);
  if (!needs_.corners) return;
  if (found.corners.empty()) {
    throw Error(ErrorKind::input,
                "a corner needs three cells that meet: the sites have no such place");
  }
  CellQuery nearest;
  nearest.distances[0] = true;
  corners = std::move(
      search_cells(SiteGrid(found.corners, width, height, context), nearest, context).distance[0]);
}

void Texture::add_octave(const PointSet& sites, float weight, float size) {
  const SiteGrid finer_grid(sites, width, height, context);
  CellQuery query{{}, false, options.metric};
  for (std::size_t k = 0; k < std::min(most_distances, finer_grid.size()); ++k) {
    query.distances[k] = !cells.distance[k].empty();
  }
  const bool plates = needs_.relief && options.height_of == HeightOf::edge;
  query.distances[0] = query.distances[0] || plates;
  Cells finer = search_cells(finer_grid, query, context);
  if (options.smooth.value > 0) smooth(finer, size * pixels(options.smooth));
  for (std::size_t k = 0; k < most_distances; ++k) {
    add_weighted(cells.distance[k], finer.distance[k], weight);
  }
  if (plates) {
    // Rough plates: highest at the finer sites.
    if (detail.empty()) detail = Plane<float>(width, height);
    add_weighted(detail, finer.distance[0], -weight);
  }
}

void Texture::warp() {
  const float amount = pixels(options.warp);
  if (amount <= 0) return;
  const Warp warp(width, height, grid.domain().wrap, amount, context);
  const auto bend = [&](auto& plane) {
    if (!plane.empty()) plane = warp.apply(plane);
  };
  for (Plane<float>& distance : cells.distance) bend(distance);
  bend(edges);
  bend(corners);
  bend(detail);
  bend(cells.nearest);
}

// The polynomial smooth minimum of Quilez (2013), of three: creases within `over` are rounded.
void Texture::smooth(Cells& of, float over) const {
  const auto blend = [over](float a, float b) {
    const float h = std::max(over - std::abs(a - b), 0.0f) / over;
    return std::min(a, b) - 0.25f * h * h * over;
  };
  auto& distance = of.distance;
  if (distance[1].empty() || over <= 0) return;
  distance[0] = plane_of([&](int x, int y) {
    float least = blend(distance[0](x, y), distance[1](x, y));
    if (!distance[2].empty()) least = blend(least, distance[2](x, y));
    return std::max(least, 0.0f);
  });
}

float Relief::at(int x, int y) const {
  const auto& distance = texture_.cells.distance;
  switch (texture_.options.height_of) {
    case HeightOf::f1:
      return -distance[0](x, y);
    case HeightOf::f2_f1:
      return distance[1](x, y) - distance[0](x, y);
    case HeightOf::edge:
      break;
  }
  const float edge = texture_.edges(x, y);
  const float detail = texture_.detail.empty() ? 0 : texture_.detail(x, y);
  if (bevel_ <= 0) return edge + detail;
  // A quarter circle up to the bevel's width, level beyond.
  const float t = 1 - std::min(edge / bevel_, 1.0f);
  return bevel_ * std::sqrt(1 - t * t) + detail;
}

float Relief::slope(int x, int y, int dx, int dy) const {
  int x0 = x - dx, y0 = y - dy, x1 = x + dx, y1 = y + dy;
  if (texture_.grid.domain().wrap) {
    x0 = (x0 + texture_.width) % texture_.width;
    y0 = (y0 + texture_.height) % texture_.height;
    x1 %= texture_.width;
    y1 %= texture_.height;
    return 0.5f * (at(x1, y1) - at(x0, y0));
  }
  x0 = std::max(x0, 0);
  y0 = std::max(y0, 0);
  x1 = std::min(x1, texture_.width - 1);
  y1 = std::min(y1, texture_.height - 1);
  const int span = x1 - x0 + y1 - y0;
  return span == 0 ? 0.0f : (at(x1, y1) - at(x0, y0)) / static_cast<float>(span);
}

Image make_texture(std::span<const PointSet> octaves, int width, int height, double unit,
                   const WorleyOptions& options, Context& context) {
  const OutputNeeds needs = needs_of(options);
  for (const PointSet& sites : octaves) validate(sites);
  if (octaves.empty() || octaves[0].empty()) {
    throw Error(ErrorKind::input, "there are no sites: a cell texture needs at least one point");
  }
  context.require_pixels(width, height, "a cell texture");
  const double sites = static_cast<double>(octaves.back().size());
  context.require_memory(memory_needed(sites, 1.0 * width * height, options, needs),
                         "a cell texture");
  const auto stage = context.stage("worley");
  context.check();
  Texture texture(octaves[0], width, height, unit, options, context);
  double weight = 1;
  double size = 1;
  for (const PointSet& finer : octaves.subspan(1)) {
    weight *= 2 * options.roughness;
    size *= 0.5;
    if (finer.empty()) continue;
    texture.add_octave(finer, static_cast<float>(weight), static_cast<float>(size));
  }
  texture.warp();
  return take_image(texture);
}

Image worley(const PointSet& sites, int width, int height, const WorleyOptions& options,
             Context& context) {
  return make_texture({&sites, 1}, width, height, 1, options, context);
}

Image worley(std::span<const PointSet> octaves, int width, int height, const WorleyOptions& options,
             Context& context) {
  return make_texture(octaves, width, height, 1, options, context);
}

}  // namespace dapple
