// Dry runs, and how far forecasts are off.
#include "cli/batch_test.hpp"

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

}  // namespace
}  // namespace dapple::test
