// `dapple batch` on the real program. Most jobs make points as .csv: no image library is opened.
#include "app/batch/batch.hpp"

#include <filesystem>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <set>
#include <sys/mount.h>

#include "cli/program_test.hpp"
#include "core/digest.hpp"

namespace dapple {
namespace {

using nlohmann::json;
using test::Outcome;
using test::Spawn;
namespace fs = std::filesystem;

using Words = std::vector<std::string>;

class Batch : public test::ProgramTest {
 protected:
  // What `batch ... --json` says.
  json summary(Words words, int code = 0) const {
    words.insert(words.begin(), "batch");
    words.insert(words.end(), {"--json", "-q"});
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code) << outcome.err;
    return json::parse(outcome.out, nullptr, false);
  }
  void fails(const Words& words, int code, const Words& texts) const {
    const Outcome outcome = run(words);
    EXPECT_EQ(outcome.code, code);
    for (const std::string& text : texts) {
      EXPECT_NE(outcome.err.find(text), std::string::npos) << text << " in\n" << outcome.err;
    }
  }
  std::vector<json> lines_of(const std::string& file) const {
    std::vector<json> lines;
    std::istringstream text(folder.read(file));
    for (std::string line; std::getline(text, line);) lines.push_back(json::parse(line));
    return lines;
  }
  // Every file below `out`, by name.
  std::map<std::string, std::string> made(const std::string& below = "out") const {
    std::map<std::string, std::string> files;
    if (!fs::exists(folder / below)) return files;
    for (const auto& entry : fs::directory_iterator(folder / below)) {
      const std::string name = entry.path().filename().string();
      files[name] = folder.read(below + "/" + name);
    }
    return files;
  }
  // `dapple` and nothing else in front of the usual PATH.
  static Spawn with_dapple() {
    Spawn how;
    how.environment["PATH"] =
        fs::path(DAPPLE_PROGRAM).parent_path().string() + ":/usr/local/bin:/usr/bin:/bin";
    return how;
  }
};

// Twelve jobs.
const std::string matrix = R"([[job]]
command = "sample"
size = ["32x32", "48x40"]
radius = [4, 6]
seed = { from = 1, to = 5, step = 2 }
output = "out/p_{size}_{radius}_{seed}.csv"
)";

TEST_F(Batch, ListsAndRangesMakeAMatrix) {
  folder.write("jobs.toml", matrix);
  EXPECT_EQ(good({"batch", "jobs.toml"}).err, "dapple: 12 done; recorded in jobs.jsonl\n");
  const auto files = made();
  EXPECT_EQ(files.size(), 12u);
  for (const char* size : {"32x32", "48x40"}) {
    for (const char* radius : {"4", "6"}) {
      for (const char* seed : {"1", "3", "5"}) {
        const std::string name = std::string("p_") + size + "_" + radius + "_" + seed + ".csv";
        ASSERT_TRUE(files.contains(name)) << name;
        EXPECT_EQ(
            files.at(name),
            good({"sample", "--size", size, "--radius", radius, "--seed", seed, "-o", "-"}).out);
      }
    }
  }
}

TEST_F(Batch, AListForAnOptionThatIsAListIsOneValue) {
  folder.write("jobs.toml", R"([[job]]
command = "worley"
outputs = ["f1", "edge"]
output = "one.exr"
[[job]]
command = "worley"
outputs = ["f1,edge", "id"]
output = "two_{outputs}.exr"
)");
  const json plan = summary({"jobs.toml", "--dry-run"})["plan"];
  ASSERT_EQ(plan.size(), 3u);
  EXPECT_EQ(plan[0]["outputs"], json({"one.exr"}));
  EXPECT_EQ(plan[1]["outputs"], json({"two_f1,edge.exr"}));
  EXPECT_EQ(plan[2]["outputs"], json({"two_id.exr"}));
}

