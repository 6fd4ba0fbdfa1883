// Turns signals into a cancel of the running context.
#include "app/run/interrupt.hpp"

#include <atomic>

#include "dapple/context.hpp"

namespace dapple::app {
namespace {

constexpr std::array signals{SIGINT, SIGTERM, SIGHUP};

std::atomic<Context*> running{nullptr};
std::atomic<int> holds{0};
std::atomic<int> held{0};  // the pending signal; 0: none
static_assert(std::atomic<Context*>::is_always_lock_free && std::atomic<int>::is_always_lock_free,
              "a signal handler uses them");

void end_by(int signal) {
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

extern "C" {
static void on_signal(int signal) {
#ifdef _WIN32
  std::signal(signal, on_signal);  // Windows forgets a handler when it calls it
#endif
  Context* context = running.load();
  const bool first = context != nullptr && !context->cancelled();
  if (context != nullptr) context->cancel();
  if (first) return;
  if (holds.load() > 0) {
    held.store(signal);
  } else {
    end_by(signal);
  }
}
}

Interrupt::Interrupt(Context& context) {
  running.store(&context);
  struct sigaction action {};
  action.sa_handler = on_signal;  // without SA_RESTART, so that system calls return
  sigemptyset(&action.sa_mask);
  for (std::size_t i = 0; i < signals.size(); ++i) {
    sigaction(signals[i], nullptr, &before_[i]);
    // A program started by nohup ignores SIGHUP and must keep ignoring it.
    if (signals[i] == SIGHUP && before_[i].sa_handler == SIG_IGN) continue;
    sigaction(signals[i], &action, nullptr);
  }
}

Interrupt::~Interrupt() {
  for (std::size_t i = 0; i < signals.size(); ++i) sigaction(signals[i], &before_[i], nullptr);
  running.store(nullptr);
}

HeldSignals::HeldSignals() {
  ++holds;
}

HeldSignals::~HeldSignals() {
  if (--holds > 0) return;
  if (const int signal = held.exchange(0); signal != 0) end_by(signal);
}

}  // namespace dapple::app
