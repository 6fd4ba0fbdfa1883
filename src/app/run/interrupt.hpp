// Ctrl-C and SIGTERM ask the run to stop.
#pragma once

#include <csignal>

#include "dapple/context.hpp"

namespace dapple::app {

// While it lives, SIGINT and SIGTERM cancel the context; a second signal ends the process at once.
// One at a time.
class Interrupt {
 public:
  explicit Interrupt(Context& context);
  ~Interrupt();
  Interrupt(const Interrupt&) = delete;
  Interrupt& operator=(const Interrupt&) = delete;

 private:
  struct sigaction old_int_ {};
  struct sigaction old_term_ {};
};

}  // namespace dapple::app
