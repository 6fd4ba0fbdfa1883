// `dapple batch`: runs, verifies, merges and plans jobs of a batch file.
#include "app/command.hpp"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "app/batch/batch.hpp"
#include "app/batch/cache.hpp"
#include "app/batch/forecast.hpp"
#include "app/error_text.hpp"
#include "app/exit_code.hpp"
#include "app/json.hpp"
#include "app/run/interrupt.hpp"
#include "app/run/progress.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "io/utf8.hpp"

namespace dapple::app {
namespace {

class BatchInvocation : public Invocation {
 public:
  BatchInvocation() {
    own_.group("Batch");
    own_.add("shard", shard_,
             "Run only part I of N, such as 2/8; all parts need about the same work")
        .metavar("I/N")
        .check(rule_of(parse_shard));
    own_.add("force", options_.force,
             "Run all jobs again; otherwise, finished jobs in the manifest are skipped if their "
             "files have not changed");
    own_.add("resume", resume_, "Skip finished jobs; this is also the default");
    own_.add(
            "jobs", options_.jobs,
            "Number of jobs that run at a time and share threads and memory; 0 runs one per thread")
        .range(0, 1024);
    own_.add("manifest", options_.manifest,
             "File that records every finished job, one JSON object per line (default: the name of "
             "the batch file with .jsonl, plus the number of a shard); new lines are appended")
        .metavar("FILE.jsonl");
    own_.add(
            "cache", options_.cache,
            "Take results from this folder or http:// address, and add new ones; other runs, users "
            "and machines may share it")
        .metavar("DIR|URL")
        .check(rule_of([](std::string_view text) { parse_cache(std::string(text)); }));
    own_.add("cache-size", cache_size_,
             "Largest size of the folder of --cache, such as 20GB; the least recently used results "
             "are removed (default: no limit)")
        .metavar("SIZE")
        .check(rule_of(parse_bytes));
    own_.add("dry-run", dry_run_,
             "Check everything and print the commands with a forecast of time and memory, but run "
             "no job");
    own_.add("keep-going", options_.keep_going, "Run the remaining jobs after one has failed");
    own_.add("failures", failures_,
             "Write the failed jobs to this file, as a batch file to run again")
        .metavar("FILE.toml");
    own_.add("events", options_.events,
             "Append events to this file as they happen, one JSON object per line; - is standard "
             "output")
        .metavar("FILE.jsonl");
    own_.group("Plan");
    own_.add("emit", emit_,
             "Output format of `batch plan`, which holds threads, memory and time of each job");
    own_.add(
            "shards", shards_,
            "Number of tasks for a scheduler that runs tasks; 0: as many as take at least a minute "
            "each, at most 1000")
        .range(0, 1'000'000);
    common.group("Output");
    common.add_each("out", run_options.outputs, "File for the result of `merge` or `plan`")
        .metavar("FILE")
        .letter('o')
        .alias("output");
    describe_machine(run_options, common);
    describe_basics(run_options, common);
  }

  void set(const Command& command, const Arguments& arguments,
           std::vector<Problem>& problems) override {
    Invocation::set(command, arguments, problems);
    for (const auto& [option, text] : arguments.assignments) {
      if (own_.find(option->name) != nullptr || option->name == "out") given_.insert(option->name);
    }
  }

  int run(const std::vector<std::string>& operands) override {
    configure(context, run_options);
    const std::string& first = operands.front();
    if (first == "verify") {
      require_effect("with `batch verify`", {});
      return verify(file_after(operands, "verify MANIFEST.jsonl"));
    }
    if (first == "plan") {
      require_effect("with `batch plan`", {"emit", "shards", "out", "cache", "cache-size"});
      return plan_jobs(file_after(operands, "plan JOBS.toml"));
    }
    if (first == "merge") {
      require_effect("with `batch merge`", {"out"});
      return merge({operands.begin() + 1, operands.end()});
    }
    if (operands.size() > 1 || (first == "run" && !std::filesystem::exists(first))) {
      throw no_batch_file(operands);
    }
    return run_jobs(first);
  }

 private:
  static const std::string& file_after(const std::vector<std::string>& operands,
                                       const std::string& form) {
    if (operands.size() == 2) return operands[1];
    throw Error(ErrorKind::usage, "expected one file: dapple batch " + form);
  }

  // Throws Error(usage) for each given option that is not among `taken`.
  void require_effect(const std::string& use, const std::set<std::string_view>& taken) const {
    std::vector<Problem> problems;
    for (const std::string& name : given_) {
      if (!taken.contains(name)) problems.push_back({"", "--" + name + " has no effect " + use});
    }
    if (!problems.empty()) throw Error(ErrorKind::usage, problems);
  }

