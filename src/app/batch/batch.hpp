// Batches: many runs from one file, resumable and in shards.
//
//     JOBS.toml -> tables -> jobs (batch_jobs) -> runs (batch_run) -> manifest (batch_manifest)
//                                              -> scripts for other schedulers (batch_plan)
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
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
  std::string earlier_id;  // the one that the first manifests hold
  const Operation* operation = nullptr;
  std::string input;                 // "": none
  std::string preset;                // for names; its settings are in `recipe` already
  std::vector<std::string> outputs;  // paths
  std::vector<std::pair<std::string, std::string>> files;  // it reads, by option, `input` first
  Overwrite overwrite = Overwrite::always;
  bool no_recipe = false;  // in the outputs
  Recipe recipe;           // every option that is not at its default; seed included
  int line = 0;            // of its [[job]]
};

// Reads a batch file and expands it: lists, ranges and globs make every combination, the last key
// varying fastest. Throws Error(usage) with every problem, files that two jobs would write
// included; nothing is written or created.
std::vector<BatchJob> read_jobs(const std::string& path);

// The run of a job, its options set.
Run make_run(const BatchJob& job);

// Hashes of the files that a job reads, as they are now, in the form of those recorded. Throws
// Error(input).
Hashes hashes_of_inputs(const BatchJob& job, const Hashes& recorded = {});

// ---- manifest -----------------------------------------------------------------------------------

struct ManifestOutput {
  std::string path;
  std::string hash;
};

// A line of a manifest: what became of a job. Of several lines about one job the last one holds.
struct ManifestEntry {
  std::string job;  // its id
  bool done = false;
  std::vector<ManifestOutput> outputs;
  Hashes inputs;
  std::string line;  // as it stands in the file
};

// Entries of a manifest, by job in order of first appearance. Lines that were cut off are left
// out. Throws Error(input) with the line at fault. A file that does not exist is empty where
// `may_be_missing`.
std::vector<ManifestEntry> read_manifest(const std::string& path, bool may_be_missing);

// Appends whole lines, each with one write: several processes may share a manifest.
class ManifestWriter {
 public:
  explicit ManifestWriter(const std::string& path);
  ~ManifestWriter();
  ManifestWriter(const ManifestWriter&) = delete;
  ManifestWriter& operator=(const ManifestWriter&) = delete;
  void append(const std::string& line);  // with its end

 private:
  std::string path_;
  int file_ = -1;
};

std::string done_line(const BatchJob& job, const Record& record, const Hashes& inputs);
std::string failed_line(const BatchJob& job, const Error& error);

// Checks every output of a manifest against its hash; returns what is wrong, a line each.
std::vector<Problem> verify_manifest(const std::string& path, std::size_t& checked);
// Joins manifests; of a job that several know, a line that says done wins, then the later one.
std::string merge_manifests(const std::vector<std::string>& paths);

// ---- running ------------------------------------------------------------------------------------

struct Shard {
  int index = 1;  // from 1
  int count = 1;
};
// I/N; throws Error(usage).
Shard parse_shard(std::string_view text);
// Its jobs, of all: every count-th from the index-th. They point into `jobs`.
std::vector<const BatchJob*> jobs_of(const Shard& shard, const std::vector<BatchJob>& jobs);

struct BatchOptions {
  Shard shard;
  bool resume = false;
  int jobs = 0;  // at a time; 0: one a thread
  bool keep_going = false;
  bool quiet = false;
  std::string manifest;
};

struct BatchFailure {
  std::string output;
  ErrorKind kind;
  std::string message;
};

struct BatchSummary {
  std::size_t jobs = 0;  // of this shard
  std::size_t done = 0;
  std::size_t skipped = 0;  // done before
  std::size_t failed = 0;
  std::vector<BatchFailure> failures;  // the first hundred
};

// Runs the jobs of a shard. Threads and limits are the context's, shared out among the jobs that
// run at a time. Throws Error(cancelled), and Error(output) where the manifest cannot be written.
BatchSummary run_batch(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                       Context& context);

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
