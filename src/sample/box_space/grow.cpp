// Updates the blocks of one tile in a window: prunes and splits them, and throws darts.
#include <bit>
#include <cmath>
#include <optional>
#include <utility>

#include "core/random.hpp"
#include "sample/box_space/map.hpp"
#include "sample/box_space/windows.hpp"
#include "sample/engine/darts_in_time.hpp"
#include "sample/engine/live_bits.hpp"

namespace dapple::box_space {
namespace {

// Points that are near a tile at the end.
template <std::size_t D>
constexpr std::size_t usually_near = D == 3 ? 110 : 0;

// A block is split if its parts expect more darts than this.
constexpr double most_darts_a_part = 0.5;
// Bounds of r are close enough if they differ by at most this share of the edge of a block.
constexpr double enough_of_edge = 0.3;
// A root leaves its map if parts of the map expect more darts: a map tests many parts at once.
constexpr double most_darts_a_part_of_map = 1;

template <std::size_t D>
class TileWindow {
 public:
  TileWindow(Throwing<D>& throwing, std::uint32_t t, Scratch<D>& scratch,
             std::vector<Dart<D>>& darts)
      : room_(throwing.room),
        tiles_(throwing.tiles),
        border_(throwing.border),
        tile_(t),
        middle_(throwing.tiles.middle(t)),
        state_(throwing.states[t]),
        lattice_(throwing.tiles.lattice(throwing.tiles.tiles[t])),
        scratch_(scratch),
        darts_(darts),
        seed_(throwing.seed),
        window_(static_cast<std::uint64_t>(throwing.window)),
        rate_(lattice_.rate * throwing.rate_at(t)) {
    if constexpr (D == 3) {
      if (throwing.room.field != nullptr) {
        graded_.emplace(throwing.room, throwing.tiles, t);
        most_ = throwing.tiles.grades.most[t];
      }
    }
  }

  void run() {
    std::swap(state_.blocks, scratch_.blocks);
    state_.blocks.clear();
    const bool has_new = state_.first_new < state_.near.count;
    root_ = none;
    for (Block<D>& block : scratch_.blocks) {
      if (block.root != root_) enter(block, has_new);
      if constexpr (D == 3) {
        if (border_ != nullptr && window_ == 0) clip(block, border_->near(tile_));
        if (graded_ && window_ == 0) grade(block);
      }
      if constexpr (has_map<D>) {
        if (block.mapped && window_ == 0) {
          block.mapped = block.live == all_parts<D> && !block.crossed && !is_wide(block);
        }
        if (block.mapped) {
          grow_mapped(block);
          continue;
        }
      }
      if (scratch_.new_root.count > 0) cover(block, scratch_.new_root);
      if (block.live != 0) grow(block, nullptr, nullptr);
    }
    state_.first_new = state_.near.count;
    if (!keeps_map_) state_.map = {};
  }

 private:
  static constexpr std::uint32_t none = 0xffffffff;

  const BlockSize<D>& size(const Block<D>& block) const {
    return lattice_.levels[static_cast<std::size_t>(block.level)];
  }
  double low_of(const Block<D>& block, std::size_t a) const {
    return block.at[a] * size(block).edge[a] - 0.5 * lattice_.edge[a];
  }
  HalfBox<D> box_of(const Block<D>& block) const {
    HalfBox<D> box;
    box.half = size(block).half;
    for (std::size_t a = 0; a < D; ++a) {
      box.middle[a] = static_cast<float>(low_of(block, a) + 0.5 * size(block).edge[a]);
    }
    return box;
  }
  Block<D> root_block_of(const Block<D>& block) const {
    Block<D> root;
    for (std::size_t a = 0; a < D; ++a) root.at[a] = block.at[a] >> size(block).times[a];
    return root;
  }
  HalfBox<D> root_of(const Block<D>& block) const { return box_of(root_block_of(block)); }

  void enter(const Block<D>& block, bool has_new) {
    root_ = block.root;
    knows_root_ = knows_faces_ = false;
    scratch_.new_root.clear();
    if (!has_new) return;
    select_near(state_.near, state_.first_new, root_of(block), reach(most_), scratch_.new_root);
  }
  const Places<D>& near_root(const Block<D>& block) {
    if (!knows_root_) {
      select_near(state_.near, 0, root_of(block), reach(most_), scratch_.near_root);
    }
    knows_root_ = true;
    return scratch_.near_root;
  }

  // ---- a root with a map ----

