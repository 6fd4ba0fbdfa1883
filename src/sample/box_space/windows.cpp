#include "sample/box_space/windows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "sample/engine/dart_windows.hpp"
#include "sample/settle_order.hpp"

namespace dapple::box_space {
namespace {

// A domain as an engine::DartSpace.
template <std::size_t D>
class Space {
 public:
  using Darts = engine::DartList<Dart<D>>;
  using Point = VecF<D>;  // relative to the center of its tile
  using Store = Places<D>;
  struct Scratch {
    box_space::Scratch<D> growth;
    Places<D> around_tile, around_group;
    std::vector<std::int32_t> numbers;
  };

  Space(Throwing<D>& throwing, Context& context) : throwing_(throwing), context_(context) {}

  std::size_t tile_count() const { return throwing_.tiles.tiles.size(); }
  std::size_t class_count() const { return throwing_.room.classes(); }
  void begin(int window, const std::vector<double>& rates) {
    throwing_.window = window;
    throwing_.rate = rates;
    require_room_for_blocks();
  }
  void grow(std::uint32_t t, const PlacesByTile<D>& fresh, Darts& darts, Scratch& scratch) {
    grow_tile(throwing_, t, fresh, scratch.growth, darts.all);
  }
  Places<D> make_store() const {
    Places<D> places;
    places.numbered = true;
    return places;
  }
  void resize(Places<D>& places, std::size_t count) const {
    places.clear();
    places.make_room(count);
    places.count = count;
  }
  // If r varies, the limit of a place is its radius.
  void set(Places<D>& places, std::size_t i, const Darts& darts, std::size_t k,
           std::int32_t number) const {
    places.set(i, darts.all[k].at, darts.all[k].radius, number);
  }
  void finish(Places<D>&) const {}

  template <class IsEarlier, class Add>
  void find_earlier(std::uint32_t t, const PlacesByTile<D>& darts, Scratch& scratch,
                    const IsEarlier& is_earlier, const Add& add) const {
    const std::uint32_t end = darts.first[t + 1];
    scratch.around_tile.numbered = scratch.around_group.numbered = true;
    scratch.around_tile.clear();
    gather_around(throwing_, t, darts, scratch.around_tile);
    for (std::uint32_t own = darts.first[t]; own < end;) {
      const std::uint32_t next = end_of_run(t, own, end, darts.store);
      // For a few darts, testing all places around the tile is just as fast.
      constexpr std::uint32_t few = 3;
      const bool many = next - own > few;
      if (many) select_around(t, own, next, darts.store, scratch);
      for (; own < next; ++own) {
        const Places<D>& around = many ? scratch.around_group : scratch.around_tile;
        const ConflictLimits reach = throwing_.room.limits(darts.store.limit()[own]);
        const std::size_t count =
            numbers_near(around, darts.store.place(own), reach, scratch.numbers);
        for (std::size_t i = 0; i < count; ++i) {
          const auto other = static_cast<std::uint32_t>(scratch.numbers[i]);
          // On a narrow torus a dart does not conflict with its own image.
          if (other != own && is_earlier(other, own)) add(own, other);
        }
      }
    }
  }
  VecF<D> point(const Darts& darts, std::size_t k) const { return darts.all[k].at; }
  bool drop_if_done(std::uint32_t t) {
    TileState<D>& state = throwing_.states[t];
    if (!state.blocks.empty()) return false;
    state = {};
    return true;
  }

 private:
  // Returns the end of a run of darts near each other. Darts of a tile come root by root.
  std::uint32_t end_of_run(std::uint32_t t, std::uint32_t first, std::uint32_t end_of_tile,
                           const Places<D>& darts) const {
    const Lattice<D>& lattice = throwing_.tiles.lattice(throwing_.tiles.tiles[t]);
    std::uint32_t end = first + 1;
    while (end < end_of_tile && is_near(first, end, darts, lattice)) ++end;
    return end;
  }
  static bool is_near(std::uint32_t a, std::uint32_t b, const Places<D>& darts,
                      const Lattice<D>& lattice) {
    for (std::size_t axis = 0; axis < D; ++axis) {
      const float* at = darts.at(axis);
      if (std::abs(at[a] - at[b]) > 2 * lattice.levels[0].half[axis]) return false;
    }
    return true;
  }
  // Selects the darts around a tile that are near a run of its darts.
  void select_around(std::uint32_t t, std::uint32_t first, std::uint32_t end,
                     const Places<D>& darts, Scratch& scratch) const {
    HalfBox<D> box;
    for (std::size_t a = 0; a < D; ++a) {
      const float* at = darts.at(a);
      const auto [low, high] = std::minmax_element(at + first, at + end);
      box.middle[a] = 0.5f * (*low + *high);
      box.half[a] = 0.5f * (*high - *low);
    }
    select_near(scratch.around_tile, 0, box, throwing_.limits_of(t), scratch.around_group);
  }

