// Dry runs, and how far forecasts are off.
#include <cmath>

#include "batch_test.hpp"

namespace dapple::test {
namespace {

TEST_F(Batch, ADryRunRunsNothing) {
  folder.write("jobs.toml", matrix);
  const Outcome outcome = good({"batch", "jobs.toml", "--dry-run"});
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 12);
  EXPECT_EQ(folder.names(), Words{"jobs.toml"});
  // It has checked everything.
  folder.write("bad.toml", matrix + "sise = 3\n");
  fails({"batch", "bad.toml", "--dry-run"}, 2, {"bad.toml:7:1: there is no option 'sise'"});
}

TEST_F(Batch, MemoryOfManyJobsIsKnownBeforeTheyAreMade) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"sample\"\nsize = 8\nradius = 2\n"
               "seed = { from = 1, to = 200000 }\noutput = \"{seed}.csv\"\n");
  const Outcome outcome = good({"batch", "jobs.toml", "--dry-run", "-q"});
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 200000);
  EXPECT_LT(outcome.peak_kb, 240 << 10);
  fails({"batch", "jobs.toml", "--dry-run", "-q", "--max-memory", "100M"}, 5,
        {"a batch of 200000 jobs needs ", "--max-memory"});
}

TEST_F(Batch, DryRunsForecastAndRunsSayHowFarItWasOff) {
  folder.write("jobs.toml", R"([[job]]
command = "sample"
size = ["32x32", "64x64"]
radius = [2, 4]
seed = { from = 1, to = 30 }
output = "out/{size}_{radius}_{seed}.csv"
)");
  const json plan = summary({"jobs.toml", "--dry-run"})["forecast"];
  EXPECT_EQ(plan["jobs"], 120);
  EXPECT_GT(plan["seconds"], 0.0);
  EXPECT_GT(plan["memory_mb"], 1.0);
  EXPECT_GE(plan["measured"], 4);
  EXPECT_LT(plan["measured"], 120);
  EXPECT_EQ(plan["guessed"], 0);
  EXPECT_EQ(folder.names(), Words{"jobs.toml"});
  EXPECT_NE(good({"batch", "jobs.toml", "--dry-run"}).err.find("forecast for 120 jobs: "),
            std::string::npos);
  EXPECT_EQ(good({"batch", "jobs.toml", "--dry-run", "-q"}).err, "");
  const Outcome run = good({"batch", "jobs.toml"});
  EXPECT_NE(run.err.find("% too "), std::string::npos) << run.err;
  // What an earlier run took is known.
  const json done = summary({"jobs.toml", "--dry-run"})["forecast"];
  EXPECT_EQ(done["jobs"], 0);
  const json again = summary({"jobs.toml", "--dry-run", "--force"})["forecast"];
  EXPECT_EQ(again["jobs"], 120);
  EXPECT_EQ(again["measured"], 120);
  EXPECT_EQ(summary({"jobs.toml", "--force"})["forecast"]["jobs"], 120);
}

// In memory within a fifth of what the same jobs then take; time, which other programs change too,
// is of the right size here, and how near it comes is printed by `scripts/bench batch`.
TEST_F(Batch, ForecastsAreOfTheRightSize) {
  folder.write("jobs.toml", R"([[job]]
command = "sample"
size = ["64x64", "160x160", "256x256"]
radius = [2, 4]
seed = { from = 1, to = 60 }
output = "out/{size}_{radius}_{seed}.csv"
)");
  const auto off = [](double forecast, double real) { return std::abs(forecast / real - 1); };
  double time = 1;
  double memory = 1;
  for (int attempt = 0; attempt < 6 && (time > 0.5 || memory > 0.2); ++attempt) {
    const json forecast =
        summary({"jobs.toml", "--dry-run", "--manifest", "none.jsonl"})["forecast"];
    ASSERT_EQ(forecast["jobs"], 360);
    ASSERT_LT(forecast["measured"], 200);
    const json run = summary({"jobs.toml", "--force"});
    time = std::min(time, off(forecast["processor_seconds"], run["processor_seconds"]));
    memory = std::min(memory, off(forecast["memory_mb"], run["peak_memory_mb"]));
  }
  EXPECT_LT(time, 0.5);
  EXPECT_LT(memory, 0.2);
}

}  // namespace
}  // namespace dapple::test
