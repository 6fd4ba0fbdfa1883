// What happens to the blocks of one tile in a window.
#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "core/random.hpp"
#include "sample/darts_in_time.hpp"
#include "sample/paths/cover.hpp"
#include "sample/surface/windows.hpp"

namespace dapple::surface {
namespace {

// Parts larger than this are split before darts are thrown at the rate lambda per square radius.
constexpr double most_darts_a_part = 2;
constexpr double longest_part = 3;  // / sqrt(lambda)
// Blocks smaller than this are a dart in their middle, and then count as covered.
constexpr double smallest_block = 1e-5;

class TileWindow {
 public:
  TileWindow(Throwing& throwing, std::uint32_t t, Scratch& scratch)
      : throwing_(throwing),
        tiles_(throwing.tiles),
        tile_(throwing.tiles.tiles[t]),
        state_(throwing.states[t]),
        scratch_(scratch),
        seed_(throwing.seed),
        window_(static_cast<std::uint64_t>(throwing.window)),
        rate_(throwing.rate[static_cast<std::size_t>(tile_.klass)]) {}

  void run() {
    std::swap(state_.blocks, scratch_.blocks);
    state_.blocks.clear();
    for (Block& block : scratch_.blocks) {
      if (scratch_.first_new < scratch_.near.count) {
        select(block, scratch_.near, scratch_.first_new, scratch_.near_block);
        prune(block, scratch_.near_block);
      }
      if (block.live != 0) grow(block, nullptr);
    }
  }

 private:
  const Piece& piece_of(const Block& block) const { return tiles_.pieces[block.piece]; }

  // Those of `from` that can cover a place of the block.
  void select(const Block& block, const Places& from, std::size_t first, Places& found) const {
    const float most = tiles_.apart == Apart::one ? 1 : radii_of(tiles_, tile_, block).most();
    const Reach reach = reach_of(tiles_, tile_, block, most, near_radius);
    select_near(tiles_.apart, from, first, reach, found);
    const std::int32_t triangle = piece_of(block).triangle;
    if (throwing_.net != nullptr) {
      const std::int32_t part = throwing_.net->part_of(triangle);
      return found.keep_if([&](std::int32_t disc) { return throwing_.disc(disc).part() == part; });
    }
    if (!tile_.gated) return;
    found.keep_if([&](std::int32_t other) { return tiles_.one_sheet(triangle, other); });
  }

  void prune(Block& block, const Places& near) const {
    if (throwing_.net != nullptr) return prune_along(block, near);
    const Radii radii = radii_of(tiles_, tile_, block);
    block.live = uncovered(tiles_.apart, block, radii, near, near_radius);
  }

  void prune_along(Block& block, const Places& near) const {
    paths::Parts parts(*throwing_.net, piece_of(block), block);
    for (std::size_t i = 0; i < near.count && block.live != 0; ++i) {
      block.live = parts.uncovered(block.live, throwing_.disc(near.number[i]), paths::near_along);
    }
  }

  // In the unit of the frame.
  double least_radius(const Block& block) const {
    if (tiles_.apart == Apart::one) return 1;
    return static_cast<double>(radii_of(tiles_, tile_, block).least()) * tile_.unit;
  }

  bool is_too_large(const Block& block) const {
    const double edge = longest_edge(tiles_, block) / parts_a_side;
    const double r = least_radius(block);
    return part_area(tiles_, block) * rate_ > most_darts_a_part * (r * r) ||
           edge * edge * rate_ > longest_part * longest_part * (r * r);
  }

  // A block whose live parts are up to date; `near`: the points that can cover places of it, where
  // they are known.
  void grow(const Block& block, const Places* near) {
    if (rate_ == 0) {  // another class has its head start
      state_.blocks.push_back(block);
    } else if (longest_edge(tiles_, block) < smallest_block * least_radius(block)) {
      aim_at_middle(block, near);
    } else if (is_too_large(block)) {
      split(block, near);
    } else {
      throw_at(block, near);
      state_.blocks.push_back(block);
    }
  }

  const Places& near_block(const Block& block, const Places* near) {
    if (near != nullptr) return *near;
    select(block, scratch_.near, 0, scratch_.near_block);
    return scratch_.near_block;
  }

  void split(const Block& block, const Places* near) {
    // Children of children are rare, so they may make room of their own.
    Places around;
    std::swap(around, scratch_.near_parent);
    select(block, near != nullptr ? *near : scratch_.near, 0, around);
    for (std::uint32_t rest = block.live; rest != 0; rest &= rest - 1) {
      Block child = child_block(tiles_, tile_, block, std::countr_zero(rest));
      prune(child, around);
      if (child.live != 0) grow(child, &around);
    }
    std::swap(around, scratch_.near_parent);
  }