TEST_F(Batch, AGlobMakesAJobAFile) {
  fs::create_directory(folder / "photos");
  for (const char* name : {"b", "a"}) {
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png",
             folder / ("photos/" + std::string(name) + ".png"));
  }
  folder.write("jobs.toml", R"([[job]]
command = "stipple"
input = "photos/*.png"
dots = 20
output = ["out/{stem}.svg", "out/{stem}_{dots}.csv"]
)");
  EXPECT_EQ(summary({"jobs.toml"})["done"], 2);
  Words names;
  for (const auto& [name, bytes] : made()) names.push_back(name);
  EXPECT_EQ(names, (Words{"a.svg", "a_20.csv", "b.svg", "b_20.csv"}));
  folder.write("none.toml",
               "[[job]]\ncommand = \"stipple\"\ninput = \"no/*.png\"\noutput = \"a.svg\"\n");
  fails({"batch", "none.toml"}, 2, {"none.toml:3:", "no file matches 'no/*.png'"});
}

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
  EXPECT_EQ(made().size(), 12u);
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

TEST_F(Batch, ResumeDoesWhatIsMissingOrChanged) {
  folder.write("map.csv", "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n");
  const std::string jobs = R"([[job]]
command = "sample"
size = "32x32"
radius = [3, 4, 5, 6]
output = "out/{radius}.csv"
[[job]]
command = "worley"
size = 16
points = "map.csv"
output = "out/w.png"
)";
  folder.write("jobs.toml", jobs);
  const auto resume = [&](int done, int skipped) {
    const json said = summary({"jobs.toml", "--resume"});
    EXPECT_EQ(said["done"], done);
    EXPECT_EQ(said["skipped"], skipped);
  };
  resume(5, 0);
  resume(0, 5);
  const auto first = made();
  fs::remove(folder / "out/3.csv");
  folder.write("out/4.csv", "something else");
  resume(2, 3);
  EXPECT_EQ(made(), first);
  // An option of one job, and the file that another reads.
  std::string changed = jobs;
  changed.replace(changed.find("6]"), 2, "7]");
  folder.write("jobs.toml", changed);
  resume(1, 4);
  folder.write("map.csv", "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,8,1\n");
  resume(1, 4);
  EXPECT_NE(made().at("w.png"), first.at("w.png"));
  // --resume is what a batch does without it; --force makes everything again.
  EXPECT_EQ(summary({"jobs.toml"})["skipped"], 5);
  EXPECT_EQ(summary({"jobs.toml", "--force"})["done"], 5);
  fails({"batch", "jobs.toml", "--force", "--resume"}, 2, {"--force", "--resume"});
  // A file that was only touched is the same.
  fs::last_write_time(folder / "out/4.csv", fs::file_time_type::clock::now());
  fs::last_write_time(folder / "map.csv", fs::file_time_type::clock::now());
  resume(0, 5);
  // A machine that stopped has left half a line.
  const std::string manifest = folder.read("jobs.jsonl");
  folder.write("jobs.jsonl", manifest + R"({"job": "fnv1a)");
  resume(0, 5);
  folder.write("jobs.jsonl", "no manifest\n" + manifest);
  fails({"batch", "jobs.toml", "--resume"}, 3, {"jobs.jsonl: line 1 is no record"});
}

// A manifest as the first builds wrote it is resumed and verified.
TEST_F(Batch, EarlierHashesStillHold) {
  folder.write("map.csv", "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n");
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"worley\"\nsize = 16\npoints = \"map.csv\"\noutput = "
               "\"w.png\"\n");
  EXPECT_EQ(summary({"jobs.toml"})["done"], 1);
  const auto earlier = [](std::string_view bytes) {
    Digest digest("fnv1a64:");
    digest.add(bytes);
    return digest.text();
  };
  json line = lines_of("jobs.jsonl")[0];
  for (const char* name : {"batch", "shard", "shard_jobs", "batch_jobs", "input_states"}) {
    line.erase(name);
  }
  line["outputs"][0].erase("changed");
  Context context;
  line["job"] = app::earlier_id(app::read_jobs((folder / "jobs.toml").string(), context)[0]);
  line["outputs"][0]["hash"] = earlier(folder.read("w.png"));
  line["input_hashes"]["points"] = earlier(folder.read("map.csv"));
  folder.write("jobs.jsonl", line.dump() + "\n");
  EXPECT_EQ(summary({"jobs.toml", "--resume"})["skipped"], 1);
  good({"batch", "verify", "jobs.jsonl"});
  folder.write("map.csv", "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,8,1\n");
  EXPECT_EQ(summary({"jobs.toml", "--resume"})["done"], 1);
  folder.write("jobs.jsonl", line.dump() + "\n");
  fails({"batch", "verify", "jobs.jsonl"}, 6, {"w.png: is not what was written"});
}

