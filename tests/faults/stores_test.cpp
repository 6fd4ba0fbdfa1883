// Batches whose inputs and outputs lie partly on a store that is slow, or that goes away at any
// moment.
#include <cerrno>
#include <cstring>

#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

using Files = std::map<std::string, std::string>;

// Jobs that read and write here and there; the other way round, too.
class StoreSweep : public Sweep {
 public:
  explicit StoreSweep(const std::string& name) : Sweep(name) {
    fs::create_directories(folder / "far-store/in");
    fs::create_directories(folder / "near/in");
    for (const char* place : {"far-store", "near"}) {
      for (const char* stem : {"a", "b"}) {
        fs::copy(folder / "in.png", folder / place / "in" / (std::string(stem) + ".png"));
      }
    }
    std::string jobs;
    for (const std::string from : {"far-store", "near"}) {
      for (const std::string to : {"far-store", "near"}) {
        const std::string output = to + "/out/of-" + from.substr(0, 3) + "-{stem}";
        jobs += "[[job]]\ncommand = \"stipple\"\ndots = 20\ninput = \"" + from +
                "/in/*.png\"\noutput = [\"" + output + ".csv\", \"" + output + ".png\"]\n";
      }
    }
    folder.write("jobs.toml", jobs);
    run_line({program, "batch", "jobs.toml", "-q"}, {}, {0}, name + ", no fault");
    right = files();
    EXPECT_EQ(right.size(), 24u);  // eight of them sidecars
  }

  void clear() {
    for (const char* place : {"far-store", "near"}) fs::remove_all(folder / place / "out");
    fs::remove(folder / "jobs.jsonl");
  }
  Outcome batch(const Spawn& how, const std::set<int>& codes, const std::string& what) {
    return run_line(
        {program, "batch", "jobs.toml", "--keep-going", "--jobs", "2", "--threads", "2"}, how,
        codes, what);
  }
  Files files() const {
    Files all;
    for (const std::string place : {"far-store", "near"}) {
      if (!fs::exists(folder / place / "out")) continue;
      for (const auto& entry : fs::directory_iterator(folder / place / "out")) {
        const std::string name = place + "/out/" + entry.path().filename().string();
        all[name] = folder.read(name);
      }
    }
    return all;
  }
  // Whether what is said about a file or folder of the store holds its name and the reason.
  bool names_all(const std::string& said, const std::string& reason) const {
    std::istringstream lines(said);
    bool well = true;
    for (std::string line; std::getline(lines, line);) {
      if (line.find("not made") == std::string::npos) continue;
      const auto why = line.find("far-store", line.find("not made"));
      well = well && why != std::string::npos && line.find(reason) != std::string::npos;
    }
    return well;
  }

  Files right;
};

Spawn with_store() {
  Spawn how;
  how.environment["LD_PRELOAD"] = FAULTS_SHIM;
  how.environment["DAPPLE_STORE"] = "far-store";
  return how;
}

TEST(Stores, SlowOnesChangeNothing) {
  StoreSweep sweep("slow store");
  Spawn how = with_store();
  const Counted calls(how);
  for (const char* delay : {"1", "20"}) {
    how.environment["DAPPLE_STORE_DELAY"] = delay;
    const std::string what = std::string(delay) + " ms a call";
    sweep.clear();
    sweep.batch(how, {0}, what);
    sweep.require(calls.of(static_cast<std::size_t>(Call::store)) > 50,
                  what + ": no call was slow");
    sweep.require(sweep.files() == sweep.right, what + ": other files");
    sweep.batch(how, {0}, what + ", again");
    sweep.require(sweep.files() == sweep.right, what + ": other files, again");
  }
}

// What lies elsewhere is made, nothing of the store is half there, the errors say which file and
// why, and when the store is back the same command makes the rest.
TEST(Stores, WhatGoesAwayTakesNothingElseWithIt) {
  StoreSweep sweep("store that goes away");
  Spawn how = with_store();
  long count = 0;
  {
    Spawn counted = how;
    const Counted calls(counted);
    sweep.clear();
    sweep.batch(counted, {0}, "no fault");
    count = calls.of(static_cast<std::size_t>(Call::store));
  }
  for (const int code : {ENOTCONN, ESTALE, EIO}) {
    for (long place = 1 + code % every(23); place < count; place += every(23)) {
      sweep.clear();
      how.environment["DAPPLE_FAULT"] =
          "store " + std::to_string(place) + " " + std::to_string(code);
      const std::string what = how.environment["DAPPLE_FAULT"];
      const Outcome outcome = sweep.batch(how, {0, 1}, what);
      const Files made = sweep.files();
      for (const auto& [name, bytes] : made) {
        const auto found = sweep.right.find(name);
        sweep.require(found != sweep.right.end() && found->second == bytes,
                      what + ": " + name + " is damaged");
      }
      for (const auto& [name, bytes] : sweep.right) {
        const bool near = name.starts_with("near/") && name.find("/of-far-") == std::string::npos;
        sweep.require(!near || made.contains(name), what + ": " + name + " was not made",
                      outcome.err);
      }
      sweep.require(sweep.names_all(outcome.err, std::strerror(code)),
                    what + ": an error does not say what and why", outcome.err);
      sweep.batch({}, {0}, what + ", and is back");
      sweep.require(sweep.files() == sweep.right, what + ": other files when it is back");
    }
  }
}

}  // namespace
}  // namespace dapple::faults
