// Decodes untrusted files in a separate process.
//
// A decoder works in a child process with limits of memory and processor time, and without access
// to files or other processes (seccomp_filter.hpp). It returns pixels in shared memory of fixed
// size. The small program `dapple-decode`, beside the image module, starts the child, since a fork
// of this process would inherit the locks of its threads. `dapple-decode` loads the module once,
// then forks for each file, which takes a millisecond or two. So a batch pays the 0.2 s of loading
// once, and no file sees remains of another.
#pragma once

#include <functional>
#include <memory>

#include "io/images/module.hpp"
#include "io/images/sandbox/decoder_protocol.hpp"

namespace dapple {

// Opens a file in a child. `stopped` is called during the work; if it returns true, the result is
// Error(cancelled). More processor or clock time than any valid file needs is an Error(limit). The
// destructor of the reader kills a child that still works. Throws Error(internal) if the program is
// missing.
ModuleError open_sandboxed(int descriptor, const std::string& format, const protocol::Task& task,
                           const std::function<bool()>& stopped,
                           std::unique_ptr<BandReader>& reader, ImageHeader& header);

}  // namespace dapple
