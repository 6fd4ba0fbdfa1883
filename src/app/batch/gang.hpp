// Jobs that run at a time in one process, each with a context of its own.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "app/batch/batch.hpp"

namespace dapple::app {

// Hands a cancel of the whole on to the contexts of its parts.
class CancelWatch {
 public:
  explicit CancelWatch(const Context& whole);
  ~CancelWatch();
  CancelWatch(const CancelWatch&) = delete;
  CancelWatch& operator=(const CancelWatch&) = delete;

  void add(Context& part);
  void remove(Context& part);

 private:
  void watch();

  const Context& whole_;
  std::atomic<bool> finished_{false};
  std::mutex mutex_;
  std::set<Context*> parts_;
  std::thread watcher_;
};

class Gang {
 public:
  // So many jobs at a time, of `count`; 0: one a thread.
  Gang(Context& whole, int at_a_time, std::size_t count);

  int at_a_time() const { return at_a_time_; }
  // Of a job that begins here.
  Stopwatch watch() const { return Stopwatch(threads_ > 1 ? at_a_time_ : 0); }
  // body(i) for every i below `count`, begun in order.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body);
  // With its share of threads and memory, or `alone` with all of it.
  // Its files are complete then, but have no names yet.
  Record execute(const BatchJob& job, bool alone, FileGroup& files);

 private:
  Context& whole_;
  int at_a_time_;
  int threads_ = 1;
  Limits share_;
  CancelWatch watch_;
};

}  // namespace dapple::app
