// How a long run keeps its state, so that another run can go on from there.
#pragma once

#include <functional>
#include <string>

namespace dapple {

// Where a long run keeps how far it is, so that another can go on from there.
struct Checkpoint {
  std::string kept = {};                               // by a run that was ended; "": nothing
  std::function<void(const std::string& state)> keep;  // in place of what was kept before
  double every = 60;                                   // seconds; and when the run is cancelled
};

}  // namespace dapple
