// Saved states of long runs.
#pragma once

#include <functional>
#include <string>

namespace dapple {

// Keeps the state of a long run, so that another run can continue from it.
struct Checkpoint {
  std::string kept = {};                               // by a run that was ended; "": nothing
  std::function<void(const std::string& state)> keep;  // in place of what was kept before
  double every = 60;                                   // seconds; and when the run is cancelled
};

}  // namespace dapple
