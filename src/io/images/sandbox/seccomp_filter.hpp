// Restricts a process that decodes an untrusted file.
#pragma once

#include <cstdint>
#include <string>

namespace dapple {

struct Confinement {
  std::int64_t memory = 0;   // bytes beyond the current use
  std::int64_t seconds = 0;  // of processor time
  bool opens_files = false;  // for decoders that open their file only by name
  bool must = false;         // fail if the kernel cannot filter system calls
};

// Confines this process permanently: limits memory, processor time and descriptors; allows no core
// file, no new files, and only listed system calls. Returns "" or what failed.
std::string confine(const Confinement& how);

}  // namespace dapple
