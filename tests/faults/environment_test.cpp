// Signals at any moment, streams that are closed, environments that have little.
#include <cmath>
#include <cstdio>
#include <sys/stat.h>

#include "core/random.hpp"
#include "faults/faults.hpp"

namespace dapple::faults {
namespace {

double seconds_of(Sweep& sweep, const Job& job) {
  const auto start = std::chrono::steady_clock::now();
  sweep.run(job, false, {}, {0}, "no signal");
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

TEST(Faults, Signals) {
  std::map<std::string, double> usual;  // seconds by job
  for (const std::string signal : {"INT", "TERM", "HUP", "KILL"}) {
    Sweep sweep("SIG" + signal + " at any moment");
    if (signal == "KILL") sweep.allow_torn_groups();
    // Before it is ready for them, signals end it as they end any program.
    std::set<int> codes = {0, 130, 143, 129};
    if (signal == "KILL") codes = {0, 137};
    for (const Job& job : jobs()) {
      double& seconds = usual[job.name];
      if (seconds == 0) seconds = std::max(seconds_of(sweep, job), seconds_of(sweep, job));
      const auto times = static_cast<unsigned>(std::max(1, 300 / every(30)));
      for (std::uint64_t i = 0; i < times; ++i) {
        char after[32];
        std::snprintf(
            after, sizeof after, "%.4f",
            std::fmod(0.618034 * static_cast<double>(i + job.name.size()), 1.0) * seconds);
        sweep.prefix = {
            "/usr/bin/timeout", "--preserve-status", "--foreground", "-s", signal, after};
        sweep.run(job, i % 2 == 0, {}, codes, std::string("after ") + after + " s");
      }
      sweep.prefix.clear();
    }
  }
}

TEST(Faults, ClosedStreams) {
  Sweep sweep("closed streams");
  for (const Job& job : jobs()) {
    for (int closed = 1; closed < 8; closed += every(3)) {
      Spawn how;
      how.before = [closed] {
        for (int stream = 0; stream < 3; ++stream) {
          if ((closed >> stream & 1) != 0) close(stream);
        }
      };
      sweep.run(job, closed % 2 == 0, how, {0}, "streams " + std::to_string(closed));
    }
  }
  // Where standard output is asked for.
  Spawn how;
  how.environment["D"] = sweep.program;
  for (const char* words : {"sample --size 9 -o -", "presets", "mask --size 8 --print-recipe"}) {
    const std::string line = "exec \"$D\" " + std::string(words) + " >&-";
    sweep.run_line({"/bin/sh", "-c", line}, how, {4}, line);
  }
}

TEST(Faults, Environments) {
  Sweep sweep("environments");
  const std::vector<std::pair<std::string, Words>> prefixes = {
      {"no environment", {"/usr/bin/env", "-i"}},
      {"no home", {"/usr/bin/env", "-u", "HOME", "TMPDIR=/nowhere"}},
      {"home that is not there",
       {"/usr/bin/env", "HOME=/nowhere", "XDG_CONFIG_HOME=/nowhere", "XDG_DATA_HOME=/nowhere"}},
      {"German", {"/usr/bin/env", "LC_ALL=de_DE.UTF-8", "LANGUAGE=de"}},
      {"one processor", {"/usr/bin/taskset", "-c", "0"}},
      {"nice", {"/usr/bin/nice", "-n", "19"}}};
  for (const Job& job : jobs()) {
    for (std::size_t i = 0; i < prefixes.size(); ++i) {
      const auto& [name, prefix] = prefixes[i];
      if (is_short() && (i + job.name.size()) % 2 != 0) continue;
      sweep.prefix = prefix;
      sweep.run(job, true, {}, {0}, name);
    }
    sweep.prefix.clear();
    Spawn how;
    how.before = [] { limit(RLIMIT_NOFILE, 16); };
    sweep.run(job, false, how, {0}, "16 descriptors");
    sweep.run(job, true, how, {0}, "16 descriptors");
    how.before = [] { umask(077); };
    sweep.run(job, false, how, {0}, "umask 077");
    for (const std::string& output : job.outputs) {
      struct stat status {};
      stat((sweep.folder / output).c_str(), &status);
      sweep.require((status.st_mode & 0777) == 0600, output + " is open to others");
    }
  }
}

}  // namespace
}  // namespace dapple::faults
