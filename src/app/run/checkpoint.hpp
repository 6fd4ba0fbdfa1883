// The file in which a long run keeps how far it is.
#pragma once

#include <memory>
#include <string>

#include "dapple/forward.hpp"

namespace dapple::app {

// `run` says what is being made, as bytes that no other run has. Reads what is there and writes, as
// a whole or not at all, what is kept. Throws Error(input) for a file that is no checkpoint of this
// run, Error(output) where none can be written.
std::shared_ptr<Checkpoint> open_checkpoint(const std::string& path, const std::string& run,
                                            double every);

}  // namespace dapple::app
