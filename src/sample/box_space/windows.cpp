#include "sample/box_space/windows.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>
#include <span>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "sample/engine/darts_in_time.hpp"
#include "sample/engine/tile_schedule.hpp"
#include "sample/settle_order.hpp"

namespace dapple::box_space {
namespace {

// Results of the work on one group of tiles.
template <std::size_t D>
struct Group {
  std::vector<Dart<D>> darts;         // tile by tile
  std::vector<std::uint32_t> counts;  // number of darts of each tile
  // For the first dart, the second and so on: the earlier darts that are too near, and their count.
  std::vector<std::uint32_t> earlier, earlier_counts;
};

template <std::size_t D>
class Windows {
 public:
  Windows(Throwing<D>& throwing, Context& context)
      : throwing_(throwing), context_(context), tiles_(throwing.tiles.tiles.size()) {
    groups_.resize(tiles_.count());
    darts_.places.numbered = true;
    darts_.first.resize(tiles_.active.size() + 1);
  }

  void run() {
    const auto all = static_cast<double>(tiles_.active.size());
    const std::vector<std::vector<double>> first = rates_of_head_starts(throwing_.room.head_start);
    for (; !tiles_.active.empty(); ++throwing_.window) {
      throwing_.rate = rates_of(throwing_.window, throwing_.room.classes(), first);
      tiles_.for_each(context_, scratch_,
                      [&](std::size_t g, Scratch<D>& scratch) { grow(g, scratch); });
      require_room_for_blocks();
      number_darts();
      tiles_.for_each(context_, near_,
                      [&](std::size_t g, NearDarts& near) { find_earlier(g, near); });
      settle_window();
      keep_darts();
      drop_done();
      context_.progress(1 - static_cast<double>(tiles_.active.size()) / all);
    }
  }

 private:
  struct NearDarts {
    Places<D> around_tile, around_group;
    std::vector<std::int32_t> numbers;
  };

  void grow(std::size_t g, Scratch<D>& scratch) {
    Group<D>& group = groups_[g];
    group.darts.clear();
    group.counts.clear();
    for (const std::uint32_t t : tiles_.tiles_of(g)) {
      const std::size_t before = group.darts.size();
      grow_tile(throwing_, t, scratch, group.darts);
      group.counts.push_back(static_cast<std::uint32_t>(group.darts.size() - before));
    }
  }

  void number_darts() {
    Places<D>& places = darts_.places;
    places.clear();
    times_.clear();
    std::size_t n = 0, in_group = 0;
    tiles_.set_first(darts_.first, 0, [&](std::uint32_t) {
      const Group<D>& group = groups_[n / TileGroups::size];
      const std::size_t in_tile = n % TileGroups::size;
      if (in_tile == 0) {
        in_group = 0;
        places.make_room(group.darts.size());
      }
      for (std::uint32_t k = 0; k < group.counts[in_tile]; ++k) {
        const Dart<D>& dart = group.darts[in_group++];
        places.add(dart.at, dart.radius, static_cast<std::int32_t>(places.count));
        times_.push_back(dart.time);
      }
      ++n;
      return places.count;
    });
  }

  // Two darts almost never have the same time; the lower number is then earlier. Numbers depend
  // only on the domain.
  bool is_earlier(std::uint32_t a, std::uint32_t b) const {
    return times_[a] != times_[b] ? times_[a] < times_[b] : a < b;
  }

