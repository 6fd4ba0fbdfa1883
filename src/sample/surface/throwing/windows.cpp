#include "sample/surface/throwing/windows.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "sample/engine/darts_in_time.hpp"
#include "sample/engine/tile_schedule.hpp"
#include "sample/geodesic/cover.hpp"

namespace dapple::surface {
namespace {

// Results of the work on one group of tiles.
struct Group {
  std::vector<Dart> darts;            // tile by tile
  std::vector<std::uint32_t> counts;  // number of darts of each tile
  std::uint32_t first = 0;            // number of its first dart
  // For the first dart, the second and so on: the earlier darts that are too near, and their count.
  std::vector<std::uint32_t> earlier, earlier_counts;
};

// Decides which darts of a window stay if distances are along the surface. Finds paths only from
// darts that stay. Each round decides the darts that wait for no other.
class SettlingAlong {
 public:
  // `darts`: the number of darts in all groups.
  SettlingAlong(Throwing& throwing, std::span<const Group> groups, std::size_t darts)
      : throwing_(throwing), groups_(groups), fate_(darts, Fate::open), disc_(darts) {}

  std::vector<bool> run(Context& context) {
    Pool<Finder> finders;
    for (std::vector<Fate> next = fate_; is_open_; fate_ = next) {
      parallel_for(context, groups_.size(), [&](std::size_t g) {
        auto finder = finders.take();
        decide(groups_[g], *finder, next);
        finders.give(std::move(finder));
      });
      is_open_ = std::find(next.begin(), next.end(), Fate::open) != next.end();
    }
    std::vector<bool> stays(fate_.size());
    for (std::size_t i = 0; i < fate_.size(); ++i) {
      stays[i] = fate_[i] == Fate::stays;
      if (stays[i]) throwing_.discs.push_back(std::move(disc_[i]));
    }
    return stays;
  }

 private:
  enum class Fate : std::uint8_t { open, stays, goes };
  struct Finder {
    std::optional<geodesic::PathFinder> of;
  };

  void decide(const Group& group, Finder& finder, std::vector<Fate>& next) {
    std::size_t e = 0;
    for (std::size_t k = 0; k < group.darts.size(); ++k) {
      const std::size_t end = e + group.earlier_counts[k];
      const auto earlier = std::span(group.earlier).subspan(e, end - e);
      e = end;
      Fate& fate = next[group.first + k];
      if (fate != Fate::open) continue;
      const auto fate_of = [&](std::uint32_t other) { return fate_[other]; };
      const Dart& dart = group.darts[k];
      const Piece& piece = throwing_.tiles.pieces[dart.piece];
      const Vec3 place = place_of(piece, dart.weights);
      const geodesic::SeenBySides seen =
          geodesic::seen_by_sides(*throwing_.net, piece.triangle, place);
      bool waits = false;
      for (const std::uint32_t other : earlier) {
        waits = waits || fate_of(other) == Fate::open;
        if (fate_of(other) != Fate::stays) continue;
        if (disc_[other].distance(piece.triangle, seen) < geodesic::near_along) {
          fate = Fate::goes;
          break;
        }
      }
      if (waits || fate == Fate::goes) continue;
      fate = Fate::stays;
      if (!finder.of) finder.of.emplace(*throwing_.net);
      disc_[group.first + k] = finder.of->disc(piece.triangle, place, geodesic::near_along, true);
    }
  }

  Throwing& throwing_;
  std::span<const Group> groups_;
  std::vector<Fate> fate_;  // after the last round
  std::vector<geodesic::Disc> disc_;
  bool is_open_ = true;
};

class Windows {
 public:
  Windows(Throwing& throwing, Context& context)
      : throwing_(throwing), context_(context), tiles_(throwing.tiles.tiles.size()) {
    groups_.resize(tiles_.count());
    darts_.first.resize(tiles_.active.size() + 1);
    throwing.points.first.resize(tiles_.active.size() + 1);
  }

  void run(const std::vector<std::vector<double>>& head_starts) {
    const auto all = static_cast<double>(tiles_.active.size());
    const std::size_t classes = std::max<std::size_t>(1, throwing_.tiles.classes.size());
    for (; !tiles_.active.empty(); ++throwing_.window) {
      throwing_.rate = rates_of(throwing_.window, classes, head_starts);
      tiles_.for_each(context_, scratch_,
                      [&](std::size_t g, Scratch& scratch) { grow(g, scratch); });
      number_darts();
      tiles_.for_each(context_, near_,
                      [&](std::size_t g, NearDarts& near) { find_earlier(g, near); });
      const std::size_t discs = throwing_.discs.size();
      settle_window();
      keep_darts(discs);
      drop_done();
      context_.progress(1 - static_cast<double>(tiles_.active.size()) / all);
    }
  }

 private:
  struct NearDarts {
    Places around_tile;
    std::vector<std::int32_t> numbers;
  };

