// Signals become a cancel of the running context.
#include "app/run/interrupt.hpp"

#include <atomic>

namespace dapple::app {
namespace {

std::atomic<Context*> running{nullptr};
static_assert(std::atomic<Context*>::is_always_lock_free, "a signal handler reads it");

}  // namespace

extern "C" {
static void on_signal(int) {
  if (Context* context = running.load()) context->cancel();
}
}

Interrupt::Interrupt(Context& context) {
  running.store(&context);
  struct sigaction action {};
  action.sa_handler = on_signal;
  sigemptyset(&action.sa_mask);
  // Reset after the first signal; no restart, so that a blocked read ends.
  action.sa_flags = static_cast<int>(SA_RESETHAND);
  sigaction(SIGINT, &action, &old_int_);
  sigaction(SIGTERM, &action, &old_term_);
}

Interrupt::~Interrupt() {
  sigaction(SIGINT, &old_int_, nullptr);
  sigaction(SIGTERM, &old_term_, nullptr);
  running.store(nullptr);
}

}  // namespace dapple::app
