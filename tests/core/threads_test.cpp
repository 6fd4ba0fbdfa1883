// Loops of a run on its threads, whatever the limits of the process and however many processors.
#include <algorithm>
#include <array>
#include <atomic>
#include <fstream>
#include <gtest/gtest.h>
#include <mutex>
#include <set>
#include <tbb/global_control.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "core/lists.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "old_names.hpp"

namespace dapple {
namespace {

// What oneTBB may do is for the process to say: a run on more threads than processors changes
// nothing of it, while it runs or after, and goes by what a caller set.
TEST(Parallel, LeavesTheLimitsOfTheProcessAlone) {
  constexpr auto limit = tbb::global_control::max_allowed_parallelism;
  const auto expect_kept = [] {
    const std::size_t before = tbb::global_control::active_value(limit);
    for (const int threads : {0, 1, 2, 64}) {
      Context context;
      context.threads = threads;
      std::array<std::atomic<int>, 1000> done{};
      std::atomic<bool> kept = true;
      parallel_for(context, done.size(), [&](std::size_t i) {
        ++done[i];
        parallel_for(context, 3, [&](std::size_t) {  // in each other, too
          if (tbb::global_control::active_value(limit) != before) kept = false;
        });
      });
      EXPECT_TRUE(kept) << threads;
      for (const auto& times : done) EXPECT_EQ(times, 1) << threads;
      EXPECT_EQ(tbb::global_control::active_value(limit), before) << threads;
    }
  };
  expect_kept();
  const tbb::global_control callers(limit, 1);
  expect_kept();
}

// Each loop with an arena of its own left 3 KB, and made the next one slower.
TEST(Parallel, ManyLoopsTakeNoMoreMemoryThanSome) {
  Context context;
  context.threads = std::max(2, static_cast<int>(std::thread::hardware_concurrency()));
  const auto resident = [] {
    std::ifstream file("/proc/self/statm");
    double all = 0, pages = 0;
    file >> all >> pages;
    return pages * static_cast<double>(sysconf(_SC_PAGESIZE)) / 1e6;
  };
  const auto run = [&](int loops) {
    for (int i = 0; i < loops; ++i) {
      parallel_for(context, 8, [&](std::size_t) { parallel_for(context, 2, [](std::size_t) {}); });
    }
  };
  run(1000);
  const double before = resident();
  run(10000);
  EXPECT_LT(resident(), before + 20);
}

// Loops in each other start threads once, whichever of them works.
TEST(Parallel, LoopsInLoopsStayOnTheirThread) {
  Context context;
  context.threads = 2 * static_cast<int>(std::thread::hardware_concurrency());
  std::atomic<int> elsewhere = 0;
  parallel_for(context, 64, [&](std::size_t) {
    const auto outer = std::this_thread::get_id();
    parallel_for(context, 8,
                 [&](std::size_t) { elsewhere += std::this_thread::get_id() != outer; });
  });
  EXPECT_EQ(elsewhere, 0);
}

TEST(Parallel, MoreThreadsThanProcessorsRunAndThrow) {
  Context context;
  context.threads = 64;
  std::mutex mutex;
  std::set<std::thread::id> seen;
  parallel_for(context, 64, [&](std::size_t) {
    const std::lock_guard lock(mutex);
    seen.insert(std::this_thread::get_id());
  });
  EXPECT_GE(seen.size(), 1U);
  EXPECT_LE(seen.size(), 64U);
  EXPECT_THROW(parallel_for(context, 1000,
                            [](std::size_t i) {
                              if (i == 5) throw Error(ErrorKind::input, "five");
                            }),
               Error);
}

// What is asked of a run is kept apart from the run: one after the other, or at once, have the
// same.
TEST(RunOptions, AreAValueForAnyNumberOfContexts) {
  const RunOptions asked = {.seed = 7, .threads = 2, .limits = {.max_pixels = 5000}};
  const std::vector<RunOptions> kept(3, asked);
  std::vector<Points> made;
  for (const RunOptions& options : kept) {
    Context context(options);
    EXPECT_EQ(context.threads, 2);
    made.push_back(sample(DensityField::constant({64, 64}, 4), SampleOptions{}, 0, context));
    EXPECT_THROW(context.require_pixels(80, 80, "an image"), Error);
    context.seed = 8;  // of this context alone
    context.cancel();
    Context next(context.asked());
    EXPECT_EQ(next.seed, 8U);
    EXPECT_FALSE(next.cancelled());
  }
  EXPECT_EQ(made[0].x, made[1].x);
  EXPECT_EQ(made[0].x, made[2].x);
  Context usual;
  EXPECT_NE(made[0].x, sample(DensityField::constant({64, 64}, 4), SampleOptions{}, 0, usual).x);
}

TEST(Parallel, ListsAreTheSameForAnyNumberOfThreads) {
  for (const int threads : {1, 3}) {
    Context context;
    context.threads = threads;
    const auto lists = make_lists<int>(context, 3000, [](std::size_t i, std::vector<int>& into) {
      for (std::size_t n = 0; n < i % 3; ++n) into.push_back(static_cast<int>(i + n));
    });
    ASSERT_EQ(lists.size(), 3000u);
    EXPECT_EQ(lists.total(), 3000u);
    const auto last = lists.of(2999);
    EXPECT_EQ(std::vector(last.begin(), last.end()), (std::vector<int>{2999, 3000}));
    EXPECT_TRUE(lists.of(2997).empty());
  }
}

}  // namespace
}  // namespace dapple
