// Runs the jobs of a shard, several at a time, each with a context of its own.
#include <algorithm>
#include <charconv>
#include <filesystem>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include "app/batch/batch.hpp"
#include "app/command.hpp"
#include "app/problems.hpp"
#include "core/parallel.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// Hands a cancel of the whole on to the contexts of its parts.
class CancelWatch {
 public:
  explicit CancelWatch(const Context& whole) : whole_(whole), watcher_([this] { watch(); }) {}
  ~CancelWatch() {
    finished_ = true;
    watcher_.join();
  }
  CancelWatch(const CancelWatch&) = delete;
  CancelWatch& operator=(const CancelWatch&) = delete;

  void add(Context& part) {
    const std::lock_guard lock(mutex_);
    parts_.insert(&part);
  }
  void remove(Context& part) {
    const std::lock_guard lock(mutex_);
    parts_.erase(&part);
  }

 private:
  void watch() {
    while (!finished_) {
      if (whole_.cancelled()) {
        const std::lock_guard lock(mutex_);
        for (Context* part : parts_) part->cancel();
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    }
  }

  const Context& whole_;
  std::atomic<bool> finished_{false};
  std::mutex mutex_;
  std::set<Context*> parts_;
  std::thread watcher_;
};

// True where the manifest says that the job is done, its files are what it made of the same inputs.
bool is_done(const BatchJob& job, const ManifestEntry& entry) {
  // A name with {frame} is many files.
  if (!entry.done || entry.outputs.size() < job.outputs.size()) return false;
  for (const ManifestOutput& output : entry.outputs) {
    if (!fs::is_regular_file(output.path) || hash_of_file(output.path, output.hash) != output.hash)
      return false;
  }
  return hashes_of_inputs(job, entry.inputs) == entry.inputs;
}

class BatchRunner {
 public:
  BatchRunner(const std::vector<BatchJob>& jobs, const BatchOptions& options, Context& context)
      : options_(options),
        context_(context),
        manifest_(options.manifest),
        jobs_(jobs_of(options.shard, jobs)),
        watch_(context) {
    if (options.resume) {
      for (ManifestEntry& entry : read_manifest(options.manifest, true)) {
        done_before_.emplace(entry.job, std::move(entry));
      }
    }
    const int threads = thread_count(context);
    at_a_time_ = options.jobs > 0 ? options.jobs : threads;
    at_a_time_ = std::max(1, std::min(at_a_time_, static_cast<int>(jobs_.size())));
    part_.threads = std::max(1, threads / at_a_time_);
    part_.limits = context.limits;
    // Without a word from the user, jobs share what the machine has.
    if (part_.limits.max_memory == 0) {
      part_.limits.max_memory = memory_limit(context.limits) / at_a_time_;
    }
  }

  BatchSummary run() {
    summary_.jobs = jobs_.size();
    const auto stage = context_.stage("jobs");
    Context gang;  // carries the number of jobs at a time, and nothing else
    gang.threads = at_a_time_;
    parallel_for(gang, jobs_.size(), [this](std::size_t i) { run_one(*jobs_[i]); });
    context_.check();
    return std::move(summary_);
  }

 private:
  struct Part {
    int threads = 1;
    Limits limits;
  };

  void run_one(const BatchJob& job) {
    if (stopped_ || context_.cancelled()) return;
    try {
      if (was_done(job)) {
        finish(&BatchSummary::skipped);
        return;
      }
      const auto inputs = hashes_of_inputs(job);
      for (const std::string& path : job.outputs) make_folder(path);
      const Record record = execute_job(job);
      tell_warnings(job, record);
      record_line(done_line(job, record, inputs));
      finish(&BatchSummary::done);
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) return;
      fail(job, error);
    } catch (const std::bad_alloc&) {
      fail(job, Error(ErrorKind::limit, "there is not enough memory for this"));
    } catch (const std::exception& error) {
      fail(job, Error(ErrorKind::internal, error.what()));
    }
  }