TEST_F(Batch, ResumeAfterFailures) {
  const std::string points = "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n";
  folder.write("jobs.toml", R"([[job]]
command = "worley"
size = 16
points = ["a.csv", "b.csv", "c.csv"]
output = "out/{points}.png"
)");
  folder.write("a.csv", points);
  folder.write("c.csv", points);
  // It stops at the first failure.
  const json stopped = summary({"jobs.toml", "--jobs", "1"}, 1);
  EXPECT_EQ(stopped["done"], 1);
  EXPECT_EQ(stopped["failed"], 1);
  EXPECT_EQ(stopped["not_run"], 1);
  const json went_on = summary({"jobs.toml", "--jobs", "1", "--keep-going", "--resume"}, 1);
  EXPECT_EQ(went_on["skipped"], 1);
  EXPECT_EQ(went_on["done"], 1);
  EXPECT_EQ(went_on["failed"], 1);
  EXPECT_EQ(went_on["not_run"], 0);
  ASSERT_EQ(went_on["failures"].size(), 1u);
  EXPECT_EQ(went_on["failures"][0]["output"], "out/b.png");
  EXPECT_EQ(went_on["failures"][0]["kind"], "input");
  EXPECT_EQ(made().size(), 2u);
  fails({"batch", "verify", "jobs.jsonl"}, 6, {"out/b.png: its job failed"});
  folder.write("b.csv", points);
  const json repaired = summary({"jobs.toml", "--resume"});
  EXPECT_EQ(repaired["skipped"], 2);
  EXPECT_EQ(repaired["done"], 1);
  good({"batch", "verify", "jobs.jsonl"});
}

TEST_F(Batch, InterruptedItKeepsWhatWasDone) {
  const std::string quick = R"([[job]]
command = "sample"
size = "16x16"
radius = [3, 4]
output = "out/{radius}.csv"
)";
  // Minutes of work.
  folder.write("jobs.toml", quick + R"([[job]]
command = "mask"
size = 8192
output = "out/m.png"
)");
  Spawn how;
  how.interrupt_after_ms = 500;
  EXPECT_EQ(run({"batch", "jobs.toml", "--jobs", "1"}, how).code, 130);
  EXPECT_EQ(made().size(), 2u);
  EXPECT_EQ(lines_of("jobs.jsonl").size(), 2u);
  folder.write("jobs.toml", quick);
  EXPECT_EQ(summary({"jobs.toml", "--resume"})["skipped"], 2);
}

TEST_F(Batch, JobsAtATimeDoNotChangeBytes) {
  folder.write("jobs.toml", matrix + R"([[job]]
command = "mask"
size = [16, 32]
seed = [1, 2]
output = "out/{size}_{seed}.png"
)");
  good({"batch", "jobs.toml", "-q", "--jobs", "1", "--threads", "1"});
  const auto one = made();
  EXPECT_EQ(one.size(), 16u);
  fs::remove_all(folder / "out");
  good({"batch", "jobs.toml", "-q", "--jobs", "5", "--threads", "3"});
  EXPECT_EQ(made(), one);
}

TEST_F(Batch, TheManifestSaysWhatWasMade) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"sample\"\nsize = 32\nradius = 5\nseed = 9\noutput = "
               "\"p.csv\"\n");
  good({"batch", "jobs.toml", "--manifest", "m.jsonl", "-q"});
  const auto lines = lines_of("m.jsonl");
  ASSERT_EQ(lines.size(), 1u);
  const json& line = lines[0];
  EXPECT_EQ(line["status"], "done");
  EXPECT_EQ(line["command"], "sample");
  EXPECT_EQ(line["seed"], 9);
  EXPECT_EQ(line["outputs"][0]["path"], "p.csv");
  EXPECT_EQ(line["outputs"][0]["bytes"], fs::file_size(folder / "p.csv"));
  EXPECT_EQ(line["outputs"][0]["hash"], "sha256:" + sha256(folder.read("p.csv")));
  // Its recipe makes the file again.
  folder.write("r.toml", line["recipe"].get<std::string>());
  EXPECT_EQ(good({"sample", "--recipe", "r.toml", "-o", "-"}).out, folder.read("p.csv"));
}