  void grow(std::size_t g, Scratch& scratch) {
    Group& group = groups_[g];
    group.darts.clear();
    group.counts.clear();
    for (const std::uint32_t t : tiles_.tiles_of(g)) {
      const std::size_t before = group.darts.size();
      grow_tile(throwing_, t, scratch, group.darts);
      group.counts.push_back(static_cast<std::uint32_t>(group.darts.size() - before));
    }
  }

  void number_darts() {
    std::uint32_t count = 0;
    for (std::size_t g = 0; g < tiles_.count(); ++g) {
      groups_[g].first = count;
      count += static_cast<std::uint32_t>(groups_[g].darts.size());
    }
    std::size_t n = 0;
    count = 0;
    tiles_.set_first(darts_.first, 0, [&](std::uint32_t) {
      count += groups_[n / TileGroups::size].counts[n % TileGroups::size];
      ++n;
      return count;
    });
    darts_.places.clear();
    darts_.resize(count);
    times_.resize(count);
    tiles_.for_each(context_, [&](std::size_t g) {
      std::size_t i = groups_[g].first;
      for (const Dart& dart : groups_[g].darts) {
        darts_.places.set(i, dart.x, dart.y, dart.z, dart.r, static_cast<std::int32_t>(i));
        darts_.piece[i] = dart.piece;
        darts_.weights[i] = dart.weights;
        times_[i++] = dart.time;
      }
    });
  }

  // Two darts almost never have the same time; the lower number is then earlier. The order of darts
  // depends only on keys.
  bool is_earlier(std::uint32_t a, std::uint32_t b) const {
    return times_[a] != times_[b] ? times_[a] < times_[b] : a < b;
  }

  std::int32_t triangle_of(std::uint32_t dart) const {
    return throwing_.tiles.pieces[darts_.piece[dart]].triangle;
  }
  // Returns true if two darts that are too near in space may conflict.
  bool may_see(const Tile& tile, std::uint32_t a, std::uint32_t b) const {
    if (throwing_.net != nullptr) {
      return throwing_.net->part_of(triangle_of(a)) == throwing_.net->part_of(triangle_of(b));
    }
    return !tile.gated || throwing_.tiles.one_sheet(triangle_of(a), triangle_of(b));
  }

  void find_earlier(std::size_t g, NearDarts& near) {
    const Tiles& tiles = throwing_.tiles;
    Group& group = groups_[g];
    group.earlier.clear();
    group.earlier_counts.clear();
    std::uint32_t own = group.first;
    for (const std::uint32_t t : tiles_.tiles_of(g)) {
      const std::uint32_t end = darts_.first[t + 1];
      if (own == end) continue;
      near.around_tile.clear();
      gather_around(tiles, t, darts_, near.around_tile);
      for (; own < end; ++own) {
        const std::size_t before = group.earlier.size();
        const std::size_t count = numbers_near(
            tiles.apart, near.around_tile, reach_of(group.darts[own - group.first]), near.numbers);
        for (std::size_t i = 0; i < count; ++i) {
          const auto other = static_cast<std::uint32_t>(near.numbers[i]);
          if (other == own || !is_earlier(other, own)) continue;
          if (may_see(tiles.tiles[t], own, other)) group.earlier.push_back(other);
        }
        group.earlier_counts.push_back(static_cast<std::uint32_t>(group.earlier.size() - before));
      }
    }
  }

  void settle_window() {
    if (throwing_.net != nullptr) {
      stays_ = SettlingAlong(throwing_, std::span<const Group>(groups_).first(tiles_.count()),
                             times_.size())
                   .run(context_);
      double bytes = 0;
      for (const geodesic::Disc& disc : throwing_.discs) bytes += static_cast<double>(disc.bytes());
      context_.require_memory(bytes, "searching paths along the surface");
      return;
    }
    stays_ = settle_groups(std::span<const Group>(groups_).first(tiles_.count()));
  }

  // Adds the darts that stay to the points. `disc`: the number of the disc of the first of these.
  void keep_darts(std::size_t disc) {
    ByTiles& points = throwing_.points;
    const std::size_t before = points.places.count;
    std::size_t count = before;
    tiles_.set_first(points.first, before, [&](std::uint32_t t) {
      for (std::uint32_t i = darts_.first[t]; i < darts_.first[t + 1]; ++i) {
        count += stays_[i] ? 1 : 0;
      }
      return count;
    });
    points.resize(count);
    throwing_.tile_of.resize(count);
    throwing_.window_of.resize(count, throwing_.window);
    tiles_.for_each(context_, [&](std::size_t g) {
      for (const std::uint32_t t : tiles_.tiles_of(g)) {
        std::size_t n = points.first[t];
        for (std::uint32_t i = darts_.first[t]; i < darts_.first[t + 1]; ++i) {
          if (!stays_[i]) continue;
          const std::int32_t number = throwing_.net == nullptr
                                          ? triangle_of(i)
                                          : static_cast<std::int32_t>(disc + n - before);
          const Places& from = darts_.places;
          points.places.set(n, from.x()[i], from.y()[i], from.z()[i], from.r()[i], number);
          points.piece[n] = darts_.piece[i];
          points.weights[n] = darts_.weights[i];
          throwing_.tile_of[n++] = t;
        }
      }
    });
  }