  // Returns the error for too many operands; the first may be a misspelled subcommand.
  static Error no_batch_file(const std::vector<std::string>& operands) {
    const std::string& first = operands.front();
    const std::string file = operands.size() > 1 ? operands[1] : "JOBS.toml";
    std::string text = "unexpected argument '" + file + "'; usage: dapple batch JOBS.toml";
    const std::array<std::string, 3> words{"verify", "merge", "plan"};
    if (first == "run") {
      text = "there is no `batch run`; to run a batch file, use dapple batch " + file;
    } else if (const std::string near = nearest_word(first, words); !near.empty()) {
      text = "there is no `batch " + first + "`; did you mean `batch " + near + "`?";
    }
    return Error(ErrorKind::usage, text);
  }

  int run_jobs(const std::string& file) {
    if (!run_options.outputs.empty()) {
      throw Error(
          ErrorKind::usage,
          "-o works only with merge and plan: the batch file names the outputs of its jobs");
    }
    if (dry_run_) {
      require_effect("with --dry-run",
                     {"dry-run", "shard", "force", "resume", "jobs", "manifest", "cache"});
    }
    require_effect("without `batch plan`",
                   {"dry-run", "shard", "force", "resume", "jobs", "manifest", "keep-going",
                    "failures", "events", "cache", "cache-size"});
    take_cache_size();
    if (resume_ && options_.force) {
      throw Error(ErrorKind::usage,
                  "--resume skips finished jobs and --force runs them again: choose one");
    }
    if (run_options.json && options_.events == "-") {
      throw Error(ErrorKind::usage,
                  "--json and --events - both write to standard output: choose one");
    }
    take_shard();
    options_.quiet = run_options.quiet;
    const std::vector<BatchJob> jobs = read_jobs(file, context);
    if (options_.manifest.empty()) options_.manifest = default_manifest(file);
    check_batch_files(jobs_of(options_.shard, jobs), {{file, "the batch file", false},
                                                      {options_.manifest, "the manifest"},
                                                      {failures_, "the file of --failures"},
                                                      {options_.events, "the file of --events"}});
    if (dry_run_) return show(jobs);
    if (!failures_.empty()) check_output(failures_, Overwrite::always);
    const auto start = std::chrono::steady_clock::now();
    BatchSummary summary;
    {
      const Interrupt interrupt(context);
      const Progress progress(context, run_options.progress, run_options.quiet);
      summary = run_batch(jobs, options_, context);
    }
    const std::chrono::duration<double> total = std::chrono::steady_clock::now() - start;
    if (!failures_.empty()) {
      write_file(failures_, failures_text(summary.failures), Overwrite::always);
    }
    context.check();
    return conclude(summary, total.count());
  }

  void take_cache_size() {
    if (cache_size_.empty()) return;
    if (options_.cache.empty()) {
      throw Error(ErrorKind::usage, "--cache-size limits the folder of --cache: add --cache DIR");
    }
    if (parse_cache(options_.cache).folder.empty()) {
      throw Error(ErrorKind::usage,
                  "--cache-size limits a folder, but --cache names a web server, which has a limit "
                  "of its own: leave --cache-size out");
    }
    options_.cache_bytes = parse_bytes(cache_size_);
  }

  // Takes the shard from --shard, otherwise from the task of a Slurm array.
  void take_shard() {
    if (!shard_.empty()) {
      options_.shard = parse_shard(shard_);
    } else if (const auto shard = slurm_shard()) {
      options_.shard = *shard;
      if (!run_options.quiet) {
        note("running shard " + text_of(*shard) + ", selected by the task of a Slurm array");
      }
    }
  }

  std::string default_manifest(const std::string& file) const {
    std::string name = stem_of(file);
    if (options_.shard.count > 1) {
      name += "-" + std::to_string(options_.shard.index) + "-of-" +
              std::to_string(options_.shard.count);
    }
    return name + ".jsonl";
  }

