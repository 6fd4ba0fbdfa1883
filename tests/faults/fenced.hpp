// Cases that run one after the other in a forked process, which is fenced in by limits of memory
// and time: one that does not return ends that process, not the sweep, and the next case goes on in
// another.
#pragma once

#include <csignal>
#include <sys/resource.h>

#include "faults/faults.hpp"
#include "sanitized.hpp"

namespace dapple::faults {

struct Fence {
  rlim_t memory = rlim_t{512} << 20;  // bytes beside what the process holds when it starts
  rlim_t seconds = 10;                // of processor, for each case
  unsigned patience = 120;            // seconds that pass, for each case
};

// What the two processes share.
struct Progress {
  int at;  // the case that runs
  std::array<char, 1000> thrown;
};

inline rlim_t address_space() {
  std::ifstream statm("/proc/self/statm");
  rlim_t pages = 0;
  statm >> pages;
  return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
}

// The limits begin anew with each case.
inline void renew_limits(const Fence& fence) {
  rusage used{};
  getrusage(RUSAGE_SELF, &used);
  const auto seconds = static_cast<rlim_t>(used.ru_utime.tv_sec + used.ru_stime.tv_sec);
  const rlimit most{seconds + 1 + fence.seconds, RLIM_INFINITY};
  setrlimit(RLIMIT_CPU, &most);
  alarm(fence.patience);
}

// Runs case 0 .. count - 1: run(i) returns, or throws what is wrong. Tells `report` of each that
// did not return, and how it ended.
template <class Run, class Report>
void run_fenced(int count, const Fence& fence, const Run& run, const Report& report) {
  auto* shared = static_cast<Progress*>(
      mmap(nullptr, sizeof(Progress), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0));
  ASSERT_NE(shared, MAP_FAILED);
  constexpr int most_in_a_process = 500;
  for (int next = 0; next < count;) {
    const int end = std::min(count, next + most_in_a_process);
    shared->at = next;
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) {
      // Sanitizers take terabytes of address space.
      if (!test::is_sanitized()) limit(RLIMIT_AS, address_space() + fence.memory);
      limit(RLIMIT_CORE, 0);
      try {
        for (; shared->at < end; ++shared->at) {
          renew_limits(fence);
          run(shared->at);
        }
        _exit(0);
      } catch (const std::exception& error) {
        std::snprintf(shared->thrown.data(), shared->thrown.size(), "%s", error.what());
      }
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -WTERMSIG(status);
    next = shared->at;
    if (code == 0) continue;
    report(next, code == 1 ? std::string("throws ") + shared->thrown.data() : text_of(code));
    ++next;
  }
  munmap(shared, sizeof(Progress));
}

}  // namespace dapple::faults
