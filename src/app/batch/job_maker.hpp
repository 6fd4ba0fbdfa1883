// Makes a job from one combination of the values of a [[job]] table.
#pragma once

#include <map>
#include <memory>

#include "app/batch/batch.hpp"
#include "app/presets/presets.hpp"
#include "io/jobs_toml.hpp"

namespace dapple::app {

// One combination of the values in a table.
struct Cell {
  std::vector<std::pair<const JobKey*, std::string>> values;
};

// Presets by command and name.
using Presets = std::map<std::pair<std::string_view, std::string>, Preset>;

// Returns a place in a batch file, for messages.
std::string place(const std::string& file, int line, int column);

// Makes jobs of one table. Makers on many threads share the presets.
class JobMaker {
 public:
  JobMaker(const std::string& file, const Presets& presets, const Operation& operation,
           const JobTable& table, const JobKey& output);
  ~JobMaker();

  std::vector<Problem> problems;

  // Makes `job`, or adds to the problems.
  void make(const Cell& cell, BatchJob& job);

 private:
  struct Configured;

  template <class Step>
  void attempt_at(const JobKey& key, Step&& step);
  Configured& configure(const Cell& cell);
  void apply_preset(const std::string& name, Configured& made) const;
  static void finish(BatchJob& job, const Configured& configured, std::uint64_t seed);

  const std::string* file_;
  const Presets* presets_;
  const Operation* operation_;
  const JobTable* table_;
  const JobKey* output_;
  std::map<std::string, std::unique_ptr<Configured>> configured_;  // by option texts
  bool cell_is_good_ = true;
};

}  // namespace dapple::app
