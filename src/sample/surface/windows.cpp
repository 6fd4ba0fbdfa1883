#include "sample/surface/windows.hpp"

#include <algorithm>
#include <optional>
#include <span>

#include "core/parallel.hpp"
#include "sample/darts_in_time.hpp"
#include "sample/paths/cover.hpp"

namespace dapple::surface {
namespace {

constexpr std::size_t tile_group = 32;

// The darts of a window as columns, tile after tile.
struct Darts {
  std::vector<std::uint64_t> time;
  std::vector<std::uint32_t> piece;
  std::vector<std::uint32_t> first_of;  // of each active tile, and one more
};

// body(tile, n, scratch) for the n-th active tile.
template <class Work, class Body>
void for_tiles(const std::vector<std::uint32_t>& active, Context& context, const Body& body) {
  parallel_for(context, (active.size() + tile_group - 1) / tile_group, [&](std::size_t g) {
    Work work;
    const std::size_t end = std::min(active.size(), (g + 1) * tile_group);
    for (std::size_t n = g * tile_group; n < end; ++n) body(active[n], n, work);
  });
}
struct None {};

Darts number_darts(Throwing& throwing, const std::vector<std::uint32_t>& active, Context& context) {
  Darts darts;
  darts.first_of.push_back(0);
  for (const std::uint32_t t : active) {
    darts.first_of.push_back(darts.first_of.back() +
                             static_cast<std::uint32_t>(throwing.states[t].darts.size()));
  }
  darts.time.resize(darts.first_of.back());
  darts.piece.resize(darts.first_of.back());
  for_tiles<None>(active, context, [&](std::uint32_t t, std::size_t n, None&) {
    TileState& state = throwing.states[t];
    state.dart_places.clear();
    state.dart_places.make_room(state.darts.size());
    std::uint32_t i = darts.first_of[n];
    for (const Dart& dart : state.darts) {
      state.dart_places.add(dart.x, dart.y, dart.z, dart.r, static_cast<std::int32_t>(i));
      darts.time[i] = dart.time;
      darts.piece[i++] = dart.piece;
    }
  });
  return darts;
}

struct Near {
  Places round_tile;
  Places round_dart;
};

// Two darts of one time are as good as never; the one of the lesser key then counts as earlier,
// since the order of darts depends on keys alone.
bool is_earlier(const Darts& darts, std::uint32_t a, std::uint32_t b) {
  return darts.time[a] != darts.time[b] ? darts.time[a] < darts.time[b] : a < b;
}

// Whether darts on these triangles may be too near, if they are in space.
bool may_see(const Throwing& throwing, const Tile& tile, std::int32_t a, std::int32_t b) {
  if (throwing.net != nullptr) return throwing.net->part_of(a) == throwing.net->part_of(b);
  return !tile.gated || throwing.tiles.one_sheet(a, b);
}

void find_earlier(Throwing& throwing, std::uint32_t t, std::uint32_t first_dart, const Darts& darts,
                  Near& near) {
  const Tiles& tiles = throwing.tiles;
  const Tile& tile = tiles.tiles[t];
  TileState& state = throwing.states[t];
  state.earlier.clear();
  state.earlier_counts.clear();
  if (state.darts.empty()) return;
  near.round_tile.clear();
  const auto from_tile = [&](std::uint32_t other) {
    const TileState& of = throwing.states[other];
    gather_from(tiles, tile, tiles.tiles[other], of.dart_places, 0, of.dart_places.count,
                near.round_tile, [&](std::size_t i) {
                  return place_of(tiles.pieces[of.darts[i].piece], of.darts[i].weights);
                });
  };
  from_tile(t);
  for (const std::uint32_t other : tiles.neighbors_of(tile)) from_tile(other);
  for (std::uint32_t k = 0; k < state.darts.size(); ++k) {
    const Dart& dart = state.darts[k];
    const std::uint32_t own = first_dart + k;
    const std::int32_t triangle = tiles.pieces[dart.piece].triangle;
    const std::size_t before = state.earlier.size();
    select_near(tiles.apart, near.round_tile, 0, reach_of(dart), near.round_dart);
    for (std::size_t i = 0; i < near.round_dart.count; ++i) {
      const auto other = static_cast<std::uint32_t>(near.round_dart.number[i]);
      if (other == own || !is_earlier(darts, other, own)) continue;
      if (!may_see(throwing, tile, triangle, tiles.pieces[darts.piece[other]].triangle)) continue;
      state.earlier.push_back(other);
    }
    state.earlier_counts.push_back(static_cast<std::uint32_t>(state.earlier.size() - before));
  }
}

// Which of the darts of a window stay where distances are those along the surface: paths are found
// from those that stay alone. Round by round those are decided that wait for none.
class SettlingAlong {
 public:
  SettlingAlong(Throwing& throwing, const std::vector<std::uint32_t>& active, const Darts& darts)
      : throwing_(throwing),
        active_(active),
        darts_(darts),
        fate_(darts.time.size(), Fate::open),
        disc_(darts.time.size()) {}