TEST_F(Batch, VerifyFindsWhatHasChanged) {
  folder.write("jobs.toml", matrix);
  good({"batch", "jobs.toml", "-q"});
  EXPECT_EQ(good({"batch", "verify", "jobs.jsonl"}).err,
            "dapple: 12 files are as they were written\n");
  std::string bytes = folder.read("out/p_32x32_4_1.csv");
  bytes[bytes.size() / 2] ^= 1;
  folder.write("out/p_32x32_4_1.csv", bytes);
  fs::remove(folder / "out/p_32x32_4_3.csv");
  fails(
      {"batch", "verify", "jobs.jsonl"}, 6,
      {"2 of 12 files", "p_32x32_4_1.csv: is not what was written", "p_32x32_4_3.csv: is missing"});
  EXPECT_EQ(run({"batch", "verify", "none.jsonl"}).code, 3);
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
        {"again.jsonl: holds shard 2/3, which 'jobs-2-of-3.jsonl' holds"});
  std::string cut = folder.read(three);
  cut.erase(cut.rfind('\n', cut.size() - 2) + 1);
  folder.write(three, cut);
  fails({"batch", "merge", one, two, three}, 3, {three + ": holds 3 of the 4 jobs of shard 3/3"});
  EXPECT_EQ(summary({"jobs.toml", "--shard", "3/3"})["done"], 1);
  good({"batch", "merge", one, two, three});
  // Parts of another partition.
  summary({"jobs.toml", "--shard", "1/2"});
  fails({"batch", "merge", two, three, "jobs-1-of-2.jsonl"}, 3, {"holds shard 1/2", "3 shards"});
  // What was merged is a shard that is the whole, and a batch that has changed since another one.
  folder.write("all.jsonl", whole);
  good({"batch", "merge", "all.jsonl"});
  folder.write("jobs.toml", matrix + "tries = 40\n");
  summary({"jobs.toml", "--shard", "1/3"});
  fails({"batch", "merge", one, two, three}, 3, {"shard 1/3", "shard 2/3 of the batch in '" + one});
}

TEST_F(Batch, FailuresAreABatchFile) {
  const std::string points = "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n";
  folder.write("a.csv", points);
  folder.write("say \"b\".csv", "nothing");
  folder.write("jobs.toml", R"([[job]]
command = "worley"
size = 16
outputs = ["f1", "id"]
seed = [3, 4]
points = ["a.csv", 'say "b".csv']
output = ["out/{points}_{seed}.exr", "out/{points}, {seed}.png"]
)");
  const json said = summary({"jobs.toml", "--keep-going", "--failures", "failed.toml"}, 1);
  EXPECT_EQ(said["failed"], 2);
  EXPECT_EQ(said["done"], 2);
  // The same jobs, by the same names.
  const json all = summary({"jobs.toml", "--dry-run"})["plan"];
  const json some = summary({"failed.toml", "--dry-run"})["plan"];
  ASSERT_EQ(some.size(), 2u);
  EXPECT_EQ(some[0], all[1]);
  EXPECT_EQ(some[1], all[3]);
  EXPECT_EQ(summary({"failed.toml", "--keep-going", "--failures", "still.toml"}, 1)["failed"], 2);
  EXPECT_EQ(folder.read("still.toml"), folder.read("failed.toml"));
  folder.write("say \"b\".csv", points);
  EXPECT_EQ(summary({"failed.toml", "--manifest", "jobs.jsonl"})["done"], 2);
  EXPECT_EQ(summary({"jobs.toml"})["skipped"], 4);
  good({"batch", "verify", "jobs.jsonl"});
  fails({"batch", "jobs.toml", "--failures", "no/such/folder.toml"}, 4, {"no/such"});
}

