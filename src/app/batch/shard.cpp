// Splits a batch into shards for several machines.
#include <algorithm>
#include <cstdlib>
#include <functional>
#include <queue>

#include "app/batch/forecast.hpp"
#include "core/text/number_text.hpp"

namespace dapple::app {
namespace {

// Returns a number that Slurm sets for each task of an array; 0 if it is not set.
int slurm_number(const char* name) {
  const char* text = std::getenv(name);
  int number = 0;
  if (text == nullptr) return 0;
  std::string_view digits = text;
  take_number(digits, number);
  return number;
}

}  // namespace

std::string text_of(const Shard& shard) {
  return std::to_string(shard.index) + "/" + std::to_string(shard.count);
}

Shard parse_shard(std::string_view text) {
  const auto slash = std::min(text.find('/'), text.size());
  const Shard shard{parse_number<int>(text.substr(0, slash)).value_or(0),
                    parse_number<int>(text.substr(std::min(slash + 1, text.size()))).value_or(0)};
  if (shard.index < 1 || shard.index > shard.count) {
    throw Error(ErrorKind::usage, "must be I/N with 1 <= I <= N, such as 2/8");
  }
  return shard;
}

std::vector<int> shards_of(int count, const std::vector<BatchJob>& jobs) {
  // Each job, longest first, goes to the shard with the least work so far; ties go to the first.
  Work work;
  std::vector<std::pair<double, std::size_t>> longest;
  for (std::size_t i = 0; i < jobs.size(); ++i) longest.emplace_back(-work.of(jobs[i]), i);
  std::sort(longest.begin(), longest.end());
  using Load = std::pair<double, int>;
  std::priority_queue<Load, std::vector<Load>, std::greater<>> shards;
  for (int index = 1; index <= count; ++index) shards.emplace(0.0, index);
  std::vector<int> of_jobs(jobs.size());
  for (const auto& [seconds, i] : longest) {
    const Load least = shards.top();
    shards.pop();
    of_jobs[i] = least.second;
    shards.emplace(least.first - seconds, least.second);
  }
  return of_jobs;
}

std::vector<const BatchJob*> jobs_of(const Shard& shard, const std::vector<BatchJob>& jobs) {
  std::vector<int> of_jobs;
  if (shard.count > 1) of_jobs = shards_of(shard.count, jobs);
  std::vector<const BatchJob*> part;
  for (std::size_t i = 0; i < jobs.size(); ++i) {
    if (of_jobs.empty() || of_jobs[i] == shard.index) part.push_back(&jobs[i]);
  }
  return part;
}

std::optional<Shard> slurm_shard() {
  if (std::getenv("SLURM_ARRAY_TASK_ID") == nullptr) return std::nullopt;
  const int first = slurm_number("SLURM_ARRAY_TASK_MIN");
  const int last = slurm_number("SLURM_ARRAY_TASK_MAX");
  const int step = std::max(1, slurm_number("SLURM_ARRAY_TASK_STEP"));
  const int task = slurm_number("SLURM_ARRAY_TASK_ID");
  const int count = slurm_number("SLURM_ARRAY_TASK_COUNT");
  if (count < 1 || task < first || (last - first) / step + 1 != count ||
      (task - first) % step != 0) {
    throw Error(ErrorKind::usage,
                "task " + std::to_string(task) + " belongs to a Slurm array of " +
                    std::to_string(count) +
                    " tasks that is not a plain range: name the part to run, such as --shard " +
                    "\"$SLURM_ARRAY_TASK_ID/8\"");
  }
  return Shard{(task - first) / step + 1, count};
}

}  // namespace dapple::app
