// Groups work on tiles, and orders columns so that the entries of a tile stand together.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <span>
#include <utility>
#include <vector>

#include "core/parallel.hpp"
#include "sample/engine/darts_in_time.hpp"

namespace dapple {

// A pool of objects that are made once and passed from one group to another.
template <class Work>
class Pool {
 public:
  std::unique_ptr<Work> take() {
    const std::lock_guard lock(mutex_);
    if (free_.empty()) return std::make_unique<Work>();
    auto taken = std::move(free_.back());
    free_.pop_back();
    return taken;
  }
  void give(std::unique_ptr<Work> work) {
    const std::lock_guard lock(mutex_);
    free_.push_back(std::move(work));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Work>> free_;
};

// The tiles with work, in groups that do not depend on the number of threads.
class TileGroups {
 public:
  static constexpr std::size_t size = 16;

  std::vector<std::uint32_t> active;

  explicit TileGroups(std::size_t tiles) : active(tiles) {
    std::iota(active.begin(), active.end(), 0u);
  }
  std::size_t count() const { return (active.size() + size - 1) / size; }
  std::span<const std::uint32_t> tiles_of(std::size_t group) const {
    const std::size_t first = group * size;
    return std::span(active).subspan(first, std::min(size, active.size() - first));
  }

  // Calls body(group) for each group.
  template <class Body>
  void for_each(Context& context, const Body& body) const {
    parallel_for(context, count(), body);
  }
  // Calls body(group, work) for each group.
  template <class Work, class Body>
  void for_each(Context& context, Pool<Work>& pool, const Body& body) const {
    for_each(context, [&](std::size_t g) {
      auto work = pool.take();
      body(g, *work);
      pool.give(std::move(work));
    });
  }

  // Sets the start of each tile's entries in columns; `first` has one element more than there are
  // tiles. `add` adds the entries of an active tile, and returns the number of all entries so far.
  template <class Add>
  void set_first(std::vector<std::uint32_t>& first, std::size_t start, const Add& add) const {
    auto next = static_cast<std::uint32_t>(start);
    std::uint32_t t = 0;
    for (const std::uint32_t tile : active) {
      while (t <= tile) first[t++] = next;
      next = static_cast<std::uint32_t>(add(tile));
    }
    while (t < first.size()) first[t++] = next;
  }
};

// Returns which darts of groups stay. For one dart after the other, each group holds the earlier
// darts that are too near, and their number.
template <class Group>
std::vector<bool> settle_groups(std::span<const Group> groups) {
  Lists<std::uint32_t, std::uint32_t> earlier;
  for (const Group& group : groups) earlier.add(group.earlier, group.earlier_counts);
  return settle(earlier);
}

// Returns the indices of points, tile after tile, and in their order within each tile.
inline std::vector<std::uint32_t> in_order_of_tiles(const std::vector<std::uint32_t>& tile_of,
                                                    std::size_t tiles,
                                                    std::vector<std::uint32_t>& first) {
  first.assign(tiles + 1, 0);
  for (const std::uint32_t t : tile_of) ++first[t + 1];
  std::partial_sum(first.begin(), first.end(), first.begin());
  std::vector<std::uint32_t> next = first;
  std::vector<std::uint32_t> order(tile_of.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[next[tile_of[i]]++] = i;
  return order;
}

}  // namespace dapple
