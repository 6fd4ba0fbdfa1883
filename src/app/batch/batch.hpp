// Runs many jobs from one file, resumable and in shards.
//
//     JOBS.toml -> tables -> jobs -> shard -> runs -> manifest -> merge, and failures
//                                 -> plan, a script for another scheduler
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "app/run/options.hpp"
#include "app/run/runner.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "io/file_identity.hpp"

namespace dapple::app {

// ---- jobs ---------------------------------------------------------------------------------------

// The options of a job. Most jobs of a large batch share them: they differ only in seed, files and
// names.
struct JobOptions {
  Recipe recipe;        // every option not at its default; without input and seed
  std::string text;     // all options, for the id
  std::string hash;     // of the text, the command and the version
  std::string carried;  // hash of the options as outputs carry them, without folders
};

// One run with all decisions made.
struct BatchJob {
  const Operation* operation = nullptr;
  std::string input;                   // "": none
  std::string preset;                  // for file names; `recipe` already includes its options
  std::vector<std::string> outputs;    // paths; {output}, {frame} and {ink} stand for several files
  std::vector<std::string> by_output;  // the paths with {output} filled in, if any has it
  std::vector<std::string> materials;  // formats of files that join the outputs
  std::vector<std::pair<std::string, std::string>> files;  // by option; `input` comes first
  Overwrite overwrite = Overwrite::always;
  bool no_recipe = false;  // outputs carry no recipe
  std::uint64_t seed = 1;
  std::shared_ptr<const JobOptions> options;
  int line = 0;  // of its [[job]] table

  // Returns a hash of everything that decides the outputs, with the version but without the content
  // of files.
  std::string id() const;
  // Returns every option not at its default, the input and the seed.
  Recipe recipe() const;

  // Returns the files of the job, one per name of {output}.
  const std::vector<std::string>& paths() const { return by_output.empty() ? outputs : by_output; }
  // Returns the outputs as templates for the command line and batch files, with braces escaped.
  std::vector<std::string> templates() const;
};

// Reads a batch file and expands it. Lists, ranges and globs form all combinations; the last key
// varies fastest. Throws Error(usage) with all problems, including files that two jobs would write.
// Writes nothing.
std::vector<BatchJob> read_jobs(const std::string& path, Context& context);

// Returns the files that a job writes: its paths, the sidecars of points, and materials.
std::vector<std::string> files_of(const BatchJob& job);
// Throws Error(usage) if a job uses a file that the batch itself writes, or if one of the files of
// the batch has a second use.
void check_batch_files(const std::vector<const BatchJob*>& jobs, std::vector<UsedFile> files);

// Returns the run of a job with its options set.
Run make_run(const BatchJob& job);
// Returns the hash of a batch, of everything that decides the outputs of its jobs.
std::string hash_of(const std::vector<BatchJob>& jobs);
// Returns the id as the first versions of manifests had it.
std::string earlier_id(const BatchJob& job);

// ---- time ---------------------------------------------------------------------------------------

// The time and memory that work has taken.
struct Spent {
  double seconds = 0;    // excludes waiting for a processor in use by other programs
  double processor = 0;  // seconds of all threads
  double peak_mb = 0;    // peak of the process up to the end of the work; 0: unknown
};

// Measures work since its construction. Use it on one thread.
class CpuTimer {
 public:
  // Measures the process, divided by the number `sharing` of concurrent jobs with several threads
  // each. 0 measures only this thread.
  explicit CpuTimer(int sharing = 0);
  Spent spent() const;

