// Batches as work for other schedulers, whose programs read names of files in their own ways.
#include <algorithm>
#include <cmath>

#include "batch_test.hpp"

namespace dapple::test {
namespace {

class BatchPlan : public Batch {
 protected:
  // Text that shells and ninja read in their own way; runs the batch for what it should make.
  BatchPlan() {
    folder.write("jobs.toml", matrix + "[[job]]\ncommand = \"stipple\"\ninput = \"" + photo + R"("
dots = [20, 30]
output = "out/{stem} $HOME '{dots}'.svg"
)");
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / photo);
    good({"batch", "jobs.toml", "-q"});
    expected = made();
    fs::remove_all(folder / "out");
    EXPECT_EQ(expected.size(), 26u) << "12 of them with sidecars";
  }
  const std::string photo = tests_windows() ? "a $b's photo.png" : "a $b's: photo.png";
  std::map<std::string, std::string> expected;
};

TEST_F(BatchPlan, ParallelIsACommandALine) {
  good({"batch", "plan", "jobs.toml", "--emit", "parallel", "-o", "jobs.sh"});
  const Outcome outcome = run_process({"/bin/bash", "-e", "jobs.sh"}, folder.path(), with_dapple());
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_EQ(made(), expected);
}

TEST_F(BatchPlan, NinjaBuilds) {
  if (!fs::exists("/usr/bin/ninja")) GTEST_SKIP();
  good({"batch", "plan", "jobs.toml", "--emit", "ninja", "-o", "build.ninja"});
  const auto ninja = [&] {
    return run_process({"/usr/bin/ninja", "-f", "build.ninja"}, folder.path(), with_dapple());
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
    EXPECT_EQ(run_process({"/bin/sh", "job.sh"}, folder.path(), how).code, 0);
  }
  EXPECT_EQ(made(), expected);
  // What the script's comment says to do afterwards.
  Spawn how = with_dapple();
  const std::string merge = "dapple batch merge jobs-*.jsonl -o jobs.jsonl";
  EXPECT_NE(script.find(merge), std::string::npos);
  EXPECT_EQ(run_process({"/bin/sh", "-c", merge}, folder.path(), how).code, 0);
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
  EXPECT_EQ(plan[13]["inputs"], json({photo}));
}

// Names of pictures as strangers give them: each would run a command, be taken for an option, or
// get lost, in one of the programs that read plans.
class HostilePlan : public Batch {
 protected:
  HostilePlan() {
    std::size_t pictures = 0;
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
      if (!can_be_stored(name)) continue;
      fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / name);
      ++pictures;
    }
    const std::string words = tests_windows() ? "{} {.} pwned" : "{} {.} ::: pwned";
    fs::copy(DAPPLE_SOURCE_FOLDER "/samples/ramp.png", folder / words);
    ++pictures;
    folder.write("jobs.toml", R"([[job]]
command = "stipple"
input = "*.png"
dots = 3
output = "out/{stem}.csv"
[[job]]
command = "stipple"
input = ")" + words + R"("
dots = 3
output = "out/{dots}.csv"
)");
    good({"batch", "jobs.toml", "-q"});
    expected = made();
    fs::remove_all(folder / "out");
    EXPECT_EQ(expected.size(), 2 * pictures) << "each has a sidecar";
  }
  // Runs a program over a plan, and looks at what it has made.
  void does_the_same(const std::string& emit, const Words& words) {
    good({"batch", "plan", "jobs.toml", "--emit", emit, "-o", "plan"});
    const Outcome outcome = run_process(words, folder.path(), with_dapple());
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
  const Words names{
      "a; touch pwned;.toml", "$(touch pwned).toml", "`touch pwned`.toml", "it's #.toml", "-o.toml",
      " 100% \xff .toml",     "a|b&c\\d\"e.toml"};
  // One name of a batch meets all names of pictures; for the others one picture is enough.
  std::map<std::string, std::string> of_one = expected;
  std::erase_if(of_one, [](const auto& file) { return !file.first.starts_with("$HOME"); });
  ASSERT_FALSE(of_one.empty());
  for (const std::string& name : names) {
    if (!can_be_stored(name)) continue;
    const bool first = name == names.front();
    if (first) {
      fs::copy(folder / "jobs.toml", folder / name);
    } else {
      folder.write(name,
                   "[[job]]\ncommand = \"stipple\"\ninput = \"$HOME.png\"\ndots = 3\n"
                   "output = \"out/{stem}.csv\"\n");
    }
    const Words plan{"batch", "plan", "--emit", "slurm", "--shards", "2", "--", name};
    const std::string script = good(plan).out;
    folder.write("plan", script);
    for (const char* task : {"1", "2"}) {
      Spawn how = with_dapple();
      how.environment["SLURM_ARRAY_TASK_ID"] = task;
      EXPECT_EQ(run_process({"/bin/sh", "plan"}, folder.path(), how).code, 0) << script;
    }
    EXPECT_EQ(made(), first ? expected : of_one) << name;
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

// Returns the text without the backslashes that escape.
std::string unescaped(const std::string& text) {
  std::string made;
  for (std::size_t i = 0; i < text.size(); ++i) made += text[i] == '\\' ? text[++i] : text[i];
  return made;
}

// Returns what stands between two texts, the first time after `from`.
std::string between(const std::string& text, const std::string& first, const std::string& last,
                    std::size_t from = 0) {
  const auto at = text.find(first, from);
  EXPECT_NE(at, std::string::npos) << first << " in " << text;
  const auto start = at + first.size();
  return text.substr(start, text.find(last, start) - start);
}

std::string replaced(std::string text, const std::string& what, const std::string& by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size())) {
    text.replace(at, what.size(), by);
  }
  return text;
}

