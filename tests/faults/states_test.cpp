// Files that a run reads back: checkpoints of stopped runs and slices of volumes, damaged anywhere;
// and clocks that jump.
#include <csignal>

#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

// Returns `bytes` cut at `at`, with the byte there changed, or with zeros from there on.
std::string damaged(const std::string& bytes, std::size_t at, int how) {
  std::string made = bytes;
  if (how == 0) made.resize(at);
  if (how == 1) made[at] = static_cast<char>(made[at] ^ 0x55);
  if (how == 2) std::fill(made.begin() + static_cast<std::ptrdiff_t>(at), made.end(), '\0');
  return made;
}

// A damaged checkpoint is refused and stays, or the run ends with the right dots.
TEST(StateFaults, DamagedCheckpoints) {
  Sweep sweep("damaged checkpoints");
  const Words words{sweep.program, "stipple",      "in.png", "--dots",
                    "3000",        "--checkpoint", "state",  "--checkpoint-every",
                    "0",           "-o",           "x.csv"};
  Words whole = words;
  whole.erase(whole.begin() + 5, whole.begin() + 9);
  sweep.run_line(whole, {}, {0}, "the whole run");
  const std::string right = sweep.folder.read("x.csv");
  std::string state;
  for (int ms = 20; state.empty() && ms < 10000; ms = ms * 9 / 8) {
    fs::remove(sweep.folder / "state");
    Spawn how;
    how.interrupt_after_ms = ms;
    how.signal = SIGKILL;
    test::run_process(words, sweep.folder.path(), how);
    state = sweep.folder.read("state");
  }
  ASSERT_FALSE(state.empty());
  const std::size_t steps = is_short() ? 12 : 2000;
  const std::size_t step = std::max<std::size_t>(1, state.size() / steps);
  for (std::size_t at = 0; at < state.size(); at += step) {
    for (int kind = 0; kind < 3; ++kind) {
      const std::string wrong = damaged(state, at, kind);
      if (wrong == state) continue;
      sweep.folder.write("state", wrong);
      fs::remove(sweep.folder / "x.csv");
      const std::string what = "byte " + std::to_string(at) + ", kind " + std::to_string(kind);
      const Outcome outcome = sweep.run_line(words, {}, {0, 3}, what);
      if (outcome.code == 0) {
        sweep.require(sweep.folder.read("x.csv") == right, what + ": other dots");
      } else {
        sweep.require(!fs::exists(sweep.folder / "x.csv"), what + ": dots are there");
        sweep.require(sweep.folder.read("state") == wrong, what + ": the checkpoint has changed");
      }
    }
  }
}

// Slices of a volume that are damaged, missing, or of another kind.
TEST(StateFaults, DamagedSlices) {
  Sweep sweep("damaged slices");
  sweep.run_line({sweep.program, "mask", "--size", "12x10x6", "-q", "-o", "s{frame}.png"}, {}, {0},
                 "slices");
  const Words words{sweep.program, "sample", "s{frame}.png", "--dimensions", "3",
                    "--radius",    "1.5:3",  "-o",           "p.csv",        "-q"};
  const std::string slice = "s0003.png";
  const std::string bytes = sweep.folder.read(slice);
  ASSERT_FALSE(bytes.empty());
  const auto attempt = [&](const std::string& what) {
    fs::remove(sweep.folder / "p.csv");
    const Outcome outcome = sweep.run_line(words, {}, {0, 3, 5}, what);
    sweep.require(fs::exists(sweep.folder / "p.csv") == (outcome.code == 0),
                  what + ": exit code and file differ", outcome.err);
    return outcome.code;
  };
  const std::size_t step = std::max<std::size_t>(1, bytes.size() / (is_short() ? 10 : 400));
  for (std::size_t at = 0; at < bytes.size(); at += step) {
    for (int kind = 0; kind < 3; ++kind) {
      sweep.folder.write(slice, damaged(bytes, at, kind));
      attempt("byte " + std::to_string(at) + ", kind " + std::to_string(kind));
    }
  }
  fs::remove(sweep.folder / slice);
  EXPECT_EQ(attempt("a missing slice"), 3);
  for (const char* other : {"in.png", "in.tif", "in.csv"}) {
    sweep.folder.write(slice, sweep.folder.read(other));
    EXPECT_EQ(attempt(other), 3) << other;
  }
  fs::remove(sweep.folder / slice);
  fs::create_directory(sweep.folder / slice);
  EXPECT_EQ(attempt("a folder"), 3);
}

// The clock of the system jumps by days with each reading, back and forth.
TEST(StateFaults, JumpsOfTheClock) {
  Sweep sweep("jumps of the clock");
  Spawn how;
  how.environment["LD_PRELOAD"] = FAULTS_SHIM;
  how.environment["DAPPLE_CLOCK_JUMPS"] = "1";
  for (const Job& job : jobs()) {
    for (const bool replacing : {false, true}) sweep.run(job, replacing, how, {0}, "clock jumps");
  }
  // A finished batch is recognized.
  const Words again{sweep.program, "batch", "in.toml", "--manifest", "m.jsonl", "--json"};
  sweep.run_line(again, how, {0}, "a batch");
  const Outcome second = sweep.run_line(again, how, {0}, "the batch again");
  sweep.require(second.out.find("\"skipped\":2") != std::string::npos ||
                    second.out.find("\"skipped\": 2") != std::string::npos,
                "jobs ran again", second.out);
}

}  // namespace
}  // namespace dapple::faults
