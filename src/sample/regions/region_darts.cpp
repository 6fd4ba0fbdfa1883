// Finds a radius for each region. The first fill uses a predicted radius, at which most
// regions hold a few points less than they should. Then its radius shrinks, and new points fill the
// gaps that open, until there are enough. The points beyond the number are those of the last fill,
// which were gaps at the radius before: the set has no larger gap than a maximal one. If the first
// fill holds too many, as in narrow polygons, the most crowded points go.
#include "sample/regions/region_darts.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/constants.hpp"
#include "core/morton.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/darts/near_lists.hpp"
#include "sample/darts/tile_kernel.hpp"
#include "sample/samplers.hpp"

namespace dapple {
namespace {

constexpr double packing = 0.7;        // points per area of r^2 of darts
constexpr double border_width = 0.35;  // of the strip that free borders add to the area, in radii
constexpr double overshoot = 0.985;    // factor that makes a shrunk radius give enough points
constexpr double least_shrink = 0.75;
constexpr int most_divisions = 60;
constexpr double smallest_part = 1e-4;  // of the first radius
// The radius may fall to this part before tiles are made again; with few points it varies more.
constexpr float room_to_shrink = 0.5f;
constexpr float room_of_few = 0.2f;
constexpr std::int64_t few = 64;
constexpr int rounds = 2;  // of darts before a region is filled
constexpr double darts_per_round = 2;
constexpr int area_rows = 256;

class RegionDarts {
 public:
  RegionDarts(const Regions& regions, const RegionShapes& shapes, RegionRequest& request,
              Context& context)
      : regions_(regions), shapes_(shapes), request_(request), context_(context) {
    choose_radii();
    choose_order();
  }

  Points run() {
    if (order_.empty()) return {};
    for (int i = 0; i < most_divisions; ++i) {
      if (Points points; divide(points)) return points;
    }
    throw Error(ErrorKind::limit, "no radii found that give each region its number of points");
  }

 private:
  std::int64_t wanted(std::size_t k) const {
    return request_.counts.empty() ? -1 : request_.counts[k];
  }

  void choose_radii() {
    radius_.assign(shapes_.size(), static_cast<float>(request_.radius));
    double points = 0;
    for (std::size_t k = 0; k < shapes_.size(); ++k) points += static_cast<double>(wanted(k));
    std::vector<double> area(shapes_.size());
    parallel_for(context_, shapes_.size(), [&](std::size_t k) {
      if (wanted(k) != 0) area[k] = shapes_.area(k, area_rows);
    });
    if (request_.counts.empty()) {
      points = packing * std::accumulate(area.begin(), area.end(), 0.0) /
               (request_.radius * request_.radius);
    }
    context_.require_memory(points * 120, "sampling regions");
    if (points > 2e9) {
      throw Error(ErrorKind::limit, "regions hold at most 2000000000 points: use a larger radius");
    }
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      if (wanted(k) <= 0) continue;
      if (!(area[k] > 0)) {
        throw Error(ErrorKind::input, name_of_region(regions_, k) + " has no area for its points");
      }
      const auto count = static_cast<double>(wanted(k));
      const double strip = packing * border_width * shapes_.perimeter(k);
      const double r =
          (strip + std::sqrt(strip * strip + 4 * count * packing * area[k])) / (2 * count);
      const Box& box = shapes_.box(k);  // whose diagonal leaves room for one point
      radius_[k] = static_cast<float>(std::min(r, length({box.width(), box.height()})));
    }
    first_radius_ = radius_;
  }

  // Puts neighboring regions next to each other.
  void choose_order() {
    std::vector<double> x, y;
    for (std::size_t k = 0; k < shapes_.size(); ++k) {
      x.push_back(0.5 * (shapes_.box(k).x0 + shapes_.box(k).x1));
      y.push_back(0.5 * (shapes_.box(k).y0 + shapes_.box(k).y1));
    }
    for (const std::uint32_t k : morton_order(x, y)) {
      if (wanted(k) != 0) order_.push_back(k);
    }
  }

  // Divides the regions into tiles and fills them. Returns false if a radius falls below the least
  // one of the tiles; radius_ then holds better ones.
  bool divide(Points& result) {
    RegionTiles tiles{shapes_, radius_, radius_,
                      request_.kept.empty() ? capped_mean : ConflictRule::mean};
    for (std::size_t k = 0; k < radius_.size(); ++k) {
      tiles.least_radius[k] *= wanted(k) < 0 ? 1 : wanted(k) < few ? room_of_few : room_to_shrink;
    }
    TileSet set(tiles, order_, context_);
    if (!set.link(context_.seed)) {
      throw Error(ErrorKind::limit,
                  "the regions differ so much in density that most points affect each other: "
                  "sample dense and sparse regions separately");
    }
    context_.require_memory(static_cast<double>(set.capacity()) * 24, "sampling regions");
    TilePoints points(set);
    if (!request_.kept.empty()) points.obstacles = Obstacles(set, with_radii(), context_);
    std::vector<char> state(shapes_.size(), fresh);
    for (int round = 0;; ++round) {
      fill(tiles, set, points, state, round);
      if (!settle(tiles, set, points, state, round)) break;
      for (const std::uint32_t k : order_) {
        if (radius_[k] < tiles.least_radius[k]) return false;
      }
      tiles.radius = radius_;
    }
    result = collect(tiles, set, points);
    return true;
  }