  void drop_done() {
    std::erase_if(tiles_.active, [&](std::uint32_t t) {
      if (!throwing_.states[t].is_done()) return false;
      throwing_.states[t] = {};
      return true;
    });
  }

  Throwing& throwing_;
  Context& context_;
  TileGroups tiles_;
  std::vector<Group> groups_;
  Pool<Scratch> scratch_;
  Pool<NearDarts> near_;
  // Darts of the window, numbered in the order of tiles, with their times and whether each stays.
  ByTiles darts_;
  std::vector<std::uint64_t> times_;
  std::vector<bool> stays_;
};

// The number of pieces of each size, with the room after the pieces of each tile.
struct PieceCounts {
  std::size_t roots = 0, middles = 0, smalls = 0;
};

// Sets the ranges of the pieces of each tile.
PieceCounts lay_out_pieces(const Tiles& tiles, std::vector<TileState>& states, Context& context) {
  constexpr std::size_t group = 256;
  parallel_for(context, (states.size() + group - 1) / group, [&](std::size_t g) {
    const std::size_t end = std::min(states.size(), (g + 1) * group);
    for (std::size_t t = g * group; t < end; ++t) {
      for (std::uint32_t p = tiles.tiles[t].first; p < tiles.tiles[t].end; ++p) {
        const Size size = size_of(tiles.pieces[p]);
        ++(size == Size::small      ? states[t].smalls
           : size == Size::middling ? states[t].middles
                                    : states[t].roots)
              .count;
      }
    }
  });
  PieceCounts count;
  const auto place = [](Range& range, std::size_t& all) {
    range.first = all;
    all += (range.count + most_lanes - 1) / most_lanes * most_lanes;
  };
  for (TileState& state : states) {
    place(state.roots, count.roots);
    place(state.middles, count.middles);
    place(state.smalls, count.smalls);
  }
  return count;
}

Thrown in_tiles(const Throwing& throwing) {
  Thrown thrown;
  thrown.piece.reserve(throwing.tile_of.size());
  thrown.weights.reserve(throwing.tile_of.size());
  thrown.window.reserve(throwing.tile_of.size());
  std::vector<std::uint32_t> first;
  for (const std::uint32_t i :
       in_order_of_tiles(throwing.tile_of, throwing.tiles.tiles.size(), first)) {
    thrown.piece.push_back(throwing.points.piece[i]);
    thrown.weights.push_back(throwing.points.weights[i]);
    thrown.window.push_back(throwing.window_of[i]);
  }
  return thrown;
}

}  // namespace

void ByTiles::gather(const Tiles& tiles, const Tile& tile, std::uint32_t other,
                     Places& into) const {
  const std::uint32_t begin = first[other];
  const std::uint32_t end = first[other + 1];
  if (begin == end) return;
  const Tile& from = tiles.tiles[other];
  const float given = tiles.asked(tile, from.class_id);
  if (from.level == tile.level) {
    surface::gather(tiles.apart, tile, from.at, places, begin, end, near_radius, given, into);
  } else {
    gather_across(tiles.apart, tile, from.unit, places, begin, end, near_radius, given, into,
                  [&](std::size_t i) { return place_of(tiles.pieces[piece[i]], weights[i]); });
  }
}

Thrown throw_darts(const Tiles& tiles, const std::vector<double>& head_start,
                   const Obstacles* obstacles, Context& context) {
  std::vector<TileState> states(tiles.tiles.size());
  const PieceCounts count = lay_out_pieces(tiles, states, context);
  Throwing throwing{tiles,
                    obstacles,
                    nullptr,
                    nullptr,
                    context.seed,
                    0,
                    {},
                    std::move(states),
                    Roots(count.roots),
                    Middles(count.middles),
                    Smalls(count.smalls),
                    {},
                    {},
                    {},
                    {}};
  Windows(throwing, context).run(rates_of_head_starts(head_start));
  return in_tiles(throwing);
}

Thrown throw_darts_along(const Tiles& tiles, const geodesic::Net& net,
                         const geodesic::ObstaclesAlong& there, Context& context) {
  std::vector<TileState> states(tiles.tiles.size());
  Throwing throwing{
      tiles,    nullptr,    &net,      &there, context.seed, 0,  {}, std::move(states),
      Roots(0), Middles(0), Smalls(0), {},     {},           {}, {}};
  Windows(throwing, context).run({});
  return in_tiles(throwing);
}

}  // namespace dapple::surface
