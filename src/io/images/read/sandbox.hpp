// Decodes files that are not trusted in a separate process.
//
// A decoder works in a child process with limits of memory and processor time, and without access
// to files or other processes (confine.hpp). It hands pixels over in shared memory of fixed size.
// The small program `dapple-decode`, beside the image module, starts the child, since this process
// may be any program. A fork of it would inherit the locks of its threads. `dapple-decode` loads
// the module once, then forks for each file, which takes a millisecond or two. So a batch pays the
// 0.2 s of loading once, and no file meets what another left behind.
#pragma once

#include <functional>
#include <memory>

#include "io/images/module.hpp"
#include "io/images/read/decoder_protocol.hpp"

namespace dapple {

// Opens a file there. `stopped` is asked during the work; true ends it as an Error(cancelled). More
// processor time, or clock time while it sleeps, than any such file needs is an Error(limit). The
// reader is done with the file when it is destroyed; a child that still works is then killed.
// Throws Error(internal) if the program is missing.
ModuleError open_sandboxed(int descriptor, const std::string& format, const wire::Task& task,
                           const std::function<bool()>& stopped,
                           std::unique_ptr<BandReader>& reader, ImageHeader& header);

}  // namespace dapple