  // Throws Error(limit) if blocks fill memory: very thin walls are rarely hit, so blocks multiply.
  void require_room_for_blocks() const {
    if (throwing_.border == nullptr && throwing_.room.field == nullptr) return;
    double blocks = 0;
    for (const TileState<D>& state : throwing_.states) {
      blocks += static_cast<double>(state.blocks.size());
    }
    context_.require_memory(2 * sizeof(Block<D>) * blocks,
                            "a shape with parts that are much thinner than the radius");
  }

  Throwing<D>& throwing_;
  Context& context_;
};

// The kept points as darts, with the tile of each.
template <std::size_t D>
struct KeptDarts {
  engine::DartList<Dart<D>> darts;
  std::vector<std::uint32_t> tile_of;

  KeptDarts(const Throwing<D>& throwing, const Sampled<D>& kept) {
    const Tiles<D>& tiles = throwing.tiles;
    for (std::size_t i = 0; i < kept.size(); ++i) {
      VecD<D> at;
      for (std::size_t a = 0; a < D; ++a) at[a] = kept.at[i][a] / tiles.unit;
      std::uint32_t t = Grades::none;
      Dart<D> dart{};
      if constexpr (D == 3) {
        if (throwing.room.field != nullptr) {
          t = graded_tile(tiles, at);
          if (t == Grades::none) continue;  // no point is allowed there
          const Graded graded(throwing.room, tiles, t);
          dart.radius = graded.taken(graded.radius(kept.at[i]));
        }
      }
      if (throwing.room.field == nullptr) t = tiles.holding(kept.class_id[i], at);
      const VecD<D> middle = tiles.middle(t);
      for (std::size_t a = 0; a < D; ++a) dart.at[a] = static_cast<float>(at[a] - middle[a]);
      darts.all.push_back(dart);
      tile_of.push_back(t);
    }
  }
};

}  // namespace

template <std::size_t D>
VecD<D> place_of(const Room<D>& room, const Tiles<D>& tiles, const VecD<D>& middle,
                 const VecF<D>& near) {
  VecD<D> at;
  for (std::size_t a = 0; a < D; ++a) {
    at[a] = (middle[a] + static_cast<double>(near[a])) * tiles.unit;
    // Rounding may give the upper side, which is outside the domain.
    at[a] = std::clamp(at[a], 0.0, std::nextafter(room.side[a], 0.0));
  }
  return at;
}

template <std::size_t D>
Sampled<D> throw_darts(const Room<D>& room, Context& context) {
  const Tiles<D> tiles = make_tiles(room, context);
  std::optional<Border> border;
  if constexpr (D == 3) {
    if (room.solid != nullptr) border.emplace(*room.solid, tiles);
  }
  std::optional<ObstaclesRound<D>> obstacles;
  if (room.obstacles != nullptr) {
    const double wider = room.field != nullptr ? near_varied_radius : near_radius;
    obstacles.emplace(room, tiles, wider, context);
  }
  Throwing<D> throwing{
      room, tiles, border ? &*border : nullptr, obstacles ? &*obstacles : nullptr, context.seed, 0,
      {},   {}};
  throwing.states.resize(tiles.tiles.size());
  Space<D> space(throwing, context);
  engine::DartWindows windows(space, context);
  if (room.kept != nullptr) {
    const KeptDarts<D> kept(throwing, *room.kept);
    windows.add_earlier(kept.darts, kept.tile_of);
  }
  windows.run(room.head_start);
  Sampled<D> made;
  made.at.reserve(windows.size());
  made.class_id.reserve(windows.size());
  made.window.reserve(windows.size());
  std::uint32_t tile = Grades::none;
  VecD<D> middle{};
  windows.for_points([&](const VecF<D>& near, std::uint32_t t, std::int32_t window) {
    if (t != tile) middle = tiles.middle(t);
    tile = t;
    made.at.push_back(place_of(room, tiles, middle, near));
    made.class_id.push_back(room.field != nullptr ? 0 : tiles.tiles[t].class_id);
    made.window.push_back(window);
  });
  return made;
}

template <std::size_t D>
void order_by_windows(Sampled<D>& points) {
  const auto rows = in_order_of_windows(points.window, [&](std::size_t i) {
    std::uint64_t key = 0;
    for (const double v : points.at[i]) key = hash(key, std::bit_cast<std::uint64_t>(v));
    return key;
  });
  keep_rows(points.at, rows);
  keep_rows(points.class_id, rows);
  keep_rows(points.window, rows);
}

template VecD<2> place_of(const Room<2>&, const Tiles<2>&, const VecD<2>&, const VecF<2>&);
template VecD<3> place_of(const Room<3>&, const Tiles<3>&, const VecD<3>&, const VecF<3>&);
template VecD<4> place_of(const Room<4>&, const Tiles<4>&, const VecD<4>&, const VecF<4>&);
template void order_by_windows(Sampled<2>&);
template void order_by_windows(Sampled<3>&);
template void order_by_windows(Sampled<4>&);
template Sampled<2> throw_darts(const Room<2>&, Context&);
template Sampled<3> throw_darts(const Room<3>&, Context&);
template Sampled<4> throw_darts(const Room<4>&, Context&);

}  // namespace dapple::box_space
