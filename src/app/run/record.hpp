// Records what a run did, and defines the steps that all recording commands share.
#pragma once

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "app/run/options.hpp"
#include "app/run/outputs.hpp"
#include "app/run/plot.hpp"
#include "dapple/analyze.hpp"

namespace dapple::app {

// The record of a run, as printed or written to a manifest.
struct Record {
  std::string command;
  std::uint64_t seed = 1;
  std::vector<WrittenOutput> outputs;
  std::optional<std::size_t> points;
  std::vector<std::pair<std::string, double>> seconds;  // by stage; `total` last
  double peak_memory_mb = 0;                            // of the process so far
  std::optional<Plot> plot;                             // of a drawing
  // Share of dots lost between consecutive pictures of a sequence, from the second picture on.
  // Points, plot and report then describe the last picture.
  std::vector<double> lost;
  std::optional<QualityReport> report;
  std::vector<Compared> compared;
  std::vector<std::string> warnings;
  std::vector<std::string> notes;  // choices made for the user
};

// Plans the sheets of a command that is not an operation: images named `names`. Throws Error(usage)
// if `json` and a name - would both use standard output.
std::vector<PlannedOutput> plan_sheets(const std::string& command, const std::string& input,
                                       const std::vector<std::string>& names, bool json,
                                       Overwrite overwrite, const Context& context);
// Adds a result to `files` under each planned name. The last output consumes the result unless
// `keep`.
void write_all(Result& result, const std::vector<PlannedOutput>& planned, const std::string& toml,
               FileGroup& files, Context& context, Record& record, bool keep = false);
// Adds a sheet to `files` under each planned name.
void write_sheets(Image sheet, const std::vector<PlannedOutput>& planned, FileGroup& files,
                  Context& context, Record& record);
// Renames the files of a run into place; signals wait until then.
void commit(FileGroup& files, const Context& context, std::set<std::string>* folders = nullptr);
// Completes the record of a run that began at `start`: warnings, times, memory.
void close_record(Record& record, const Context& context,
                  std::chrono::steady_clock::time_point start);

// Runs a command that is not an operation; `work` adds to the record. Shows progress, and signals
// can end the run.
Record recorded(const std::string& command, const RunOptions& options, Context& context,
                const std::function<void(Record&)>& work);

double seconds_since(std::chrono::steady_clock::time_point start);

// Returns the peak memory of this process so far, in MB of 2^20 bytes.
double peak_memory_mb();

}  // namespace dapple::app
