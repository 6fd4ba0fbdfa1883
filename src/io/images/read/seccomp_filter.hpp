// Restricts a process that decodes a file that is not trusted.
#pragma once

#include <cstdint>
#include <string>

namespace dapple {

struct Confinement {
  std::int64_t memory = 0;   // bytes beside those that the process holds already
  std::int64_t seconds = 0;  // of processor time
  bool opens_files = false;  // for decoders that open their file only by name
  bool must = false;         // fail if the kernel has no filter of system calls
};

// Confines this process for the rest of its life: limits of memory, processor time and descriptors,
// no core file, no new files, and only listed system calls. Returns "" or what failed.
std::string confine(const Confinement& how);

}  // namespace dapple
