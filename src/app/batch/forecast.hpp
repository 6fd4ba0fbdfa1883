// Forecasts the duration of a batch from some of its jobs.
#pragma once

#include <algorithm>
#include <map>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "app/batch/batch.hpp"

namespace dapple::app {

// Estimates the seconds of a job from its options and input size, independently of the machine. The
// estimates balance shards and relate unmeasured jobs to measured ones.
class Work {
 public:
  double of(const BatchJob& job);

 private:
  // The parts of the work that options decide.
  struct Asked {
    double pixels;
    double points;
    double radius;
  };
  Asked asked_of(const BatchJob& job);

  std::map<const Operation*, Recipe> defaults_;
  std::unordered_map<const JobOptions*, Asked> asked_;
  std::unordered_map<std::string, double> bytes_;  // of inputs
};

// Predicts time from measured jobs. Jobs that differ only in seed and input form a kind, with the
// mean of its measured jobs. Other kinds of a command are interpolated by powers of the work.
class Forecaster {
 public:
  explicit Forecaster(const std::vector<const BatchJob*>& jobs);

  // Returns jobs of unmeasured kinds to measure, small ones first. Each kind gets a few; kinds with
  // a larger part of the work get more.
  std::vector<const BatchJob*> sample(std::size_t most, int at_a_time) const;
  // Adds the measurement of a job, from this batch or an earlier run.
  void add(const BatchJob& job, const Spent& spent);
  // Adds a job that was cancelled late enough to show its memory. The job would take at least
  // `spent`.
  void add_begun(const BatchJob& job, const Spent& spent);
  double work(const BatchJob& job) const;
  void longest_first(std::vector<const BatchJob*>& jobs) const;
  Forecast forecast(int at_a_time) const;
  // Predicts one job. Its memory grows in proportion to its work beyond that of the measured jobs.
  Spent predict(const BatchJob& job) const;

 private:
  struct Kind {
    std::vector<const BatchJob*> jobs;
    double work = 0;  // of all jobs
    std::size_t measured = 0;
    Spent spent;               // sum of the measured jobs
    double measured_work = 0;  // work of the measured jobs
    double peak_mb = 0;        // memory of the process after the measured jobs
    Spent begun;               // by a cancelled job
    double mean_work() const { return work / static_cast<double>(jobs.size()); }
    double known_mb() const { return std::max(peak_mb, begun.peak_mb); }
  };
  // Returns `what` per unit of work.
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

// Seconds of measuring that suffice for a forecast.
constexpr double enough_seconds = 3;
// Returns a tenth of the jobs, at most 2000, in an order whose every prefix is spread evenly.
std::vector<const BatchJob*> spread_over(const std::vector<const BatchJob*>& jobs);

// Forecasts a batch by running some open jobs in a temporary folder. Always ends after several
// seconds.
Forecast forecast_by_trial(const std::vector<BatchJob>& jobs, const BatchOptions& options,
                           Context& context);
// Predicts each job as a process of its own with the threads of `context`, from trials as above.
// `start_mb` is the memory of this process before it read the jobs.
PlanFigures figures_by_trial(const std::vector<BatchJob>& jobs, double start_mb, Context& context);

}  // namespace dapple::app
