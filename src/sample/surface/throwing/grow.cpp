// Updates the pieces and blocks of one tile in a window: prunes, splits, and throws darts.
#include <algorithm>
#include <bit>
#include <cmath>
#include <span>
#include <utility>

#include "core/random.hpp"
#include "sample/engine/darts_in_time.hpp"
#include "sample/engine/live_bits.hpp"
#include "sample/geodesic/cover.hpp"
#include "sample/surface/throwing/windows.hpp"

namespace dapple::surface {
namespace {

// A block is split if its parts expect more darts than this.
constexpr double most_darts_a_part = 2;
// A smaller block, in radii, gets one dart at its center and then counts as covered.
constexpr double smallest_block = 1e-5;

constexpr double most_darts_a_small = 1;
// In radii. Shorter parts of needles are split only for the darts that they expect. Splitting by
// length would cut a needle as often across as along, at rates that only its area requires.
constexpr double short_part = 1.0 / 32;

class TileWindow {
 public:
  TileWindow(Throwing& throwing, std::uint32_t t, Scratch& scratch, std::vector<Dart>& darts)
      : throwing_(throwing),
        tiles_(throwing.tiles),
        tile_(throwing.tiles.tiles[t]),
        state_(throwing.states[t]),
        there_(throwing.there == nullptr ? std::span<const std::int32_t>()
                                         : throwing.there->of_tile[t]),
        scratch_(scratch),
        darts_(darts),
        seed_(throwing.seed),
        window_(static_cast<std::uint64_t>(throwing.window)),
        rate_(throwing.rate[static_cast<std::size_t>(tile_.class_id)]) {}

  void run() {
    if (window_ == 0) lay_out();
    const bool has_new = state_.first_new < state_.near.count || (window_ == 0 && !there_.empty());
    scratch_.next_blocks.clear();
    for (Block& block : state_.blocks) {
      if (has_new) {
        select(block, state_.near, state_.first_new, scratch_.near_block);
        prune(block, scratch_.near_block);
      }
      if (block.live != 0) grow(block, nullptr);
    }
    if (has_new) {
      cover(tiles_, tile_, state_.near, state_.first_new, throwing_.roots, state_.roots);
      cover(tiles_, tile_, state_.near, state_.first_new, throwing_.middles, state_.middles,
            scratch_.near_pieces);
      cover(tiles_, tile_, state_.near, state_.first_new, throwing_.smalls, state_.smalls);
    }
    if (rate_ > 0) {
      grow_roots();
      grow_middles();
      grow_smalls();
    }
    state_.blocks.assign(scratch_.next_blocks.begin(), scratch_.next_blocks.end());
    state_.first_new = state_.near.count;
  }

 private:
  // ---- pieces as a whole ----

  void lay_out() {
    std::size_t root = state_.roots.first;
    std::size_t middle = state_.middles.first;
    std::size_t small = state_.smalls.first;
    for (std::uint32_t p = tile_.first; p < tile_.end; ++p) {
      if (throwing_.net != nullptr) {
        state_.blocks.push_back(root_block(tiles_, tile_, p));
        continue;
      }
      switch (size_of(tiles_.pieces[p])) {
        case Size::small:
          throwing_.smalls.set(small++, tiles_, tile_, p);
          break;
        case Size::middling:
          throwing_.middles.set(middle++, tiles_, tile_, p);
          break;
        case Size::large:
          throwing_.roots.set(root++, tiles_, tile_, p);
      }
    }
  }

  void grow_roots() {
    Roots& roots = throwing_.roots;
    Range& range = state_.roots;
    for (std::size_t i = range.first; i < range.first + range.count;) {
      if (roots.live[i] == 0) {
        roots.remove(i, range);
      } else if (rate_ > static_cast<double>(roots.all[i].most_rate)) {
        leave_map(roots.all[i], roots.piece[i]);
        roots.remove(i, range);
      } else {
        throw_at(roots.all[i], roots.piece[i], roots.live[i]);
        ++i;
      }
    }
  }
  void leave_map(const Root& root, std::uint32_t piece) {
    const Block whole = root_block(tiles_, tile_, piece);
    for (std::uint32_t rest = all_parts; rest != 0; rest &= rest - 1) {
      const int bit = std::countr_zero(rest);
      const std::uint32_t live = live_of_block(root, bit);
      if (live == 0) continue;
      Block block = child_block(tiles_, tile_, whole, bit);
      block.live = live;
      grow(block, nullptr);
    }
  }
  void throw_at(const Root& root, std::uint32_t piece, int parts) {
    Random random(seed_, Stream::surface, hash(root.key, window_));
    const double mean = rate_ * parts * static_cast<double>(root.squares) / map_parts;
    for (int count = darts_in(mean, random); count > 0; --count) {
      const MapPart part =
          live_part(root, static_cast<int>(random.below(static_cast<std::uint32_t>(parts))));
      const Weights in_part = in_triangle(random);
      throw_in(piece, in_piece(part, in_part), random);
    }
  }

