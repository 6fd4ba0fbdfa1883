// Threads by oneTBB, inside an arena of the size that the context allows.
#include "core/parallel.hpp"

#include <algorithm>
#include <optional>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <vector>

namespace dapple {

int thread_count(const Context& context) {
  const int machine = std::max(1, tbb::this_task_arena::max_concurrency());
  return context.threads > 0 ? context.threads : machine;
}

void parallel_for(Context& context, std::size_t count, const std::function<void(std::size_t)>& body,
                  std::size_t sequential_below) {
  const int threads = thread_count(context);
  if (threads == 1 || count < sequential_below) {
    for (std::size_t i = 0; i < count; ++i) {
      context.check();
      body(i);
    }
    return;
  }
  // oneTBB starts no more workers than the machine has processors unless it is told to.
  std::optional<tbb::global_control> more;
  if (threads > tbb::this_task_arena::max_concurrency()) {
    more.emplace(tbb::global_control::max_allowed_parallelism, static_cast<std::size_t>(threads));
  }
  tbb::task_arena arena(threads);
  arena.execute([&] {
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                      [&](const tbb::blocked_range<std::size_t>& range) {
                        for (std::size_t i = range.begin(); i != range.end(); ++i) {
                          context.check();
                          body(i);
                        }
                      });
  });
}

double parallel_sum(Context& context, std::size_t count,
                    const std::function<double(std::size_t)>& body) {
  // Groups of a fixed length, summed one after the other at the end.
  constexpr std::size_t group = 256;
  std::vector<double> sums((count + group - 1) / group, 0.0);
  parallel_for(context, sums.size(), [&](std::size_t g) {
    double sum = 0;
    for (std::size_t i = g * group; i < std::min(count, (g + 1) * group); ++i) sum += body(i);
    sums[g] = sum;
  });
  double total = 0;
  for (const double sum : sums) total += sum;
  return total;
}

}  // namespace dapple
