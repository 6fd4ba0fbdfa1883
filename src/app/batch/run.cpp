// Runs the jobs of a shard concurrently, with a context each.
#include <algorithm>
#include <filesystem>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "app/batch/cache.hpp"
#include "app/batch/commit_queue.hpp"
#include "app/batch/forecast.hpp"
#include "app/batch/job_pool.hpp"
#include "app/command.hpp"
#include "app/error_text.hpp"
#include "app/escape_text.hpp"
#include "app/exit_code.hpp"
#include "app/json.hpp"
#include "dapple/context.hpp"
#include "io/utf8.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// Writes events as they happen, one JSON object per line.
class Events {
 public:
  explicit Events(const std::string& path) : start_(std::chrono::steady_clock::now()) {
    if (!path.empty()) file_.emplace("the event file", path, "event");
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
        before_(options.force ? Manifest() : read_manifest(options.manifest, true, context)),
        manifest_("the manifest", options.manifest, "job"),
        events_(options.events),
        jobs_(jobs_of(options.shard, jobs)),
        job_pool_(context, options.jobs, jobs_.size()),
        commit_queue_([this](FinishedJob& made, const std::optional<Error>& error) {
          settled(made, error);
        }) {
    if (!options.cache.empty()) {
      cache_.emplace(options, job_pool_.at_a_time(), context, false,
                     [this](const std::string& text) { warn(text); });
    }
    part_.shard = options.shard;
    part_.shard_jobs = jobs_.size();
    part_.batch_jobs = jobs.size();
    part_.batch = hash_of(jobs);
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
    make(open_jobs());
    if (events_) {
      Json line = events_.line("end");
      line["done"] = summary_.done;
      if (cache_) line["cached"] = summary_.cached;
      line["skipped"] = summary_.skipped;
      line["failed"] = summary_.failed;
      line["not_run"] = summary_.jobs - summary_.done - summary_.skipped - summary_.failed;
      line["cancelled"] = context_.cancelled();
      events_.write(line);
    }
    std::sort(summary_.failures.begin(), summary_.failures.end(),
              [](const auto& a, const auto& b) { return std::less<>()(a.job, b.job); });
    return std::move(summary_);
  }

 private:
  using Jobs = std::vector<const BatchJob*>;

  // Returns the jobs that are not done.
  Jobs open_jobs() {
    std::vector<char> open(jobs_.size(), 0);
    job_pool_.for_each(jobs_.size(), [&](std::size_t i) {
      run_step(*jobs_[i], [&] {
        open[i] = !was_done(*jobs_[i]);
        if (open[i]) return;
        tell(*jobs_[i], "skipped");
        finish(&BatchSummary::skipped);
      });
    });
    Jobs jobs;
    for (std::size_t i = 0; i < jobs_.size(); ++i) {
      if (open[i]) jobs.push_back(jobs_[i]);
    }
    return jobs;
  }

  // Makes the jobs. In a large batch, a few jobs of each kind come first, for a forecast. Then the
  // longest come first, so that no long job is left for the end.
  void make(Jobs jobs) {
    constexpr std::size_t many = 64;
    const auto start = std::chrono::steady_clock::now();
    const CpuTimer watch(1);
    if (jobs.size() >= many) {
      forecaster_.emplace(jobs);
      std::set<const BatchJob*> made;
      const auto leave_rest = [&] {
        std::erase_if(jobs, [&](const BatchJob* job) { return made.contains(job); });
      };
      const Jobs first = forecaster_->sample(many, job_pool_.at_a_time());
      make_all(first);
      made.insert(first.begin(), first.end());
      leave_rest();
      const Jobs spread = spread_over(jobs);
      job_pool_.for_each(spread.size(), [&](std::size_t i) {
        if (seconds_since(start) >= enough_seconds) return;
        make_one(*spread[i], false);
        const std::lock_guard lock(mutex_);
        made.insert(spread[i]);
      });
      leave_rest();
      summary_.forecast = forecaster_->forecast(job_pool_.at_a_time());
      report_forecast();
      forecaster_->longest_first(jobs);
    }
    make_all(jobs);
    // Jobs that exceeded their share of memory run again, one at a time, with all memory.
    // Threads found them in any order. Jobs of a batch are in one array.
    std::sort(large_.begin(), large_.end());
    for (const BatchJob* job : large_) make_one(*job, true);
    commit_queue_.finish();
    summary_.seconds = seconds_since(start);
    summary_.processor = watch.spent().processor;
  }

  void make_all(const Jobs& jobs) {
    job_pool_.for_each(jobs.size(), [&](std::size_t i) { make_one(*jobs[i], false); });
  }

  void make_one(const BatchJob& job, bool alone) {
    run_step(job, [&] {
      const CpuTimer watch = job_pool_.watch();
      if (!alone) tell(job, "started");
      ManifestInputs inputs = inputs_of(job);
      for (const std::string& path : job.outputs) make_folder(path);
      auto files = std::make_unique<FileGroup>(job.overwrite, FileGroup::Sync::together);
      const std::string entry = cache_ ? BatchCache::name_of(job, inputs) : "";
      std::optional<Record> record;
      if (!entry.empty() && !options_.force) record = cache_->find(entry, job, *files);
      const bool cached = record.has_value();
      if (!record) record = execute(job, alone, *files);
      if (!record) return;
      if (!entry.empty() && !cached) cache_->store(entry, job, inputs, *record, *files);
      // A reader may block a pipe for any time, so this thread writes pipes at once.
      if (files->has_streams()) commit(*files, context_);
      const Spent spent = watch.spent();
      if (forecaster_) forecaster_->add(job, spent);
      commit_queue_.add(
          {&job, std::move(*record), std::move(inputs), spent, std::move(files), cached});
    });
  }

  // Called after the files of a job were renamed into place, or could not be.
  void settled(const FinishedJob& made, const std::optional<Error>& error) {
    const BatchJob& job = *made.job;
    if (error) return fail(job, *error);
    attempt_step(job, [&] {
      print_warnings(job, made.record);
      record_line(done_line(job, part_, made.record, made.inputs, made.spent, made.cached));
      tell(job, "done", [&](Json& line) {
        line["seconds"] = made.spent.seconds;
        if (made.cached) line["cached"] = true;
      });
      if (made.cached) {
        const std::lock_guard lock(mutex_);
        ++summary_.cached;
      }
      finish(&BatchSummary::done);
    });
  }

  // Returns nothing if the job must run again alone.
  std::optional<Record> execute(const BatchJob& job, bool alone, FileGroup& files) {
    const bool is_last = alone || job_pool_.at_a_time() == 1;
    const auto later = [&] {
      const std::lock_guard lock(mutex_);
      large_.push_back(&job);
      return std::nullopt;
    };
    try {
      return job_pool_.execute(job, alone, files);
    } catch (const Error& error) {
      if (is_last || error.kind() != ErrorKind::limit) throw;
      return later();
    } catch (const std::bad_alloc&) {
      if (is_last) throw;
      return later();
    }
  }

  template <class Step>
  void run_step(const BatchJob& job, Step&& step) {
    if (!stopped_ && !context_.cancelled()) attempt_step(job, step);
  }

  template <class Step>
  void attempt_step(const BatchJob& job, Step&& step) {
    try {
      step();
    } catch (const Error& error) {
      if (error.kind() == ErrorKind::cancelled) return;
      fail(job, error);
    } catch (const std::bad_alloc&) {
      fail(job, Error(ErrorKind::limit, "there is not enough memory for this"));
    } catch (const std::exception& error) {
      fail(job, Error(ErrorKind::internal, error.what()));
    }
  }

  // Lines of another part are written again, because merge needs them to find missing jobs.
  bool was_done(const BatchJob& job) {
    const ManifestEntry* entry = before_.find(job);
    if (entry == nullptr || !is_done(job, *entry)) return false;
    if (entry->part != part_) record_line(line_for(part_, *entry));
    return true;
  }

  template <class Add = void (*)(Json&)>
  void tell(
      const BatchJob& job, const char* event, Add add = [](Json&) {}) {
    if (!events_) return;
    Json line = events_.line(event);
    line["job"] = job.id();
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
      throw Error(ErrorKind::output, "the folder cannot be created: " + failure.message(),
                  folder.string());
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

  void report_forecast() {
    if (!options_.quiet && summary_.forecast.seconds > 10) note(text_of(summary_.forecast));
    if (!events_) return;
    Json line = events_.line("forecast");
    line["seconds"] = summary_.forecast.seconds;
    line["processor_seconds"] = summary_.forecast.processor;
    line["memory_mb"] = summary_.forecast.memory_mb;
    events_.write(line);
  }

  void warn(const std::string& text) {
    const std::lock_guard lock(mutex_);
    summary_.warnings.push_back(text);
    if (!options_.quiet) note("warning: " + text);
  }

  void print_warnings(const BatchJob& job, const Record& record) {
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
      note_text("dapple: " + on_one_line(job.outputs.front()) + ": not made: " + text_of(error) +
                "\n");
      summary_.failures.push_back({&job, error.kind(), text_of(error)});
    }
    try {
      manifest_.append(failed_line(job, part_, error));
      tell(job, "failed", [&](Json& line) {
        line["error"] = {{"kind", kind_name(error.kind())}, {"message", text_of(error)}};
      });
    } catch (const Error& second) {
      const std::lock_guard lock(mutex_);
      note_text("dapple: " + text_of(second) + "\n");
      stopped_ = true;
    }
    finish(&BatchSummary::failed);
  }

  const BatchOptions& options_;
  Context& context_;
  Manifest before_;
  LineFile manifest_;
  Events events_;
  std::vector<const BatchJob*> jobs_;
  JobPool job_pool_;
  std::optional<BatchCache> cache_;
  std::optional<Forecaster> forecaster_;
  Jobs large_;
  Part part_;
  std::atomic<bool> stopped_{false};
  std::mutex mutex_;  // protects summary_, large_ and standard error
  BatchSummary summary_;
  CommitQueue commit_queue_;  // destroyed first, since it uses the members above
};

}  // namespace

BatchSummary run_batch(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                       Context& context) {
  return BatchRunner(jobs, options, context).run();
}

}  // namespace dapple::app