  void grow_mapped(const Block<D>& root) requires(has_map<D>) {
    if (state_.map.empty()) {
      state_.map.assign(map_rows<D> * static_cast<std::size_t>(lattice_.root_count()), 0xffff);
    }
    std::uint16_t* rows = state_.map.data() + map_rows<D> * root.root;
    if (scratch_.new_root.count > 0) {
      cover_map(rows, box_of(root), scratch_.new_root, reach(root.least));
    }
    const double darts = lattice_.levels[map_level].part_room * rate_in(root);
    if (darts > most_darts_a_part_of_map) return leave_map(root, rows);
    const int live = count_live<D>(rows, live_up_to_);
    if (live == 0) return;
    state_.blocks.push_back(root);
    keeps_map_ = true;
    Random random(seed_, Stream::volume, hash(root.key, window_));
    const int count = darts_in(live * darts, random);
    for (int n = 0; n < count; ++n) {
      const auto nth = static_cast<int>(random.below(static_cast<std::uint32_t>(live)));
      const std::uint64_t time = random.bits();
      const std::array<int, D> part = nth_live<D>(rows, live_up_to_, nth);
      const VecF<D> at = place_in(root, part, map_side, random);
      throw_at(at, time, root, near_root(root), random);
    }
  }
  // Replaces a map by blocks with parts of the same size, and grows these blocks.
  void leave_map(const Block<D>& root, const std::uint16_t* rows) requires(has_map<D>) {
    constexpr int side = parts_a_side<D>;
    constexpr int blocks = map_side / side;
    constexpr std::uint32_t parts = (1u << side) - 1;
    constexpr std::size_t rows_of_block = part_count<D> / side;
    Block<D> block;
    block.root = root.root;
    block.level = map_level;
    block.least = root.least;
    block.most = root.most;
    std::array<int, D> at{};
    for (std::uint64_t number = 0; number < part_count<D>; number += blocks) {
      const std::uint16_t* low = rows + side * (at[1] + (D == 3 ? map_side * at[D - 1] : 0));
      const auto row = [&](std::size_t n) { return low[n % side + map_side * (n / side)]; };
      std::uint32_t any = 0;
      for (std::size_t n = 0; n < rows_of_block; ++n) any |= row(n);
      for (at[0] = 0; at[0] < blocks; ++at[0]) {
        if ((any >> side * at[0] & parts) == 0) continue;
        block.live = 0;
        for (std::size_t n = 0; n < rows_of_block; ++n) {
          block.live |= std::uint64_t{row(n) >> side * at[0] & parts} << side * n;
        }
        block.key = hash(root.key, number + static_cast<std::uint64_t>(at[0]));
        for (std::size_t a = 0; a < D; ++a) block.at[a] = root.at[a] * blocks + at[a];
        grow(block, nullptr, nullptr);
      }
      for (std::size_t a = 1; a < D && ++at[a] == blocks; ++a) at[a] = 0;
    }
  }

  // ---- radii that vary ----

  void cover(Block<D>& block, const Places<D>& places) const {
    block.live = uncovered(block.live, box_of(block), places, reach(block.least));
  }
  ConflictLimits reach(float radius) const {
    return room_.limits(radius * static_cast<float>(near_varied_radius));
  }
  // Sets the bounds of r over a block, and keeps only the parts in which points are allowed.
  void grade(Block<D>& block) const requires(D == 3) {
    const HalfBox<D> box = box_of(block);
    const Graded::Bounds bounds = graded_->bounds(box);
    block.least = bounds.least;
    block.most = bounds.most;
    block.crossed = bounds.most > 0 && !graded_->allows_all(box);
    if (bounds.most == 0) block.live = 0;
    if (!block.crossed) return;
    for (std::uint64_t rest = block.live; rest != 0; rest &= rest - 1) {
      const HalfBox<D> of = box_of_part<D>(box, std::countr_zero(rest));
      if (graded_->bounds(of).most == 0) block.live &= ~(rest & -rest);
    }
  }
  // Returns true if the bounds that a block inherited are too wide for its size.
  bool is_wide(const Block<D>& block) const {
    return static_cast<double>(block.most - block.least) > enough_of_edge * size(block).edge[0];
  }
  // Returns r in the unit of the volume; 0 if r is the same everywhere.
  double radius_at(const VecF<D>& at) const {
    if constexpr (D == 3) {
      if (graded_) return graded_->radius(place_of(room_, tiles_, middle_, at));
    }
    return 0;
  }
  float taken(double radius) const {
    if constexpr (D == 3) {
      if (graded_) return graded_->taken(radius);
    }
    return 0;
  }
  // Returns the darts per unit volume. If r varies, the least r of the block sets the rate.
  double rate_in(const Block<D>& block) const {
    if (most_ == 0) return rate_;
    const auto r = static_cast<double>(block.least);
    return rate_ / (r * r * r);
  }

  // ---- solids ----

  using Faces = std::vector<std::uint32_t>;

