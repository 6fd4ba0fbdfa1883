// Work on tiles in groups, and columns in which what belongs to a tile stands together.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <mutex>
#include <numeric>
#include <utility>
#include <vector>

namespace dapple {

// What is made once and handed from one group to another.
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

// Sets where in columns what belongs to each tile begins, `first` holding one more than there are;
// `add` adds what there is of an active tile, and returns how much there is of all now.
template <class Add>
void each_tile(const std::vector<std::uint32_t>& active, std::vector<std::uint32_t>& first,
               std::size_t start, const Add& add) {
  auto next = static_cast<std::uint32_t>(start);
  std::uint32_t t = 0;
  for (const std::uint32_t tile : active) {
    while (t <= tile) first[t++] = next;
    next = static_cast<std::uint32_t>(add(tile));
  }
  while (t < first.size()) first[t++] = next;
}

// The numbers of points, tile after tile and in their order within each.
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
