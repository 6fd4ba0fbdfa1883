// Memory that ends, and threads that cannot be had: exit code 5, a message that needs no memory,
// and nothing half done.
#include <algorithm>
#include <gtest/gtest.h>

#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

// Where what fails is within another library, that may say so in its own way.
const std::set<int> ends = {0, 1, 3, 4, 5};

TEST(Faults, FailedAllocations) {
  for (const bool lasts : {false, true}) {
    Sweep sweep(lasts ? "no more memory" : "one failed allocation");
    sweep.program = FAULTS_PROGRAM;
    for (const Job& job : jobs()) {
      Spawn how;
      const Counted calls(how);
      sweep.run(job, false, how, {0}, "no fault");
      const long count = calls.of(0);
      sweep.require(count > 100, job.name + ": allocations are not counted");
      const long step = std::max(1L, count * every(160) / 2000);
      for (long place = 1; place <= count; place += step) {
        const std::string fault = std::to_string(place) + (lasts ? " on" : "");
        how.environment["DAPPLE_FAIL_NEW"] = fault;
        const Outcome outcome =
            sweep.run(job, place % 2 == 0, how, lasts ? std::set{0, 5} : ends, fault);
        sweep.require(outcome.code == 0 || !outcome.err.empty(), "no word about " + fault);
      }
    }
  }
}

// Where files are made and get their names, allocations are tried closer to each other: another
// library that goes on without what it did not get, or ends over it, costs no picture.
TEST(Faults, FailedAllocationsWhereFilesAreMade) {
  Sweep sweep("failed allocations where files are made");
  sweep.program = FAULTS_PROGRAM;
  const struct Place {
    std::string job;
    long last, step;  // of its allocations
  } places[] = {
      {"points", 200, every(1)}, {"stipple", 700, every(7)}, {"mask tif", 1100, every(11)}};
  for (const Place& at : places) {
    const Job& job = *std::find_if(jobs().begin(), jobs().end(),
                                   [&](const Job& one) { return one.name == at.job; });
    Spawn how;
    const Counted calls(how);
    sweep.run(job, true, how, {0}, "no fault");
    const long count = calls.of(0);
    for (long place = count - at.last; place <= count; place += at.step) {
      const std::string fault = std::to_string(place);
      how.environment["DAPPLE_FAIL_NEW"] = fault;
      sweep.run(job, true, how, {0, 5}, fault);
    }
  }
}

TEST(Faults, ThreadsUnderASmallAddressSpace) {
  Sweep sweep("threads under a small address space");
  const auto wide = static_cast<rlim_t>(every(7));
  const std::vector<Job> parallel = {
      {"cells", {"worley", "--size", "256", "--count", "90", "-o", "w.png"}, {"w.png"}, {}},
      {"stipple", {"stipple", "in.png", "--dots", "2000", "-o", "s.svg"}, {"s.svg"}, {}},
      {"mask", {"mask", "--size", "64", "-o", "m.png"}, {"m.png"}, {}},
      jobs().back()};
  for (const Job& job : parallel) {
    for (const std::string threads : {"1000", "64", "3"}) {
      Job many = job;
      many.words.insert(many.words.end(), {"--threads", threads});
      for (rlim_t megabytes = 48; megabytes < 1200; megabytes += megabytes * wide / 20) {
        Spawn how;
        how.before = [megabytes] { limit(RLIMIT_AS, megabytes << 20); };
        const int failed = job.words.front() == "batch" ? 1 : 5;  // of jobs, by themselves
        sweep.run(many, false, how, {0, 5, failed},
                  threads + " threads, " + std::to_string(megabytes) + " MB");
      }
    }
  }
}

// The module and the program that decodes load some hundred libraries, each of which may be the one
// for which there is no room.
TEST(Faults, ModulesUnderASmallAddressSpace) {
  Sweep sweep("image modules under a small address space");
  const auto wide = static_cast<rlim_t>(every(7));
  sweep.run_line({DAPPLE_PROGRAM, "mask", "--size", "16", "-q", "-o", "in.tif"}, {}, {0}, "input");
  for (rlim_t megabytes = 48; megabytes < 1600; megabytes += megabytes * wide / 40) {
    Spawn how;
    how.before = [megabytes] { limit(RLIMIT_AS, megabytes << 20); };
    const std::string fault = std::to_string(megabytes) + " MB";
    sweep.run_line({DAPPLE_PROGRAM, "mask", "--size", "16", "--threads", "1", "-o", "m.exr"}, how,
                   {0, 5}, "writing, " + fault);
    sweep.run_line({DAPPLE_PROGRAM, "dither", "in.tif", "--threads", "1", "-o", "d.png"}, how,
                   {0, 5}, "reading, " + fault);
  }
}

}  // namespace
}  // namespace dapple::faults