  int show(const std::vector<BatchJob>& jobs) {
    // The forecast comes first, because a plan takes memory that a run does not need.
    Forecast forecast;
    if (run_options.json || !run_options.quiet) {
      const Interrupt interrupt(context);
      forecast = forecast_by_trial(jobs, options_, context);
    }
    // Only a shard is copied: a whole batch may have a million jobs.
    std::vector<BatchJob> copied;
    if (options_.shard.count > 1) {
      for (const BatchJob* job : jobs_of(options_.shard, jobs)) copied.push_back(*job);
    }
    const std::vector<BatchJob>& part = options_.shard.count > 1 ? copied : jobs;
    const std::optional<std::size_t> cached = count_cached(part);
    if (run_options.json) {
      Json object = json_head("batch");
      object["jobs"] = part.size();
      object["plan"] = Json::parse(plan_text(part, {PlanFormat::json}));
      object["forecast"] = json_of(forecast);
      if (cached) object["cached"] = *cached;
      object["warnings"] = context.warnings();
      print(text_of(object));
      return 0;
    }
    print(plan_text(part, {PlanFormat::parallel}));
    if (!run_options.quiet) {
      for (const std::string& warning : context.warnings()) note("warning: " + warning);
      note(std::to_string(part.size()) + " jobs, nothing was run" +
           (cached ? "; the cache has " + std::to_string(*cached) : "") +
           (forecast.jobs > 0 ? "; " + text_of(forecast) : ""));
    }
    return 0;
  }

  // Returns the number of jobs in the cache; nothing without a cache, or for many requests.
  std::optional<std::size_t> count_cached(const std::vector<BatchJob>& jobs) {
    constexpr std::size_t many = 1000;
    if (options_.cache.empty()) return {};
    if (jobs.size() > many && parse_cache(options_.cache).folder.empty()) return {};
    BatchCache cache(options_, thread_count(context), context, true,
                     [&](const std::string& text) { note("warning: " + text); });
    std::atomic<std::size_t> count{0};
    const Interrupt interrupt(context);
    parallel_for(context, jobs.size(), [&](std::size_t i) {
      try {
        if (cache.has(BatchCache::name_of(jobs[i], inputs_of(jobs[i])))) ++count;
      } catch (const Error& error) {  // the batch will report a missing input
        if (error.kind() == ErrorKind::cancelled) throw;
      }
    });
    return count;
  }

  static Json json_of(const Forecast& forecast) {
    return {{"jobs", forecast.jobs},
            {"seconds", forecast.seconds},
            {"processor_seconds", forecast.processor},
            {"memory_mb", forecast.memory_mb},
            {"measured", forecast.measured},
            {"guessed", forecast.guessed}};
  }

  int conclude(const BatchSummary& summary, double seconds) const {
    const std::size_t left = summary.jobs - summary.done - summary.skipped - summary.failed;
    if (run_options.json) {
      Json object = json_head("batch");
      object["jobs"] = summary.jobs;
      object["done"] = summary.done;
      if (!options_.cache.empty()) object["cached"] = summary.cached;
      object["skipped"] = summary.skipped;
      object["failed"] = summary.failed;
      object["not_run"] = left;
      object["manifest"] = options_.manifest;
      object["seconds"] = {{"total", seconds}};
      object["processor_seconds"] = summary.processor;
      object["peak_memory_mb"] = peak_memory_mb();
      if (summary.forecast.jobs > 0) object["forecast"] = json_of(summary.forecast);
      object["failures"] = Json::array();
      for (const BatchFailure& failure : summary.failures) {
        if (object["failures"].size() == 100) break;  // --failures and the manifest hold all
        object["failures"].push_back({{"output", utf8_of_name(failure.job->outputs.front())},
                                      {"kind", kind_name(failure.kind)},
                                      {"message", failure.message}});
      }
      object["warnings"] = summary.warnings;
      print(text_of(object));
    }
    if (!run_options.quiet && !run_options.json) {
      std::string text = std::to_string(summary.done) + " done";
      if (summary.cached > 0) {
        text += " (" + std::to_string(summary.cached) + " from the cache)";
      }
      if (summary.skipped > 0) text += ", " + std::to_string(summary.skipped) + " already done";
      if (summary.failed > 0) text += ", " + std::to_string(summary.failed) + " failed";
      if (left > 0) text += ", " + std::to_string(left) + " not run (--keep-going runs them)";
      note(text + "; recorded in " + options_.manifest);
      if (summary.forecast.jobs > 0 && left == 0) note(compared(summary));
    }
    return summary.failed > 0 ? 1 : 0;
  }

  // Compares the forecast with the result. Uses processor time, since other load on the machine
  // changes the elapsed time.
  static std::string compared(const BatchSummary& summary) {
    const auto off = [](double forecast, double real) {
      const double percent = std::round(100 * (forecast / real - 1));
      return shortest(std::abs(percent)) + " % too " + (percent < 0 ? "low" : "high");
    };
    const auto tenths = [](double seconds) { return shortest(std::round(seconds * 10) / 10); };
    return text_of(summary.forecast) + "; the batch took " + tenths(summary.seconds) + " s, " +
           tenths(summary.processor) + " s of processor time and " +
           shortest(std::round(peak_memory_mb())) + " MB: the forecast of processor time was " +
           off(summary.forecast.processor, summary.processor) + ", that of memory " +
           off(summary.forecast.memory_mb, peak_memory_mb());
  }

