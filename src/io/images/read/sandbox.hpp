// Decoding in a process of its own.
//
// A decoder of a stranger's file works in a child that has bounds of memory and processor, no way
// to files or other processes (confine.hpp), and hands pixels over in shared memory of fixed size.
// The child comes from a small program beside the image module, `dapple-decode`, not from a fork of
// this process: that has threads, whose locks a fork would inherit, and belongs to a program that
// may be no one of ours. It loads the module once, then forks for each file, which takes a
// millisecond or two; so a batch pays the 0.2 s of loading once, and no file meets what another
// left behind.
#pragma once

#include <functional>
#include <memory>

#include "io/images/module.hpp"
#include "io/images/read/wire.hpp"

namespace dapple {

// Opens a file there. `stopped` is asked while it works; true ends it, as an Error(cancelled), and
// so does a time that no such file needs, as an Error(limit): of its processor, and of the clock
// for what sleeps. The reader is done with the file when it is gone, and a child that still works
// is killed then. Throws Error(internal) where the program is missing.
ModuleError open_sandboxed(int descriptor, const std::string& format, const wire::Task& task,
                           const std::function<bool()>& stopped,
                           std::unique_ptr<BandReader>& reader, ImageHeader& header);

}  // namespace dapple