  SolidBox solid_box_of(const Block<D>& block) const requires(D == 3) {
    const VecD<D>& edge = size(block).edge;
    VecD<D> middle, half;
    for (std::size_t a = 0; a < D; ++a) {
      half[a] = 0.5 * edge[a];
      middle[a] = low_of(block, a) + half[a];
    }
    return border_->box(tile_, middle, half);
  }
  void clip(Block<D>& block, std::span<const std::uint32_t> faces) const requires(D == 3) {
    border_->clip(block, solid_box_of(block), faces);
  }
  const Faces& faces_near_root(const Block<D>& block) requires(D == 3) {
    if (!knows_faces_) {
      select_faces(border_->solid(), border_->near(tile_), solid_box_of(root_block_of(block)),
                   scratch_.faces_root);
    }
    knows_faces_ = true;
    return scratch_.faces_root;
  }
  bool is_inside(const Block<D>& block, const VecF<D>& at) const {
    if constexpr (D == 3) {
      if (graded_) return std::isfinite(radius_at(at));
      if (block.crossed) return border_->solid().holds(place_of(room_, tiles_, middle_, at));
    }
    return true;
  }

  // Throws darts at a block with up-to-date live parts, or splits it. `near` has the points that
  // can cover its places, and `faces` the faces that can cross it. nullptr: those of the root.
  void grow(const Block<D>& block, const Places<D>* near, const Faces* faces) {
    if (block.level > last_level) {
      aim_at_middle(block, near != nullptr ? *near : near_root(block));
    } else if (size(block).part_room * rate_in(block) > most_darts_a_part) {
      split(block, near != nullptr ? *near : near_root(block), faces);
    } else {
      throw_at(block, near);
      state_.blocks.push_back(block);
    }
  }

  void split(const Block<D>& block, const Places<D>& near, const Faces* faces) {
    Faces crossing;
    if constexpr (D == 3) {
      if (block.crossed && border_ != nullptr) {
        select_faces(border_->solid(), faces != nullptr ? *faces : faces_near_root(block),
                     solid_box_of(block), crossing);
      }
    }
    // Nested splits are rare, so they may allocate a buffer of their own.
    Places<D> around;
    std::swap(around, scratch_.near_block);
    select_near(near, 0, box_of(block), reach(block.most), around);
    const int halved = size(block).halved;
    for (int n = 0; n < 1 << D; ++n) {
      if ((n & ~halved) != 0) continue;
      const std::uint64_t live = live_of_half<D>(block.live, n, halved);
      if (live == 0) continue;
      Block<D> child = child_of(block, n);
      child.live = live;
      if constexpr (D == 3) {
        if (graded_) {
          child.least = block.least;
          child.most = block.most;
          if (block.crossed || is_wide(child)) grade(child);
        } else if (block.crossed) {
          clip(child, crossing);
        }
      }
      if (child.live == 0) continue;
      cover(child, around);
      if (child.live != 0) grow(child, &around, &crossing);
    }
    std::swap(around, scratch_.near_block);
  }

  Block<D> child_of(const Block<D>& block, int n) const {
    Block<D> child;
    child.key = hash(block.key, static_cast<std::uint64_t>(n));
    child.level = block.level + 1;
    child.root = block.root;
    for (std::size_t a = 0; a < D; ++a) {
      child.at[a] = block.at[a] << (size(block).halved >> a & 1) | (n >> a & 1);
    }
    return child;
  }

  void throw_at(const Block<D>& block, const Places<D>* near) {
    const int parts = bit_count(block.live);
    Random random(seed_, Stream::volume, hash(block.key, window_));
    const int count = poisson(random.uniform(), rate_in(block) * parts * size(block).part_room);
    if (count == 0) return;
    const Places<D>& around = near != nullptr ? *near : near_root(block);
    for (int n = 0; n < count; ++n) {
      const auto nth = static_cast<int>(random.below(static_cast<std::uint32_t>(parts)));
      const auto part = part_of<D>(nth_bit(block.live, nth));
      const std::uint64_t time = random.bits();
      const VecF<D> at = place_in(block, part, parts_a_side<D>, random);
      throw_at(at, time, block, around, random);
    }
  }
  void throw_at(const VecF<D>& at, std::uint64_t time, const Block<D>& block,
                const Places<D>& around, Random& random) {
    if (most_ > 0) {
      throw_varied(block, around, {at, time}, random.uniform());
    } else if (!any_near(around, at, {}) && is_inside(block, at)) {
      darts_.push_back({at, time});
    }
  }
  // Returns a random place in a part of a block that is cut into `side` parts along each side.
  VecF<D> place_in(const Block<D>& block, const std::array<int, D>& part, int side,
                   Random& random) const {
    VecF<D> at;
    for (std::size_t a = 0; a < D; ++a) {
      const double in_block = (part[a] + random.uniform()) / side;
      at[a] = static_cast<float>(low_of(block, a) + in_block * size(block).edge[a]);
    }
    return at;
  }
  // Thins darts from the rate of the least radius of a block to the rate of r at the dart.
  void throw_varied(const Block<D>& block, const Places<D>& around, Dart<D> dart, double chance) {
    const double r = radius_at(dart.at);
    if (!std::isfinite(r)) return;
    const double rarer = static_cast<double>(block.least) * tiles_.unit / r;
    if (chance >= rarer * rarer * rarer) return;
    dart.radius = taken(r);
    if (!any_near(around, dart.at, room_.limits(dart.radius))) darts_.push_back(dart);
  }

