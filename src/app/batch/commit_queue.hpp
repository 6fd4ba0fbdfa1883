// Commits the files of finished jobs on a thread while the next jobs run. Syncs many small jobs
// together.
#pragma once

#include <condition_variable>
#include <exception>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <thread>
#include <vector>

#include "app/batch/batch.hpp"

namespace dapple::app {

// A job whose files are complete.
struct FinishedJob {
  const BatchJob* job;
  Record record;
  ManifestInputs inputs;
  Spent spent;
  std::unique_ptr<FileGroup> files;
  bool cached = false;  // its files came from the cache
};

class CommitQueue {
 public:
  // Called once per job, with the error if its files could not be renamed into place. Any thread
  // may call it, but never two at once.
  using Settled = std::function<void(FinishedJob&, const std::optional<Error>&)>;
  explicit CommitQueue(Settled settled);
  ~CommitQueue();
  CommitQueue(const CommitQueue&) = delete;
  CommitQueue& operator=(const CommitQueue&) = delete;

  // Takes a job; waits if the disk is slower than the jobs. Throws an earlier exception of
  // `settled`, or for lack of memory. Discards the files of jobs added since that exception.
  void add(FinishedJob made);
  // Waits until all jobs are settled; throws like add().
  void finish();

 private:
  using Jobs = std::vector<FinishedJob>;
  void work();
  void settle(Jobs& jobs);
  void throw_on();

  Settled settled_;
  std::mutex mutex_;  // protects the members below
  std::condition_variable changed_;
  Jobs waiting_;
  Jobs taken_;  // jobs that the thread works on
  std::exception_ptr thrown_;
  bool busy_ = false;
  bool finishes_ = false;
  bool ends_ = false;
  std::thread worker_;
};

}  // namespace dapple::app
