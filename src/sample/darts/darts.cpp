// Places maximal Poisson-disk sets with a radius that varies in space. Tiles are visited in phases
// with counter-based random numbers (Wei 2008). Darts come first, then proof by subdivision
// (Ebeida, Mitchell, Patney, Davidson, Owens 2012).
//
// Differences: tiles are leaves of a quadtree, as large as their smallest radius allows, so any mix
// of sizes works. Blocks of tiles are visited concurrently. Darts fall on maps of open squares.
// There is no grid of points: a visit copies the few points that matter to its tile. It tests each
// with its own radius, which makes every symmetric rule equally simple.
#include "sample/darts/darts.hpp"

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/darts/tile_kernel.hpp"

namespace dapple {
namespace {

// More darts cost more than the fill that they save.
constexpr int rounds = 2;
constexpr double darts_per_round = 2;  // per area of r^2
constexpr std::size_t stretch = 128;   // blocks between two reports of progress

void require_room(const DensityField& field, ConflictRule rule, Context& context) {
  const double expected = packing_constant(SampleMethod::darts, rule) * field.integral();
  context.require_memory(
      expected * 90,
      "sampling about " + std::to_string(std::llround(std::min(expected, 1e18))) + " points");
  if (expected > 2e9) {
    throw Error(ErrorKind::limit,
                "the radius needs more than 2000000000 points; use a larger `radius`");
  }
}

// Visits every tile once, phase by phase.
void for_each_tile(const VisitJob& job, double& done, double per_tile, Context& context,
                   void (*visit)(const VisitJob&, std::span<const std::uint32_t>)) {
  for (const std::vector<std::uint32_t>& phase : job.set.phases()) {
    for (std::size_t from = 0; from < phase.size(); from += stretch) {
      const std::size_t blocks = std::min(stretch, phase.size() - from);
      parallel_for(context, blocks,
                   [&](std::size_t k) { visit(job, job.set.block(phase[from + k])); });
      for (std::size_t k = 0; k < blocks; ++k) {
        done += per_tile * static_cast<double>(job.set.block(phase[from + k]).size());
      }
      context.progress(done);
    }
  }
}

// Returns the points of `start`, and the points after the first `given[tile]` of each tile.
Points collect(const DensityField& field, const TileSet& set, const TilePoints& points,
               const Points* start, const std::vector<std::uint32_t>& given) {
  std::size_t total = 0;
  for (std::size_t t = 0; t < set.tiles().size(); ++t) total += points.count(t);
  Points result;
  result.domain = field.domain();
  result.x.reserve(total);
  result.y.reserve(total);
  result.radius.reserve(total);
  if (start != nullptr) {
    for (std::size_t i = 0; i < start->size(); ++i) {
      result.add((*start)[i], static_cast<float>(field.radius((*start)[i])));
    }
  }
  for (std::size_t t = 0; t < set.tiles().size(); ++t) {
    const Tile& tile = set.tiles()[t];
    const std::size_t first = given.empty() ? 0 : given[t];
    for (std::size_t i = tile.first + first; i < tile.first + points.count(t); ++i) {
      result.add(points.place(tile, i), points.radius(i));
    }
  }
  return result;
}

Points run(const DensityField& field, ConflictRule rule, const TileSet& set, const Points* start,
           const Points* kept, Context& context) {
  const SafeField safe(field);
  TilePoints points(set);
  if (kept != nullptr) points.obstacles = Obstacles(set, *kept, context);
  double done = 0;
  const double per_tile = 1.0 / static_cast<double>(set.tiles().size());
  VisitJob job{set, points, safe, rule, context.seed};
  job.darts = darts_per_round;
  std::vector<std::uint32_t> given;
  if (start != nullptr) {
    for (std::size_t i = 0; i < start->size(); ++i) {
      const Vec2 p = (*start)[i];
      const std::uint32_t tile = set.tile_at(p);
      points.add(set.tiles()[tile], tile, p, safe.map_radius(p));
    }
    for (std::size_t t = 0; t < set.tiles().size(); ++t) given.push_back(points.count(t));
  } else {
    for (; job.round < rounds; ++job.round) {
      for (const int octave : set.jump_octaves()) {
        job.octave = octave;
        for_each_tile(job, done, 0, context, throw_darts);
      }
      job.octave = Tile::smooth;
      for_each_tile(job, done, 0.2 * per_tile, context, throw_darts);
    }
  }
  for_each_tile(job, done, (1 - done) * per_tile, context, fill_tiles);
  return collect(field, set, points, start, given);
}

}  // namespace

Points darts(const DensityField& field, ConflictRule rule, const Points* start, Context& context,
             const Points* kept) {
  require_room(field, rule, context);
  if (Points points; start == nullptr && kept == nullptr && field.is_constant() &&
                     constant_darts(field, context, points)) {
    context.progress(1);
    return points;
  }
  TileSet set(field, rule, context);
  if (!set.link(context.seed)) return darts_one_by_one(field, rule, set, start, kept, context);
  context.require_memory(static_cast<double>(set.capacity()) * 24, "sampling at this radius");
  return run(field, rule, set, start, kept, context);
}

}  // namespace dapple
