// How long a batch will take, from some of its jobs.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "app/batch/batch.hpp"

namespace dapple::app {

// Rough seconds of a job, from its options and the size of its input: the same on every machine.
// Shards are balanced by it, and jobs that are not measured are set in relation to those that are.
class Work {
 public:
  double of(const BatchJob& job);

 private:
  std::map<const Operation*, Recipe> defaults_;
  std::unordered_map<std::string, double> bytes_;  // of inputs
};

// Jobs that differ in their seeds and inputs alone are of one kind, and take the mean of those of
// it that were measured. The time of other kinds is interpolated between those of the same command,
// by powers of their work.
class Forecaster {
 public:
  explicit Forecaster(const std::vector<const BatchJob*>& jobs);

  // Jobs to measure, small ones first, of kinds that are not measured: some of each kind, more of
  // those that make up more of the whole.
  std::vector<const BatchJob*> sample(std::size_t most, int at_a_time) const;
  // A job that took so long, whether one of these or one that an earlier run has made.
  void add(const BatchJob& job, const Spent& spent);
  // One that was begun and then cancelled, long enough to show what memory it takes: it takes that
  // time and more.
  void add_begun(const BatchJob& job, const Spent& spent);
  double work(const BatchJob& job) const;
  void longest_first(std::vector<const BatchJob*>& jobs) const;
  Forecast forecast(int at_a_time) const;

 private:
  struct Kind {
    std::vector<const BatchJob*> jobs;
    double work = 0;  // of all of them
    std::size_t measured = 0;
    Spent spent;               // by those measured
    double measured_work = 0;  // of those, too
    double peak_mb = 0;        // memory of the process when they had been made
    Spent begun;               // by one that was only begun
    double mean_work() const { return work / static_cast<double>(jobs.size()); }
    double known_mb() const { return std::max(peak_mb, begun.peak_mb); }
  };
  // Of `what`, per unit of work.
  double rate(const Kind& kind, double Spent::*what) const;
  double rate_of_others(const Kind& kind, double Spent::*what) const;
  double memory_mb(const Kind& kind) const;

  Work work_;
  double first_mb_;  // memory before any job
  std::vector<Kind> kinds_;
  std::unordered_map<std::string, std::size_t> names_;                          // of kinds
  std::unordered_map<const BatchJob*, std::pair<std::size_t, double>> places_;  // kind and work
  std::mutex mutex_;
};

// A forecast is good enough after that.
constexpr double enough_seconds = 3;
// A tenth of the jobs, 2000 at most, in an order of which every beginning is spread over all.
std::vector<const BatchJob*> spread_over(const std::vector<const BatchJob*>& jobs);

// Makes some of the jobs that are not done, in a folder that is gone again, and tells how long all
// of them will take. Ends after some seconds, whatever they need.
Forecast forecast_by_trial(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                           Context& context);

}  // namespace dapple::app
