// The frame of the sweeps of faults: each runs the program many times, with another fault every
// time, and holds that no fault costs a picture. A sweep counts its cases for the table that
// scripts/faults prints.
#pragma once

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <gtest/gtest.h>
#include <set>

#include "faults/shim.hpp"
#include "subprocess.hpp"

namespace dapple::faults {

namespace fs = std::filesystem;
using test::Outcome;
using test::Spawn;
using Words = std::vector<std::string>;

// Returns true if sweeps run only a small part of their cases, as in CI.
inline bool is_short() {
  const char* wanted = std::getenv("DAPPLE_FAULTS");
  return wanted == nullptr || std::string(wanted) != "all";
}
// Returns the step of a sweep whose cases take long: `nth` or DAPPLE_FAULTS_PART, whichever is
// less, if DAPPLE_FAULTS is `all`, and 1 without a part. Otherwise, as in CI, a sixteenth of the
// `nth` part is enough.
inline int every(int nth) {
  if (is_short()) return 16 * nth;
  const char* part = std::getenv("DAPPLE_FAULTS_PART");
  return std::clamp(part == nullptr ? 1 : std::atoi(part), 1, nth);
}

// A command, and the files that it makes of those in the folder.
struct Job {
  std::string name;
  Words words;    // after the program's name
  Words outputs;  // whose bytes are the same in every run
  Words others;   // may be there afterwards, with any bytes, such as manifests
};

// Small ones of every kind: own encoders, those of OpenImageIO, several files, drawings, pictures
// that a process of its own decodes, batches.
inline const std::vector<Job>& jobs() {
  static const std::vector<Job> all = {
      {"mask png", {"mask", "--size", "16", "-o", "m.png"}, {"m.png"}, {}},
      {"mask tif", {"mask", "--size", "16", "-o", "m.tif"}, {"m.tif"}, {}},
      {"points",
       {"sample", "--size", "64", "--radius", "8", "-o", "a.csv", "-o", "a.ply", "-o", "a.svg"},
       {"a.csv", "a.csv.json", "a.ply", "a.svg"},
       {}},
      {"frames",
       {"mask", "--size", "8x8x4", "-o", "f.{frame}.png"},
       {"f.0000.png", "f.0001.png", "f.0002.png", "f.0003.png"},
       {}},
      {"stipple",
       {"stipple", "in.png", "--dots", "50", "-o", "s.pdf", "-o", "s.json"},
       {"s.pdf", "s.json"},
       {}},
      {"dither", {"dither", "in.png", "--size", "16", "-o", "d.png"}, {"d.png"}, {}},
      {"foreign", {"dither", "in.tif", "--size", "16", "-o", "t.png"}, {"t.png"}, {}},
      {"cells",
       {"worley", "--points", "in.csv", "--size", "32", "-o", "w.exr", "-o", "w.png"},
       {"w.exr", "w.png"},
       {}},
      {"batch",
       {"batch", "in.toml", "--manifest", "manifest.jsonl", "-q"},
       {"b1.png", "b2.png"},
       {"manifest.jsonl"}}};
  return all;
}

// The files that jobs read.
inline void lay_out_inputs(const test::TemporaryFolder& folder) {
  fs::copy(DAPPLE_SOURCE_FOLDER "/tests/fuzz/corpus/image/grey.png", folder / "in.png");
  fs::copy(DAPPLE_SOURCE_FOLDER "/tests/fuzz/corpus/image/alpha.tif", folder / "in.tif");
  folder.write("in.csv", "x,y,r\n1,1,1\n7,2,1\n2,8,1\n9,9,1\n20,22,1\n28,5,1\n");
  folder.write("in.toml",
               "[[job]]\ncommand = \"mask\"\nsize = 8\nseed = [1, 2]\noutput = \"b{seed}.png\"\n");
}

// The bytes of all files in a folder, by name.
inline std::map<std::string, std::string> files_in(const fs::path& folder) {
  std::map<std::string, std::string> files;
  if (!fs::exists(folder)) return files;
  for (const auto& entry : fs::directory_iterator(folder)) {
    if (entry.is_directory()) continue;
    std::ifstream file(entry.path(), std::ios::binary);
    files[entry.path().filename().string()] = {std::istreambuf_iterator<char>(file), {}};
  }
  return files;
}

inline void limit(int what, rlim_t most) {
  const rlimit both{most, most};
  setrlimit(what, &both);
}

// How often the program did what a test counts: calls of each kind, or allocations.
class Counted {
 public:
  explicit Counted(Spawn& how) {
    const int file = open(path_.c_str(), O_RDWR | O_CREAT, 0600);
    if (ftruncate(file, size) == 0) {
      counts_ = static_cast<long*>(mmap(nullptr, size, PROT_READ, MAP_SHARED, file, 0));
    }
    close(file);
    how.environment["DAPPLE_FAULT_CALLS"] = path_;
  }
  ~Counted() { munmap(counts_, size); }
  Counted(const Counted&) = delete;
  Counted& operator=(const Counted&) = delete;
  long of(std::size_t kind) const { return counts_[kind]; }

