#include "app/batch/commit_queue.hpp"

#include <chrono>
#include <set>
#include <system_error>
#include <utility>

#include "app/run/record.hpp"
#include "dapple/context.hpp"

namespace dapple::app {
namespace {

constexpr std::size_t most_waiting = 400;  // each holds one descriptor per file; 1024 is usual

// A sync of many files at once takes little more time than the sync of one. So the queue waits this
// long for this many jobs.
constexpr std::chrono::milliseconds longest_wait{20};
constexpr std::size_t enough_waiting = 64;

// Returns the error that `step` threw, if any.
template <class Step>
std::optional<Error> error_of(const Step& step) {
  try {
    step();
  } catch (const Error& error) {
    return error;
  } catch (const std::bad_alloc&) {
    return Error(ErrorKind::limit, "there is not enough memory for this");
  } catch (const std::exception& error) {
    return Error(ErrorKind::internal, error.what());
  }
  return std::nullopt;
}

}  // namespace

CommitQueue::CommitQueue(Settled settled) : settled_(std::move(settled)) {
  // The thread allocates memory only inside settle().
  waiting_.reserve(most_waiting);
  taken_.reserve(most_waiting);
  try {
    worker_ = std::thread([this] { work(); });
  } catch (const std::system_error&) {
    // Without a thread, each job itself waits for the disk.
  }
}

CommitQueue::~CommitQueue() {
  {
    const std::lock_guard lock(mutex_);
    ends_ = true;
  }
  changed_.notify_all();
  if (worker_.joinable()) worker_.join();
}

void CommitQueue::add(FinishedJob made) {
  std::unique_lock lock(mutex_);
  if (!worker_.joinable()) {
    Jobs one;
    one.push_back(std::move(made));
    settle(one);
    return;
  }
  changed_.wait(lock, [&] { return waiting_.size() < most_waiting || thrown_ != nullptr; });
  throw_on();
  waiting_.push_back(std::move(made));
  changed_.notify_all();
}

void CommitQueue::finish() {
  std::unique_lock lock(mutex_);
  finishes_ = true;
  changed_.notify_all();
  changed_.wait(lock, [&] { return (waiting_.empty() && !busy_) || thrown_ != nullptr; });
  finishes_ = false;
  throw_on();
}

// Throws an error only once, so that a caller that caught it can go on.
void CommitQueue::throw_on() {
  if (thrown_ != nullptr) std::rethrow_exception(std::exchange(thrown_, nullptr));
}

void CommitQueue::work() {
  std::unique_lock lock(mutex_);
  for (;;) {
    changed_.wait(lock, [&] { return ends_ || !waiting_.empty(); });
    if (waiting_.empty()) return;
    changed_.wait_for(lock, longest_wait,
                      [&] { return ends_ || finishes_ || waiting_.size() >= enough_waiting; });
    taken_.swap(waiting_);
    busy_ = true;
    lock.unlock();
    changed_.notify_all();
    std::exception_ptr thrown;
    try {
      settle(taken_);
    } catch (...) {
      thrown = std::current_exception();
    }
    taken_.clear();
    lock.lock();
    if (thrown != nullptr) thrown_ = thrown;
    busy_ = false;
    changed_.notify_all();
  }
}

void CommitQueue::settle(Jobs& jobs) {
  std::vector<FileGroup*> groups;
  for (const FinishedJob& made : jobs) groups.push_back(made.files.get());
  sync_together(groups);
  std::set<std::string> folders;
  std::vector<std::optional<Error>> errors;
  for (const FinishedJob& made : jobs) {
    errors.push_back(error_of([&] { commit(*made.files, Context(), &folders); }));
  }
  const std::optional<Error> of_folders = error_of([&] {
    for (const std::string& folder : folders) sync_folder(folder);
  });
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    settled_(jobs[i], errors[i] ? errors[i] : of_folders);
  }
}

}  // namespace dapple::app
