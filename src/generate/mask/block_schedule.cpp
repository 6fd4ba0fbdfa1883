// Lets blocks wait for their neighbors only. A loop over the blocks of each color would let all
// threads wait for its last block, eight hundred times per mask.
#include "generate/mask/block_schedule.hpp"

#include <atomic>
#include <memory>
#include <thread>

#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple::mask {
namespace {

constexpr int color_of(int column, int row) {
  return row % 2 * 2 + column % 2;
}

class Turns {
 public:
  using Visit = std::function<void(std::size_t, int)>;

  Turns(const BlockGrid& grid, int first, int last, Context& context, const Visit& visit)
      : grid_(grid),
        last_(last),
        context_(context),
        visit_(visit),
        blocks_(std::make_unique<Block[]>(grid.size())),
        left_(grid.size()) {
    for (std::size_t b = 0; b < grid_.size(); ++b) blocks_[b].done = first - 1;
  }

  // Visits all blocks that are due, from a block on, until nothing is left.
  void work(std::size_t from) {
    while (left_.load(std::memory_order_acquire) > 0 && !stopped_) {
      bool found = false;
      for (std::size_t k = 0; k < grid_.size(); ++k) {
        found = try_block((from + k) % grid_.size()) || found;
      }
      if (!found) std::this_thread::yield();
    }
  }

 private:
  // Counters that threads write lie on cache lines of their own.
  struct alignas(64) Block {
    std::atomic<int> done{0};  // turns
    std::atomic<bool> held{false};
  };

  bool try_block(std::size_t b) {
    Block& block = blocks_[b];
    if (block.done.load(std::memory_order_relaxed) >= last_ ||
        block.held.exchange(true, std::memory_order_acquire)) {
      return false;
    }
    const int turn = block.done.load(std::memory_order_relaxed) + 1;
    const bool can = turn <= last_ && is_due(b, turn) && !stopped_;
    if (can) {
      try {
        context_.check();
        visit_(b, turn);
      } catch (...) {
        stopped_ = true;
        throw;
      }
      block.done.store(turn, std::memory_order_release);
      if (turn == last_) left_.fetch_sub(1, std::memory_order_release);
    }
    block.held.store(false, std::memory_order_release);
    return can;
  }

  // Returns true if all blocks around have had their turns before this one; they then wait for it.
  bool is_due(std::size_t b, int turn) const {
    const int column = static_cast<int>(b) % grid_.columns;
    const int row = static_cast<int>(b) / grid_.columns;
    const int color = color_of(column, row);
    for (int v = -1; v <= 1; ++v) {
      const int j = (row + v + grid_.rows) % grid_.rows;
      for (int u = -1; u <= 1; ++u) {
        const int i = (column + u + grid_.columns) % grid_.columns;
        if (i == column && j == row) continue;
        const int other = color_of(i, j);
        const auto at = static_cast<std::size_t>(j * grid_.columns + i);
        const int done = blocks_[at].done.load(std::memory_order_acquire);
        if (done < (other < color ? turn : turn - 1)) return false;
      }
    }
    return true;
  }

  BlockGrid grid_;
  int last_;
  Context& context_;
  const Visit& visit_;
  std::unique_ptr<Block[]> blocks_;
  std::atomic<std::size_t> left_;  // blocks
  std::atomic<bool> stopped_{false};
};

void one_by_one(const BlockGrid& grid, int first, int last, Context& context,
                const Turns::Visit& visit) {
  for (int turn = first; turn <= last; ++turn) {
    for (int color = 0; color < 4; ++color) {
      context.check();
      for (std::size_t b = 0; b < grid.size(); ++b) {
        const int block = static_cast<int>(b);
        if (color_of(block % grid.columns, block / grid.columns) == color) visit(b, turn);
      }
    }
  }
}

}  // namespace

void visit_in_turns(const BlockGrid& grid, int first, int last, Context& context, bool parallel,
                    const std::function<void(std::size_t block, int turn)>& visit) {
  const auto threads = static_cast<std::size_t>(parallel ? thread_count(context) : 1);
  // All blocks of a grid of two times two touch.
  if (threads == 1 || (grid.columns <= 2 && grid.rows <= 2)) {
    return one_by_one(grid, first, last, context, visit);
  }
  Turns turns(grid, first, last, context, visit);
  // Each thread begins in its own part; one thread does all if no other comes.
  parallel_for(context, threads, [&](std::size_t t) { turns.work(t * grid.size() / threads); });
}

}  // namespace dapple::mask