  void find_earlier(std::size_t g, NearDarts& near) {
    Group<D>& group = groups_[g];
    group.earlier.clear();
    group.earlier_counts.clear();
    near.around_tile.numbered = near.around_group.numbered = true;
    for (const std::uint32_t t : tiles_.tiles_of(g)) {
      const std::uint32_t end = darts_.first[t + 1];
      if (darts_.first[t] == end) continue;
      near.around_tile.clear();
      gather_around(throwing_, t, darts_, near.around_tile);
      for (std::uint32_t first = darts_.first[t]; first < end;) {
        const std::uint32_t next = end_of_run(t, first);
        // For a few darts, testing all places around the tile is just as fast.
        constexpr std::uint32_t few = 3;
        const bool many = next - first > few;
        if (many) select_around(t, first, next, near);
        for (; first < next; ++first) {
          find_earlier(first, many ? near.around_group : near.around_tile, near.numbers, group);
        }
      }
    }
  }
  void find_earlier(std::uint32_t own, const Places<D>& places, std::vector<std::int32_t>& numbers,
                    Group<D>& group) const {
    const std::size_t count = numbers_around(own, places, numbers);
    const std::size_t before = group.earlier.size();
    for (std::size_t i = 0; i < count; ++i) {
      const auto other = static_cast<std::uint32_t>(numbers[i]);
      // On a narrow torus a dart does not conflict with its own image.
      if (other != own && is_earlier(other, own)) group.earlier.push_back(other);
    }
    group.earlier_counts.push_back(static_cast<std::uint32_t>(group.earlier.size() - before));
  }
  std::size_t numbers_around(std::uint32_t dart, const Places<D>& places,
                             std::vector<std::int32_t>& numbers) const {
    if constexpr (D == 3) {
      if (throwing_.room.field != nullptr) {
        const ConflictLimits reach{throwing_.room.rule, darts_.places.limit[dart]};
        return numbers_near(places, place_of_dart(dart), reach, numbers);
      }
    }
    return numbers_near(places, place_of_dart(dart), numbers);
  }

  // Returns the end of a run of darts near each other. Darts of a tile come root by root.
  std::uint32_t end_of_run(std::uint32_t t, std::uint32_t first) const {
    const Lattice<D>& lattice = throwing_.tiles.lattice(throwing_.tiles.tiles[t]);
    std::uint32_t end = first + 1;
    while (end < darts_.first[t + 1] && is_near(first, end, lattice)) ++end;
    return end;
  }
  bool is_near(std::uint32_t a, std::uint32_t b, const Lattice<D>& lattice) const {
    for (std::size_t axis = 0; axis < D; ++axis) {
      const float* at = darts_.places.at[axis].data();
      if (std::abs(at[a] - at[b]) > 2 * lattice.levels[0].half[axis]) return false;
    }
    return true;
  }
  // Selects the darts around a tile that are near a run of its darts.
  void select_around(std::uint32_t t, std::uint32_t first, std::uint32_t end,
                     NearDarts& near) const {
    HalfBox<D> box;
    for (std::size_t a = 0; a < D; ++a) {
      const float* at = darts_.places.at[a].data();
      const auto [low, high] = std::minmax_element(at + first, at + end);
      box.middle[a] = 0.5f * (*low + *high);
      box.half[a] = 0.5f * (*high - *low);
    }
    if constexpr (D == 3) {
      if (throwing_.room.field != nullptr) {
        const float most = throwing_.tiles.grades.most[t] * static_cast<float>(near_varied_radius);
        return select_near(near.around_tile, 0, box, ConflictLimits{throwing_.room.rule, most},
                           near.around_group);
      }
    }
    select_near(near.around_tile, 0, box, near.around_group);
  }
  VecF<D> place_of_dart(std::uint32_t dart) const {
    VecF<D> at;
    for (std::size_t a = 0; a < D; ++a) at[a] = darts_.places.at[a][dart];
    return at;
  }

  void settle_window() {
    stays_ = settle_groups(std::span<const Group<D>>(groups_).first(tiles_.count()));
  }

  void keep_darts() {
    ByTiles<D>& points = throwing_.points;
    points.places.make_room(times_.size());
    tiles_.set_first(points.first, points.places.count, [&](std::uint32_t t) {
      for (std::uint32_t i = darts_.first[t]; i < darts_.first[t + 1]; ++i) {
        if (!stays_[i]) continue;
        points.places.add(place_of_dart(i), darts_.places.limit[i], throwing_.window);
        throwing_.tile_of.push_back(t);
      }
      return points.places.count;
    });
  }

  // Throws Error(limit) if blocks fill memory: very thin walls are rarely hit, so blocks multiply.
  void require_room_for_blocks() const {
    if (throwing_.border == nullptr && throwing_.room.field == nullptr) return;
    double blocks = 0;
    for (const std::uint32_t t : tiles_.active) {
      blocks += static_cast<double>(throwing_.states[t].blocks.size());
    }
    context_.require_memory(2 * sizeof(Block<D>) * blocks,
                            "a shape with parts that are much thinner than the radius");
  }

