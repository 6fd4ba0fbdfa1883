// Threads by oneTBB, inside an arena of the size asked for. Built without ThreadSanitizer: half of
// oneTBB lies in its headers, whose hand-overs to the other half it would take for races.
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

// Whether this thread works for OwnThreads, and starts none itself.
thread_local bool is_own = false;

// Runs the parts of a count on so many threads, the caller's among them, that end with it.
class OwnThreads {
 public:
  OwnThreads(int threads, std::size_t count, RangeBody body, void* of)
      : body_(body),
        of_(of),
        count_(count),
        step_(std::max<std::size_t>(1, count / (8 * static_cast<std::size_t>(threads)))) {}

  // Throws the first exception of the body.
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
      // Those that could be started do all of it.
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
      next_ = count_;  // nobody takes another part
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
  // oneTBB starts no more workers than the machine has processors unless the whole process is told
  // otherwise, which is for the process to say.
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
    throw;  // of the body
  } catch (const std::runtime_error& error) {
    if (!std::string_view(error.what()).starts_with("pthread_create")) throw;
    throw Error(ErrorKind::limit, "a thread cannot be started; ask for fewer `threads`");
  }
}

}  // namespace dapple::threads
