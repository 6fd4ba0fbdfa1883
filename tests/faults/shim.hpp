// What the shim and the sweep that loads it agree on.
#pragma once

namespace dapple::faults {

enum class Call { open, read, write, print, fsync, rename, link, close, mmap, mode };
inline constexpr const char* call_names[] = {"open",   "read", "write", "print", "fsync",
                                             "rename", "link", "close", "mmap",  "mode"};

}  // namespace dapple::faults
