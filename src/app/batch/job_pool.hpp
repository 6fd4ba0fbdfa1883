// Runs concurrent jobs in one process, with a context each.
#pragma once

#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <thread>

#include "app/batch/batch.hpp"

namespace dapple::app {

// Passes a cancel of the whole context on to the contexts of jobs.
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

class JobPool {
 public:
  // Runs up to `at_a_time` of `count` jobs concurrently; 0 means one per thread.
  JobPool(Context& whole, int at_a_time, std::size_t count);

  int at_a_time() const { return at_a_time_; }
  // Returns a timer for a job that starts now.
  CpuTimer watch() const { return CpuTimer(threads_ > 1 ? at_a_time_ : 0); }
  // Calls body(i) for every i below `count`; the calls start in order.
  void for_each(std::size_t count, const std::function<void(std::size_t)>& body);
  // Runs a job with its share of threads and memory, or `alone` with all of both.
  // On return the files are complete but not yet renamed into place.
  Record execute(const BatchJob& job, bool alone, FileGroup& files);

 private:
  Context& whole_;
  int at_a_time_;
  int threads_ = 1;
  Limits share_;
  CancelWatch watch_;
};

}  // namespace dapple::app
