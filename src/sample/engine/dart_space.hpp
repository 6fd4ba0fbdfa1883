// States what a space provides to the engine of darts (dart_windows.hpp).
//
// A space owns geometry: its tiles, the cells of each tile that no point covers yet, the rule that
// keeps points apart, and its random numbers. The engine owns the order of steps. To add a space,
// write a class with the members of DartSpace; cells.hpp has the recursion over cells.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

namespace dapple::engine {

// The darts of a group of tiles, tile after tile. `Dart` has a member `time`, by which darts of one
// window settle.
template <class Dart>
struct DartList {
  std::vector<Dart> all;

  std::size_t size() const { return all.size(); }
  void clear() { all.clear(); }
  std::uint64_t time(std::size_t k) const { return all[k].time; }
};

// The darts of a group of tiles in one window, and what they conflict with.
template <class Darts>
struct DartGroup {
  Darts darts;                        // tile after tile
  std::vector<std::uint32_t> counts;  // darts of each tile
  std::uint32_t first = 0;            // number of its first dart
  // The earlier darts that are too near, for one dart after the other, and their number.
  std::vector<std::uint32_t> earlier, earlier_counts;
};

// Darts or points of all tiles. Tile t has the entries first[t] to first[t + 1] - 1 of the store.
template <class Store>
struct ByTile {
  explicit ByTile(Store empty) : store(std::move(empty)) {}

  Store store;
  std::vector<std::uint32_t> first;
};

// A space may also have settle(groups, count, context), which returns which of the `count` darts of
// all groups stay, and number_of_point(darts, k, number), which returns the number that set() gets
// for a point.
template <class S>
concept DartSpace = requires(S& space, const S& fixed, std::uint32_t tile, typename S::Darts& darts,
                             typename S::Store& store, const ByTile<typename S::Store>& by_tile,
                             typename S::Scratch& scratch, std::size_t i, std::int32_t number) {
  { fixed.tile_count() } -> std::convertible_to<std::size_t>;
  { fixed.class_count() } -> std::convertible_to<std::size_t>;
  // Starts a window, with the darts per unit of space of each class.
  space.begin(0, std::vector<double>());
  // Takes the points that settled in the last window and adds darts of the tile.
  space.grow(tile, by_tile, darts, scratch);
  // Keep darts, or points, so that neighbors find them; many threads call set(). `number` names a
  // dart, or a point.
  { fixed.make_store() } -> std::same_as<typename S::Store>;
  fixed.resize(store, i);
  fixed.set(store, i, darts, i, number);
  fixed.finish(store);
  // Calls add(own, other) for each pair of a dart of the tile and an earlier dart that is too
  // near; is_earlier(other, own) tells which is earlier.
  fixed.find_earlier(
      tile, by_tile, scratch, [](std::uint32_t, std::uint32_t) { return true; },
      [](std::uint32_t, std::uint32_t) {});
  // Returns what the engine keeps of a dart that stays.
  { fixed.point(darts, i) } -> std::same_as<typename S::Point>;
  // Frees a tile that is covered, and returns true; the engine then drops it.
  { space.drop_if_done(tile) } -> std::same_as<bool>;
};

}  // namespace dapple::engine
