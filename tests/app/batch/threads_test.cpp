// A batch in this process, many jobs at a time: what threads share is seen by ThreadSanitizer.
#include <filesystem>
#include <gtest/gtest.h>
#include <new>

#include "app/batch/commit_queue.hpp"
#include "app/batch/forecast.hpp"
#include "dapple/context.hpp"
#include "subprocess.hpp"

namespace dapple::app {
namespace {

TEST(BatchThreads, JobsShareManifestEventsAndForecast) {
  const test::TemporaryFolder folder;
  const std::string place = folder.path().string();
  folder.write("jobs.toml", R"([[job]]
command = "sample"
size = [16, 24]
radius = 4
seed = { from = 1, to = 40 }
output = ")" + place + R"(/out/{size}_{seed}.csv"
[[job]]
command = "worley"
size = 16
points = ")" + place + R"(/none-{seed}.csv"
seed = [1, 2]
output = ")" + place + R"(/out/w_{seed}.png"
)");
  Context context;
  context.threads = 4;
  std::size_t told = 0;
  context.on_progress = [&](std::string_view, double) { ++told; };
  const std::vector<BatchJob> jobs = read_jobs((folder / "jobs.toml").string(), context);
  BatchOptions options;
  options.jobs = 4;
  options.keep_going = true;
  options.quiet = true;
  options.manifest = (folder / "jobs.jsonl").string();
  options.events = (folder / "events.jsonl").string();
  EXPECT_GT(forecast_by_trial(jobs, options, context).measured, 0u);
  const BatchSummary first = run_batch(jobs, options, context);
  EXPECT_EQ(first.done, 80u);
  EXPECT_EQ(first.failed, 2u);
  EXPECT_GT(first.forecast.processor, 0.0);
  EXPECT_GE(told, 82u);
  const BatchSummary second = run_batch(jobs, options, context);
  EXPECT_EQ(second.skipped, 80u);
  EXPECT_EQ(second.failed, 2u);
  // A folder that is trimmed while others read and write.
  options.cache = (folder / "cache").string();
  options.cache_bytes = 30 << 10;
  for (const char* manifest : {"a.jsonl", "b.jsonl"}) {
    options.manifest = (folder / manifest).string();
    const BatchSummary cached = run_batch(jobs, options, context);
    EXPECT_EQ(cached.done, 80u);
    EXPECT_LT(cached.cached, 80u);
    EXPECT_TRUE(cached.warnings.empty());
  }
}

TEST(CommitQueue, WhatItsThreadThrowsReachesTheBatch) {
  const test::TemporaryFolder folder;
  int settled = 0;
  CommitQueue settler([&](FinishedJob&, const std::optional<Error>&) {
    if (++settled == 1) throw std::bad_alloc();
  });
  const auto add = [&](const std::string& name) {
    FinishedJob made{};
    made.files = std::make_unique<FileGroup>(Overwrite::always, FileGroup::Sync::together);
    made.files->add((folder / name).string(), "x");
    settler.add(std::move(made));
  };
  add("a");
  EXPECT_THROW(settler.finish(), std::bad_alloc);
  add("b");
  settler.finish();
  EXPECT_EQ(settled, 2);
  EXPECT_TRUE(std::filesystem::exists(folder / "b"));
}

}  // namespace
}  // namespace dapple::app