TEST_F(Batch, EventsSayWhatHappens) {
  folder.write("jobs.toml", R"([[job]]
command = "worley"
size = 16
points = ["a.csv", "b.csv"]
output = "{points}.png"
)");
  folder.write("a.csv", "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n");
  const Words words{"jobs.toml", "--keep-going", "--jobs", "1", "--events", "e.jsonl"};
  summary(words, 1);
  Words events;
  for (const json& line : lines_of("e.jsonl")) {
    events.push_back(line["event"]);
    EXPECT_GE(line["time"], 0.0);
  }
  EXPECT_EQ(events, (Words{"start", "started", "done", "started", "failed", "end"}));
  const auto lines = lines_of("e.jsonl");
  EXPECT_EQ(lines[0]["jobs"], 2);
  EXPECT_EQ(lines[2]["output"], "a.png");
  EXPECT_EQ(lines[4]["error"]["kind"], "input");
  EXPECT_EQ(lines[5]["failed"], 1);
  const Outcome outcome = run({"batch", "jobs.toml", "--keep-going", "-q", "--events", "-"});
  EXPECT_EQ(json::parse(outcome.out.substr(0, outcome.out.find('\n')))["event"], "start");
  EXPECT_NE(outcome.out.find("skipped"), std::string::npos);
  fails({"batch", "jobs.toml", "--json", "--events", "-"}, 2, {"--json", "--events"});
  fails({"batch", "jobs.toml", "--events", "no/such"}, 4, {"no/such"});
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
  EXPECT_EQ(made().size(), 12u);
  good(merge);
  // What is said counts.
  EXPECT_NE(good({"batch", "jobs.toml", "--shard", "1/1"}, how).err.find("12 done"),
            std::string::npos);
  how.environment["SLURM_ARRAY_TASK_COUNT"] = "2";
  EXPECT_EQ(run({"batch", "jobs.toml"}, how).code, 2);
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

// A share of the memory is too small for some: they run alone, after the others.
TEST_F(Batch, LargeJobsRunOneAfterTheOther) {
  folder.write("jobs.toml", R"([[job]]
command = "sample"
size = 300
count = [50000, 100, 60000, 200]
output = "out/{count}.csv"
)");
  Words outputs;
  const Words words{"jobs.toml", "--jobs", "2", "--max-memory", "8M", "--events", "e.jsonl"};
  EXPECT_EQ(summary(words)["done"], 4);
  for (const json& line : lines_of("e.jsonl")) {
    if (line["event"] == "done") outputs.push_back(line["output"]);
  }
  ASSERT_EQ(outputs.size(), 4u);
  EXPECT_EQ(outputs[2], "out/50000.csv");
  EXPECT_EQ(outputs[3], "out/60000.csv");
  EXPECT_EQ(folder.read("out/60000.csv"),
            good({"sample", "--size", "300", "--count", "60000", "-o", "-"}).out);
  // What is too large for all of it fails, and says so.
  const json failed =
      summary({"jobs.toml", "--jobs", "2", "--max-memory", "4M", "--force", "--keep-going"}, 1);
  EXPECT_EQ(failed["done"], 2);
  EXPECT_EQ(failed["failures"][0]["kind"], "limit");
}

// A folder of another machine, as its users mount it: not yet, read-only, whole, and gone again.
TEST_F(Batch, FoldersThatAreMountedLateOrReadOnly) {
  folder.write("jobs.toml", R"([[job]]
command = "stipple"
input = "store/photos/*.png"
dots = 20
output = "store/out/{stem}.svg"
)");
  fails({"batch", "jobs.toml"}, 2, {"there is no folder 'store/photos'; is it mounted?"});
  const std::string store = (folder / "store").string();
  fs::create_directory(store);
  if (mount("none", store.c_str(), "tmpfs", 0, nullptr) != 0) {
    GTEST_SKIP() << "mounting a folder needs root";
  }
  fs::create_directory(store + "/photos");
  for (const char* name : {"a", "b"}) {
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png",
             store + "/photos/" + std::string(name) + ".png");
  }
  const auto remount = [&](unsigned long flags) {
    EXPECT_EQ(mount("none", store.c_str(), "tmpfs", MS_REMOUNT | flags, nullptr), 0);
  };
  remount(MS_RDONLY);
  const json refused = summary({"jobs.toml", "--keep-going"}, 1);
  EXPECT_EQ(refused["failed"], 2);
  EXPECT_EQ(refused["failures"][0]["kind"], "output");
  const std::string message = refused["failures"][0]["message"];
  EXPECT_NE(message.find("store/out"), std::string::npos) << message;
  EXPECT_NE(message.find("Read-only"), std::string::npos) << message;
  fails({"batch", "jobs.toml", "--manifest", "store/m.jsonl"}, 4, {"store/m.jsonl", "Read-only"});
  EXPECT_EQ(summary({"jobs.toml", "--dry-run"})["warnings"].size(), 1u);
  remount(0);
  EXPECT_EQ(summary({"jobs.toml"})["done"], 2);
  EXPECT_EQ(made("store/out").size(), 2u);
  EXPECT_EQ(umount(store.c_str()), 0);
  fails({"batch", "verify", "jobs.jsonl"}, 6, {"store/out/a.svg: is missing"});
}

