// Batches: many runs from one file, resumable and in shards.
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

namespace dapple::app {

// ---- jobs ---------------------------------------------------------------------------------------

// One run, all of it decided. The id is a hash of what decides the outputs, version included, but
// for the content of files.
struct BatchJob {
  std::string id;
  const Operation* operation = nullptr;
  std::string input;                 // "": none
  std::string preset;                // for names; its settings are in `recipe` already
  std::vector<std::string> outputs;  // paths
  std::vector<std::pair<std::string, std::string>> files;  // it reads, by option, `input` first
  Overwrite overwrite = Overwrite::always;
  bool no_recipe = false;  // in the outputs
  Recipe recipe;           // every option that is not at its default; seed included
  int line = 0;            // of its [[job]]

  // The outputs as the command line and batch files write them: names with braces are templates.
  std::vector<std::string> templates() const;
};

// Reads a batch file and expands it: lists, ranges and globs make every combination, the last key
// varying fastest. Throws Error(usage) with every problem, files that two jobs would write
// included; nothing is written or created.
std::vector<BatchJob> read_jobs(const std::string& path, Context& context);

// The run of a job, its options set.
Run make_run(const BatchJob& job);
// The id that the first manifests hold.
std::string earlier_id(const BatchJob& job);

// ---- time ---------------------------------------------------------------------------------------

// What work took.
struct Spent {
  double seconds = 0;    // but for those in which other programs had its processor
  double processor = 0;  // seconds of all its threads
  double peak_mb = 0;    // that the process has ever held, at its end; 0: not known
};

// From now on, on this thread: it begins and is read there.
class Stopwatch {
 public:
  // Of `sharing` jobs that work at a time, each with several threads, one takes its part of what
  // the process does; 0: nothing but this thread works for it.
  explicit Stopwatch(int sharing = 0);
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
// I/N; throws Error(usage).
Shard parse_shard(std::string_view text);
std::string text_of(const Shard& shard);
// The part of this task of a Slurm array, if it is one. Throws Error(usage) where the numbers of
// its tasks are no range.
std::optional<Shard> slurm_shard();

// The batch that a job is of, and which part of it a run did: lines of a manifest say so, and merge
// knows by it what is missing.
struct Part {
  std::string batch;  // a hash of all its jobs
  Shard shard;
  std::size_t shard_jobs = 0;
  std::size_t batch_jobs = 0;
  bool operator==(const Part&) const = default;
};

// A file as it was written or read. While its size and the time of its last change are the same, so
// is its hash.
struct ManifestFile {
  std::string path;
  std::string hash;
  std::int64_t bytes = -1;    // -1: not known
  std::int64_t changed = -1;  // nanoseconds
};

// A line of a manifest: what became of a job. Of several lines about one job the last one holds.
struct ManifestEntry {
  std::string job;  // its id
  bool done = false;
  Part part;
  std::vector<ManifestFile> outputs;
  std::vector<std::pair<std::string, ManifestFile>> inputs;  // by option; without their paths
  Spent spent;
  std::string_view line;  // as it stands in the file
};

struct Manifest {
  std::shared_ptr<const std::string> text;
  std::vector<ManifestEntry> entries;                   // a job each, in order of first appearance
  std::unordered_map<std::string, std::size_t> places;  // of entries, by the job's id
  Part part;  // of the last line; without a batch in those of earlier builds

  const ManifestEntry* find(const BatchJob& job) const;  // nullptr: it has none
};

// Lines that were cut off are left out. Throws Error(input) with the line at fault. A file that
// does not exist is empty where `may_be_missing`.
Manifest read_manifest(const std::string& path, bool may_be_missing, Context& context);

// Appends whole lines, each with one write: several processes may share a file. "-" is standard
// output.
class LineFile {
 public:
  // `what` it is, for messages.
  LineFile(std::string what, const std::string& path);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;
  void append(const std::string& line);  // with its end

