// Restricts a process that decodes an untrusted file.
#pragma once

#include <cstdint>
#include <string>

namespace dapple {

struct Confinement {
  std::int64_t memory = 0;   // bytes beyond the current use
  std::int64_t seconds = 0;  // of processor time
  int by_name = -1;          // for decoders with threads that open only names: their open file
  bool must = false;         // report a build with sanitizers, which never filters
};

struct Confined {
  std::string missing;  // what the system cannot enforce; "": nothing
  int threads = -1;     // descriptor through which permit_thread() hears of new threads
};

// Confines this process permanently: limits memory, processor time and descriptors; allows no core
// file, no new files, and only listed system calls. Applies what the system supports.
Confined confine(const Confinement& how);

// Returns the number of threads of a process; 0: unknown.
int count_threads(int pid);
// Answers a confined process `pid` that waits to start a thread. Refuses more than 128 threads.
void permit_thread(int threads, int pid);

}  // namespace dapple