  void grow_middles() {
    Middles& middles = throwing_.middles;
    Range& range = state_.middles;
    for (std::size_t i = range.first; i < range.first + range.count;) {
      if (rate_ > static_cast<double>(middles.most_rate[i])) {
        grow(middles.block[i], nullptr);
        middles.remove(i, range);
        continue;
      }
      const Block& block = middles.block[i];
      Random random(seed_, Stream::surface, hash(block.key, window_));
      const int parts = bit_count(block.live);
      const double darts = rate_ * parts * static_cast<double>(middles.squares[i++]);
      for (int count = darts_in(darts, random); count > 0; --count) {
        const int bit =
            nth_bit(block.live, static_cast<int>(random.below(static_cast<std::uint32_t>(parts))));
        const Weights in_part = in_triangle(random);
        throw_in(block.piece, in_piece(block, bit, in_part), random);
      }
    }
  }

  void grow_smalls() {
    Smalls& smalls = throwing_.smalls;
    Range& range = state_.smalls;
    for (std::size_t i = range.first; i < range.first + range.count;) {
      const double darts = rate_ * static_cast<double>(smalls.squares[i]);
      const std::uint32_t number = smalls.piece[i];
      if (darts > most_darts_a_small) {
        grow(root_block(tiles_, tile_, number), nullptr);
        smalls.remove(i, range);
        continue;
      }
      Random random(seed_, Stream::surface, hash(smalls.key[i++], window_));
      for (int count = poisson(random.uniform(), darts); count > 0; --count) {
        throw_in(number, in_triangle(random), random);
      }
    }
  }

  // Returns the weights of a random place in a triangle.
  static Weights in_triangle(Random& random) {
    const Weights at{random.uniform(), random.uniform()};
    return at.s + at.t > 1 ? Weights{1 - at.s, 1 - at.t} : at;
  }
  // Throws one of the darts that the least radius requires.
  void throw_in(std::uint32_t number, const Weights& weights, Random& random) {
    const std::uint64_t time = random.bits();
    const Piece& piece = tiles_.pieces[number];
    if (tiles_.apart != Apart::one) {
      // Thins darts per square of the least radius to as many per square of r.
      const auto least = static_cast<double>(piece.least());
      const double r = piece.radius(weights.s, weights.t);
      if (random.uniform() * (r * r) > least * least) return;
    }
    const Dart dart = dart_at(number, weights, time);
    if (!is_near(dart)) darts_.push_back(dart);
  }
  bool is_near(const Dart& dart) {
    const Reach reach = reach_of(dart);
    if (!tile_.gated) return any_near(tiles_.apart, state_.near, reach);
    const std::size_t count = numbers_near(tiles_.apart, state_.near, reach, scratch_.numbers);
    const std::int32_t triangle = tiles_.pieces[dart.piece].triangle;
    return std::any_of(scratch_.numbers.begin(),
                       scratch_.numbers.begin() + static_cast<std::ptrdiff_t>(count),
                       [&](std::int32_t other) { return tiles_.one_sheet(triangle, other); });
  }

  // ---- blocks ----

  const Piece& piece_of(const Block& block) const { return tiles_.pieces[block.piece]; }

  // Selects the places of `from` that can cover a place of the block.
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
    const PatchRadii radii = radii_of(tiles_, tile_, block);
    block.live = uncovered(tiles_.apart, block, radii, near, near_radius);
  }

  void prune_along(Block& block, const Places& near) const {
    geodesic::Parts parts(*throwing_.net, piece_of(block), block);
    for (std::size_t o = 0; o < there_.size() && block.live != 0; ++o) {
      block.live = parts.uncovered(block.live, there(o), geodesic::near_along);
    }
    for (std::size_t i = 0; i < near.count && block.live != 0; ++i) {
      block.live =
          parts.uncovered(block.live, throwing_.disc(near.number[i]), geodesic::near_along);
    }
  }

  // Returns the least radius of a block, in the unit of the frame.
  double least_radius(const Block& block) const {
    if (tiles_.apart == Apart::one) return 1;
    return static_cast<double>(radii_of(tiles_, tile_, block).least()) * tile_.unit;
  }

  bool is_too_large(const Block& block) const {
    const double edge = longest_edge(tiles_, block) / parts_a_side;
    const double r = least_radius(block);
    return part_area(tiles_, block) * rate_ > most_darts_a_part * (r * r) ||
           (edge > short_part * r && edge * edge * rate_ > longest_part * longest_part * (r * r));
  }

