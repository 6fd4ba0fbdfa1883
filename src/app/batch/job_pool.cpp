#include "app/batch/job_pool.hpp"

#include <algorithm>
#include <chrono>
#include <system_error>

#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple::app {

CancelWatch::CancelWatch(const Context& whole) : whole_(whole) {
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    // Without a thread, a job that runs ends before the batch stops.
  }
}

CancelWatch::~CancelWatch() {
  finished_ = true;
  if (watcher_.joinable()) watcher_.join();
}

void CancelWatch::add(Context& part) {
  const std::lock_guard lock(mutex_);
  parts_.insert(&part);
}

void CancelWatch::remove(Context& part) {
  const std::lock_guard lock(mutex_);
  parts_.erase(&part);
}

void CancelWatch::watch() {
  while (!finished_) {
    if (whole_.cancelled()) {
      const std::lock_guard lock(mutex_);
      for (Context* part : parts_) part->cancel();
    }
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  }
}

JobPool::JobPool(Context& whole, int at_a_time, std::size_t count)
    : whole_(whole),
      at_a_time_(at_a_time > 0 ? at_a_time : thread_count(whole)),
      share_(whole.limits),
      watch_(whole) {
  const int most = static_cast<int>(std::clamp<std::size_t>(count, 1, 1024));
  at_a_time_ = std::min(at_a_time_, most);
  threads_ = std::max(1, thread_count(whole) / at_a_time_);
  share_.max_memory = std::max<std::int64_t>(1, memory_limit(whole.limits) / at_a_time_);
}

void JobPool::for_each(std::size_t count, const std::function<void(std::size_t)>& body) {
  Context members;  // carries only the number of concurrent jobs
  members.threads = at_a_time_;
  std::atomic<std::size_t> next{0};
  parallel_for(members, static_cast<std::size_t>(at_a_time_), [&](std::size_t) {
    for (std::size_t i = next++; i < count; i = next++) body(i);
  });
}

Record JobPool::execute(const BatchJob& job, bool alone, FileGroup& files) {
  Run run = make_run(job);
  Context context;
  context.seed = job.seed;
  context.threads = alone ? whole_.threads : threads_;
  context.limits = alone ? whole_.limits : share_;
  watch_.add(context);
  try {
    Record record = execute_uncommitted(files, run, context);
    watch_.remove(context);
    return record;
  } catch (...) {
    watch_.remove(context);
    throw;
  }
}

}  // namespace dapple::app