TEST_F(Batch, ADryRunRunsNothing) {
  folder.write("jobs.toml", matrix);
  const Outcome outcome = good({"batch", "jobs.toml", "--dry-run"});
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 12);
  EXPECT_EQ(folder.names(), Words{"jobs.toml"});
  // It has checked everything.
  folder.write("bad.toml", matrix + "sise = 3\n");
  fails({"batch", "bad.toml", "--dry-run"}, 2, {"bad.toml:7:1: there is no option 'sise'"});
}

// ---- plans --------------------------------------------------------------------------------------

class BatchPlan : public Batch {
 protected:
  // Text that shells and ninja read in their own way; runs the batch for what it should make.
  BatchPlan() {
    folder.write("jobs.toml", matrix + R"([[job]]
command = "stipple"
input = "a $b's: photo.png"
dots = [20, 30]
output = "out/{stem} $HOME '{dots}'.svg"
)");
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / "a $b's: photo.png");
    good({"batch", "jobs.toml", "-q"});
    expected = made();
    fs::remove_all(folder / "out");
    EXPECT_EQ(expected.size(), 14u);
  }
  std::map<std::string, std::string> expected;
};

TEST_F(BatchPlan, ParallelIsACommandALine) {
  good({"batch", "plan", "jobs.toml", "--emit", "parallel", "-o", "jobs.sh"});
  const Outcome outcome =
      test::run_process({"/bin/bash", "-e", "jobs.sh"}, folder.path(), with_dapple());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(made(), expected);
}

TEST_F(BatchPlan, NinjaBuilds) {
  if (!fs::exists("/usr/bin/ninja")) GTEST_SKIP();
  good({"batch", "plan", "jobs.toml", "--emit", "ninja", "-o", "build.ninja"});
  const auto ninja = [&] {
    return test::run_process({"/usr/bin/ninja", "-f", "build.ninja"}, folder.path(), with_dapple());
  };
  Outcome outcome = ninja();
  EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
  EXPECT_EQ(made(), expected);
  EXPECT_NE(ninja().out.find("no work to do"), std::string::npos);
  fs::remove(folder / "out/p_32x32_4_1.csv");
  outcome = ninja();
  EXPECT_NE(outcome.out.find("[1/1]"), std::string::npos) << outcome.out;
  EXPECT_EQ(made(), expected);
}

TEST_F(BatchPlan, SlurmTasksDoEverythingOnce) {
  const std::string script =
      good({"batch", "plan", "jobs.toml", "--emit", "slurm", "--shards", "3"}).out;
  EXPECT_NE(script.find("#SBATCH --array=1-3\n"), std::string::npos) << script;
  folder.write("job.sh", script);
  for (const char* task : {"1", "2", "3"}) {
    Spawn how = with_dapple();
    how.environment["SLURM_ARRAY_TASK_ID"] = task;
    EXPECT_EQ(test::run_process({"/bin/sh", "job.sh"}, folder.path(), how).code, 0);
  }
  EXPECT_EQ(made(), expected);
  // What the script's comment says to do afterwards.
  Spawn how = with_dapple();
  const std::string merge = "dapple batch merge jobs-*.jsonl -o jobs.jsonl";
  EXPECT_NE(script.find(merge), std::string::npos);
  EXPECT_EQ(test::run_process({"/bin/sh", "-c", merge}, folder.path(), how).code, 0);
  EXPECT_EQ(lines_of("jobs.jsonl").size(), 14u);
}

