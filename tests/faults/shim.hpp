// What the programs under test and the sweeps that run them agree on.
#pragma once

#include <atomic>
#include <cstdlib>
#include <fcntl.h>
#include <iterator>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

namespace dapple::faults {

enum class Call { open, fopen, read, write, print, fsync, rename, link, close, mmap, mode, store };
inline constexpr const char* call_names[] = {"open",   "fopen", "read",  "write", "print", "fsync",
                                             "rename", "link",  "close", "mmap",  "mode",  "store"};

// Counts that the sweep reads, in the file that DAPPLE_FAULT_CALLS names; else this process's own.
// By the system alone, as functions of the C library may be what is counted.
inline std::atomic<long>* shared_counts() {
  static std::atomic<long> own[16];
  const char* path = std::getenv("DAPPLE_FAULT_CALLS");
  if (path == nullptr) return own;
  const long file = syscall(SYS_openat, AT_FDCWD, path, O_RDWR);
  if (file < 0) return own;
  const long place =
      syscall(SYS_mmap, nullptr, sizeof own, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  syscall(SYS_close, file);
  if (place < 0) return own;
  auto* counts = reinterpret_cast<std::atomic<long>*>(place);
  for (std::size_t i = 0; i < std::size(own); ++i) counts[i] = 0;
  return counts;
}

}  // namespace dapple::faults
