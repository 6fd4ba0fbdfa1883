// Distributes work to threads.
#include "core/parallel.hpp"

#include <algorithm>
#include <atomic>
#include <vector>

#include "core/threads/threads.hpp"
#include "dapple/context.hpp"

namespace dapple {
namespace {

// In oneTBB, threads see all writes before a loop, and its caller sees their writes.
// ThreadSanitizer cannot look into oneTBB. These counters show it the same order, so that it
// reports only races in the bodies of loops. All loops share one count of begun loops: a thread
// must read it before it looks at its own loop.
std::atomic<unsigned> loops_begun{0};

struct Loop {
  Context& context;
  const std::function<void(std::size_t)>& body;
  std::atomic<unsigned> ranges_ended{0};

  ~Loop() { ranges_ended.load(std::memory_order_acquire); }
};

struct Visit {
  std::atomic<unsigned>& ended;
  ~Visit() { ended.fetch_add(1, std::memory_order_release); }
};

void run_range(void* of, std::size_t first, std::size_t last) {
  loops_begun.load(std::memory_order_acquire);
  Loop& loop = *static_cast<Loop*>(of);
  const Visit visit{loop.ranges_ended};
  for (std::size_t i = first; i < last; ++i) {
    loop.context.check();
    loop.body(i);
  }
}

}  // namespace

int thread_count(const Context& context) {
  // Only tests use more threads than processors. Each thread takes memory for its stack, and a
  // thread that cannot be started would end the process.
  constexpr int most = 64;
  const int all = threads::of_machine();
  return context.threads > 0 ? std::min(context.threads, std::max(most, all)) : all;
}

void parallel_for(Context& context, std::size_t count, const std::function<void(std::size_t)>& body,
                  std::size_t sequential_below) {
  const int wanted = thread_count(context);
  if (wanted == 1 || count < sequential_below) {
    for (std::size_t i = 0; i < count; ++i) {
      context.check();
      body(i);
    }
    return;
  }
  Loop loop{context, body};
  loops_begun.fetch_add(1, std::memory_order_release);
  threads::for_ranges(wanted, count, run_range, &loop);
}

double parallel_sum(Context& context, std::size_t count,
                    const std::function<double(std::size_t)>& body) {
  // Groups have a fixed length. Their sums are added in order at the end.
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
