// Stores the progress of a long run in a file.
#pragma once

#include <memory>
#include <string>

#include "dapple/forward.hpp"

namespace dapple::app {

// Opens the checkpoint at `path`: loads an earlier state and writes later states atomically. The
// bytes of `run` identify the run uniquely. Throws Error(input) if the file is not a checkpoint of
// this run, Error(output) if it cannot be written.
std::shared_ptr<Checkpoint> open_checkpoint(const std::string& path, const std::string& run,
                                            double every);

}  // namespace dapple::app
