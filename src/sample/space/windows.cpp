#include "sample/space/windows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "sample/darts_in_time.hpp"
#include "sample/leave_out.hpp"

namespace dapple::space {
namespace {

constexpr std::size_t tile_group = 16;

// The darts of a window, tile after tile.
struct Order {
  std::vector<std::uint64_t> time;
  std::vector<std::uint32_t> first_of;  // of each active tile, and one more
};

// Of two darts at one time, which is as good as never, the one of the lesser number is earlier:
// numbers depend on the room alone.
bool is_earlier(const Order& order, std::uint32_t a, std::uint32_t b) {
  return order.time[a] != order.time[b] ? order.time[a] < order.time[b] : a < b;
}

template <std::size_t D>
class Windows {
 public:
  Windows(Throwing<D>& throwing, Context& context) : throwing_(throwing), context_(context) {
    active_.resize(throwing.tiles.tiles.size());
    for (std::uint32_t t = 0; t < active_.size(); ++t) active_[t] = t;
  }

  void run() {
    const auto all = static_cast<double>(active_.size());
    const std::vector<std::vector<double>> first = rates_of_head_starts(throwing_.room.head_start);
    for (; !active_.empty(); ++throwing_.window) {
      throwing_.rate = rates_of(throwing_.window, throwing_.room.classes(), first);
      for_tiles<Scratch<D>>([&](std::uint32_t t, std::size_t, Scratch<D>& scratch) {
        grow_tile(throwing_, t, scratch);
      });
      require_room_for_blocks();
      const Order order = number_darts();
      const std::vector<bool> stays = settle_window(order);
      for_tiles<None>(
          [&](std::uint32_t t, std::size_t n, None&) { keep_darts(t, order.first_of[n], stays); });
      drop_done();
      context_.progress(1 - static_cast<double>(active_.size()) / all);
    }
  }

 private:
  struct None {};

  // body(tile, n, work) for the n-th active tile.
  template <class Work, class Body>
  void for_tiles(const Body& body) {
    parallel_for(context_, (active_.size() + tile_group - 1) / tile_group, [&](std::size_t g) {
      Work work;
      const std::size_t end = std::min(active_.size(), (g + 1) * tile_group);
      for (std::size_t n = g * tile_group; n < end; ++n) body(active_[n], n, work);
    });
  }

  Order number_darts() {
    Order order;
    order.first_of.push_back(0);
    for (const std::uint32_t t : active_) {
      order.first_of.push_back(order.first_of.back() +
                               static_cast<std::uint32_t>(throwing_.states[t].darts.size()));
    }
    order.time.resize(order.first_of.back());
    for_tiles<None>([&](std::uint32_t t, std::size_t n, None&) {
      TileState<D>& state = throwing_.states[t];
      state.dart_places.clear();
      state.dart_places.numbered = true;
      state.dart_places.make_room(state.darts.size());
      std::uint32_t i = order.first_of[n];
      for (const Dart<D>& dart : state.darts) {
        state.dart_places.add(dart.at, dart.radius, static_cast<std::int32_t>(i));
        order.time[i++] = dart.time;
      }
    });
    return order;
  }

  struct NearDarts {
    Places<D> round_tile, round_dart;
  };