// Returns the command of a task of a plan, as its scheduler would run it.
Words command_of_task(const std::string& format, const std::string& plan, int task) {
  const std::string index = std::to_string(task);
  if (format == "openjd") {
    const json action = json::parse(plan)["steps"][0]["script"]["actions"]["onRun"];
    Words words{"/usr/bin/env", action["command"]};
    for (const std::string word : action["args"]) {
      words.push_back(replaced(word, "{{Task.Param.Shard}}", index));
    }
    return words;
  }
  if (format == "kubernetes") {
    const json job = json::parse(plan);
    EXPECT_EQ(job["kind"], "Job");
    const json container = job["spec"]["template"]["spec"]["containers"][0];
    EXPECT_EQ(container["command"][0], "sh");
    return {"/bin/sh", "-c",
            "JOB_COMPLETION_INDEX=" + std::to_string(task - 1) + "; " +
                container["command"][2].get<std::string>()};
  }
  if (format == "cuecmd") {
    std::istringstream lines(plan);
    std::string line;
    for (int i = 0; i < task; ++i) std::getline(lines, line);
    return {"/bin/sh", "-c", line};
  }
  if (format == "tractor") {
    const auto at = plan.find("Task {" + index + " of");
    return {"/bin/sh", "-c", unescaped(between(plan, "RemoteCmd {/bin/sh -c ", "} -service", at))};
  }
  if (format == "nextflow") {
    const std::string script = replaced(between(plan, "\"\"\"", "\"\"\""), "${index}", index);
    return {"/bin/sh", "-c", unescaped(replaced(script, "cd \"${launchDir}\"\n", ""))};
  }
  if (format == "snakemake") {
    const auto at = plan.find("shell: ") + 7;
    const std::string line = json::parse(plan.substr(at, plan.find('\n', at) - at));
    return {"/bin/sh", "-c", replaced(line, "{wildcards.shard}", index)};
  }
  return {"/usr/bin/python3", "plan", index};
}

// Each format with tasks runs a shard per task, whatever the name of the batch file is.
TEST_F(Batch, TasksOfSchedulersDoEverythingOnce) {
  // Stands in for the package, and runs one task.
  fs::create_directory(folder / "dask");
  folder.write("dask/__init__.py", "");
  folder.write("dask/distributed.py",
               "import sys\n\n\nclass LocalCluster:\n    pass\n\n\nclass Client:\n"
               "    def __init__(self, where):\n        pass\n\n    def __enter__(self):\n"
               "        return self\n\n    def __exit__(self, *error):\n        pass\n\n"
               "    def map(self, run, tasks, **options):\n"
               "        return [run(t) for t in tasks if t == int(sys.argv[1])]\n\n"
               "    def gather(self, results):\n        pass\n");
  const std::string text =
      "[[job]]\ncommand = \"mask\"\nsize = 8\nseed = { from = 1, to = 5 }\noutput = "
      "\"out/{seed}.png\"\n";
  folder.write("plain.toml", text);
  good({"batch", "plain.toml", "-q"});
  const std::map<std::string, std::string> expected = made();
  ASSERT_EQ(expected.size(), 5u);
  const Words names{"plain.toml", "a; touch pwned;.toml", "$(touch pwned).toml", "it's #`x`.toml",
                    "-o.toml",    "a|b&c\"e *?~!.toml",   "$HOME 100%.toml"};
  for (const std::string& name : names) {
    if (!can_be_stored(name)) continue;
    folder.write(name, text);
    for (const std::string format :
         {"openjd", "cuecmd", "tractor", "kubernetes", "nextflow", "snakemake", "dask"}) {
      fs::remove_all(folder / "out");
      const std::string plan = good({"batch", "plan", "--emit", format, "--shards", "2",
                                     "--cache=-$a \"cache'", "--cache-size", "1GB", "--", name})
                                   .out;
      fs::remove_all(folder / "-$a \"cache'");
      folder.write("plan", plan);
      for (const int task : {1, 2}) {
        Spawn how = with_dapple();
        how.environment["PYTHONPATH"] = folder.path().string();
        const Outcome ran = run_process(command_of_task(format, plan, task), folder.path(), how);
        EXPECT_EQ(ran.code, 0) << format << " " << name << "\n" << ran.err << plan;
      }
      EXPECT_EQ(made(), expected) << format << " " << name << "\n" << plan;
      EXPECT_FALSE(fs::exists(folder / "pwned")) << format << " " << name;
      EXPECT_FALSE(fs::is_empty(folder / "-$a \"cache'")) << format << " " << name;
      // All tasks have written their manifests, under the name of the batch file.
      const std::string stem = name.substr(0, name.rfind('.'));
      for (const char* task : {"-1", "-2"}) {
        EXPECT_TRUE(fs::remove(folder / (stem + task + ".jsonl"))) << format << " " << name;
      }
    }
  }
}

