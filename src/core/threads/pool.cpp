#include "core/threads/pool.hpp"

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <thread>
#include <vector>

namespace dapple::threads {
namespace {

// True while this thread works for a loop; it must then begin no other loop on the pool.
thread_local bool is_working = false;

// One call of for_ranges_in_pool(). Threads take ranges until none is left.
class Loop {
 public:
  Loop(int threads, std::size_t count, RangeBody body, void* of)
      : wanted(threads - 1),
        body_(body),
        of_(of),
        count_(count),
        step_(std::max<std::size_t>(1, count / (8 * static_cast<std::size_t>(threads)))) {}

  void work() noexcept {
    is_working = true;
    try {
      for (std::size_t first = next_.fetch_add(step_); first < count_;
           first = next_.fetch_add(step_)) {
        body_(of_, first, std::min(first + step_, count_));
      }
    } catch (...) {
      next_ = count_;  // no thread takes another range
      const std::lock_guard lock(mutex_);
      if (!thrown_) thrown_ = std::current_exception();
    }
    is_working = false;
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

  // Guarded by the mutex of the pool.
  int wanted;      // threads that may still join
  int joined = 0;  // threads of the pool at work

 private:
  RangeBody body_;
  void* of_;
  std::size_t count_;
  std::size_t step_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::exception_ptr thrown_;
};

class ThreadPool {
 public:
  ~ThreadPool() {
    {
      const std::lock_guard lock(mutex_);
      closing_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
  }

  void run(Loop& loop) {
    {
      const std::lock_guard lock(mutex_);
      start(static_cast<std::size_t>(loop.wanted));
      open_.push_back(&loop);
    }
    wake_.notify_all();
    loop.work();
    std::unique_lock lock(mutex_);
    std::erase(open_, &loop);
    left_.wait(lock, [&] { return loop.joined == 0; });
  }

 private:
  void start(std::size_t wanted) {
    try {
      while (threads_.size() < wanted) threads_.emplace_back([this] { serve(); });
    } catch (const std::exception&) {
      // The threads that did start do all the work.
    }
  }

  void serve() {
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [this] { return closing_ || !open_.empty(); });
      if (closing_) return;
      Loop& loop = *open_.front();
      ++loop.joined;
      if (--loop.wanted == 0) std::erase(open_, &loop);
      lock.unlock();
      loop.work();
      lock.lock();
      std::erase(open_, &loop);  // no range is left
      if (--loop.joined == 0) left_.notify_all();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_;  // a loop begins, or the pool closes
  std::condition_variable left_;  // a loop has no more threads of the pool
  std::vector<Loop*> open_;       // loops that threads may join
  std::vector<std::thread> threads_;
  bool closing_ = false;
};

}  // namespace

void for_ranges_in_pool(int threads, std::size_t count, RangeBody body, void* of) {
  if (threads == 1 || is_working) return body(of, 0, count);
  static ThreadPool pool;
  Loop loop(static_cast<int>(std::min(static_cast<std::size_t>(threads), count)), count, body, of);
  pool.run(loop);
  loop.rethrow();
}

}  // namespace dapple::threads
