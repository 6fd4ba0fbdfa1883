// Batches that run, stop, and go on: manifests, failures, events.
#include <sys/mount.h>

#include "app/batch/batch.hpp"
#include "batch_test.hpp"
#include "dapple/context.hpp"
#include "io/digest.hpp"
#include "sanitized.hpp"

namespace dapple::test {
namespace {

TEST_F(Batch, JobsAtATimeDoNotChangeBytes) {
  folder.write("jobs.toml", matrix + R"([[job]]
command = "mask"
size = [16, 32]
seed = [1, 2]
output = "out/{size}_{seed}.png"
)");
  good({"batch", "jobs.toml", "-q", "--jobs", "1", "--threads", "1"});
  const auto one = made();
  EXPECT_EQ(one.size(), 28u) << "12 of them with sidecars";
  fs::remove_all(folder / "out");
  good({"batch", "jobs.toml", "-q", "--jobs", "5", "--threads", "3"});
  EXPECT_EQ(made(), one);
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
  fails({"batch", "jobs.toml", "--resume"}, 3, {"jobs.jsonl: line 1 is not a job record"});
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
  fails({"batch", "verify", "jobs.jsonl"}, 6, {"w.png: has changed since it was written"});
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
  EXPECT_EQ(made().size(), 4u) << "with sidecars";
  EXPECT_EQ(lines_of("jobs.jsonl").size(), 2u);
  folder.write("jobs.toml", quick);
  EXPECT_EQ(summary({"jobs.toml", "--resume"})["skipped"], 2);
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
  EXPECT_EQ(good({"batch", "verify", "jobs.jsonl"}).err,  // sidecars, too
            "dapple: 24 files are unchanged\n");
  std::string bytes = folder.read("out/p_32x32_4_1.csv");
  bytes[bytes.size() / 2] ^= 1;
  folder.write("out/p_32x32_4_1.csv", bytes);
  fs::remove(folder / "out/p_32x32_4_3.csv");
  fails({"batch", "verify", "jobs.jsonl"}, 6,
        {"2 of 24 files", "p_32x32_4_1.csv: has changed since it was written",
         "p_32x32_4_3.csv: is missing"});
  EXPECT_EQ(run({"batch", "verify", "none.jsonl"}).code, 3);
}

TEST_F(Batch, FailuresAreABatchFile) {
  const std::string points = "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n";
  folder.write("a.csv", points);
  const std::string second = tests_windows() ? "say 'b'.csv" : "say \"b\".csv";
  const std::string format = can_be_written("exr") ? "exr" : "ktx2";
  folder.write(second, "nothing");
  folder.write("jobs.toml", R"([[job]]
command = "worley"
size = 16
outputs = ["f1", "id"]
seed = [3, 4]
points = ["a.csv", ''')" + second +
                                R"(''']
output = ["out/{points}_{seed}.)" +
                                format + R"(", "out/{points}, {seed}.png"]
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
  folder.write(second, points);
  EXPECT_EQ(summary({"failed.toml", "--manifest", "jobs.jsonl"})["done"], 2);
  EXPECT_EQ(summary({"jobs.toml"})["skipped"], 4);
  good({"batch", "verify", "jobs.jsonl"});
  fails({"batch", "jobs.toml", "--failures", "no/such/folder.toml"}, 4, {"no/such"});
}

TEST_F(Batch, OptionsWithoutEffectAreRefused) {
  folder.write("jobs.toml", matrix);
  const std::vector<std::pair<std::string, Words>> uses = {
      {"with --dry-run", {"jobs.toml", "--dry-run"}},
      {"with `batch verify`", {"verify", "jobs.jsonl"}},
      {"with `batch merge`", {"merge", "jobs.jsonl"}},
      {"with `batch plan`", {"plan", "jobs.toml"}},
      {"without `batch plan`", {"jobs.toml"}}};
  const std::vector<Words> options = {{"--failures", "f.toml"}, {"--events", "e.jsonl"},
                                      {"--keep-going"},         {"--jobs", "1"},
                                      {"--emit", "json"},       {"--shards", "2"}};
  const std::vector<std::string> refused = {"111011", "111111", "111111", "111100", "000011"};
  for (std::size_t use = 0; use < uses.size(); ++use) {
    for (std::size_t i = 0; i < options.size(); ++i) {
      if (refused[use][i] == '0') continue;
      Words words = uses[use].second;
      words.insert(words.begin(), "batch");
      words.insert(words.end(), options[i].begin(), options[i].end());
      fails(words, 2, {options[i].front() + " has no effect " + uses[use].first});
    }
  }
  fails({"batch", "verify", "jobs.jsonl", "-o", "a.txt"}, 2, {"--out has no effect"});
  fails({"batch", "plan", "jobs.toml", "--emit", "json", "--shards", "2"}, 2,
        {"--shards has no effect with --emit json"});
  EXPECT_FALSE(fs::exists(folder / "f.toml"));
}

// They are known too where the rest was not waited for.
TEST_F(Batch, FailuresAreWrittenAfterASignal) {
  folder.write("jobs.toml", R"([[job]]
command = "worley"
points = "none.csv"
output = "w.png"
[[job]]
command = "mask"
size = 8192
output = "m.png"
)");
  for (const int signal : {SIGINT, SIGTERM}) {
    if (tests_windows() && signal != SIGINT) continue;  // no other signal exists there
    Spawn how;
    how.signal = signal;
    how.interrupt_after_ms = tests_windows() ? 3000 : 1000;  // wine starts slowly
    EXPECT_EQ(
        run({"batch", "jobs.toml", "--jobs", "1", "--keep-going", "--failures", "f.toml"}, how)
            .code,
        130);
    const json plan = summary({"f.toml", "--dry-run"})["plan"];
    ASSERT_EQ(plan.size(), 1u);
    EXPECT_EQ(plan[0]["outputs"], json({"w.png"}));
    fs::remove(folder / "f.toml");
  }
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
  const auto lines = lines_of("e.jsonl");
  Words first, second;
  for (const json& line : lines) {
    EXPECT_GE(line["time"], 0.0);
    if (line.value("output", "") == "a.png") first.push_back(line["event"]);
    if (line.value("output", "") == "b.png") second.push_back(line["event"]);
    if (line["event"] == "failed") {
      EXPECT_EQ(line["error"]["kind"], "input");
    }
  }
  // The files of a job are put on the disk while the next one begins.
  EXPECT_EQ(first, (Words{"started", "done"}));
  EXPECT_EQ(second, (Words{"started", "failed"}));
  ASSERT_EQ(lines.size(), 6u);
  EXPECT_EQ(lines[0]["event"], "start");
  EXPECT_EQ(lines[0]["jobs"], 2);
  EXPECT_EQ(lines[5]["event"], "end");
  EXPECT_EQ(lines[5]["failed"], 1);
  const Outcome outcome = run({"batch", "jobs.toml", "--keep-going", "-q", "--events", "-"});
  EXPECT_EQ(json::parse(outcome.out.substr(0, outcome.out.find('\n')))["event"], "start");
  EXPECT_NE(outcome.out.find("skipped"), std::string::npos);
  fails({"batch", "jobs.toml", "--json", "--events", "-"}, 2, {"--json", "--events"});
  fails({"batch", "jobs.toml", "--events", "no/such"}, 4, {"no/such"});
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
  fails({"batch", "jobs.toml"}, 2,
        {"the folder 'store/photos' does not exist; is its disk mounted?"});
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
  // Wine does not tell programs that the file system is read-only.
  const std::string reason = tests_windows() ? "Permission denied" : "Read-only";
  EXPECT_NE(message.find(reason), std::string::npos) << message;
  fails({"batch", "jobs.toml", "--manifest", "store/m.jsonl"}, 4, {"store/m.jsonl", reason});
  EXPECT_EQ(summary({"jobs.toml", "--dry-run"})["warnings"].size(), 1u);
  remount(0);
  EXPECT_EQ(summary({"jobs.toml"})["done"], 2);
  EXPECT_EQ(made("store/out").size(), 2u);
  EXPECT_EQ(umount(store.c_str()), 0);
  fails({"batch", "verify", "jobs.jsonl"}, 6, {"store/out/a.svg: is missing"});
}

}  // namespace
}  // namespace dapple::test