  // Fixed points without a radius get that of their region.
  const Points& with_radii() {
    Points& kept = request_.kept;
    missing_.resize(kept.size(), kept.radius.size() < kept.size());
    kept.radius.resize(kept.size());
    for (std::size_t i = 0; i < kept.size(); ++i) {
      missing_[i] = missing_[i] || !(kept.radius[i] > 0);
      if (missing_[i]) kept.radius[i] = radius_[static_cast<std::size_t>(kept.region[i])];
    }
    return kept;
  }

  // fresh: without points; open: with too few points; done: with the right number.
  enum State : char { fresh, open, done };

  void fill(const RegionTiles& tiles, TileSet& set, TilePoints& points,
            const std::vector<char>& state, int round) {
    before_.resize(set.tiles().size());
    std::int64_t work = 0;
    for (std::size_t t = 0; t < set.tiles().size(); ++t) {
      before_[t] = points.count(t);
      const std::uint32_t k = tiles.region[t];
      if (state[k] == done) continue;
      ++work;
      set.set_radius(t, static_cast<double>(radius_[k]) * safety);
      if (round > 0) points.begin_again(t, set.links(t), set.first_link(t));
    }
    const std::uint64_t seed =
        round == 0 ? context_.seed : hash(context_.seed, static_cast<std::uint64_t>(round));
    RegionJob job{set, points, tiles, tiles.rule, seed};
    job.darts = darts_per_round;
    const auto is_fresh = [&](std::uint32_t t) { return state[tiles.region[t]] == fresh; };
    for (; job.round < rounds; ++job.round) {
      for (const int octave : set.jump_octaves()) {
        job.octave = octave;
        visit(job, is_fresh, throw_darts);
      }
      job.octave = Tile::smooth;
      visit(job, is_fresh, throw_darts);
    }
    visit(
        job, [&](std::uint32_t t) { return state[tiles.region[t]] != done; }, fill_tiles);
  }

  template <class Chosen>
  void visit(const RegionJob& job, const Chosen& chosen,
             void (*body)(const RegionJob&, std::span<const std::uint32_t>)) {
    for (const std::vector<std::uint32_t>& phase : job.set.phases()) {
      parallel_for(context_, phase.size(), [&](std::size_t b) {
        std::vector<std::uint32_t> these;
        for (const std::uint32_t t : job.set.block(phase[b])) {
          if (chosen(t)) these.push_back(t);
        }
        if (!these.empty()) body(job, these);
      });
    }
  }

  // Takes the numbers of points and chooses the next radii. Returns false if all regions are done.
  bool settle(const RegionTiles& tiles, const TileSet& set, TilePoints& points,
              std::vector<char>& state, int round) {
    std::vector<std::int64_t> placed(shapes_.size());
    for (std::size_t t = 0; t < set.tiles().size(); ++t) placed[tiles.region[t]] += points.count(t);
    bool goes_on = false;
    for (std::size_t t = 0; t < set.tiles().size();) {
      const std::uint32_t k = tiles.region[t];
      std::size_t end = t;
      while (end < set.tiles().size() && tiles.region[end] == k) ++end;
      if (state[k] != done) {
        state[k] = next_state(k, placed[k]);
        if (state[k] == done && wanted(k) >= 0) {
          drop(set, points, t, end, static_cast<std::size_t>(placed[k] - wanted(k)), k, round);
        }
        goes_on = goes_on || state[k] != done;
      }
      t = end;
    }
    return goes_on;
  }

  State next_state(std::size_t k, std::int64_t placed) {
    const std::int64_t count = wanted(k);
    if (count < 0 || placed >= count) return done;
    const double ratio = std::sqrt(static_cast<double>(placed) / static_cast<double>(count));
    const auto r = static_cast<double>(radius_[k]);
    // Gaps of a full set take fewer points than a new set of the smaller radius would have.
    const double shrink = ratio * std::sqrt(ratio) * overshoot;
    radius_[k] = static_cast<float>(r * std::clamp(shrink, least_shrink, overshoot));
    if (!(radius_[k] > first_radius_[k] * static_cast<float>(smallest_part))) {
      throw Error(ErrorKind::limit, name_of_region(regions_, k) + " has no room for " +
                                        std::to_string(count) +
                                        " points: ask for fewer, or leave fixed points out");
    }
    return open;
  }

