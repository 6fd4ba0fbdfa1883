// Ctrl-C, SIGTERM and SIGHUP ask the run to stop.
#pragma once

#include <array>
#include <csignal>

#include "dapple/forward.hpp"

namespace dapple::app {

// While it lives, the first signal cancels the context; a second one ends the process. One at a
// time.
class Interrupt {
 public:
  explicit Interrupt(Context& context);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::array<struct sigaction, 3> before_{};
};

// While one lives, a second signal ends the process no sooner than that it is gone.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};

}  // namespace dapple::app