  int verify(const std::string& manifest) {
    std::size_t checked = 0;
    std::vector<Problem> problems = verify_manifest(manifest, checked, context);
    if (!problems.empty()) {
      const std::string count = std::to_string(problems.size()) + " of " + std::to_string(checked) +
                                " files failed verification:";
      problems.insert(problems.begin(), {"", count});
      throw Error(ErrorKind::verification, problems);
    }
    if (run_options.json) {
      Json object = json_head("batch");
      object["verified"] = checked;
      object["warnings"] = Json::array();
      print(text_of(object));
    } else if (!run_options.quiet) {
      note(std::to_string(checked) + " files are unchanged");
    }
    return 0;
  }

  int merge(const std::vector<std::string>& shards) {
    if (shards.empty()) {
      throw Error(ErrorKind::usage,
                  "expected manifests: dapple batch merge SHARD.jsonl ... -o ALL.jsonl");
    }
    std::vector<UsedFile> inputs;
    for (const std::string& path : shards) inputs.push_back({path, "a manifest to merge", false});
    return deliver(merge_manifests(shards, context), std::move(inputs));
  }

  int plan_jobs(const std::string& file) {
    take_cache_size();
    for (const char* name : {"shards", "cache"}) {
      if (emit_ >= PlanFormat::slurm || !given_.contains(name)) continue;
      throw Error(ErrorKind::usage, "--" + std::string(name) + " has no effect with --emit " +
                                        std::string(word_of(emit_)) +
                                        ", which has no tasks: use --emit slurm or another");
    }
    if (run_options.threads == 0) context.threads = 1;
    const double start_mb = peak_memory_mb();
    const std::vector<BatchJob> jobs = read_jobs(file, context);
    PlanFigures figures;
    {
      const Interrupt interrupt(context);
      figures = figures_by_trial(jobs, start_mb, context);
    }
    if (!run_options.quiet) {
      for (const std::string& warning : context.warnings()) note("warning: " + warning);
    }
    PlanOptions options{emit_, file, shards_};
    if (!options_.cache.empty()) options.task_words = {"--cache", operand(options_.cache)};
    if (!cache_size_.empty()) {
      options.task_words.insert(options.task_words.end(), {"--cache-size", cache_size_});
    }
    return deliver(plan_text(jobs, options, figures), {{file, "the batch file", false}});
  }

  // Writes `text` to every -o, or to standard output. `files` were read.
  int deliver(const std::string& text, std::vector<UsedFile> files) const {
    for (const std::string& path : run_options.outputs) files.push_back({path, "an output"});
    require_own_files(files);
    if (run_options.outputs.empty()) print(text);
    for (const std::string& path : run_options.outputs) {
      if (path == "-")
        print(text);
      else
        write_file(path, text, Overwrite::always);
    }
    return 0;
  }

  std::set<std::string> given_;  // option names
  BatchOptions options_;
  std::string shard_;
  std::string failures_;
  std::string cache_size_;
  bool resume_ = false;
  bool dry_run_ = false;
  PlanFormat emit_ = PlanFormat::parallel;
  int shards_ = 0;
};

}  // namespace

Command batch_command() {
  Command row;
  row.name = "batch";
  row.summary = "Runs many jobs from a file: resumable, parallel, sharded";
  row.details =
      "JOBS.toml is a list of [[job]] tables. A job names a command, its options by their long "
      "names, and its output. A list or a range such as { from = 1, to = 300 } runs every "
      "combination, and input = \"photos/*.jpg\" runs every matching file. Output names may "
      "contain {stem}, {seed}, {preset} and any option, such as {size}. `batch verify MANIFEST` "
      "checks the written files, `batch merge SHARD.jsonl ... -o ALL.jsonl` joins the manifests of "
      "shards, and `batch plan JOBS.toml --emit slurm` (or another) prints the jobs for another "
      "scheduler. Exit code 1 means that some jobs failed.";
  row.operands = "JOBS.toml";
  row.min_operands = 1;
  row.max_operands = 1'000'000;
  row.examples = {
      {"batch masks.toml", "runs all jobs; the next time, only missing or changed ones"},
      {"batch masks.toml --shard 2/8 --manifest part2.jsonl", "runs an eighth of the jobs"},
      {"batch masks.toml --dry-run", "checks everything and shows the commands"},
      {"batch plan masks.toml --emit ninja -o build.ninja",
       "writes the jobs for another scheduler"}};
  row.make = [] { return std::make_unique<BatchInvocation>(); };
  return row;
}

}  // namespace dapple::app
