// Runs threads by oneTBB, in an arena of the requested size. Built without ThreadSanitizer, which
// would report races between the half of oneTBB in its headers and the other half.
#include "core/threads.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <mutex>
#include <pthread.h>
#include <stdexcept>
#include <string_view>
#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>
#include <thread>
#include <vector>

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

// True if this thread works for OwnThreads; it must then start no threads itself.
thread_local bool is_own = false;

// Divides [0, count) among the caller's thread and others, which end with run().
class OwnThreads {
 public:
  OwnThreads(int threads, std::size_t count, RangeBody body, void* of)
      : body_(body),
        of_(of),
        count_(count),
        step_(std::max<std::size_t>(1, count / (8 * static_cast<std::size_t>(threads)))) {}

  // Runs all parts. Throws the first exception of the body.
  void run(int threads) {
    const std::size_t parts = (count_ + step_ - 1) / step_;
    const std::size_t most = std::min(static_cast<std::size_t>(threads), parts);
    std::vector<std::thread> others;
    others.reserve(most);
    try {
      while (others.size() + 1 < most) {
        others.emplace_back(&OwnThreads::work, this);
      }
    } catch (const std::exception&) {
      // The threads that did start do all the work.
    }
    work();
    for (std::thread& other : others) other.join();
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  void work() noexcept {
    is_own = true;
    try {
      for (std::size_t first = next_.fetch_add(step_); first < count_;
           first = next_.fetch_add(step_)) {
        body_(of_, first, std::min(first + step_, count_));
      }
    } catch (...) {
      next_ = count_;  // no thread takes another part
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
    is_own = false;
  }

  RangeBody body_;
  void* of_;
  std::size_t count_;
  std::size_t step_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

}  // namespace

int of_machine() {
  return std::max(1, tbb::this_task_arena::max_concurrency());
}

void for_ranges(int wanted, std::size_t count, RangeBody body, void* of) {
  const int threads = startable(wanted);
  if (threads == 1 || is_own) return body(of, 0, count);
  // oneTBB starts no more workers than the machine has processors, unless the process raises its
  // limit. Only the process itself may do that.
  if (threads > of_machine()) {
    OwnThreads own(threads, count, body, of);
    return own.run(threads);
  }
  try {
    tbb::task_arena arena(threads);
    arena.execute([&] {
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