TEST_F(Batch, PlansRefuseNamesThatTheirReadersRead) {
  for (const auto& [format, name] :
       std::vector<std::pair<std::string, std::string>>{{"openjd", "{{Param}}.toml"},
                                                        {"snakemake", "{x}.toml"},
                                                        {"nextflow", "a\\u000a.toml"}}) {
    if (!can_be_stored(name)) continue;
    folder.write(name, matrix);
    fails({"batch", "plan", "--emit", format, "--", name}, 2, {"rename the file"});
  }
}

TEST_F(Batch, PlansWithoutTasksTakeNoCache) {
  folder.write("jobs.toml", matrix);
  for (const char* format : {"parallel", "ninja", "json"}) {
    fails({"batch", "plan", "jobs.toml", "--emit", format, "--cache", "cache"}, 2,
          {"--cache has no effect with --emit " + std::string(format)});
  }
  fails({"batch", "plan", "jobs.toml", "--emit", "slurm", "--cache-size", "1GB"}, 2,
        {"--cache-size limits the folder of --cache"});
}

// Tasks take at least a minute: eight masks of 8 x 8 are one task.
TEST_F(Batch, PlansHaveTasksOfAMinute) {
  folder.write("jobs.toml", matrix);
  const json job = json::parse(good({"batch", "plan", "jobs.toml", "--emit", "kubernetes"}).out);
  EXPECT_EQ(job["spec"]["completions"], 1);
  const json resources = job["spec"]["template"]["spec"]["containers"][0]["resources"];
  EXPECT_EQ(resources["requests"]["cpu"], "1");
  EXPECT_EQ(resources["requests"]["memory"], "512Mi");
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

// Memory is within a quarter of what a job takes as a process of its own. Time, which other
// programs change too, is only of the right order.
TEST_F(Batch, PlansPredictWhatJobsTake) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"worley\"\nsize = [64, 512, 2048]\noutput = "
               "\"{size}.png\"\n");
  double memory = 1;
  double time = 10;
  for (int attempt = 0; attempt < 4 && (memory > 0.25 || time > 3); ++attempt) {
    const json plan = json::parse(good({"batch", "plan", "jobs.toml", "--emit", "json"}).out);
    EXPECT_EQ(folder.names(), Words{"jobs.toml"});
    ASSERT_EQ(plan.size(), 3u);
    memory = time = 0;
    for (const json& job : plan) {
      EXPECT_EQ(job["threads"], 1);
      EXPECT_EQ(job["cores"], 1);
      Words words = job["arguments"].get<Words>();
      EXPECT_NE(std::find(words.begin(), words.end(), "--threads=1"), words.end());
      words.emplace_back("--json");
      const json run = json::parse(good(words).out);
      const double off = job["memory_mb"].get<double>() / run["peak_memory_mb"].get<double>();
      memory = std::max(memory, std::abs(off - 1));
      const double ratio = job["seconds"].get<double>() / run["seconds"]["total"].get<double>();
      if (words[1] == "--size=2048x2048") time = std::abs(std::log2(ratio));
      fs::remove(folder / job["outputs"][0].get<std::string>());
    }
  }
  EXPECT_LT(memory, 0.25);
  EXPECT_LT(time, 3);
}

TEST_F(Batch, PlansPassOnTheThreadsOfAJob) {
  folder.write("jobs.toml", matrix);
  const Outcome plan = good({"batch", "plan", "jobs.toml", "--threads", "2"});
  std::istringstream lines(plan.out);
  int jobs = 0;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('#')) continue;
    ++jobs;
    EXPECT_NE(line.find(" --threads=2 "), std::string::npos) << line;
    EXPECT_NE(line.find("  # 2 cores, "), std::string::npos) << line;
  }
  EXPECT_EQ(jobs, 12);
}

// A task of Slurm reads all jobs of its batch.
TEST_F(Batch, PlansCountTheListOfJobs) {
  folder.write("jobs.toml",
               "[[job]]\ncommand = \"mask\"\nsize = 8\nseed = { from = 1, to = 50000 }\noutput = "
               "\"{seed}.png\"\n");
  const std::string plan = good({"batch", "plan", "jobs.toml", "--emit", "slurm"}).out;
  const std::string text = "a task is at most ";
  const auto at = plan.find(text);
  ASSERT_NE(at, std::string::npos) << plan;
  const double forecast = std::stod(plan.substr(at + text.size()));
  const json task = summary({"jobs.toml", "--shard", "1/50000", "--threads", "1"});
  EXPECT_GT(task["peak_memory_mb"], 20.0);
  EXPECT_NEAR(forecast / task["peak_memory_mb"].get<double>(), 1, 0.3);
}

}  // namespace
}  // namespace dapple::test