  // Drops so many points of the last fill from some tiles of region k: the most crowded ones of the
  // first fill, and any of a later one.
  void drop(const TileSet& set, TilePoints& points, std::size_t first, std::size_t end,
            std::size_t surplus, std::size_t k, int round) {
    if (surplus == 0) return;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> added, gone;  // tile, number
    Points all;
    for (std::size_t t = first; t < end; ++t) {
      for (std::uint32_t n = before_[t]; n < points.count(t); ++n) {
        const std::size_t at = set.tiles()[t].first + n;
        added.emplace_back(static_cast<std::uint32_t>(t), n);
        all.add(points.place(set.tiles()[t], at), points.radius(at));
      }
    }
    if (round == 0) {
      const std::size_t left = added.size() - surplus;
      const double spacing =
          std::sqrt(hexagonal_packing / packing * static_cast<double>(added.size()) /
                    static_cast<double>(std::max<std::size_t>(left, 1)));
      for (const std::uint32_t i :
           elimination_order(all, ConflictRule::mean, spacing, left, context_)) {
        gone.push_back(added[i]);
      }
    } else {
      Random random(context_.seed, Stream::count, hash(k, static_cast<std::uint64_t>(round)));
      for (std::size_t i = 0; i < surplus; ++i) {
        const auto left = static_cast<std::uint32_t>(added.size() - i);
        std::swap(added[i], added[i + random.below(left)]);
      }
      gone.assign(added.begin(), added.begin() + static_cast<std::ptrdiff_t>(surplus));
    }
    std::sort(gone.rbegin(), gone.rend());
    for (const auto& [tile, n] : gone) points.remove(set.tiles()[tile], tile, n);
  }

  // Returns the points by regions. Points of a tile follow a Morton curve.
  Points collect(const RegionTiles& tiles, const TileSet& set, const TilePoints& points) {
    std::vector<std::uint32_t> order(set.tiles().size());
    std::iota(order.begin(), order.end(), 0U);
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return tiles.region[a] < tiles.region[b];
    });
    std::vector<std::size_t> start{0};
    for (const std::uint32_t t : order) start.push_back(start.back() + points.count(t));
    Points result;
    result.x.resize(start.back());
    result.y.resize(start.back());
    result.radius.resize(start.back());
    result.region.resize(start.back());
    parallel_for(context_, order.size(), [&](std::size_t i) {
      const std::uint32_t t = order[i];
      const Tile& tile = set.tiles()[t];
      std::vector<std::pair<std::uint64_t, std::size_t>> along;
      for (std::size_t n = 0; n < points.count(t); ++n) {
        const TilePoints::Chunk& chunk = points.chunk_at(tile.first + n);
        const std::size_t at = n % TilePoints::chunk;
        along.emplace_back(spread_bits(static_cast<std::uint32_t>(chunk.u[at])) |
                               spread_bits(static_cast<std::uint32_t>(chunk.v[at])) << 1,
                           tile.first + n);
      }
      std::sort(along.begin(), along.end());
      for (std::size_t n = 0; n < along.size(); ++n) {
        const Vec2 p = points.place(tile, along[n].second);
        const std::size_t to = start[i] + n;
        result.x[to] = p.x;
        result.y[to] = p.y;
        result.radius[to] = radius_[tiles.region[t]];
        result.region[to] = static_cast<std::int32_t>(tiles.region[t]);
      }
    });
    if (request_.kept.empty() && !request_.counts.empty()) keep_mean(result);
    return result;
  }

  // Reduces the r of points beside denser regions until the mean of two r is at most their
  // distance.
  void keep_mean(Points& points) {
    const NearLists near(points, ConflictRule::mean, 1, 0, context_);
    std::vector<float> reduced = points.radius;
    parallel_for(context_, points.size() / 4096 + 1, [&](std::size_t part) {
      const std::size_t end = std::min(points.size(), (part + 1) * 4096);
      for (std::size_t i = part * 4096; i < end; ++i) {
        for (const std::uint32_t j : near.of(i)) {
          if (points.radius[j] >= points.radius[i]) continue;
          const double r =
              2 * length(points[j] - points[i]) - static_cast<double>(points.radius[j]);
          reduced[i] = std::min(reduced[i], static_cast<float>(r * (1 - 1e-6)));
        }
      }
    });
    points.radius = std::move(reduced);
  }

  const Regions& regions_;
  const RegionShapes& shapes_;
  RegionRequest& request_;
  Context& context_;
  std::vector<float> radius_, first_radius_;  // of each region, without the safety factor
  std::vector<std::uint32_t> order_;          // of the regions that get points
  std::vector<std::uint32_t> before_;         // points of each tile before the last fill
  std::vector<char> missing_;                 // fixed points without a radius of their own
};

}  // namespace

Points region_darts(const Regions& regions, const RegionShapes& shapes, RegionRequest& request,
                    Context& context) {
  return RegionDarts(regions, shapes, request, context).run();
}

}  // namespace dapple