  std::vector<bool> run(Context& context) {
    for (std::vector<Fate> next = fate_; is_open_; fate_ = next) {
      for_tiles<Finder>(active_, context, [&](std::uint32_t t, std::size_t n, Finder& finder) {
        decide(throwing_.states[t], darts_.first_of[n], finder, next);
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
    std::optional<paths::PathFinder> of;
  };

  void decide(TileState& state, std::uint32_t first_dart, Finder& finder, std::vector<Fate>& next) {
    std::size_t e = 0;
    for (std::size_t k = 0; k < state.darts.size(); ++k) {
      const std::size_t end = e + state.earlier_counts[k];
      const auto earlier = std::span(state.earlier).subspan(e, end - e);
      e = end;
      Fate& fate = next[first_dart + k];
      if (fate != Fate::open) continue;
      const auto fate_of = [&](std::uint32_t other) { return fate_[other]; };
      const Dart& dart = state.darts[k];
      const Piece& piece = throwing_.tiles.pieces[dart.piece];
      const Vec3 place = place_of(piece, dart.weights);
      const paths::SeenBySides seen = paths::seen_by_sides(*throwing_.net, piece.triangle, place);
      bool waits = false;
      for (const std::uint32_t other : earlier) {
        waits = waits || fate_of(other) == Fate::open;
        if (fate_of(other) != Fate::stays) continue;
        if (disc_[other].distance(piece.triangle, seen) < paths::near_along) {
          fate = Fate::goes;
          break;
        }
      }
      if (waits || fate == Fate::goes) continue;
      fate = Fate::stays;
      if (!finder.of) finder.of.emplace(*throwing_.net);
      disc_[first_dart + k] = finder.of->disc(piece.triangle, place, paths::near_along, true);
    }
  }

  Throwing& throwing_;
  const std::vector<std::uint32_t>& active_;
  const Darts& darts_;
  std::vector<Fate> fate_;  // as the last round left it
  std::vector<paths::Disc> disc_;
  bool is_open_ = true;
};

std::vector<bool> settle_window(Throwing& throwing, const std::vector<std::uint32_t>& active,
                                const Darts& darts, Context& context) {
  for_tiles<Near>(active, context, [&](std::uint32_t t, std::size_t n, Near& near) {
    find_earlier(throwing, t, darts.first_of[n], darts, near);
  });
  if (throwing.net != nullptr) return SettlingAlong(throwing, active, darts).run(context);
  std::vector<std::uint32_t> first{0};
  std::vector<std::uint32_t> earlier;
  first.reserve(darts.time.size() + 1);
  for (const std::uint32_t t : active) {
    const TileState& state = throwing.states[t];
    for (const std::uint32_t count : state.earlier_counts) first.push_back(first.back() + count);
    earlier.insert(earlier.end(), state.earlier.begin(), state.earlier.end());
  }
  return settle(first, earlier);
}

void require_memory_for_discs(const Throwing& throwing, Context& context) {
  double bytes = 0;
  for (const paths::Disc& disc : throwing.discs) bytes += static_cast<double>(disc.bytes());
  context.require_memory(bytes, "the paths along the surface round its points");
}

// Of the first dart of each active tile that stays, where those that stay follow so many discs.
std::vector<std::int32_t> number_discs(const Darts& darts, std::size_t discs,
                                       const std::vector<bool>& stays) {
  std::vector<std::int32_t> first;
  auto number = static_cast<std::int32_t>(discs);
  for (std::size_t n = 0; n + 1 < darts.first_of.size(); ++n) {
    first.push_back(number);
    for (std::uint32_t i = darts.first_of[n]; i < darts.first_of[n + 1]; ++i) {
      number += stays[i] ? 1 : 0;
    }
  }
  return first;
}

// `disc`: of the first dart that stays.
void keep_darts(Throwing& throwing, std::uint32_t t, std::uint32_t first_dart, std::int32_t disc,
                const std::vector<bool>& stays) {
  TileState& state = throwing.states[t];
  TilePoints& points = throwing.points[t];
  points.first_new = points.places.count;
  points.places.make_room(state.darts.size());
  for (std::size_t k = 0; k < state.darts.size(); ++k) {
    if (!stays[first_dart + k]) continue;
    const Dart& dart = state.darts[k];
    const std::int32_t triangle = throwing.tiles.pieces[dart.piece].triangle;
    points.places.add(dart.x, dart.y, dart.z, dart.r, throwing.net == nullptr ? triangle : disc++);
    points.piece.push_back(dart.piece);
    points.weights.push_back(dart.weights);
    points.window.push_back(throwing.window);
  }
}

// Leaves out the tiles that are done: nothing of their last window is new to anybody then.
void drop_done(Throwing& throwing, std::vector<std::uint32_t>& active,
               std::vector<std::uint32_t>& done) {
  for (const std::uint32_t t : done) {
    throwing.points[t].first_new = throwing.points[t].places.count;
  }
  done.clear();
  std::erase_if(active, [&](std::uint32_t t) {
    TileState& state = throwing.states[t];
    if (!state.blocks.empty()) return false;
    state = {};
    done.push_back(t);
    return true;
  });
}

}  // namespace

std::vector<TilePoints> throw_darts(const Tiles& tiles, const std::vector<double>& head_start,
                                    const Obstacles* obstacles, const paths::Net* net,
                                    Context& context) {
  Throwing throwing{tiles, obstacles, net, context.seed, 0, {}, {}, {}, {}};
  const std::vector<std::vector<double>> first = rates_of_head_starts(head_start);
  const std::size_t classes = std::max<std::size_t>(1, tiles.classes.size());
  throwing.states.resize(tiles.tiles.size());
  throwing.points.resize(tiles.tiles.size());
  std::vector<std::uint32_t> active(tiles.tiles.size());
  for (std::uint32_t t = 0; t < active.size(); ++t) active[t] = t;
  std::vector<std::uint32_t> done;
  const auto all = static_cast<double>(active.size());
  for (; !active.empty(); ++throwing.window) {
    throwing.rate = rates_of(throwing.window, classes, first);
    for_tiles<Scratch>(active, context, [&](std::uint32_t t, std::size_t, Scratch& scratch) {
      grow_tile(throwing, t, scratch);
    });
    const Darts darts = number_darts(throwing, active, context);
    const std::size_t discs = throwing.discs.size();
    const std::vector<bool> stays = settle_window(throwing, active, darts, context);
    if (net != nullptr) require_memory_for_discs(throwing, context);
    const std::vector<std::int32_t> first_disc = number_discs(darts, discs, stays);
    for_tiles<None>(active, context, [&](std::uint32_t t, std::size_t n, None&) {
      keep_darts(throwing, t, darts.first_of[n], first_disc[n], stays);
    });
    drop_done(throwing, active, done);
    context.progress(1 - static_cast<double>(active.size()) / all);
  }
  return std::move(throwing.points);
}

}  // namespace dapple::surface
