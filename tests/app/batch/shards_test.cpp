// Batches in parts, and their manifests joined.
#include <set>

#include "batch_test.hpp"

namespace dapple::test {
namespace {

TEST_F(Batch, ShardsAreAPartition) {
  folder.write("jobs.toml", matrix);
  std::set<std::string> all;
  std::size_t count = 0;
  Words merge{"batch", "merge"};
  for (int i = 1; i <= 5; ++i) {
    const std::string shard = std::to_string(i) + "/5";
    const json said = summary({"jobs.toml", "--dry-run", "--shard", shard});
    for (const json& job : said["plan"]) {
      all.insert(job["job"].get<std::string>());
      ++count;
    }
    merge.push_back(summary({"jobs.toml", "--shard", shard})["manifest"]);
  }
  EXPECT_EQ(count, 12u);
  EXPECT_EQ(all.size(), 12u);
  EXPECT_EQ(made().size(), 24u) << "with sidecars";
  merge.insert(merge.end(), {"-o", "all.jsonl"});
  good(merge);
  std::set<std::string> merged;
  for (const json& line : lines_of("all.jsonl")) merged.insert(line["job"].get<std::string>());
  EXPECT_EQ(merged, all);
  good({"batch", "verify", "all.jsonl"});
  // The joined manifest is one to resume from.
  EXPECT_EQ(summary({"jobs.toml", "--resume", "--manifest", "all.jsonl"})["skipped"], 12);
  for (const char* bad : {"0/5", "6/5", "1", "1/", "a/b", "1/5x"}) {
    fails({"batch", "jobs.toml", "--shard", bad}, 2, {"must be I/N"});
  }
}

// By stride, one machine would get all the large ones.
TEST_F(Batch, ShardsTakeAboutTheSameWork) {
  folder.write("jobs.toml", R"([[job]]
command = "mask"
seed = { from = 1, to = 20 }
size = [16, 256]
output = "out/{size}_{seed}.png"
)");
  for (const char* shard : {"1/2", "2/2"}) {
    int large = 0, small = 0;
    const json said = summary({"jobs.toml", "--dry-run", "--shard", shard});
    for (const json& job : said["plan"]) {
      const bool is_large = job["outputs"][0].get<std::string>().starts_with("out/256");
      ++(is_large ? large : small);
    }
    EXPECT_EQ(large, 10) << shard;
    EXPECT_EQ(small, 10) << shard;
  }
  // More shards than jobs.
  std::size_t jobs = 0;
  for (int i = 1; i <= 50; ++i) {
    jobs +=
        summary({"jobs.toml", "--dry-run", "--shard", std::to_string(i) + "/50"})["plan"].size();
  }
  EXPECT_EQ(jobs, 40u);
}

TEST_F(Batch, TasksOfASlurmArrayShareTheJobs) {
  folder.write("jobs.toml", matrix);
  Spawn how;
  how.environment = {{"SLURM_ARRAY_TASK_MIN", "10"},
                     {"SLURM_ARRAY_TASK_MAX", "14"},
                     {"SLURM_ARRAY_TASK_STEP", "2"},
                     {"SLURM_ARRAY_TASK_COUNT", "3"}};
  Words merge{"batch", "merge"};
  for (const char* task : {"10", "12", "14"}) {
    how.environment["SLURM_ARRAY_TASK_ID"] = task;
    const Outcome outcome = good({"batch", "jobs.toml"}, how);
    EXPECT_NE(outcome.err.find("4 done"), std::string::npos) << outcome.err;
    merge.push_back("jobs-" + std::to_string(merge.size() - 1) + "-of-3.jsonl");
  }
  EXPECT_EQ(made().size(), 24u) << "with sidecars";
  good(merge);
  // What is said counts.
  EXPECT_NE(good({"batch", "jobs.toml", "--shard", "1/1"}, how).err.find("12 done"),
            std::string::npos);
  how.environment["SLURM_ARRAY_TASK_COUNT"] = "2";
  EXPECT_EQ(run({"batch", "jobs.toml"}, how).code, 2);
}

TEST_F(Batch, MergingPrefersWhatWasDone) {
  folder.write("a.jsonl",
               "{\"job\":\"1\",\"status\":\"failed\"}\n{\"job\":\"2\",\"status\":\"done\"}\n");
  folder.write("b.jsonl",
               "{\"job\":\"1\",\"status\":\"done\"}\n{\"job\":\"2\",\"status\":"
               "\"failed\"}\n{\"job\":\"3\",\"status\":\"failed\"}\n");
  EXPECT_EQ(good({"batch", "merge", "a.jsonl", "b.jsonl"}).out,
            "{\"job\":\"1\",\"status\":\"done\"}\n{\"job\":\"2\",\"status\":\"done\"}\n"
            "{\"job\":\"3\",\"status\":\"failed\"}\n");
  EXPECT_EQ(run({"batch", "merge"}).code, 2);
}

// What is missing is named by its file, or by its number.
TEST_F(Batch, MergingRefusesWhatIsNotTheWhole) {
  folder.write("jobs.toml", matrix);
  for (const char* shard : {"1/3", "2/3", "3/3"}) summary({"jobs.toml", "--shard", shard});
  const std::string one = "jobs-1-of-3.jsonl", two = "jobs-2-of-3.jsonl",
                    three = "jobs-3-of-3.jsonl";
  const std::string whole = good({"batch", "merge", three, one, two}).out;
  EXPECT_EQ(std::count(whole.begin(), whole.end(), '\n'), 12);
  fails({"batch", "merge", one, three}, 3,
        {"shard 2/3 of the batch in 'jobs-1-of-3.jsonl' is missing"});
  fails({"batch", "merge", one}, 3, {"shard 2/3", "shard 3/3"});
  fs::copy(folder / two, folder / "again.jsonl");
  fails({"batch", "merge", one, two, "again.jsonl", three}, 3,
        {"again.jsonl: contains shard 2/3, and so does 'jobs-2-of-3.jsonl'"});
  std::string cut = folder.read(three);
  cut.erase(cut.rfind('\n', cut.size() - 2) + 1);
  folder.write(three, cut);
  fails({"batch", "merge", one, two, three}, 3,
        {three + ": contains only 3 of the 4 jobs of shard 3/3"});
  EXPECT_EQ(summary({"jobs.toml", "--shard", "3/3"})["done"], 1);
  good({"batch", "merge", one, two, three});
  // Parts of another partition.
  summary({"jobs.toml", "--shard", "1/2"});
  fails({"batch", "merge", two, three, "jobs-1-of-2.jsonl"}, 3, {"contains shard 1/2", "3 shards"});
  // What was merged is a shard that is the whole, and a batch that has changed since another one.
  folder.write("all.jsonl", whole);
  good({"batch", "merge", "all.jsonl"});
  folder.write("jobs.toml", matrix + "tries = 40\nmethod = \"bridson\"\n");
  summary({"jobs.toml", "--shard", "1/3"});
  fails({"batch", "merge", one, two, three}, 3, {"shard 1/3", "shard 2/3 of the batch in '" + one});
}

// Each machine has made a part of its own, by sizes that the other one did not see: a job is in
// both, and another in none.
TEST_F(Batch, MergingRefusesShardsThatOverlap) {
  const auto picture = [&](const std::string& name, std::size_t padding) {
    std::ifstream file(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(file), {}};
    folder.write(name, bytes + std::string(padding, '\n'));
  };
  for (const char* name : {"a.png", "b.png", "c.png", "d.png"}) picture(name, 0);
  folder.write("jobs.toml", R"([[job]]
command = "stipple"
input = "?.png"
dots = 5
output = "{stem}.csv"
)");
  summary({"jobs.toml", "--shard", "1/2"});
  picture("b.png", 1 << 20);
  picture("d.png", 2 << 20);
  summary({"jobs.toml", "--shard", "2/2"});
  std::set<std::string> jobs;
  for (const char* name : {"jobs-1-of-2.jsonl", "jobs-2-of-2.jsonl"}) {
    for (const json& line : lines_of(name)) jobs.insert(line["job"].get<std::string>());
  }
  EXPECT_LT(jobs.size(), 4u);
  fails({"batch", "merge", "jobs-1-of-2.jsonl", "jobs-2-of-2.jsonl"}, 3,
        {"jobs-2-of-2.jsonl: contains jobs of another shard", "run it again"});
  // With the same inputs they are the whole.
  summary({"jobs.toml", "--shard", "1/2"});
  good({"batch", "merge", "jobs-1-of-2.jsonl", "jobs-2-of-2.jsonl"});
}

}  // namespace
}  // namespace dapple::test