  void aim_at_middle(const Block<D>& block, const Places<D>& near) {
    const HalfBox<D> box = box_of(block);
    VecF<D> at = box.middle;
    const std::uint64_t key = hash(block.key, window_);
    if (!is_inside(block, at)) {
      // The center is outside the solid or forbidden, so tries random places of the block.
      constexpr int tries = 16;
      Random random(seed_, Stream::volume, key);
      for (int n = 0; n < tries; ++n) {
        for (std::size_t a = 0; a < D; ++a) {
          at[a] = box.middle[a] + static_cast<float>(2 * random.uniform() - 1) * box.half[a];
        }
        if (is_inside(block, at)) break;
        if (n + 1 == tries) return;
      }
    }
    const float radius = taken(radius_at(at));
    if (!any_near(near, at, room_.limits(radius))) darts_.push_back({at, key, radius});
  }

  const Room<D>& room_;
  const Tiles<D>& tiles_;
  const Border* border_;
  std::uint32_t tile_;
  VecD<D> middle_;
  TileState<D>& state_;
  const Lattice<D>& lattice_;
  Scratch<D>& scratch_;
  std::vector<Dart<D>>& darts_;
  std::uint64_t seed_;
  std::uint64_t window_;
  double rate_;
  std::optional<Graded> graded_;
  float most_ = 0;  // the largest radius of the tile, if r varies
  std::array<int, map_slices<D>> live_up_to_;
  std::uint32_t root_ = none;
  bool knows_root_ = false;
  bool knows_faces_ = false;
  bool keeps_map_ = false;
};

template <std::size_t D>
void lay_out_roots(const Throwing<D>& throwing, std::uint32_t t, TileState<D>& state) {
  const Tile& tile = throwing.tiles.tiles[t];
  const Lattice<D>& lattice = throwing.tiles.lattice(tile);
  // The key uses the index of the tile within its class, so other classes do not change it.
  std::uint64_t key =
      hash(static_cast<std::uint64_t>(tile.class_id), std::uint64_t{t - lattice.first});
  if constexpr (D == 3) {
    if (throwing.room.field != nullptr) {
      key = static_cast<std::uint64_t>(tile.class_id);
      for (const std::int32_t i : throwing.tiles.place(t))
        key = hash(key, static_cast<std::uint64_t>(i));
    }
  }
  state.blocks.resize(static_cast<std::size_t>(lattice.root_count()));
  // A map has as many parts along each side.
  bool mapped = has_map<D>;
  for (const int times : lattice.levels[map_level].times) mapped = mapped && times == map_level;
  std::array<std::int32_t, D> at{};
  for (std::uint32_t root = 0; root < state.blocks.size(); ++root) {
    Block<D>& block = state.blocks[root];
    block.at = at;
    block.root = root;
    block.key = hash(key, root);
    block.mapped = mapped;
    for (std::size_t a = 0; a < D && ++at[a] == lattice.roots[a]; ++a) at[a] = 0;
  }
}

}  // namespace

template <std::size_t D>
void grow_tile(Throwing<D>& throwing, std::uint32_t t, const PlacesByTile<D>& fresh,
               Scratch<D>& scratch, std::vector<Dart<D>>& darts) {
  TileState<D>& state = throwing.states[t];
  if (throwing.window == 0) {
    lay_out_roots(throwing, t, state);
    state.near.make_room(usually_near<D>);
  }
  gather_around(throwing, t, fresh, state.near);
  if (throwing.obstacles != nullptr && throwing.window == 0) {
    throwing.obstacles->add_to(t, -1, state.near);
  }
  if (throwing.rate_at(t) == 0) return;
  TileWindow<D>(throwing, t, scratch, darts).run();
}

template void grow_tile(Throwing<2>&, std::uint32_t, const PlacesByTile<2>&, Scratch<2>&,
                        std::vector<Dart<2>>&);
template void grow_tile(Throwing<3>&, std::uint32_t, const PlacesByTile<3>&, Scratch<3>&,
                        std::vector<Dart<3>>&);
template void grow_tile(Throwing<4>&, std::uint32_t, const PlacesByTile<4>&, Scratch<4>&,
                        std::vector<Dart<4>>&);

}  // namespace dapple::box_space
