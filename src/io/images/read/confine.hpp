// What a process that decodes a stranger's file may still do.
#pragma once

#include <cstdint>
#include <string>

namespace dapple {

struct Confinement {
  std::int64_t memory = 0;   // bytes beside what the process holds by now
  std::int64_t seconds = 0;  // of processor
  bool opens_files = false;  // for decoders that know no other way to their file
  bool must = false;         // fail where the kernel has no filter of system calls
};

// Confines this process for the rest of its life: bounds of memory, processor and descriptors, no
// core file, no new files, and system calls from a list. Returns "" or what failed.
std::string confine(const Confinement& how);

}  // namespace dapple