 private:
  int sharing_;
  std::chrono::steady_clock::time_point start_;
  double waited_;
  double processor_;
};

// ---- manifest -----------------------------------------------------------------------------------

struct Shard {
  int index = 1;  // from 1
  int count = 1;
  bool operator==(const Shard&) const = default;
};
// Parses I/N; throws Error(usage).
Shard parse_shard(std::string_view text);
std::string text_of(const Shard& shard);
// Returns the shard of this Slurm array task, or nothing outside an array. Throws Error(usage) if
// the task numbers are not a range.
std::optional<Shard> slurm_shard();

// The batch of a job and the shard of its run. Manifest lines record both, so that merge finds
// missing jobs.
struct Part {
  std::string batch;  // hash of all jobs
  Shard shard;
  std::size_t shard_jobs = 0;
  std::size_t batch_jobs = 0;
  bool operator==(const Part&) const = default;
};

// The state of a file when it was written or read. The hash holds while size and change time do.
struct ManifestFile {
  std::string path;
  std::string hash;
  std::int64_t bytes = -1;    // -1: unknown
  std::int64_t changed = -1;  // nanoseconds
};

// A line of a manifest: the outcome of a job. If a job has several lines, the last one is valid.
struct ManifestEntry {
  std::string job;  // its id
  bool done = false;
  bool cached = false;  // its files came from a cache
  Part part;
  std::vector<ManifestFile> outputs;
  std::vector<std::pair<std::string, ManifestFile>> inputs;  // by option, without their paths
  Spent spent;
  std::string_view line;  // the line in the file
};

struct Manifest {
  std::shared_ptr<const std::string> text;
  std::vector<ManifestEntry> entries;                   // one per job, in order of first appearance
  std::unordered_map<std::string, std::size_t> places;  // indices of entries, by job id
  Part part;  // part of the last line; earlier builds recorded no batch

  const ManifestEntry* find(const BatchJob& job) const;  // nullptr: none
};

// Reads a manifest and skips truncated lines. Throws Error(input) with the invalid line. If
// `may_be_missing`, a missing file gives an empty manifest.
Manifest read_manifest(const std::string& path, bool may_be_missing, Context& context);

// Appends whole lines, each in one write, so that several processes may share a file. "-" is
// standard output.
class LineFile {
 public:
  // `what` names the file in messages. Throws Error(output) if the file exists and its first line
  // is no JSON object with this key.
  LineFile(std::string what, const std::string& path, const std::string& key);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  void append(const std::string& line);  // with its line end