 private:
  static constexpr std::size_t size = 4096;
  test::TemporaryFolder folder_;
  std::string path_ = (folder_ / "calls").string();
  long* counts_ = nullptr;
};

inline std::string text_of(int code) {
  return code >= 0 ? "exit " + std::to_string(code) : "signal " + std::to_string(-code);
}

// The cases of a sweep and those that failed, a line of the table when it is gone.
class Tally {
 public:
  explicit Tally(std::string name) : name_(std::move(name)) {}
  ~Tally() {
    const char* table = std::getenv("DAPPLE_FAULTS_TABLE");
    if (table == nullptr) return;
    const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start_;
    std::ofstream(table, std::ios::app) << name_ + "\t" + std::to_string(cases_) + "\t" +
                                               std::to_string(failures_) + "\t" +
                                               std::to_string(std::lround(seconds.count())) + "\n";
  }
  Tally(const Tally&) = delete;
  Tally& operator=(const Tally&) = delete;
  void add(int cases) { cases_ += cases; }
  // Of many failures the first tell enough.
  void fail(const std::string& what, const std::string& said = "") {
    if (++failures_ <= 20) ADD_FAILURE() << name_ << ": " << what << "\n" << said;
  }

 private:
  std::string name_;
  std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
  int cases_ = 0;
  int failures_ = 0;
};

// One sweep of cases, in a folder of its own.
class Sweep {
 public:
  explicit Sweep(std::string name) : tally_(std::move(name)) { lay_out_inputs(folder); }

  // Runs a command line, whose first word is the path of a program, and holds that it ends with one
  // of these exit codes.
  Outcome run_line(const Words& words, const Spawn& how, const std::set<int>& codes,
                   const std::string& what) {
    const Outcome outcome = test::run_process(words, folder.path(), how);
    tally_.add(1);
    require(codes.contains(outcome.code), what + ": " + text_of(outcome.code), outcome.err);
    return outcome;
  }

  // Runs a job, where its outputs are files already or not, and holds besides that each output is
  // whole, that all are new or none is, all where it ended well, and that nothing else is there.
  Outcome run(const Job& job, bool replacing, const Spawn& how, const std::set<int>& codes,
              const std::string& fault) {
    const std::string what = job.name + (replacing ? ", replacing" : "") + ", " + fault;
    const std::map<std::string, std::string>& right = right_outputs(job);
    const std::string before = "what was there";
    clean(job);
    for (const std::string& output : job.outputs) {
      if (replacing) folder.write(output, before);
    }
    const Words names = names_without(job);
    Words words = job.words;
    words.insert(words.begin(), program);
    words.insert(words.begin(), prefix.begin(), prefix.end());
    const Outcome outcome = run_line(words, how, codes, what);
    std::size_t made = 0;
    for (const std::string& output : job.outputs) {
      const bool there = fs::exists(folder / output);
      const std::string bytes = folder.read(output);
      const bool is_new = there && bytes == right.at(output);
      made += is_new ? 1 : 0;
      require(is_new || (replacing ? there && bytes == before : !there),
              what + ": " + output + " is damaged", outcome.err);
    }
    const bool batch = job.words.front() == "batch";  // each job of it is a run of its own
    require(made == job.outputs.size() || (outcome.code != 0 && (made == 0 || batch || torn_)),
            what + ": " + text_of(outcome.code) + " and " + std::to_string(made) + " of " +
                std::to_string(job.outputs.size()) + " outputs",
            outcome.err);
    require(names_without(job) == names || torn_, what + ": something is left", outcome.err);
    return outcome;
  }

  // From here on runs are killed: some of the outputs may be new and others not, and what was
  // waiting may be left.
  void allow_torn_groups() { torn_ = true; }

  void require(bool well, const std::string& what, const std::string& said = "") {
    if (!well) tally_.fail(what, said);
  }

  std::string program = DAPPLE_PROGRAM;
  Words prefix{};  // a program that runs it, with its options
  test::TemporaryFolder folder;

 private:
  // Inputs are the same in every sweep, so one run serves all sweeps of a test.
  const std::map<std::string, std::string>& right_outputs(const Job& job) {
    static std::map<Words, std::map<std::string, std::string>> all;
    auto& right = all[job.words];
    if (!right.empty()) return right;
    clean(job);
    Words words = job.words;
    words.insert(words.begin(), DAPPLE_PROGRAM);
    const Outcome outcome = test::run_process(words, folder.path());
    EXPECT_EQ(outcome.code, 0) << job.name << outcome.err;
    for (const std::string& output : job.outputs) right[output] = folder.read(output);
    return right;
  }
  void clean(const Job& job) {
    for (const Words* names : {&job.outputs, &job.others}) {
      for (const std::string& name : *names) fs::remove(folder / name);
    }
    for (const std::string& name : folder.names()) {
      if (name.ends_with(".tmp")) fs::remove(folder / name);
    }
  }
  Words names_without(const Job& job) const {
    Words names = folder.names();
    for (const Words* own : {&job.outputs, &job.others}) {
      for (const std::string& name : *own) std::erase(names, name);
    }
    return names;
  }

  Tally tally_;
  bool torn_ = false;
};

}  // namespace dapple::faults
