// Batches under fire: plans of files with random hostile names, and batches that are killed again
// and again.
#include <random>

#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

// What shells, xargs, parallel, ninja and the reader of options take for more than a letter.
const Words& fragments() {
  static const Words all{"$(touch pwned)",
                         "`touch pwned`",
                         ";touch pwned;",
                         "|touch pwned|",
                         "&touch pwned&",
                         "||touch pwned",
                         "touch pwned #",
                         "'",
                         "\"",
                         "\\",
                         " ",
                         "%s",
                         "\xff",
                         "\xc3\xa9",
                         "-",
                         "--help",
                         "=",
                         "~",
                         "*",
                         "?",
                         "[a]",
                         "<",
                         ">pwned",
                         "!!",
                         "$HOME",
                         "$$",
                         ":",
                         "#",
                         "\n",
                         "\t",
                         "\r\n",
                         "a"};
  return all;
}

bool has_control(const std::string& name) {
  return name.find_first_of("\n\t\r") != std::string::npos;
}

Spawn with_program() {
  Spawn how;
  how.environment["PATH"] =
      fs::path(DAPPLE_PROGRAM).parent_path().string() + ":/usr/local/bin:/usr/bin:/bin";
  return how;
}

}  // namespace

TEST(Batches, NamesInPlansStayNames) {
  Sweep sweep("names in plans");
  const std::vector<std::pair<std::string, Words>> readers = {
      {"parallel", {"/bin/sh", "-e", "plan"}},
      {"parallel", {"/usr/bin/xargs", "-a", "plan", "-d", "\\n", "-n", "1", "sh", "-c"}},
      {"parallel", {"/usr/bin/parallel", "-a", "plan"}},
      {"ninja", {"/usr/bin/ninja", "-f", "plan"}}};
  const fs::path out = sweep.folder / "out";
  const std::string picture = sweep.folder.read("in.png");
  fs::remove(sweep.folder / "in.png");
  sweep.folder.write("jobs.toml",
                     "[[job]]\ncommand = \"sample\"\ninput = \"*.pn[g]\"\nradius = 4\n"
                     "output = \"out/{stem}.csv\"\n");
  std::mt19937 random(1);
  const auto pick = [&](std::size_t count) { return random() % count; };
  for (int round = 0; round < 120; round += every(30)) {
    std::set<std::string> names;
    while (names.size() < 12) {
      std::string name;
      for (std::size_t k = 1 + pick(4); k > 0; --k) name += fragments()[pick(fragments().size())];
      names.insert(name + ".png");
    }
    bool hostile = false;
    for (const std::string& name : names) {
      sweep.folder.write(name, picture);
      hostile |= has_control(name);
    }
    const auto dapple = [&](Words words, int code, const std::string& what) {
      words.insert(words.begin(), sweep.program);
      sweep.run_line(words, with_program(), {code}, "round " + std::to_string(round) + ", " + what);
    };
    if (hostile) {
      dapple({"batch", "plan", "jobs.toml", "-o", "plan"}, 2, "a line break in a plan");
      for (const std::string& name : names) {
        if (has_control(name)) fs::remove(sweep.folder / name);
      }
    }
    dapple({"batch", "jobs.toml", "--force", "-q"}, 0, "batch");
    const auto right = files_in(out);
    for (const auto& [emit, words] : readers) {
      if (!fs::exists(words.front())) continue;
      fs::remove_all(out);
      dapple({"batch", "plan", "jobs.toml", "--emit", emit, "-o", "plan"}, 0, emit);
      const std::string what = "round " + std::to_string(round) + ", " + words.front();
      sweep.run_line(words, with_program(), {0}, what);
      sweep.require(files_in(out) == right, what + ": other files than by the batch");
      sweep.require(!fs::exists(sweep.folder / "pwned"), what + ": a name was run");
    }
    fs::remove_all(out);
    for (const std::string& name : names) fs::remove(sweep.folder / name);
  }
}

// Whatever a killed batch leaves, the same command makes the rest, and each file is whole.
TEST(Batches, KilledOnesGoOn) {
  Sweep sweep("killed batches");
  sweep.folder.write("jobs.toml",
                     "[[job]]\ncommand = \"mask\"\nsize = [16, 64]\nseed = { from = 1, to = 60 }\n"
                     "output = \"out/{size}-{seed}.png\"\n");
  const auto run = [&](int after_ms, const std::set<int>& codes, const std::string& what) {
    Spawn how;
    how.interrupt_after_ms = after_ms;
    how.signal = SIGKILL;
    sweep.run_line({sweep.program, "batch", "jobs.toml", "-q"}, how, codes, what);
  };
  const fs::path out = sweep.folder / "out";
  run(-1, {0}, "whole");
  const auto right = files_in(out);
  EXPECT_EQ(right.size(), 120u);
  std::mt19937 random(2);
  for (int round = 0; round < 40; round += every(13)) {
    fs::remove_all(out);
    fs::remove(sweep.folder / "jobs.jsonl");
    const std::string what = "round " + std::to_string(round);
    for (int kill = 0; kill < 4; ++kill) {
      run(20 + static_cast<int>(random() % 250), {0, -SIGKILL}, what + ", killed");
      for (const auto& [name, bytes] : files_in(out)) {
        const auto found = right.find(name);
        sweep.require(found != right.end() && found->second == bytes,
                      what + ": " + name + " is damaged");
      }
    }
    run(-1, {0}, what + ", to the end");
    sweep.require(files_in(out) == right, what + ": other files than without a kill");
    sweep.run_line({sweep.program, "batch", "verify", "jobs.jsonl", "-q"}, {}, {0},
                   what + ", verified");
  }
}

}  // namespace dapple::faults