TEST_F(BatchPlan, JsonHoldsTheArguments) {
  const json plan =
      json::parse(good({"batch", "plan", "jobs.toml", "--emit", "json"}).out, nullptr, false);
  ASSERT_EQ(plan.size(), 14u);
  fs::create_directory(folder / "out");
  for (const json& job : plan) {
    good(job["arguments"].get<Words>());
    for (const json& path : job["outputs"]) EXPECT_TRUE(fs::exists(folder / path));
  }
  EXPECT_EQ(made(), expected);
  EXPECT_EQ(plan[13]["inputs"], json({"a $b's: photo.png"}));
}

// Names of pictures as strangers give them: each would run a command, be taken for an option, or
// get lost, in one of the programs that read plans.
class HostilePlan : public Batch {
 protected:
  HostilePlan() {
    for (const std::string& name : Words{"a; touch pwned;.png",
                                         "$(touch pwned).png",
                                         "`touch pwned`.png",
                                         "it's.png",
                                         "say \"touch\".png",
                                         "back\\slash\\n.png",
                                         "# touch.png",
                                         "-o.png",
                                         "--help.png",
                                         "  spaces  .png",
                                         "100%s %n.png",
                                         "\xff\xfe.png",
                                         "a|touch pwned|.png",
                                         "a&touch pwned&.png",
                                         "$HOME.png",
                                         "=ls.png",
                                         "~.png",
                                         "!!.png",
                                         "<in> >pwned.png",
                                         "a:b$.png"}) {
      fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / name);
    }
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / "{} {.} ::: pwned");
    folder.write("jobs.toml", R"([[job]]
command = "stipple"
input = "*.png"
dots = 3
output = "out/{stem}.csv"
[[job]]
command = "stipple"
input = "{} {.} ::: pwned"
dots = 3
output = "out/{dots}.csv"
)");
    good({"batch", "jobs.toml", "-q"});
    expected = made();
    fs::remove_all(folder / "out");
    EXPECT_EQ(expected.size(), 21u);
  }
  // Runs a program over a plan, and looks at what it has made.
  void does_the_same(const std::string& emit, const Words& words) {
    good({"batch", "plan", "jobs.toml", "--emit", emit, "-o", "plan"});
    const Outcome outcome = test::run_process(words, folder.path(), with_dapple());
    EXPECT_EQ(outcome.code, 0) << outcome.out << outcome.err;
    EXPECT_EQ(made(), expected);
    EXPECT_FALSE(fs::exists(folder / "pwned"));
    fs::remove_all(folder / "out");
  }
  std::map<std::string, std::string> expected;
};

TEST_F(HostilePlan, ShellsReadNamesAsTheyAre) {
  does_the_same("parallel", {"/bin/sh", "-e", "plan"});
  does_the_same("parallel", {"/bin/bash", "-e", "plan"});
}

TEST_F(HostilePlan, XargsReadsNamesAsTheyAre) {
  does_the_same("parallel",
                {"/usr/bin/xargs", "-a", "plan", "-d", "\\n", "-n", "1", "-P", "2", "sh", "-c"});
}

TEST_F(HostilePlan, ParallelReadsNamesAsTheyAre) {
  if (!fs::exists("/usr/bin/parallel")) GTEST_SKIP() << "needs the package parallel";
  does_the_same("parallel", {"/usr/bin/parallel", "-a", "plan"});
}

TEST_F(HostilePlan, NinjaReadsNamesAsTheyAre) {
  if (!fs::exists("/usr/bin/ninja")) GTEST_SKIP() << "needs the package ninja-build";
  does_the_same("ninja", {"/usr/bin/ninja", "-f", "plan"});
}

