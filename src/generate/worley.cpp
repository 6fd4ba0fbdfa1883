// Cell textures from a point set (Worley 1996): what is searched for, octaves, and the way to the
// outputs. worley_search.cpp, worley_edge.cpp and worley_shape.cpp hold the searches,
// worley_slices.cpp volumes and animations, worley_outputs.cpp the outputs.
#include "dapple/worley.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dapple/error.hpp"
#include "generate/worley_search.hpp"
#include "generate/worley_texture.hpp"
#include "generate/worley_tile.hpp"

namespace dapple {
namespace {

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
  const double shapes =
      (needs.euclidean() ? 200 : 0) + (needs.borders ? 400 : 0) + (options.antialias ? 250 : 0);
  return planes * 4 * pixels + (40 + shapes) * sites;
}

}  // namespace

Texture::Texture(const PointSet& sites, double slice_place, int width_px, int height_px,
                 double unit, const WorleyOptions& texture_options, Context& running)
    : options(texture_options),
      context(running),
      width(width_px),
      height(height_px),
      grid(sites, width_px, height_px, running,
           lifts_of(sites, width_px, height_px, texture_options, slice_place)),
      needs_(needs_of(options)),
      place_(slice_place),
      unit_(unit),
      scale_{grid.domain().shorter_side() / unit, 0} {
  search();
  smooth(grid, cells, 1);
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
  cells = search_cells(grid, query, context);
  if (needs_.edges) edges = search_edges(grid, context);
  if (needs_.borders) borders = cell_borders(grid, context);
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
  const SiteGrid finer_grid(sites, width, height, context,
                            lifts_of(sites, width, height, options, place_));
  CellQuery query{{}, false, options.metric};
  for (std::size_t k = 0; k < std::min(most_distances, finer_grid.size()); ++k) {
    query.distances[k] = !cells.distance[k].empty();
  }
  const bool plates = needs_.relief && options.height_of == HeightOf::edge;
  query.distances[0] = query.distances[0] || plates;
  Cells finer = search_cells(finer_grid, query, context);
  smooth(finer_grid, finer, size);
  for (std::size_t k = 0; k < most_distances; ++k) {
    add_weighted(cells.distance[k], finer.distance[k], weight);
  }
  if (plates) {
    // Rough plates: highest at the finer sites.
    if (detail.empty()) detail = Plane<float>(width, height);
    add_weighted(detail, finer.distance[0], -weight);
  }
}

void Texture::smooth(const SiteGrid& of, Cells& found, float size) const {
  const float over = size * pixels(options.smooth);
  if (over <= 0 || found.distance[0].empty()) return;
  const double side = of.domain().shorter_side();
  if (over > 0.5 * side) {
    throw Error(ErrorKind::usage, "--smooth: at most half of the shorter side, which is " +
                                      shortest(0.5 * side / unit_) + " px");
  }
  // Images of sites that a tile of each thread looks at.
  const double window = 2 * smooth_reach(over) + 2 * largest_tile;
  const double count = static_cast<double>(of.size()) * window * window / of.domain().area();
  context.require_memory(100 * count, "--smooth " + shortest(options.smooth.value));
  smooth_nearest(of, options.metric, over, found.distance[0], context);
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

Image make_slice(std::span<const PointSet> octaves, double place, int width, int height,
                 double unit, const WorleyOptions& options, Context& context) {
  const double sites = static_cast<double>(octaves.back().size());
  context.require_memory(memory_needed(sites, 1.0 * width * height, options, needs_of(options)),
                         "a cell texture");
  Texture texture(octaves[0], place, width, height, unit, options, context);
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

}  // namespace dapple