  void find_earlier(std::uint32_t t, std::uint32_t first_dart, const Order& order,
                    NearDarts& near) {
    const Tiles<D>& tiles = throwing_.tiles;
    const Tile& tile = tiles.tiles[t];
    TileState<D>& state = throwing_.states[t];
    state.earlier.clear();
    state.earlier_counts.clear();
    if (state.darts.empty()) return;
    HalfBox<D> box{};
    for (std::size_t a = 0; a < D; ++a) {
      box.half[a] = static_cast<float>(0.5 * tiles.lattice(tile).edge[a]);
    }
    near.round_tile.clear();
    near.round_tile.numbered = near.round_dart.numbered = true;
    for (const Neighbor<D>& neighbor : tiles.neighbors_of(tile)) {
      const Places<D>& places = throwing_.states[neighbor.tile].dart_places;
      if constexpr (D == 3) {
        if (throwing_.room.field != nullptr) {
          const float most = tiles.grades.most[t] * static_cast<float>(near_varied_radius);
          gather(box, neighbor.shift, Reach{throwing_.room.rule, most}, places, 0, places.count,
                 near.round_tile);
          continue;
        }
      }
      gather(box, neighbor.shift, neighbor.limit, places, 0, places.count, near.round_tile);
    }
    for (std::uint32_t k = 0; k < state.darts.size(); ++k) {
      const std::uint32_t own = first_dart + k;
      const std::size_t before = state.earlier.size();
      find_round(state.darts[k], near);
      for (std::size_t i = 0; i < near.round_dart.count; ++i) {
        const auto other = static_cast<std::uint32_t>(near.round_dart.number[i]);
        // Its own image on a narrow torus holds off no dart.
        if (other != own && is_earlier(order, other, own)) state.earlier.push_back(other);
      }
      state.earlier_counts.push_back(static_cast<std::uint32_t>(state.earlier.size() - before));
    }
  }

  void find_round(const Dart<D>& dart, NearDarts& near) const {
    if constexpr (D == 3) {
      if (throwing_.room.field != nullptr) {
        const Reach reach{throwing_.room.rule, dart.radius};
        return select_near(near.round_tile, 0, {dart.at, {}}, reach, near.round_dart);
      }
    }
    select_near(near.round_tile, 0, {dart.at, {}}, near.round_dart);
  }

  std::vector<bool> settle_window(const Order& order) {
    for_tiles<NearDarts>([&](std::uint32_t t, std::size_t n, NearDarts& near) {
      find_earlier(t, order.first_of[n], order, near);
    });
    std::vector<std::uint32_t> first{0};
    std::vector<std::uint32_t> earlier;
    first.reserve(order.time.size() + 1);
    for (const std::uint32_t t : active_) {
      const TileState<D>& state = throwing_.states[t];
      for (const std::uint32_t count : state.earlier_counts) first.push_back(first.back() + count);
      earlier.insert(earlier.end(), state.earlier.begin(), state.earlier.end());
    }
    return settle(first, earlier);
  }

  void keep_darts(std::uint32_t t, std::uint32_t first_dart, const std::vector<bool>& stays) {
    TileState<D>& state = throwing_.states[t];
    TilePoints<D>& points = throwing_.points[t];
    points.first_new = points.places.count;
    points.places.numbered = true;
    points.places.make_room(state.darts.size());
    for (std::size_t k = 0; k < state.darts.size(); ++k) {
      const Dart<D>& dart = state.darts[k];
      if (stays[first_dart + k]) points.places.add(dart.at, dart.radius, throwing_.window);
    }
  }

  // A solid may have walls so thin that darts hit them hardly ever, while blocks get ever smaller.
  void require_room_for_blocks() const {
    if (throwing_.border == nullptr && throwing_.room.field == nullptr) return;
    double blocks = 0;
    for (const std::uint32_t t : active_) {
      blocks += static_cast<double>(throwing_.states[t].blocks.size());
    }
    context_.require_memory(2 * sizeof(Block<D>) * blocks,
                            "a shape with parts that are much thinner than the radius");
  }

  // Leaves out the tiles that are done: nothing of their last window is new to anybody then.
  void drop_done() {
    for (const std::uint32_t t : done_) {
      throwing_.points[t].first_new = throwing_.points[t].places.count;
    }
    done_.clear();
    std::erase_if(active_, [&](std::uint32_t t) {
      TileState<D>& state = throwing_.states[t];
      if (!state.blocks.empty()) return false;
      state = {};
      done_.push_back(t);
      return true;
    });
  }

