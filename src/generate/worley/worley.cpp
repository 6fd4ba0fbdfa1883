// Makes cell textures from a point set (Worley 1996): searches, adds octaves and hands over to the
// outputs. search.cpp, edge.cpp and voronoi_cell.cpp hold the searches, slices.cpp volumes and
// animations, outputs.cpp the outputs.
#include "dapple/worley.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "generate/worley/outputs.hpp"
#include "generate/worley/search.hpp"
#include "generate/worley/texture.hpp"
#include "generate/worley/tile.hpp"
#include "sample/samplers.hpp"

namespace dapple::cells {
namespace {

void add_weighted(Band<float>& sum, const Band<float>& band, float weight) {
  if (sum.empty() || band.empty()) return;
  for (std::size_t i = 0; i < sum.plane.size(); ++i) {
    sum.plane.values()[i] += weight * band.plane.values()[i];
  }
}

SiteGrid grid_of(const Points& sites, double place, int width, int height,
                 const WorleyOptions& options, Context& context) {
  return {sites, width, height, context, lifts_of(sites, width, height, options, place)};
}

// Ranks cells so that every prefix of the order is well spaced, and so are the cells after it.
// Random numbers would form clusters of like cells by chance, which show in a repeated texture.
std::vector<float> ranks_of(const Points& sites, int width, int height, Context& context) {
  Points even;
  even.domain = {1.0 * width, 1.0 * height, sites.domain.wrap};
  for (std::size_t i = 0; i < sites.size(); ++i) {
    const Vec2 place{sites.x[i] / sites.domain.width * width,
                     sites.y[i] / sites.domain.height * height};
    even.add(even.domain.wrapped(place), 1);
    even.id.push_back(static_cast<std::int32_t>(i));
  }
  const Points order = in_progressive_order(even, DensityField::constant(even.domain, 1),
                                            ConflictRule::mean, context);
  std::vector<float> ranks(sites.size());
  for (std::size_t k = 0; k < order.size(); ++k) {
    ranks[static_cast<std::size_t>(order.id[k])] =
        static_cast<float>((static_cast<double>(k) + 0.5) / static_cast<double>(order.size()));
  }
  return ranks;
}

}  // namespace

double memory_needed(std::span<const Points> octaves, double pixels, const WorleyOptions& options) {
  const OutputNeeds needs = needs_of(options);
  double sites = 0;
  for (const Points& octave : octaves) sites += static_cast<double>(octave.size());
  const auto distances =
      std::count(needs.cells.distances.begin(), needs.cells.distances.end(), true);
  const double planes =
      2 + needs.planes + static_cast<double>(distances) + worley_channels(options.outputs);
  // Bytes per site of shapes, corners, and the grid of corners.
  const double shapes =
      (needs.euclidean() ? 200 : 0) + (needs.borders ? 400 : 0) + (options.antialias ? 250 : 0);
  return planes * 4 * pixels + (40 + shapes) * sites;
}

Texture::Texture(std::span<const Points> octaves, double place, int width_px, int height_px,
                 double unit, const WorleyOptions& texture_options, Context& running)
    : options(texture_options),
      outputs(parse_outputs(texture_options.outputs)),
      context(running),
      width(width_px),
      height(height_px),
      rows{0, height_px},
      grid(grid_of(octaves[0], place, width_px, height_px, texture_options, running)),
      turned_(is_turned(texture_options)
                  ? std::optional<Turned>(std::in_place, texture_options, width_px, height_px)
                  : std::nullopt),
      stretch_(turned_ ? 1 : texture_options.stretch, width_px, height_px),
      needs_(needs_of(outputs, options)),
      unit_(unit),
      scale_{grid.domain().shorter_side() / unit, 0},
      edge_search_(grid) {
  require_sites();
  if (turned_) {
    context.require_pixels(turned_->columns(), turned_->rows(), "the raster of turned cells");
  }
  if (stretch_) {
    context.require_pixels(stretch_.columns(), stretch_.rows(), "the raster of stretched cells");
    stretched_grid_.emplace(octaves[0], stretch_.columns(), stretch_.rows(), context);
  }
  if (needs_.cells.distances[0]) check_smooth(grid, 1);
  double weight = 1;
  double size = 1;
  for (const Points& finer : octaves.subspan(1)) {
    weight *= 2 * options.roughness;
    size *= 0.5;
    if (finer.empty()) continue;
    add_octave(grid_of(finer, place, stretch_.columns(), stretch_.rows(), options, context),
               static_cast<float>(weight), static_cast<float>(size));
  }
  if (needs_.ranks) ranks = ranks_of(octaves[0], width, height, context);
  if (needs_.borders) borders = cell_borders(grid, context);
  if (!needs_.shapes && !needs_.corners) return;
  CellShapes found = cell_shapes(grid, context);
  shapes = std::move(found.of);
  if (!needs_.corners) return;
  if (found.corners.empty()) {
    throw Error(ErrorKind::input,
                "the output corner needs a place where three cells meet, but these sites have "
                "none: add sites");
  }
  corner_grid_.emplace(found.corners, width, height, context);
}

void Texture::require_sites() const {
  if (needs_.ranks && slices_of(options) > 1) {
    throw Error(ErrorKind::usage,
                "`outputs rank` works only with flat cells that do not move: leave `frames` and "
                "the depth of `size` out, or use random");
  }
  const auto farthest = static_cast<std::size_t>(needs_.cells.farthest());
  if (grid.size() < farthest) {
    const std::string count = std::to_string(farthest);
    throw Error(ErrorKind::input,
                "f" + count + " needs " + count + " sites, but there " +
                    (grid.size() == 1 ? "is only one" : "are only " + std::to_string(grid.size())));
  }
  if (needs_.edges && !grid.distinct() && !grid.domain().wrap) {
    throw Error(ErrorKind::input,
                "the output edge needs sites at two different places or more, because one cell has "
                "no border");
  }
}

void Texture::add_octave(SiteGrid finer_grid, float weight, float size) {
  CellQuery query{{}, false, options.metric};
  for (std::size_t k = 0; k < std::min(most_distances, finer_grid.size()); ++k) {
    query.distances[k] = needs_.cells.distances[k];
  }
  query.distances[0] = query.distances[0] || has_detail();
  if (query.distances[0]) check_smooth(finer_grid, size);
  finer_.push_back({std::move(finer_grid), query, weight, size});
}

void Texture::search(RowRange range) {
  rows = range;
  cells = search_of(stretched_grid_ ? *stretched_grid_ : grid, needs_.cells, 1);
  if (needs_.traced) {
    const CellFrame frame = turned_ ? turned_->frame() : CellFrame::of_steps(stretch_.steps());
    edges = traced_edges(
        grid.domain(), cells.nearest, [&](int x, int y) { return way(x, y); }, options.metric,
        frame, context);
  } else if (needs_.edges) {
    edges = edge_search_.search(rows, context);
  }
  if (corner_grid_) {
    CellQuery nearest;
    nearest.distances[0] = true;
    corners = std::move(search_cells(*corner_grid_, nearest, rows, context).distance[0]);
  }
  detail = {};
  for (const Octave& octave : finer_) {
    const Cells finer = search_of(octave.grid, octave.query, octave.size);
    for (std::size_t k = 0; k < most_distances; ++k) {
      add_weighted(cells.distance[k], finer.distance[k], octave.weight);
    }
    if (!has_detail()) continue;
    // Rough plates are highest at the finer sites.
    if (detail.empty()) detail = {Plane<float>(width, rows.count()), rows.first};
    add_weighted(detail, finer.distance[0], -octave.weight);
  }
}

Cells Texture::search_of(const SiteGrid& sites, const CellQuery& query, float size) {
  if (turned_) return search_turned(sites, query, size);
  if (!stretch_) {
    Cells found = search_cells(sites, query, rows, context);
    smooth(sites, found, size);
    return found;
  }
  const RowRange picture = rows;
  rows = {0, stretch_.rows()};
  Cells found = search_cells(sites, query, rows, context);
  smooth(sites, found, size * static_cast<float>(stretch_.across()));
  rows = picture;
  const bool wrap = sites.domain().wrap;
  for (Band<float>& distance : found.distance) {
    if (!distance.empty()) {
      distance = {stretch_.distances(distance.plane, wrap, context), 0};
    }
  }
  if (!found.nearest.empty()) {
    found.nearest = {stretch_.labels(found.nearest.plane, wrap, context), 0};
  }
  return found;
}

Cells Texture::search_turned(const SiteGrid& sites, const CellQuery& query, float size) {
  const RowRange all{0, turned_->rows()};
  const float over = size * pixels(options.smooth) * static_cast<float>(turned_->scale());
  Turned::Change change;
  if (over > 0 && query.distances[0]) {
    change.reach = smooth_reach(over);
    change.make = [&](const SiteGrid& round, Cells& found) {
      smooth_nearest(round, options.metric, over, all, found.distance[0], context);
    };
  }
  Turned::Found found = turned_->search(sites, query, change, context);
  if (query.nearest) {
    image_ = std::move(found.image);
    images_ = std::move(found.images);
  }
  return std::move(found.cells);
}

void Texture::check_smooth(const SiteGrid& of, float size) const {
  const float over = size * pixels(options.smooth);
  if (over <= 0) return;
  const double side = of.domain().shorter_side();
  if (over > 0.5 * side) {
    throw Error(ErrorKind::usage,
                Problem{"smooth", "must be at most half of the shorter side, which is " +
                                      shortest(0.5 * side / unit_) + " px"});
  }
  // Counts the images of sites that a tile of each thread looks at.
  const double window = 2 * smooth_reach(over) + 2 * largest_tile;
  const double count = static_cast<double>(of.size()) * window * window / of.domain().area();
  context.require_memory(100 * count, "`smooth` " + shortest(options.smooth.value));
}

void Texture::smooth(const SiteGrid& of, Cells& found, float size) const {
  const float over = size * pixels(options.smooth);
  if (over <= 0 || found.distance[0].empty()) return;
  smooth_nearest(of, options.metric, over, rows, found.distance[0], context);
}

void Texture::warp() {
  const float amount = pixels(options.warp);
  if (amount <= 0) return;
  const Warp warp(width, height, grid.domain().wrap, amount, context);
  const auto bend = [&](auto& band) {
    if (!band.empty()) band.plane = warp.apply(band.plane);
  };
  for (Band<float>& distance : cells.distance) bend(distance);
  bend(edges);
  bend(corners);
  bend(detail);
  bend(cells.nearest);
}

void Texture::find_heights(const Extremes& found) {
  heights = found;
  if (!needs_.range || heights.known()) return;
  const Relief relief(*this);
  heights.add(plane_of([&](int x, int y) { return relief.at(x, y); }));
}

float Texture::height_factor() const {
  const float wanted = pixels(options.height_scale);
  return wanted > 0 && heights.range() > 0 ? wanted / heights.range() : 1;
}

Image make_slice(std::span<const Points> octaves, double place, int width, int height, double unit,
                 const WorleyOptions& options, const Extremes& heights, Context& context) {
  context.require_memory(memory_needed(octaves, 1.0 * width * height, options), "a cell texture");
  Texture texture(octaves, place, width, height, unit, options, context);
  texture.search({0, height});
  texture.warp();
  texture.find_heights(heights);
  return take_image(texture);
}

}  // namespace dapple::cells
