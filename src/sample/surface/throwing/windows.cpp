#include "sample/surface/throwing/windows.hpp"

#include <algorithm>
#include <optional>
#include <span>
#include <utility>

#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "sample/engine/dart_windows.hpp"
#include "sample/geodesic/cover.hpp"

namespace dapple::surface {
namespace {

using Darts = engine::DartList<Dart>;
using Group = engine::DartGroup<Darts>;

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
      const Dart& dart = group.darts.all[k];
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

// A surface as an engine::DartSpace.
class Space {
 public:
  using Darts = surface::Darts;
  using Store = PlacesOnPieces;
  struct Point {
    std::uint32_t piece;
    Weights weights;
  };
  struct Scratch {
    surface::Scratch growth;
    Places around_tile;
    std::vector<std::int32_t> numbers;
  };

  explicit Space(Throwing& throwing) : throwing_(throwing), tiles_(throwing.tiles) {}

  std::size_t tile_count() const { return tiles_.tiles.size(); }
  std::size_t class_count() const { return std::max<std::size_t>(1, tiles_.classes.size()); }
  void begin(int window, const std::vector<double>& rates) {
    throwing_.window = window;
    throwing_.rate = rates;
  }
  void grow(std::uint32_t t, const ByTile& fresh, Darts& darts, Scratch& scratch) {
    grow_tile(throwing_, t, fresh, scratch.growth, darts.all);
  }
  PlacesOnPieces make_store() const { return {}; }
  void resize(PlacesOnPieces& store, std::size_t count) const { store.resize(count); }
  void set(PlacesOnPieces& store, std::size_t i, const Darts& darts, std::size_t k,
           std::int32_t number) const {
    const Dart& dart = darts.all[k];
    store.places.set(i, {dart.x, dart.y, dart.z}, dart.r, number);
    store.piece[i] = dart.piece;
    store.weights[i] = dart.weights;
  }
  void finish(PlacesOnPieces&) const {}

  template <class IsEarlier, class Add>
  void find_earlier(std::uint32_t t, const ByTile& darts, Scratch& scratch,
                    const IsEarlier& is_earlier, const Add& add) const {
    const Places& places = darts.store.places;
    scratch.around_tile.clear();
    gather_around(tiles_, t, darts, scratch.around_tile);
    for (std::uint32_t own = darts.first[t]; own < darts.first[t + 1]; ++own) {
      const Reach reach{places.place(own), places.limit()[own], near_radius, 0};
      const std::size_t count =
          numbers_near(tiles_.apart, scratch.around_tile, reach, scratch.numbers);
      for (std::size_t i = 0; i < count; ++i) {
        const auto other = static_cast<std::uint32_t>(scratch.numbers[i]);
        if (other == own || !is_earlier(other, own)) continue;
        if (may_see(tiles_.tiles[t], darts.store.piece[own], darts.store.piece[other])) {
          add(own, other);
        }
      }
    }
  }
  std::vector<bool> settle(std::span<const Group> groups, std::size_t count, Context& context) {
    if (throwing_.net == nullptr) return settle_groups(groups);
    std::vector<bool> stays = SettlingAlong(throwing_, groups, count).run(context);
    double bytes = 0;
    for (const geodesic::Disc& disc : throwing_.discs) bytes += static_cast<double>(disc.bytes());
    context.require_memory(bytes, "searching paths along the surface");
    return stays;
  }
  // Discs have the order of points.
  std::int32_t number_of_point(const Darts& darts, std::size_t k, std::int32_t number) const {
    return throwing_.net != nullptr ? number : triangle_of(darts.all[k].piece);
  }
  Point point(const Darts& darts, std::size_t k) const {
    return {darts.all[k].piece, darts.all[k].weights};
  }
  bool drop_if_done(std::uint32_t t) {
    if (!throwing_.states[t].is_done()) return false;
    throwing_.states[t] = {};
    return true;
  }

 private:
  std::int32_t triangle_of(std::uint32_t piece) const { return tiles_.pieces[piece].triangle; }
  // Returns true if darts on two pieces that are too near in space may conflict.
  bool may_see(const Tile& tile, std::uint32_t a, std::uint32_t b) const {
    if (throwing_.net != nullptr) {
      return throwing_.net->part_of(triangle_of(a)) == throwing_.net->part_of(triangle_of(b));
    }
    return !tile.gated || tiles_.one_sheet(triangle_of(a), triangle_of(b));
  }

  Throwing& throwing_;
  const Tiles& tiles_;
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

Thrown throw_all(Throwing& throwing, const std::vector<double>& head_start, Context& context) {
  Space space(throwing);
  engine::DartWindows windows(space, context);
  windows.run(head_start);
  Thrown thrown;
  thrown.piece.reserve(windows.size());
  thrown.weights.reserve(windows.size());
  thrown.window.reserve(windows.size());
  windows.for_points([&](const Space::Point& point, std::uint32_t, std::int32_t window) {
    thrown.piece.push_back(point.piece);
    thrown.weights.push_back(point.weights);
    thrown.window.push_back(window);
  });
  return thrown;
}

// Collects the places of the tile `other` that may be near places of `tile`.
void gather(const Tiles& tiles, const Tile& tile, std::uint32_t other, const ByTile& from_tiles,
            Places& into) {
  const std::uint32_t begin = from_tiles.first[other];
  const std::uint32_t end = from_tiles.first[other + 1];
  if (begin == end) return;
  const Places& places = from_tiles.store.places;
  const Tile& from = tiles.tiles[other];
  const float given = tiles.asked(tile, from.class_id);
  if (from.level == tile.level) {
    surface::gather(tiles.apart, tile, from.at, places, begin, end, near_radius, given, into);
  } else {
    const auto place = [&](std::size_t i) {
      return place_of(tiles.pieces[from_tiles.store.piece[i]], from_tiles.store.weights[i]);
    };
    gather_across(tiles.apart, tile, from.unit, places, begin, end, near_radius, given, into,
                  place);
  }
}

}  // namespace

void gather_around(const Tiles& tiles, std::uint32_t tile, const ByTile& from, Places& into) {
  gather(tiles, tiles.tiles[tile], tile, from, into);
  for (const std::uint32_t other : tiles.neighbors_of(tiles.tiles[tile])) {
    gather(tiles, tiles.tiles[tile], other, from, into);
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
                    Smalls(count.smalls)};
  return throw_all(throwing, head_start, context);
}

Thrown throw_darts_along(const Tiles& tiles, const geodesic::Net& net,
                         const geodesic::ObstaclesAlong& there, Context& context) {
  std::vector<TileState> states(tiles.tiles.size());
  Throwing throwing{tiles, nullptr,           &net,     &there,     context.seed, 0,
                    {},    std::move(states), Roots(0), Middles(0), Smalls(0)};
  return throw_all(throwing, {}, context);
}

}  // namespace dapple::surface
