// Runs threads by oneTBB, in an arena of the requested size. Built without ThreadSanitizer, which
// would report races between the half of oneTBB in its headers and the other half.

#include <algorithm>
#include <map>
#include <memory>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <string_view>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <utility>
#include <vector>

#include "core/threads/pool.hpp"
#include "dapple/error.hpp"

namespace dapple::threads {
namespace {

void* pass(void* gate) {
  const std::lock_guard lock(*static_cast<std::mutex*>(gate));
  return nullptr;
}

// Returns how many of `wanted` threads can run at once, including the caller's. oneTBB ends the
// program if it cannot start a thread, as under a limit of address space or processes. So this
// tries threads first, with twice the stack.
int startable(int wanted) {
  static std::mutex mutex;
  static int most = 1;
  static bool limited = false;
  const std::lock_guard lock(mutex);
  if (wanted <= most || limited) return std::min(wanted, most);
  std::vector<pthread_t> started;
  started.reserve(static_cast<std::size_t>(wanted));
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstacksize(&attributes, 8 << 20);
  std::mutex gate;
  {
    const std::lock_guard closed(gate);
    for (pthread_t thread{}; most < wanted; ++most) {
      limited = pthread_create(&thread, &attributes, pass, &gate) != 0;
      if (limited) break;
      started.push_back(thread);
    }
  }
  for (const pthread_t thread : started) pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  if (limited) most = std::max(1, most / 2);  // other needs of the run are unknown
  return most;
}

// An arena of `threads` threads, lent to one loop at a time. oneTBB 2021 is slow to free arenas:
// with a new one per loop, its list of arenas grew, and so did the time to search it.
class LentArena {
 public:
  explicit LentArena(int threads) : threads_(threads) {
    const std::lock_guard lock(idle().mutex);
    Arenas& arenas = idle().by_threads[threads];
    if (arenas.idle.empty()) {
      arenas.idle.reserve(++arenas.made);  // so that giving it back cannot throw
      arena_ = std::make_unique<tbb::task_arena>(threads);
      return;
    }
    arena_ = std::move(arenas.idle.back());
    arenas.idle.pop_back();
  }
  ~LentArena() {
    const std::lock_guard lock(idle().mutex);
    idle().by_threads[threads_].idle.push_back(std::move(arena_));
  }
  LentArena(const LentArena&) = delete;
  LentArena& operator=(const LentArena&) = delete;
  tbb::task_arena& operator*() const { return *arena_; }

 private:
  struct Arenas {
    std::size_t made = 0;
    std::vector<std::unique_ptr<tbb::task_arena>> idle;
  };
  struct Idle {
    std::mutex mutex;
    std::map<int, Arenas> by_threads;
  };
  // Never destroyed, since workers may outlive static objects.
  static Idle& idle() {
    static Idle* const arenas = new Idle;
    return *arenas;
  }

  int threads_;
  std::unique_ptr<tbb::task_arena> arena_;
};

}  // namespace

int of_machine() {
  return std::max(1, tbb::this_task_arena::max_concurrency());
}

void for_ranges(int wanted, std::size_t count, RangeBody body, void* of) {
  const int threads = startable(wanted);
  if (threads == 1) return body(of, 0, count);
  // oneTBB starts no more workers than the machine has processors, unless the process raises its
  // limit. Only the process itself may do that.
  if (threads > of_machine()) return for_ranges_in_pool(threads, count, body, of);
  try {
    const LentArena arena(threads);
    (*arena).execute([&] {
      tbb::parallel_for(tbb::blocked_range<std::size_t>(0, count),
                        [&](const tbb::blocked_range<std::size_t>& range) {
                          body(of, range.begin(), range.end());
                        });
    });
  } catch (const Error&) {
    throw;  // thrown by the body
  } catch (const std::runtime_error& error) {
    if (!std::string_view(error.what()).starts_with("pthread_create")) throw;
    throw Error(ErrorKind::limit, "cannot start a thread; use fewer `threads`");
  }
}

}  // namespace dapple::threads
