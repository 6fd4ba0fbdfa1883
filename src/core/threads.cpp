// Threads by oneTBB, inside an arena of the size asked for. Built without ThreadSanitizer: half of
// oneTBB lies in its headers, whose hand-overs to the other half it would take for races.
#include "core/threads.hpp"

#include <algorithm>
#include <optional>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

namespace dapple::threads {

int of_machine() {
  return std::max(1, tbb::this_task_arena::max_concurrency());
}

void for_ranges(int threads, std::size_t count, RangeBody body, void* of) {
  // oneTBB starts no more workers than the machine has processors unless it is told to.
  std::optional<tbb::global_control> more;
  if (threads > of_machine()) {
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  }
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        body(of, range.begin(), range.end());
                      });
  });
}

}  // namespace dapple::threads