  // Throws darts at a block with up-to-date live parts, or splits it. `near`: the points that can
  // cover its places, or nullptr if they are not known.
  void grow(const Block& block, const Places* near) {
    if (rate_ == 0) {  // another class has its head start
      scratch_.next_blocks.push_back(block);
    } else if (longest_edge(tiles_, block) < smallest_block * least_radius(block)) {
      aim_at_middle(block, near);
    } else if (is_too_large(block)) {
      split(block, near);
    } else {
      throw_at(block, near);
      scratch_.next_blocks.push_back(block);
    }
  }

  const Places& near_block(const Block& block, const Places* near) {
    if (near != nullptr) return *near;
    select(block, state_.near, 0, scratch_.near_block);
    return scratch_.near_block;
  }

  void split(const Block& block, const Places* near) {
    // Nested splits are rare, so they may allocate a buffer of their own.
    Places around;
    std::swap(around, scratch_.near_parent);
    select(block, near != nullptr ? *near : state_.near, 0, around);
    for (std::uint32_t rest = block.live; rest != 0; rest &= rest - 1) {
      Block child = child_block(tiles_, tile_, block, std::countr_zero(rest));
      prune(child, around);
      if (child.live != 0) grow(child, &around);
    }
    std::swap(around, scratch_.near_parent);
  }

  void throw_at(const Block& block, const Places* near) {
    const auto parts = static_cast<std::uint32_t>(bit_count(block.live));
    Random random(seed_, Stream::surface, hash(block.key, window_));
    const double least = least_radius(block);
    const int count =
        poisson(random.uniform(), rate_ * parts * part_area(tiles_, block) / (least * least));
    if (count == 0) return;
    const Places& around = near_block(block, near);
    for (int n = 0; n < count; ++n) {
      const int bit = nth_bit(block.live, static_cast<int>(random.below(parts)));
      const Weights in_part = in_triangle(random);
      const std::uint64_t time = random.bits();
      const Weights weights = in_piece(block, bit, in_part);
      if (tiles_.apart != Apart::one) {
        // Thins darts per square of the least radius to as many per square of r.
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
    const Dart dart = dart_at(block.piece, weights, time);
    if (!is_near(dart, near)) darts_.push_back(dart);
  }
  Dart dart_at(std::uint32_t number, const Weights& weights, std::uint64_t time) const {
    const Piece& piece = tiles_.pieces[number];
    const Vec3 place = tile_.seen(place_of(piece, weights));
    return {static_cast<float>(place.x),
            static_cast<float>(place.y),
            static_cast<float>(place.z),
            static_cast<float>(piece.radius(weights.s, weights.t) * tile_.per_unit),
            number,
            time,
            weights};
  }

  bool is_near(const Dart& dart, const Places& near) {
    if (throwing_.net == nullptr) return any_near(tiles_.apart, near, reach_of(dart));
    select_near(tiles_.apart, near, 0, reach_of(dart), scratch_.near_dart);
    const Piece& piece = tiles_.pieces[dart.piece];
    const geodesic::SeenBySides seen =
        geodesic::seen_by_sides(*throwing_.net, piece.triangle, place_of(piece, dart.weights));
    for (std::size_t o = 0; o < there_.size(); ++o) {
      if (there(o).distance(piece.triangle, seen) < geodesic::near_along) return true;
    }
    for (std::size_t i = 0; i < scratch_.near_dart.count; ++i) {
      const geodesic::Disc& disc = throwing_.disc(scratch_.near_dart.number[i]);
      if (disc.distance(piece.triangle, seen) < geodesic::near_along) return true;
    }
    return false;
  }

  const geodesic::Disc& there(std::size_t o) const {
    return throwing_.there->discs[static_cast<std::size_t>(there_[o])];
  }

  Throwing& throwing_;
  const Tiles& tiles_;
  const Tile& tile_;
  TileState& state_;
  std::span<const std::int32_t> there_;  // discs of fixed points that reach the tile
  Scratch& scratch_;
  std::vector<Dart>& darts_;
  std::uint64_t seed_;
  std::uint64_t window_;
  double rate_;
};

}  // namespace

void grow_tile(Throwing& throwing, std::uint32_t t, const ByTile& fresh, Scratch& scratch,
               std::vector<Dart>& darts) {
  TileState& state = throwing.states[t];
  scratch.near_tile.clear();
  gather_around(throwing.tiles, t, fresh, scratch.near_tile);
  if (throwing.window == 0 && throwing.obstacles != nullptr) {
    throwing.obstacles->gather(throwing.tiles.tiles[t], scratch.near_tile);
  }
  state.near.add(scratch.near_tile);
  TileWindow(throwing, t, scratch, darts).run();
}

}  // namespace dapple::surface
