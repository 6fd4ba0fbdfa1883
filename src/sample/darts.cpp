// Maximal Poisson-disk sampling with a radius that varies in space: tiles in phases with
// counter-based random numbers (Wei 2008), darts first and then proof by subdivision (Ebeida,
// Mitchell, Patney, Davidson, Owens 2012).
//
// What differs: the tiles are leaves of a quadtree, as large as the smallest radius in them allows,
// and their phases come from colouring the graph of tiles that can see each other, so any mix of
// sizes works. No grid of points exists: a visit copies the few points that matter to its tile and
// tests each with its own radius, which makes every symmetric rule equally simple.
#include "sample/darts.hpp"

#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "sample/darts_visit.hpp"

namespace dapple {
namespace {

// One dart a cell and round. A third round costs more than the fill it saves.
constexpr int rounds = 2;
constexpr std::size_t block = 32;     // tiles a task
constexpr std::size_t stretch = 512;  // blocks between two reports of progress

void require_room(const DensityField& field, ConflictRule rule, Context& context) {
  const double expected = packing_constant(SampleMethod::darts, rule) * field.integral();
  context.require_memory(
      expected * 90,
      "sampling about " + std::to_string(std::llround(std::min(expected, 1e18))) + " points");
  if (expected > 2e9) {
    throw Error(ErrorKind::limit, "the radius asks for more than 2000000000 points; enlarge it");
  }
}

// Visits every tile once, phase by phase. visit(Visit&, tile).
template <ConflictRule rule, class Body>
void for_each_tile(const TileSet& set, TilePoints& points, const SafeField& field, double& done,
                   double per_tile, Context& context, Body body) {
  for (const std::vector<std::uint32_t>& phase : set.phases()) {
    const std::size_t blocks = (phase.size() + block - 1) / block;
    for (std::size_t from = 0; from < blocks; from += stretch) {
      parallel_for(context, std::min(stretch, blocks - from), [&](std::size_t k) {
        Visit<rule> visit(set, points, field);
        const std::size_t first = (from + k) * block;
        for (std::size_t i = first; i < std::min(phase.size(), first + block); ++i) {
          body(visit, phase[i]);
        }
      });
      context.progress(done);
    }
    done += per_tile * static_cast<double>(phase.size());
  }
}

PointSet collect(const DensityField& field, const TileSet& set, const TilePoints& points) {
  std::size_t total = 0;
  for (const std::uint32_t count : points.count) total += count;
  PointSet result;
  result.domain = field.domain();
  result.x.reserve(total);
  result.y.reserve(total);
  result.radius.reserve(total);
  for (std::size_t t = 0; t < set.tiles().size(); ++t) {
    const std::size_t first = set.tiles()[t].first;
    for (std::size_t i = first; i < first + points.count[t]; ++i) {
      const Vec2 p{points.at[i].x, points.at[i].y};
      result.add(p, static_cast<float>(field.radius(p)));
    }
  }
  return result;
}

template <ConflictRule rule>
PointSet run(const DensityField& field, const TileSet& set, const PointSet* start,
             const PointSet* kept, Context& context) {
  const SafeField safe(field);
  TilePoints points(set);
  if (kept != nullptr) points.obstacles = Obstacles(set, *kept);
  double done = 0;
  const double per_tile = 1.0 / static_cast<double>(set.tiles().size());
  if (start != nullptr) {
    for (std::size_t i = 0; i < start->size(); ++i) {
      const Vec2 p = (*start)[i];
      const std::uint32_t tile = set.tile_at(p);
      points.add(set.tiles()[tile], tile, p, safe.radius(p));
    }
  } else {
    for (int round = 0; round < rounds; ++round) {
      for_each_tile<rule>(set, points, safe, done, 0.2 * per_tile, context,
                          [&](Visit<rule>& visit, std::uint32_t tile) {
                            visit.throw_darts(tile, context.seed, round);
                          });
    }
  }
  for_each_tile<rule>(
      set, points, safe, done, (1 - done) * per_tile, context,
      [&](Visit<rule>& visit, std::uint32_t tile) { visit.fill(tile, context.seed); });
  return collect(field, set, points);
}

}  // namespace

PointSet darts(const DensityField& field, ConflictRule rule, const PointSet* start,
               Context& context, const PointSet* kept) {
  require_room(field, rule, context);
  if (PointSet points; start == nullptr && kept == nullptr && field.is_constant() &&
                       constant_darts(field, context, points)) {
    return points;
  }
  TileSet set(field, rule, context);
  if (!set.link()) return darts_one_by_one(field, rule, set, start, kept, context);
  context.require_memory(static_cast<double>(set.capacity()) * 24, "sampling at this radius");
  return with_rule(rule,
                   [&](auto constant) { return run<constant>(field, set, start, kept, context); });
}

}  // namespace dapple