TEST_F(HostilePlan, SlurmReadsNamesAsTheyAre) {
  for (const std::string& name :
       Words{"a; touch pwned;.toml", "$(touch pwned).toml", "`touch pwned`.toml", "it's #.toml",
             "-o.toml", " 100% \xff .toml", "a|b&c\\d\"e.toml"}) {
    fs::copy(folder / "jobs.toml", folder / name);
    const Words plan{"batch", "plan", "--emit", "slurm", "--shards", "2", "--", name};
    const std::string script = good(plan).out;
    folder.write("plan", script);
    for (const char* task : {"1", "2"}) {
      Spawn how = with_dapple();
      how.environment["SLURM_ARRAY_TASK_ID"] = task;
      EXPECT_EQ(test::run_process({"/bin/sh", "plan"}, folder.path(), how).code, 0) << script;
    }
    EXPECT_EQ(made(), expected) << name;
    EXPECT_FALSE(fs::exists(folder / "pwned")) << name;
    fs::remove_all(folder / "out");
    // The header names the job without anything that Slurm might read as more.
    const std::string header = "#SBATCH --job-name=";
    const auto at = script.find(header) + header.size();
    const std::string job = script.substr(at, script.find('\n', at) - at);
    EXPECT_EQ(job.find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789_-.%"), std::string::npos)
        << job;
  }
}

// Programs that read plans take each line for a command, in quotes or not.
TEST_F(Batch, PlansRefuseLineBreaks) {
  for (const std::string& name :
       Words{"nl\ntouch pwned #.png", "cr\rtouch pwned.png", "esc\x1b.png"}) {
    const fs::path photo = folder / name;
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", photo);
    folder.write("jobs.toml",
                 "[[job]]\ncommand = \"stipple\"\ninput = \"*.png\"\ndots = 3\noutput = "
                 "\"out/{stem}.csv\"\n");
    for (const char* emit : {"parallel", "ninja"}) {
      fails({"batch", "plan", "jobs.toml", "--emit", emit, "-o", "plan"}, 2, {"a line break"});
    }
    EXPECT_FALSE(fs::exists(folder / "plan"));
    EXPECT_EQ(summary({"jobs.toml"})["done"], 1);
    fs::remove(photo);
  }
  const std::string hostile = "nl\n#SBATCH --mail-user=pwned\ntouch pwned #.toml";
  folder.write(hostile, matrix);
  fails({"batch", "plan", hostile, "--emit", "slurm"}, 2, {"a line break"});
}

// ---- what is refused ----------------------------------------------------------------------------

TEST_F(Batch, TwoJobsMayNotWriteOneFile) {
  folder.write("a.toml", R"([[job]]
command = "sample"
radius = 4
seed = [1, 2]
output = "p.csv"
)");
  fails({"batch", "a.toml"}, 2, {"a.toml:1", "'p.csv' is written by another job", "{seed}"});
  folder.write("b.toml", R"([[job]]
command = "sample"
radius = 4
output = "p.csv"
[[job]]
command = "worley"
points = "x/../p.csv"
output = "w.png"
)");
  fails({"batch", "b.toml"}, 2, {"b.toml:5", "is written by the job at line 1"});
  EXPECT_EQ(folder.names(), (Words{"a.toml", "b.toml"}));
}

TEST_F(Batch, MistakesNameTheirPlaceAndTheNearestName) {
  folder.write("bad.toml", R"([[job]]
command = "smaple"
output = "a.csv"
[[job]]
command = "sample"
raduis = 4
output = "b.csv"
[[job]]
command = "sample"
  method = "bridsn"
output = "c.csv"
[[job]]
command = "sample"
radius = 4
output = "d.pgn"
[[job]]
command = "sample"
radius = 4
output = "{sede}.csv"
[[job]]
command = "stipple"
output = "e.svg"
[[job]]
radius = 4
[[job]]
command = "mask"
size = 8
[[job]]
command = "mask"
preset = "mask-65"
output = "f.png"
)");
  fails({"batch", "bad.toml"}, 2,
        {"bad.toml:2:1: there is no command 'smaple' for jobs; did you mean 'sample'?",
         "bad.toml:6:1: there is no option 'raduis'; did you mean 'radius'?",
         "bad.toml:10:3: method: ", "did you mean 'bridson'?", "bad.toml:15:1: ", "d.pgn",
         "bad.toml:19:1: ", "{sede}", "bad.toml:20: ", "stipple needs an input",
         "bad.toml:23: the job has no command", "bad.toml:25: the job has no output",
         "bad.toml:30:1: ", "did you mean 'mask-64'?"});
  folder.write("empty.toml", "# nothing\n");
  fails({"batch", "empty.toml"}, 2, {"holds no job"});
  folder.write("syntax.toml", "[[job]]\ncommand = \n");
  fails({"batch", "syntax.toml"}, 2, {"syntax.toml:2:"});
  EXPECT_EQ(run({"batch", "missing.toml"}).code, 3);
  EXPECT_EQ(run({"batch"}).code, 2);
}

}  // namespace
}  // namespace dapple