  Throwing<D>& throwing_;
  Context& context_;
  std::vector<std::uint32_t> active_;
  std::vector<std::uint32_t> done_;
};

// Kept points are of window -1, and new to the first.
template <std::size_t D>
void lay_out_kept(Throwing<D>& throwing, const Points<D>& kept) {
  const Tiles<D>& tiles = throwing.tiles;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    Along<D> at;
    for (std::size_t a = 0; a < D; ++a) at[a] = kept.at[i][a] / tiles.unit;
    std::uint32_t t = Grades::none;
    float radius = 0;
    if constexpr (D == 3) {
      if (throwing.room.field != nullptr) {
        t = graded_tile(tiles, at);
        if (t == Grades::none) continue;  // where nothing may be placed
        const Graded graded(throwing.room, tiles, t);
        radius = graded.taken(graded.radius(kept.at[i]));
      }
    }
    if (throwing.room.field == nullptr) t = tiles.holding(kept.klass[i], at);
    const Along<D> middle = tiles.middle(t);
    Near<D> near;
    for (std::size_t a = 0; a < D; ++a) near[a] = static_cast<float>(at[a] - middle[a]);
    Places<D>& places = throwing.points[t].places;
    places.numbered = true;
    places.make_room(1);
    places.add(near, radius, -1);
  }
}

template <std::size_t D>
void add_points(const Throwing<D>& throwing, std::uint32_t t, Points<D>& into) {
  const Tiles<D>& tiles = throwing.tiles;
  const Places<D>& places = throwing.points[t].places;
  const Along<D> middle = tiles.middle(t);
  for (std::size_t i = 0; i < places.count; ++i) {
    if (places.number[i] < 0) continue;
    Near<D> near;
    for (std::size_t a = 0; a < D; ++a) near[a] = places.at[a][i];
    into.at.push_back(place_of(throwing.room, tiles, middle, near));
    into.klass.push_back(throwing.room.field != nullptr ? 0 : tiles.tiles[t].klass);
    into.window.push_back(places.number[i]);
  }
}

}  // namespace

template <std::size_t D>
Along<D> place_of(const Room<D>& room, const Tiles<D>& tiles, const Along<D>& middle,
                  const Near<D>& near) {
  Along<D> at;
  for (std::size_t a = 0; a < D; ++a) {
    at[a] = (middle[a] + static_cast<double>(near[a])) * tiles.unit;
    // Floats may round to the far side, which is outside.
    at[a] = std::clamp(at[a], 0.0, std::nextafter(room.side[a], 0.0));
  }
  return at;
}

template <std::size_t D>
Points<D> throw_darts(const Room<D>& room, Context& context) {
  const Tiles<D> tiles = make_tiles(room, context);
  std::optional<Border> border;
  if constexpr (D == 3) {
    if (room.solid != nullptr) border.emplace(*room.solid, tiles);
  }
  Throwing<D> throwing{room, tiles, border ? &*border : nullptr, context.seed, 0, {}, {}, {}};
  throwing.states.resize(tiles.tiles.size());
  throwing.points.resize(tiles.tiles.size());
  if (room.kept != nullptr) lay_out_kept(throwing, *room.kept);
  Windows<D>(throwing, context).run();
  Points<D> made;
  for (std::uint32_t t = 0; t < tiles.tiles.size(); ++t) add_points(throwing, t, made);
  return made;
}

template <std::size_t D>
void order_by_windows(Points<D>& points) {
  const auto rows = in_order_of_windows(points.window, [&](std::size_t i) {
    std::uint64_t key = 0;
    for (const double v : points.at[i]) key = hash(key, std::bit_cast<std::uint64_t>(v));
    return key;
  });
  keep_rows(points.at, rows);
  keep_rows(points.klass, rows);
  keep_rows(points.window, rows);
}

template Along<2> place_of(const Room<2>&, const Tiles<2>&, const Along<2>&, const Near<2>&);
template Along<3> place_of(const Room<3>&, const Tiles<3>&, const Along<3>&, const Near<3>&);
template Along<4> place_of(const Room<4>&, const Tiles<4>&, const Along<4>&, const Near<4>&);
template void order_by_windows(Points<2>&);
template void order_by_windows(Points<3>&);
template void order_by_windows(Points<4>&);
template Points<2> throw_darts(const Room<2>&, Context&);
template Points<3> throw_darts(const Room<3>&, Context&);
template Points<4> throw_darts(const Room<4>&, Context&);

}  // namespace dapple::space
