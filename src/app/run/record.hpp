// What a run did, and what every command that keeps a record of it does.
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

// The record of a run, ready to be shown or written to a manifest.
struct Record {
  std::string command;
  std::uint64_t seed = 1;
  std::vector<WrittenOutput> outputs;
  std::optional<std::size_t> points;
  std::vector<std::pair<std::string, double>> seconds;  // by stage; `total` last
  double peak_memory_mb = 0;                            // of the process so far
  std::optional<Plot> plot;                             // of a drawing
  // For a sequence, picture by picture from the second on: the share of the dots of the one before
  // that did not last. Points, plot and report are of the last picture then.
  std::vector<double> lost;
  std::optional<QualityReport> report;
  std::vector<Compared> compared;
  std::vector<std::string> warnings;
};

// The sheets of a command that is no operation: images
// by these names; throws Error(usage) where `json` and - both want standard output.
std::vector<PlannedOutput> plan_sheets(const std::string& command, const std::string& input,
                                       const std::vector<std::string>& names, bool json,
                                       Overwrite overwrite, const Context& context);
// Adds a result under each of the planned names to the files of a run; the last uses it up unless
// it is to be kept.
void write_all(Result& result, const std::vector<PlannedOutput>& planned, const std::string& toml,
               FileGroup& files, Context& context, Record& record, bool keep = false);
// Adds a picture of figures under each of the planned names.
void write_sheets(Image sheet, const std::vector<PlannedOutput>& planned, FileGroup& files,
                  Context& context, Record& record);
// Makes the files of a run appear; signals wait meanwhile.
void commit(FileGroup& files, const Context& context, std::set<std::string>* folders = nullptr);
// The end of a run that began at `start`: warnings, times, memory.
void close_record(Record& record, const Context& context,
                  std::chrono::steady_clock::time_point start);

// The whole of a run of a command that is no operation: `work` adds what it did. Progress is shown
// meanwhile, and signals end it.
Record recorded(const std::string& command, const RunOptions& options, Context& context,
                const std::function<void(Record&)>& work);

double seconds_since(std::chrono::steady_clock::time_point start);

// Largest memory of this process so far, in MB of 2^20 bytes.
double peak_memory_mb();

}  // namespace dapple::app