 private:
  std::string what_;
  std::string path_;
  int file_ = -1;
};

// Files that a job reads, as they are now, in the form of hash of those recorded. Throws
// Error(input).
using ManifestInputs = std::vector<std::pair<std::string, ManifestFile>>;
ManifestInputs inputs_of(const BatchJob& job);

// Whether the files that a job reads and has written are those of its line.
bool is_done(const BatchJob& job, const ManifestEntry& entry);

std::string done_line(const BatchJob& job, const Part& part, const Record& record,
                      const ManifestInputs& inputs, const Spent& spent);
std::string failed_line(const BatchJob& job, const Part& part, const Error& error);
// The same line for a run of another part.
std::string line_for(const Part& part, const ManifestEntry& entry);

// Checks every output of a manifest against its hash; returns what is wrong, a line each.
std::vector<Problem> verify_manifest(const std::string& path, std::size_t& checked,
                                     Context& context);
// Joins manifests; of a job that several know, a line that says done wins, then the later one.
// Throws Error(input) with each shard that is missing, incomplete or there twice.
std::string merge_manifests(const std::vector<std::string>& paths, Context& context);

// ---- running ------------------------------------------------------------------------------------

// The jobs of a shard, of all: shards take about the same work. They point into `jobs`.
std::vector<const BatchJob*> jobs_of(const Shard& shard, const std::vector<BatchJob>& jobs);

struct BatchOptions {
  Shard shard;
  bool force = false;  // makes again what is done
  int jobs = 0;        // at a time; 0: one a thread
  bool keep_going = false;
  bool quiet = false;
  std::string manifest;
  std::string
      events;  // file for what happens, a JSON object a line; "": none, "-": standard output
};

struct BatchFailure {
  const BatchJob* job;
  ErrorKind kind;
  std::string message;
};

struct Forecast {
  double seconds = 0;    // on a machine that does nothing else
  double processor = 0;  // seconds, of all threads
  double memory_mb = 0;
  std::size_t jobs = 0;      // to be done; 0: no forecast
  std::size_t measured = 0;  // of them, or of those that are done
  std::size_t guessed = 0;   // of commands of which none was measured
};

std::string text_of(const Forecast& forecast);

struct BatchSummary {
  std::size_t jobs = 0;  // of this shard
  std::size_t done = 0;
  std::size_t skipped = 0;  // done before
  std::size_t failed = 0;
  std::vector<BatchFailure> failures;
  Forecast forecast;     // from the first jobs, of the time that all take
  double seconds = 0;    // that they took
  double processor = 0;  // seconds of it, of all threads
};

// Runs the jobs of a shard. Threads and limits are the context's, shared out among the jobs that
// run at a time. A cancel ends it early: what is told then is what was done before. Throws
// Error(output) where the manifest cannot be written.
BatchSummary run_batch(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                       Context& context);

// A batch file of the jobs that failed, each with all that decides its outputs.
std::string failures_text(const std::vector<BatchFailure>& failures);

// ---- plans --------------------------------------------------------------------------------------

enum class PlanFormat { parallel, ninja, slurm, json };
constexpr auto option_names(PlanFormat) {
  return words_to<PlanFormat::json>("parallel", "ninja", "slurm", "json");
}

// Words of the command line that does this job, without the program's name.
std::vector<std::string> command_line(const BatchJob& job);
// One word for a POSIX shell. Throws Error(usage) for control characters: programs that read plans
// take each line for a command, quoted or not.
std::string shell_quoted(const std::string& word);
// `shards`: how many tasks a slurm array has; 0: one a job, 1000 at most. Names of files are
// strangers' words: none gets out of its place. Throws Error(usage) for one that the format has no
// way to write.
std::string plan_text(const std::vector<BatchJob>& jobs, PlanFormat format,
                      const std::string& jobs_file, int shards);

}  // namespace dapple::app
