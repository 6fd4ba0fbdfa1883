// One run of an operation: inputs loaded, the operation run, outputs written. A process may do as
// many runs as it likes, one after the other or at the same time, each with its own context.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/run/outputs.hpp"
#include "dapple/analyze.hpp"
#include "dapple/files.hpp"
#include "dapple/operation.hpp"
#include "dapple/recipe.hpp"

namespace dapple::app {

// Of files, by the option that names each; `input` for that of the run.
using Hashes = std::vector<std::pair<std::string, std::string>>;

// A job whose options are being set; run it with execute().
struct Run {
  explicit Run(const Operation& row);
  // Options refer to the job's fields, which stay where they are.
  Run(Run&&) = default;

  const Operation* operation;
  std::unique_ptr<Job> job;
  OptionList options;  // apply() a recipe to it, or set single options

  std::string input;                 // "": none, "-": standard input
  std::string preset;                // for {preset} in names
  std::vector<std::string> outputs;  // templates; empty: default_name()
  Overwrite overwrite = Overwrite::always;
  bool report = false;
  std::string report_sheet;  // template of the file that shows the report; "": none
  std::string checkpoint;    // file that keeps how far the run is, until it is done; "": none
  double checkpoint_every = Checkpoint{}.every;
  bool certificate = false;  // of masks: one beside each file
  int frame = -1;            // writes only this slice of an image; -1: all
  int tile = 0;              // writes only the tile of this number; 0: all of a set

  // For a run that repeats another: the input's path as the first one knew it ("": as it is), and
  // the hashes its files must have, `input` and by option. A file that differs throws Error(input).
  std::string recorded_input;
  Hashes expected_hashes;
};

// What a run did, ready to be shown or written to a manifest.
struct Record {
  std::string command;
  std::uint64_t seed = 1;
  std::vector<WrittenOutput> outputs;
  std::optional<std::size_t> points;
  std::vector<std::pair<std::string, double>> seconds;  // by stage; `total` last
  double peak_memory_mb = 0;                            // of the process so far
  std::optional<PlotForecast> plot;                     // of a drawing
  // Of a sequence, picture by picture from the second on: the share of the dots of the one before
  // that did not last. Points, plot and report are of the last picture then.
  std::vector<double> lost;
  std::optional<QualityReport> report;
  std::vector<Compared> compared;
  std::vector<std::string> warnings;
};

// What is wrong with the input before it is read, or "".
std::string input_problem(const Run& run);
// The outputs a run will write. execute() checks both; whoever wants to know early may too. Throws
// Error(usage) and Error(output).
std::vector<PlannedOutput> plan(const Run& run, const Context& context);

// The input as runs know it: a sequence with {frame}, however its number was written.
std::string input_name(const Operation& operation, const std::string& input);
// Whether the input is a sequence, each picture of which makes outputs of its own.
bool is_sequence(const Run& run);

// Loads, runs, writes. Throws Error; what was written before stays, and is whole. The seed, threads
// and limits are the context's.
Record execute(Run& run, Context& context);

// What every command that keeps a record does. The sheets of a command that is no operation: images
// by these names; throws Error(usage) where `json` and - both want standard output.
std::vector<PlannedOutput> plan_sheets(const std::string& command, const std::string& input,
                                       const std::vector<std::string>& names, bool json,
                                       Overwrite overwrite, const Context& context);
// Writes a result under each of the planned names; the last uses it up unless it is to be kept.
void write_all(Result& result, const std::vector<PlannedOutput>& planned, const std::string& toml,
               Overwrite overwrite, Context& context, Record& record, bool keep = false);
// Writes a picture of figures under each of the planned names.
void write_sheets(Image sheet, const std::vector<PlannedOutput>& planned, Overwrite overwrite,
                  Context& context, Record& record);
// The end of a run that began at `start`: warnings, times, memory.
void close_record(Record& record, const Context& context,
                  std::chrono::steady_clock::time_point start);

// The run as a recipe: its command, seed, input and options; every option where `all`.
Recipe recipe_of(const Run& run, const Context& context, bool all);

// The digest of a file, or of all numbered files of a name with {frame}, in the form of the one
// `recorded` for it. Throws Error(input).
std::string hash_of_file(const std::string& path, std::string_view recorded = {});

// The hash of that name, "" where there is none.
std::string_view recorded_hash(const Hashes& hashes, std::string_view name);

// Loads every file that options name. Returns the hash of each, in the form of the recorded one.
Hashes load_files(const OptionList& options, const Context& context, const Hashes& recorded = {});

// Largest memory of this process so far, in MB of 2^20 bytes.
double peak_memory_mb();

}  // namespace dapple::app
