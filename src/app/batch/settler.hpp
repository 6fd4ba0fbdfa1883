// Where the files of finished jobs get their names: a thread that puts them on the disk, those of
// many small jobs together, while the next jobs run.
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
struct Made {
  const BatchJob* job;
  Record record;
  ManifestInputs inputs;
  Spent spent;
  std::unique_ptr<FileGroup> files;
};

class Settler {
 public:
  // `settled` is called for every job once its files have their names, for good, or with the reason
  // why they have not; one at a time, by any thread.
  using Settled = std::function<void(Made&, const std::optional<Error>&)>;
  explicit Settler(Settled settled);
  ~Settler();
  Settler(const Settler&) = delete;
  Settler& operator=(const Settler&) = delete;

  // Takes a job; waits where the disk is slower than the jobs. Throws what `settled` or a lack of
  // memory threw before: jobs that were taken since then keep no files.
  void add(Made made);
  // Until all are settled; throws as add() does.
  void finish();

 private:
  using Jobs = std::vector<Made>;
  void work();
  void settle(Jobs& jobs);
  void throw_on();

  Settled settled_;
  std::mutex mutex_;  // of what follows
  std::condition_variable changed_;
  Jobs waiting_;
  Jobs taken_;  // of the thread
  std::exception_ptr thrown_;
  bool busy_ = false;
  bool ends_ = false;
  std::thread worker_;
};

}  // namespace dapple::app