  void drop_done() {
    std::erase_if(tiles_.active, [&](std::uint32_t t) {
      TileState<D>& state = throwing_.states[t];
      if (!state.blocks.empty()) return false;
      state = {};
      return true;
    });
  }

  Throwing<D>& throwing_;
  Context& context_;
  TileGroups tiles_;
  std::vector<Group<D>> groups_;
  Pool<Scratch<D>> scratch_;
  Pool<NearDarts> near_;
  // Darts of the window, numbered in the order of tiles, with their times and whether each stays.
  ByTiles<D> darts_;
  std::vector<std::uint64_t> times_;
  std::vector<bool> stays_;
};

// Adds kept points as window -1, so that the first window treats them as new.
template <std::size_t D>
void lay_out_kept(Throwing<D>& throwing, const Points<D>& kept) {
  const Tiles<D>& tiles = throwing.tiles;
  std::vector<std::uint32_t> tile_of;
  std::vector<VecF<D>> near;
  std::vector<float> radii;
  for (std::size_t i = 0; i < kept.size(); ++i) {
    VecD<D> at;
    for (std::size_t a = 0; a < D; ++a) at[a] = kept.at[i][a] / tiles.unit;
    std::uint32_t t = Grades::none;
    float radius = 0;
    if constexpr (D == 3) {
      if (throwing.room.field != nullptr) {
        t = graded_tile(tiles, at);
        if (t == Grades::none) continue;  // no point is allowed there
        const Graded graded(throwing.room, tiles, t);
        radius = graded.taken(graded.radius(kept.at[i]));
      }
    }
    if (throwing.room.field == nullptr) t = tiles.holding(kept.class_id[i], at);
    const VecD<D> middle = tiles.middle(t);
    near.emplace_back();
    for (std::size_t a = 0; a < D; ++a) near.back()[a] = static_cast<float>(at[a] - middle[a]);
    tile_of.push_back(t);
    radii.push_back(radius);
  }
  throwing.points.places.make_room(near.size());
  for (const std::uint32_t i :
       in_order_of_tiles(tile_of, tiles.tiles.size(), throwing.points.first)) {
    throwing.points.places.add(near[i], radii[i], -1);
    throwing.tile_of.push_back(tile_of[i]);
  }
}

template <std::size_t D>
Points<D> points_of(const Throwing<D>& throwing) {
  const Tiles<D>& tiles = throwing.tiles;
  const Places<D>& places = throwing.points.places;
  Points<D> made;
  made.at.reserve(places.count);
  made.class_id.reserve(places.count);
  made.window.reserve(places.count);
  std::vector<std::uint32_t> first;
  std::uint32_t t = Grades::none;
  VecD<D> middle{};
  for (const std::uint32_t i : in_order_of_tiles(throwing.tile_of, tiles.tiles.size(), first)) {
    if (places.number[i] < 0) continue;
    if (throwing.tile_of[i] != t) {
      t = throwing.tile_of[i];
      middle = tiles.middle(t);
    }
    VecF<D> near;
    for (std::size_t a = 0; a < D; ++a) near[a] = places.at[a][i];
    made.at.push_back(place_of(throwing.room, tiles, middle, near));
    made.class_id.push_back(throwing.room.field != nullptr ? 0 : tiles.tiles[t].class_id);
    made.window.push_back(places.number[i]);
  }
  return made;
}

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
Points<D> throw_darts(const Room<D>& room, Context& context) {
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
  Throwing<D> throwing{room,
                       tiles,
                       border ? &*border : nullptr,
                       obstacles ? &*obstacles : nullptr,
                       context.seed,
                       0,
                       {},
                       {},
                       {},
                       {}};
  throwing.states.resize(tiles.tiles.size());
  throwing.points.places.numbered = true;
  throwing.points.first.resize(tiles.tiles.size() + 1);
  if (room.kept != nullptr) lay_out_kept(throwing, *room.kept);
  Windows<D>(throwing, context).run();
  return points_of(throwing);
}

template <std::size_t D>
void order_by_windows(Points<D>& points) {
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
template void order_by_windows(Points<2>&);
template void order_by_windows(Points<3>&);
template void order_by_windows(Points<4>&);
template Points<2> throw_darts(const Room<2>&, Context&);
template Points<3> throw_darts(const Room<3>&, Context&);
template Points<4> throw_darts(const Room<4>&, Context&);

}  // namespace dapple::box_space