 private:
  std::string what_;
  std::string path_;
  int file_ = -1;
};

// Returns the current state, with hashes, of the files that a job reads. Throws Error(input).
using ManifestInputs = std::vector<std::pair<std::string, ManifestFile>>;
ManifestInputs inputs_of(const BatchJob& job);
// Returns true if the files of a job have the size and time that `inputs` recorded.
bool have_states(const BatchJob& job, const ManifestInputs& inputs);

// Returns true if a job's inputs and outputs match the manifest entry.
bool is_done(const BatchJob& job, const ManifestEntry& entry);

std::string done_line(const BatchJob& job, const Part& part, const Record& record,
                      const ManifestInputs& inputs, const Spent& spent, bool cached);
std::string failed_line(const BatchJob& job, const Part& part, const Error& error);
// Returns the manifest line of an entry for a run of another part.
std::string line_for(const Part& part, const ManifestEntry& entry);

// Checks every output of a manifest against its hash. Returns one problem per mismatch.
std::vector<Problem> verify_manifest(const std::string& path, std::size_t& checked,
                                     Context& context);
// Joins manifests. If a job has several lines, a done line wins, then the last. Throws Error(input)
// with each shard that is missing, incomplete or duplicated.
std::string merge_manifests(const std::vector<std::string>& paths, Context& context);

// ---- running ------------------------------------------------------------------------------------

// Returns the jobs of a shard, as pointers into `jobs`. All shards get about the same work.
std::vector<const BatchJob*> jobs_of(const Shard& shard, const std::vector<BatchJob>& jobs);
// Returns the shard of each job, from 1 to `count`.
std::vector<int> shards_of(int count, const std::vector<BatchJob>& jobs);

struct BatchOptions {
  Shard shard;
  bool force = false;  // also runs jobs that are done
  int jobs = 0;        // concurrent jobs; 0: one per thread
  bool keep_going = false;
  bool quiet = false;
  std::string manifest;
  std::string cache;             // folder or address of results; "": none
  std::int64_t cache_bytes = 0;  // most bytes of a folder; 0: any
  std::string events;  // file of events, one JSON object per line; "": none, "-": standard output
};

struct BatchFailure {
  const BatchJob* job;
  ErrorKind kind;
  std::string message;
};

struct Forecast {
  double seconds = 0;    // on an otherwise idle machine
  double processor = 0;  // seconds, of all threads
  double memory_mb = 0;
  std::size_t jobs = 0;      // jobs to run; 0: no forecast
  std::size_t measured = 0;  // jobs that were measured, now or in an earlier run
  std::size_t guessed = 0;   // jobs of commands without a measured job
};

std::string text_of(const Forecast& forecast);

struct BatchSummary {
  std::size_t jobs = 0;  // of this shard
  std::size_t done = 0;
  std::size_t cached = 0;   // of those done, from the cache
  std::size_t skipped = 0;  // done in earlier runs
  std::size_t failed = 0;
  std::vector<BatchFailure> failures;
  std::vector<std::string> warnings;  // of the batch, not of jobs
  Forecast forecast;                  // for all jobs, from the first ones
  double seconds = 0;                 // elapsed time of all jobs
  double processor = 0;               // processor seconds, of all threads
};

// Runs the jobs of a shard. Concurrent jobs share the threads and limits of `context`. A cancel
// ends the run early; the summary then covers the jobs done so far. Throws Error(output) if the
// manifest cannot be written.
BatchSummary run_batch(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                       Context& context);

// Returns a batch file of the failed jobs that gives the same outputs.
std::string failures_text(const std::vector<BatchFailure>& failures);

// ---- plans --------------------------------------------------------------------------------------

// Formats from `slurm` on have tasks; each task runs a shard.
enum class PlanFormat {
  parallel,
  ninja,
  json,
  slurm,
  openjd,
  cuecmd,
  tractor,
  kubernetes,
  nextflow,
  snakemake,
  dask
};
constexpr auto option_names(PlanFormat) {
  return words_to<PlanFormat::dask>("parallel", "ninja", "json", "slurm", "openjd", "cuecmd",
                                    "tractor", "kubernetes", "nextflow", "snakemake", "dask");
}

// Holds what the user chooses for a plan.
struct PlanOptions {
  PlanFormat format = PlanFormat::parallel;
  std::string file = {};  // the batch file, for tasks
  // Number of tasks; 0: as many as take at least a minute each, at most 1000.
  int shards = 0;
  std::vector<std::string> task_words = {};  // further options of each task
};

// The figures of a plan: the needs of each job as a process of its own, and the machine that runs
// them.
struct PlanFigures {
  int threads = 0;          // of each job; 0: the plan has no figures
  std::vector<Spent> jobs;  // predicted, in the order of the jobs
  double list_mb = 0;       // memory in which `dapple batch` reads the list of jobs
  int cores = 1;            // of this machine
  double memory_mb = 0;     // that jobs may take on this machine

  double largest_mb() const;  // of a job
};

// The memory that a plan asks for, in predictions: machines differ, and checks of memory count more
// than a job takes in the end.
inline constexpr double memory_margin = 2;
// Returns a prediction in whole units, rounded up.
std::string rounded_up(double value);

// Returns the command line for this job, without the program's name. `threads` 0 leaves them out.
std::vector<std::string> command_line(const BatchJob& job, int threads = 0);
// Quotes one word for a POSIX shell. Throws Error(usage) for control characters: programs that read
// plans take each line as a command, even inside quotes.
std::string shell_quoted(const std::string& word);
// Returns the file name in a form that no program takes for an option.
std::string operand(const std::string& path);
// Returns the plan. Escapes file names, which may come from strangers. Throws Error(usage) for a
// name that the format cannot express.
std::string plan_text(const std::vector<BatchJob>& jobs, const PlanOptions& options,
                      const PlanFigures& figures = {});
// Does so for a format that has tasks. (shard_plans.cpp)
std::string shard_plan_text(const std::vector<BatchJob>& jobs, const PlanOptions& options,
                            const PlanFigures& figures);

}  // namespace dapple::app