  bool was_done(const BatchJob& job) const {
    auto found = done_before_.find(job.id);
    if (found == done_before_.end()) found = done_before_.find(job.earlier_id);
    return found != done_before_.end() && is_done(job, found->second);
  }

  static void make_folder(const std::string& path) {
    const fs::path folder = fs::path(path).parent_path();
    if (folder.empty()) return;
    std::error_code failure;
    fs::create_directories(folder, failure);
    if (failure) {
      throw Error(ErrorKind::output, "the folder cannot be made: " + failure.message(),
                  folder.string());
    }
  }

  Record execute_job(const BatchJob& job) {
    Run run = make_run(job);
    Context context;
    context.seed = job.recipe.seed;
    context.threads = part_.threads;
    context.limits = part_.limits;
    watch_.add(context);
    try {
      Record record = execute(run, context);
      watch_.remove(context);
      return record;
    } catch (...) {
      watch_.remove(context);
      throw;
    }
  }

  void record_line(const std::string& line) {
    try {
      manifest_.append(line);
    } catch (const Error&) {
      stopped_ = true;
      throw;
    }
  }

  void finish(std::size_t BatchSummary::*count) {
    const std::lock_guard lock(mutex_);
    ++(summary_.*count);
    if (!context_.on_progress) return;
    const std::size_t ended = summary_.done + summary_.skipped + summary_.failed;
    context_.on_progress("jobs", static_cast<double>(ended) / static_cast<double>(jobs_.size()));
  }

  void tell_warnings(const BatchJob& job, const Record& record) {
    if (options_.quiet) return;
    const std::lock_guard lock(mutex_);
    for (const std::string& warning : record.warnings) {
      note(job.outputs.front() + ": warning: " + warning);
    }
  }

  void fail(const BatchJob& job, const Error& error) {
    if (!options_.keep_going) stopped_ = true;
    {
      const std::lock_guard lock(mutex_);
      note(job.outputs.front() + ": not made: " + text_of(error));
      if (summary_.failures.size() < 100) {
        summary_.failures.push_back({job.outputs.front(), error.kind(), text_of(error)});
      }
    }
    try {
      manifest_.append(failed_line(job, error));
    } catch (const Error& second) {
      const std::lock_guard lock(mutex_);
      note(text_of(second));
      stopped_ = true;
    }
    finish(&BatchSummary::failed);
  }

  const BatchOptions& options_;
  Context& context_;
  ManifestWriter manifest_;
  std::vector<const BatchJob*> jobs_;
  std::map<std::string, ManifestEntry> done_before_;
  int at_a_time_ = 1;
  Part part_;
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;  // of summary_ and standard error
  BatchSummary summary_;
  CancelWatch watch_;
};

}  // namespace

Shard parse_shard(std::string_view text) {
  Shard shard{0, 0};
  const char* const end = text.data() + text.size();
  const auto first = std::from_chars(text.data(), end, shard.index);
  const bool slash = first.ec == std::errc{} && first.ptr != end && *first.ptr == '/';
  const auto second = slash ? std::from_chars(first.ptr + 1, end, shard.count) : first;
  if (!slash || second.ec != std::errc{} || second.ptr != end || shard.index < 1 ||
      shard.index > shard.count) {
    throw Error(ErrorKind::usage, "must be I/N with 1 <= I <= N, such as 2/8");
  }
  return shard;
}

std::vector<const BatchJob*> jobs_of(const Shard& shard, const std::vector<BatchJob>& jobs) {
  std::vector<const BatchJob*> part;
  const auto step = static_cast<std::size_t>(shard.count);
  for (auto i = static_cast<std::size_t>(shard.index - 1); i < jobs.size(); i += step) {
    part.push_back(&jobs[i]);
  }
  return part;
}

BatchSummary run_batch(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                       Context& context) {
  return BatchRunner(jobs, options, context).run();
}

}  // namespace dapple::app
