// Runs the jobs of a shard, several at a time, each with a context of its own.
#include <algorithm>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>
#include <thread>
#include <unordered_map>

#include "app/batch/batch.hpp"
#include "app/command.hpp"
#include "app/exit_code.hpp"
#include "app/json.hpp"
#include "app/problems.hpp"
#include "core/digest.hpp"
#include "core/parallel.hpp"
#include "io/utf8_names.hpp"

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

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

// What happens, as it happens: a JSON object a line.
class Events {
 public:
  explicit Events(const std::string& path) : start_(std::chrono::steady_clock::now()) {
    if (!path.empty()) file_.emplace("the file of events", path);
  }
  explicit operator bool() const { return file_.has_value(); }

  Json line(const char* event) const { return {{"event", event}, {"time", seconds_since(start_)}}; }
  void write(const Json& line) { file_->append(text_of(line, -1)); }

 private:
  std::chrono::steady_clock::time_point start_;
  std::optional<LineFile> file_;
};

class BatchRunner {
 public:
  BatchRunner(const std::vector<BatchJob>& jobs, const BatchOptions& options, Context& context)
      : options_(options),
        context_(context),
        manifest_("the manifest", options.manifest),
        events_(options.events),
        jobs_(jobs_of(options.shard, jobs)),
        watch_(context) {
    part_.shard = options.shard;
    part_.shard_jobs = jobs_.size();
    part_.batch_jobs = jobs.size();
    Digest digest;
    for (const BatchJob& job : jobs) digest.add(job.id);
    part_.batch = digest.text();
    if (!options.force) {
      for (ManifestEntry& entry : read_manifest(options.manifest, true, context).entries) {
        std::string job = entry.job;
        done_before_.emplace(std::move(job), std::move(entry));
      }
    }
    const int threads = thread_count(context);
    at_a_time_ = options.jobs > 0 ? options.jobs : threads;
    at_a_time_ = std::max(1, std::min(at_a_time_, static_cast<int>(jobs_.size())));
    share_.threads = std::max(1, threads / at_a_time_);
    share_.limits = context.limits;
    // Without a word from the user, jobs share what the machine has.
    if (share_.limits.max_memory == 0) {
      share_.limits.max_memory = memory_limit(context.limits) / at_a_time_;
    }
  }

  BatchSummary run() {
    summary_.jobs = jobs_.size();
    if (events_) {
      Json line = events_.line("start");
      line["jobs"] = jobs_.size();
      line["shard"] = text_of(part_.shard);
      line["manifest"] = utf8_of_name(options_.manifest);
      events_.write(line);
    }
    const auto stage = context_.stage("jobs");
    Context gang;  // carries the number of jobs at a time, and nothing else
    gang.threads = at_a_time_;
    parallel_for(gang, jobs_.size(), [this](std::size_t i) { run_one(*jobs_[i]); });
    if (events_) {
      Json line = events_.line("end");
      line["done"] = summary_.done;
      line["skipped"] = summary_.skipped;
      line["failed"] = summary_.failed;
      line["not_run"] = summary_.jobs - summary_.done - summary_.skipped - summary_.failed;
      line["cancelled"] = context_.cancelled();
      events_.write(line);
    }
    context_.check();
    std::sort(summary_.failures.begin(), summary_.failures.end(),
              [](const auto& a, const auto& b) { return std::less<>()(a.job, b.job); });
    return std::move(summary_);
  }

 private:
  struct Share {
    int threads = 1;
    Limits limits;
  };

  void run_one(const BatchJob& job) {
    if (stopped_ || context_.cancelled()) return;
    try {
      if (was_done(job)) {
        tell(job, "skipped");
        finish(&BatchSummary::skipped);
        return;
      }
      tell(job, "started");
      const ManifestInputs inputs = inputs_of(job);
      for (const std::string& path : job.outputs) make_folder(path);
      const Record record = execute_job(job);
      tell_warnings(job, record);
      record_line(done_line(job, part_, record, inputs));
      tell(job, "done", [&](Json& line) { line["seconds"] = record.seconds.back().second; });
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

  // Lines of another part are written again, as merge knows by them what is missing.
  bool was_done(const BatchJob& job) {
    auto found = done_before_.find(job.id);
    if (found == done_before_.end()) found = done_before_.find(job.earlier_id);
    if (found == done_before_.end() || !is_done(job, found->second)) return false;
    if (found->second.part != part_) record_line(line_for(part_, found->second));
    return true;
  }

  template <class Add = void (*)(Json&)>
  void tell(
      const BatchJob& job, const char* event, Add add = [](Json&) {}) {
    if (!events_) return;
    Json line = events_.line(event);
    line["job"] = job.id;
    line["output"] = utf8_of_name(job.outputs.front());
    add(line);
    events_.write(line);
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
    context.threads = share_.threads;
    context.limits = share_.limits;
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
      summary_.failures.push_back({&job, error.kind(), text_of(error)});
    }
    try {
      manifest_.append(failed_line(job, part_, error));
      tell(job, "failed", [&](Json& line) {
        line["error"] = {{"kind", kind_name(error.kind())}, {"message", text_of(error)}};
      });
    } catch (const Error& second) {
      const std::lock_guard lock(mutex_);
      note(text_of(second));
      stopped_ = true;
    }
    finish(&BatchSummary::failed);
  }

  const BatchOptions& options_;
  Context& context_;
  LineFile manifest_;
  Events events_;
  std::vector<const BatchJob*> jobs_;
  std::unordered_map<std::string, ManifestEntry> done_before_;
  int at_a_time_ = 1;
  Share share_;
  Part part_;
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;  // of summary_ and standard error
  BatchSummary summary_;
  CancelWatch watch_;
};

}  // namespace

BatchSummary run_batch(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                       Context& context) {
  return BatchRunner(jobs, options, context).run();
}

}  // namespace dapple::app
