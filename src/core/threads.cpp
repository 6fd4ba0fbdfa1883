// Threads by oneTBB, inside an arena of the size asked for. Built without ThreadSanitizer: half of
// oneTBB lies in its headers, whose hand-overs to the other half it would take for races.
#include "core/threads.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
#include <pthread.h>
#include <stdexcept>
#include <string_view>
#include <tbb/blocked_range.h>
#include <tbb/global_control.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include "dapple/error.hpp"

namespace dapple::threads {
namespace {

void* pass(void* gate) {
  const std::lock_guard lock(*static_cast<std::mutex*>(gate));
  return nullptr;
}

// How many of so many threads can be had at once, the caller's among them. Where the address space
// or the number of processes is limited oneTBB ends the program over one that cannot be started, so
// that they are tried out before, with twice the stack.
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
  if (limited) most = std::max(1, most / 2);  // what a run takes besides is not known
  return most;
}

}  // namespace

int of_machine() {
  return std::max(1, tbb::this_task_arena::max_concurrency());
}

void for_ranges(int wanted, std::size_t count, RangeBody body, void* of) {
  const int threads = startable(wanted);
  if (threads == 1) return body(of, 0, count);
  try {
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
  } catch (const Error&) {
    throw;  // of the body
  } catch (const std::runtime_error& error) {
    if (!std::string_view(error.what()).starts_with("pthread_create")) throw;
    throw Error(ErrorKind::limit, "a thread cannot be started; ask for fewer `threads`");
  }
}

}  // namespace dapple::threads
