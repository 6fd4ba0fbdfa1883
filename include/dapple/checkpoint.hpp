// Saves the states of long runs.
#pragma once

#include <functional>
#include <string>

namespace dapple {

// The state of a long run, from which another run can continue.
struct Checkpoint {
  std::string kept = {};                               // saved by a run that was ended; "": none
  std::function<void(const std::string& state)> keep;  // saves a state over the one before
  double every = 60;                                   // seconds; a cancelled run saves, too
};

}  // namespace dapple
