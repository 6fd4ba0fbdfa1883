// Runs some jobs of a batch as trials, for the forecast of a dry run.
#include <atomic>
#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>

#include "app/batch/forecast.hpp"
#include "app/batch/job_pool.hpp"
#include "core/memory_limits.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// A temporary folder on the disk of the outputs, removed on destruction.
class TrialFolder {
 public:
  explicit TrialFolder(const std::string& output) {
    fs::path beside = fs::absolute(output).parent_path();
    std::error_code ignored;
    while (!fs::is_directory(beside, ignored) && beside.has_relative_path()) {
      beside = beside.parent_path();
    }
    std::string name = (beside / ".dapple-forecast-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) {
      throw Error(ErrorKind::output, "no temporary folder can be created for the forecast",
                  beside.string());
    }
    path_ = name;
  }
  ~TrialFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  TrialFolder(const TrialFolder&) = delete;
  TrialFolder& operator=(const TrialFolder&) = delete;

  // Returns the job with its outputs in this folder.
  BatchJob moved(BatchJob job, std::size_t number) const {
    for (std::size_t i = 0; i < job.outputs.size(); ++i) {
      const std::string name = fs::path(job.outputs[i]).filename().string();
      job.outputs[i] =
          (path_ / (std::to_string(number) + "-" + std::to_string(i) + "-" + name)).string();
    }
    job.overwrite = Overwrite::always;
    return job;
  }

 private:
  fs::path path_;
};

constexpr std::size_t most_trials = 64;
constexpr auto longest_trial = std::chrono::seconds(8);

// Cancels a context after a time.
class Deadline {
 public:
  Deadline(Context& context, const Context& whole, std::chrono::seconds time) {
    const auto wait = [&context, &whole, time, this] {
      const auto end = std::chrono::steady_clock::now() + time;
      while (!over_ && !whole.cancelled() && std::chrono::steady_clock::now() < end) {
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
      }
      context.cancel();
    };
    try {
      thread_ = std::thread(wait);
    } catch (const std::system_error&) {
      // Without a thread, a trial takes as long as it needs.
    }
  }
  ~Deadline() {
    over_ = true;
    if (thread_.joinable()) thread_.join();
  }
  Deadline(const Deadline&) = delete;
  Deadline& operator=(const Deadline&) = delete;

 private:
  std::atomic<bool> over_{false};
  std::thread thread_;
};

// Sets the peak memory of this process to its current memory, on Linux.
void reset_peak_memory() {
  give_back_memory();
  std::ofstream("/proc/self/clear_refs") << "5";
}

// Runs some of the jobs and adds what they took. With `others_mb`, the memory of a job is the peak
// during its run without `others_mb`; jobs must then run one at a time. Otherwise it is the peak so
// far.
void measure(Forecaster& forecaster, std::vector<const BatchJob*> open, JobPool& pool,
             Context& trial, const std::optional<double>& others_mb, Context& context) {
  std::vector<const BatchJob*> chosen = forecaster.sample(most_trials, pool.at_a_time());
  std::optional<TrialFolder> folder;
  try {
    if (!chosen.empty()) folder.emplace(open.front()->outputs.front());
  } catch (const Error& error) {
    context.warn("the forecast is less exact because no job could be tried: " +
                 error.problems().front().text());
    chosen.clear();
  }
  const auto start = std::chrono::steady_clock::now();
  std::atomic<std::size_t> tried{0};
  const auto try_one = [&](const BatchJob& job) {
    if (others_mb) reset_peak_memory();
    const CpuTimer watch = pool.watch();
    const auto spent = [&] {
      Spent all = watch.spent();
      if (others_mb) all.peak_mb = std::max(1.0, all.peak_mb - *others_mb);
      return all;
    };
    try {
      const BatchJob moved = folder->moved(job, tried++);
      const ManifestInputs inputs = inputs_of(moved);
      FileGroup files(moved.overwrite);
      const Record record = pool.execute(moved, false, files);
      files.commit();
      done_line(moved, {}, record, inputs, watch.spent(), false);
      forecaster.add(job, spent());
    } catch (const Error& error) {
      // A failed job yields no time; the batch will report the error.
      const Spent begun = spent();
      if (error.kind() == ErrorKind::cancelled && begun.seconds > 1) {
        forecaster.add_begun(job, begun);
      }
    }
  };
  {
    const Deadline deadline(trial, context, longest_trial);
    std::atomic<bool> all_tried{true};
    pool.for_each(chosen.size(), [&](std::size_t i) {
      if (seconds_since(start) < longest_trial.count() / 2.0)
        try_one(*chosen[i]);
      else
        all_tried = false;
    });
    // Many short jobs from the whole batch give a better forecast than a few.
    const auto spread = all_tried ? spread_over(open) : std::vector<const BatchJob*>();
    pool.for_each(chosen.empty() ? 0 : spread.size(), [&](std::size_t i) {
      if (seconds_since(start) < enough_seconds) try_one(*spread[i]);
    });
    // Jobs too long for a trial still show their memory. The longest come first, as in a run.
    if (!all_tried) forecaster.longest_first(open);
    pool.for_each(all_tried ? 0 : open.size(), [&](std::size_t i) {
      if (!trial.cancelled()) try_one(*open[i]);
    });
  }
  context.check();
}

}  // namespace

Forecast forecast_by_trial(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                           Context& context) {
  const Manifest before = read_manifest(options.manifest, true, context);
  std::vector<const BatchJob*> open;
  std::vector<std::pair<const BatchJob*, Spent>> timed;
  for (const BatchJob* job : jobs_of(options.shard, jobs)) {
    const ManifestEntry* entry = before.find(*job);
    if (entry != nullptr && entry->done && !entry->cached) timed.emplace_back(job, entry->spent);
    if (options.force || entry == nullptr || !is_done(*job, *entry)) open.push_back(job);
  }
  if (open.empty()) return {};
  Forecaster forecaster(open);
  for (const auto& [job, spent] : timed) forecaster.add(*job, spent);
  Context trial;
  trial.threads = context.threads;
  trial.limits = context.limits;
  JobPool pool(trial, options.jobs, open.size());
  measure(forecaster, open, pool, trial, {}, context);
  return forecaster.forecast(pool.at_a_time());
}

PlanFigures figures_by_trial(const std::vector<BatchJob>& jobs, double start_mb, Context& context) {
  PlanFigures figures;
  figures.threads = thread_count(context);
  figures.cores = thread_count(Context());
  figures.memory_mb = static_cast<double>(memory_limit(context.limits)) / (1 << 20);
  figures.list_mb = std::max(0.0, peak_memory_mb() - start_mb);
  Forecaster forecaster(jobs_of({}, jobs));
  reset_peak_memory();
  const double others_mb = std::max(0.0, peak_memory_mb() - start_mb);
  Context trial;
  trial.threads = context.threads;
  trial.limits = context.limits;
  JobPool pool(trial, 1, jobs.size());
  measure(forecaster, jobs_of({}, jobs), pool, trial, others_mb, context);
  for (const BatchJob& job : jobs) figures.jobs.push_back(forecaster.predict(job));
  return figures;
}

}  // namespace dapple::app
