// Batch files, arrays of tasks and manifests with mistakes in them, and odd ones without.
#include "batch_test.hpp"

namespace dapple::test {
namespace {

std::string job(const std::string& more, const std::string& output = "out/{seed}.csv") {
  return "[[job]]\ncommand = \"sample\"\nsize = 32\nradius = 4\n" + more + "output = \"" + output +
         "\"\n";
}

TEST_F(Batch, WhatBatchesDoNotRead) {
  const auto refused = [&](const std::string& toml, const Words& texts) {
    folder.write("jobs.toml", toml);
    fails({"batch", "jobs.toml"}, 2, texts);
  };
  refused(job("input = \"-\"\n"),
          {"jobs.toml:5:1", "input: a batch reads files, not standard input"});
  refused(job("overwrite = \"perhaps\"\n"), {"jobs.toml:5:1", "overwrite", "perhaps"});
  refused(job("seed = 9223372036854775808\n"), {"jobs.toml:5"});
  refused(job("seed = -1\n"), {"jobs.toml:5:1", "seed"});
  refused(job("no-recipe = \"perhaps\"\n"), {"jobs.toml:5:1", "no-recipe"});
  refused(job("", "out/{seed}-{unclosed.csv"), {"{unclosed.csv} cannot be filled in"});
  refused(job("", "-"), {"output: a batch writes files, not standard output"});
  refused("[[job]]\nsize = 8\noutput = \"a.png\"\n", {"jobs.toml:1", "the job needs a command"});
  refused("[[job]]\nsize = 8\ncomand = \"mask\"\noutput = \"a.png\"\n",
          {"jobs.toml:3:1", "'comand' is no key of a job; did you mean 'command'?"});
  refused("[[job]]\ncommand = \"mask\"\nouput = \"a.png\"\n",
          {"jobs.toml:3:1", "'ouput' is no key of a job; did you mean 'output'?"});
  refused("[[job]]\ncommand = \"worley\"\noutput = \"{points}.png\"\n",
          {"jobs.toml:3:1", "{points} is empty in this job"});
  refused(job("material = \"gltf\"\n"), {"jobs.toml:5:1", "sample makes no materials"});
  refused("[[job]]\ncommand = \"worley\"\nmaterial = \"mtl\"\noutput = \"a-{output}.png\"\n",
          {"jobs.toml:3:1", "mtl"});
  refused("[[job]]\ncommand = \"worley\"\nmaterial = \"gltf\"\noutput = \"a.png\"\n",
          {"jobs.toml:4:1", "{output}"});
  refused("[[job]]\ncommand = \"smaple\"\noutput = \"a.png\"\n",
          {"jobs.toml:2:1", "a job cannot run the command 'smaple'; did you mean 'sample'?"});
  refused("[[job]]\ncommand = [\"mask\", \"sample\"]\noutput = \"a.png\"\n",
          {"a job cannot run the command 'mask,sample'"});
  refused("[[job]]\ncommand = \"analyze\"\noutput = \"a.png\"\n",
          {"a job cannot run the command 'analyze'"});
  refused("# nothing\n", {"contains no jobs: a batch file is a list of [[job]] tables"});
  refused("[[job]]\ncommand = \"dither\"\ninput = \"nowhere/*.png\"\noutput = \"{stem}.png\"\n",
          {"the folder 'nowhere' does not exist; is its disk mounted?"});
  fs::create_directory(folder / "here");
  refused("[[job]]\ncommand = \"dither\"\ninput = \"here/*.png\"\noutput = \"{stem}.png\"\n",
          {"here/*.png"});
  refused("[[job]]\ncommand = \"dither\"\ninput = \"*.png\"\noutput = \"{stem}.png\"\n", {"*.png"});
  refused(
      "[[job]]\ncommand = \"mask\"\nsize = { from = 1, to = 1000000 }\nseed = { from = 1, to = "
      "1000000 }\n"
      "output = \"{size}-{seed}.png\"\n",
      {"jobs"});
  // Many mistakes: the first twenty.
  std::string many;
  for (int i = 0; i < 30; ++i)
    many += "[[job]]\ncommand = \"mask\"\nno" + std::to_string(i) + " = 1\noutput = \"a\"\n";
  refused(many, {"no0", "and more"});
}

// Work that grew with the square of the keys took hours for this file.
TEST_F(Batch, ManyUnknownKeysAreReportedAtOnce) {
  std::string keys;
  for (int i = 0; i < 100000; ++i) keys += "unknown" + std::to_string(i) + " = 1\n";
  folder.write("of-a-job.toml", job(keys));
  fails({"batch", "of-a-job.toml"}, 2, {"of-a-job.toml:5:1: there is no option 'unknown0'"});
  folder.write("of-all.toml", keys + job(keys));
  fails({"batch", "of-all.toml"}, 2, {"of-all.toml:100005:1: there is no option 'unknown0'"});
}

TEST_F(Batch, ValuesInNamesOfFiles) {
  folder.write("a b.csv", "x,y\n1,1\n9,9\n");
  folder.write(
      "jobs.toml",
      "[[job]]\ncommand = \"worley\"\nsize = 16\npoints = \"a b.csv\"\noverwrite = \"if-changed\"\n"
      "no-recipe = true\noutput = \"out/{points}-{{stem}-{height-of}.png\"\n"
      "[[job]]\ncommand = \"worley\"\nsize = \"16x8\"\ncount = 5\nwarp = 2\n"
      "output = \"out/{size}-{count}-{command}.png\"\n"
      "[[job]]\ncommand = \"sample\"\nsize = 32\nradius = 3\nrotation = \"0:90\"\n"
      "output = \"out/{radius} {rotation}.csv\"\n");
  good({"batch", "jobs.toml", "-q"});
  const auto files = made();
  EXPECT_TRUE(files.contains("a-b-{stem}-f1.png"));
  EXPECT_TRUE(files.contains("16x8-5-worley.png"));
  EXPECT_TRUE(files.contains("3 0-90.csv"));
}

TEST_F(Batch, FailuresKeepWhatTheirJobsSaid) {
  folder.write("bad.csv", "x,y\n1,\x01\n");
  folder.write(
      "jobs.toml",
      "[[job]]\ncommand = \"worley\"\nsize = 16\npoints = \"bad.csv\"\noverwrite = \"never\"\n"
      "no-recipe = true\noutput = [\"a.png\", \"b.png\"]\n");
  const Outcome outcome = run({"batch", "jobs.toml", "--failures", "failed.toml"});
  EXPECT_EQ(outcome.code, 1) << outcome.err;
  const std::string text = folder.read("failed.toml");
  for (const char* wanted :
       {"overwrite = \"never\"", "no-recipe = true", "output = [\"a.png\", \"b.png\"]"}) {
    EXPECT_NE(text.find(wanted), std::string::npos) << text;
  }
  EXPECT_EQ(text.find('\x01'), std::string::npos);
  folder.write("bad.csv", "x,y\n1,2\n");
  good({"batch", "failed.toml", "-q"});
  EXPECT_TRUE(fs::exists(folder / "b.png"));
}

TEST_F(Batch, ArraysOfTasksThatAreNoPlainRange) {
  folder.write("jobs.toml", job("seed = { from = 1, to = 4 }\n"));
  const auto array = [&](const std::map<std::string, std::string>& variables) {
    Spawn how;
    how.environment = variables;
    return run({"batch", "jobs.toml", "-q"}, how);
  };
  const std::map<std::string, std::string> good_one = {{"SLURM_ARRAY_TASK_ID", "5"},
                                                       {"SLURM_ARRAY_TASK_MIN", "3"},
                                                       {"SLURM_ARRAY_TASK_MAX", "5"},
                                                       {"SLURM_ARRAY_TASK_STEP", "2"},
                                                       {"SLURM_ARRAY_TASK_COUNT", "2"}};
  EXPECT_EQ(array(good_one).code, 0);
  for (const auto& [name, value] :
       std::vector<std::pair<std::string, std::string>>{{"SLURM_ARRAY_TASK_COUNT", "0"},
                                                        {"SLURM_ARRAY_TASK_COUNT", ""},
                                                        {"SLURM_ARRAY_TASK_ID", "2"},
                                                        {"SLURM_ARRAY_TASK_ID", "4"},
                                                        {"SLURM_ARRAY_TASK_MAX", "9"}}) {
    std::map<std::string, std::string> wrong = good_one;
    wrong[name] = value;
    const Outcome outcome = array(wrong);
    EXPECT_EQ(outcome.code, 2) << name << outcome.err;
    EXPECT_NE(outcome.err.find("tasks that is not a plain range: name the part to run"),
              std::string::npos)
        << outcome.err;
  }
}

TEST_F(Batch, ManifestsOfOtherHands) {
  folder.write("jobs.toml", job("seed = { from = 1, to = 3 }\n"));
  good({"batch", "jobs.toml", "-q"});
  const std::string manifest = folder.read("jobs.jsonl");
  // Blank lines, and one that a crash cut at its end, are no mistakes.
  folder.write("jobs.jsonl", "\n \t\r\n" + manifest + manifest.substr(0, 40));
  good({"batch", "jobs.toml", "-q"});
  for (const char* line : {"{\"id\": 3}\n", "no json\n", "{}\n", "[1]\n"}) {
    folder.write("jobs.jsonl", line + manifest);
    const Outcome outcome = run({"batch", "jobs.toml"});
    EXPECT_EQ(outcome.code, 3) << line << outcome.err;
    EXPECT_NE(outcome.err.find("jobs.jsonl"), std::string::npos) << outcome.err;
  }
  folder.write("jobs.jsonl", manifest);
  fs::permissions(folder / "out/2.csv", fs::perms::none);
  fs::remove(folder / "out/1.csv");
  fails({"batch", "verify", "jobs.jsonl"}, 6, {"out/1.csv", "is missing"});
}

}  // namespace
}  // namespace dapple::test