  void throw_at(const Block& block, const Places* near) {
    const auto parts = static_cast<std::uint32_t>(std::popcount(block.live));
    Random random(seed_, Stream::surface, hash(block.key, window_));
    const double least = least_radius(block);
    const int count =
        poisson(random.uniform(), rate_ * parts * part_area(tiles_, block) / (least * least));
    if (count == 0) return;
    const Places& around = near_block(block, near);
    for (int n = 0; n < count; ++n) {
      const int bit = live_part(block.live, random.below(parts));
      Weights in_part{random.uniform(), random.uniform()};
      if (in_part.s + in_part.t > 1) in_part = {1 - in_part.s, 1 - in_part.t};
      const std::uint64_t time = random.bits();
      const Weights weights = in_piece(block, bit, in_part);
      if (tiles_.apart != Apart::one) {
        // As many a square of r anywhere, of as many a square of the least.
        const double r = piece_of(block).radius(weights.s, weights.t);
        if (random.uniform() * (r * r) > least * least) continue;
      }
      add_dart(block, weights, time, around);
    }
  }

  void aim_at_middle(const Block& block, const Places* near) {
    const Weights weights = in_piece(block, middle_part, {2.0 / 3, 2.0 / 3});
    add_dart(block, weights, hash(block.key, window_), near_block(block, near));
  }

  void add_dart(const Block& block, const Weights& weights, std::uint64_t time,
                const Places& near) {
    const Piece& piece = piece_of(block);
    const Vec3 place = tile_.seen(place_of(piece, weights));
    const Dart dart{static_cast<float>(place.x),
                    static_cast<float>(place.y),
                    static_cast<float>(place.z),
                    static_cast<float>(piece.radius(weights.s, weights.t) * tile_.per_unit),
                    block.piece,
                    time,
                    weights};
    if (is_near(dart, near)) return;
    state_.darts.push_back(dart);
  }

  bool is_near(const Dart& dart, const Places& near) {
    if (throwing_.net == nullptr) return any_near(tiles_.apart, near, reach_of(dart));
    select_near(tiles_.apart, near, 0, reach_of(dart), scratch_.near_dart);
    const Piece& piece = tiles_.pieces[dart.piece];
    const paths::SeenBySides seen =
        paths::seen_by_sides(*throwing_.net, piece.triangle, place_of(piece, dart.weights));
    for (std::size_t i = 0; i < scratch_.near_dart.count; ++i) {
      const paths::Disc& disc = throwing_.disc(scratch_.near_dart.number[i]);
      if (disc.distance(piece.triangle, seen) < paths::near_along) return true;
    }
    return false;
  }

  const Throwing& throwing_;
  const Tiles& tiles_;
  const Tile& tile_;
  TileState& state_;
  Scratch& scratch_;
  std::uint64_t seed_;
  std::uint64_t window_;
  double rate_;
};

void gather_points(const Throwing& throwing, std::uint32_t t, Scratch& scratch) {
  const Tiles& tiles = throwing.tiles;
  const Tile& tile = tiles.tiles[t];
  scratch.near.clear();
  for (const bool is_new : {false, true}) {
    if (is_new) scratch.first_new = scratch.near.count;
    const auto from_tile = [&](std::uint32_t other) {
      const TilePoints& of = throwing.points[other];
      gather_from(tiles, tile, tiles.tiles[other], of.places, is_new ? of.first_new : 0,
                  is_new ? of.places.count : of.first_new, scratch.near, [&](std::size_t i) {
                    return place_of(tiles.pieces[of.piece[i]], of.weights[i]);
                  });
    };
    from_tile(t);
    for (const std::uint32_t other : tiles.neighbors_of(tile)) from_tile(other);
    // New to the first window.
    if (throwing.obstacles != nullptr && is_new == (throwing.window == 0)) {
      throwing.obstacles->gather(tile, scratch.near);
    }
  }
}

}  // namespace

void grow_tile(Throwing& throwing, std::uint32_t t, Scratch& scratch) {
  const Tile& tile = throwing.tiles.tiles[t];
  TileState& state = throwing.states[t];
  if (throwing.window == 0) {
    state.blocks.reserve(tile.end - tile.first);
    for (std::uint32_t p = tile.first; p < tile.end; ++p) {
      state.blocks.push_back(root_block(throwing.tiles, tile, p));
    }
  }
  state.darts.clear();
  gather_points(throwing, t, scratch);
  TileWindow(throwing, t, scratch).run();
}

}  // namespace dapple::surface
