// Lets Ctrl-C, SIGTERM and SIGHUP stop a run.
#pragma once

#include <array>
#include <csignal>

#include "dapple/forward.hpp"

namespace dapple::app {

// While it lives, the first signal cancels the context and a second one ends the process. Only one
// may exist at a time.
class Interrupt {
 public:
  explicit Interrupt(Context& context);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  std::array<struct sigaction, 3> before_{};
};

// While it lives, delays the end of the process by a second signal.
class HeldSignals {
 public:
  HeldSignals();
  ~HeldSignals();
  HeldSignals(const HeldSignals&) = delete;
  HeldSignals& operator=(const HeldSignals&) = delete;
};

}  // namespace dapple::app
