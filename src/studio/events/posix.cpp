#include <array>
#include <csignal>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "dapple/error.hpp"
#include "studio/events/events.hpp"

namespace dapple::studio {
namespace {

class SignalEvents : public Events {
 public:
  SignalEvents() {
    sigset_t set;
    sigemptyset(&set);
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
    // Threads started from now on inherit the mask and leave the signals to this thread.
    pthread_sigmask(SIG_BLOCK, &set, &before_);
    signals_ = signalfd(-1, &set, SFD_CLOEXEC);
    pages_ = eventfd(0, EFD_CLOEXEC);
    if (signals_ < 0 || pages_ < 0) {
      throw Error(ErrorKind::limit, "too many files are open to start the studio");
    }
  }
  ~SignalEvents() override {
    close(signals_);
    close(pages_);
    pthread_sigmask(SIG_SETMASK, &before_, nullptr);
  }
  SignalEvents(const SignalEvents&) = delete;
  SignalEvents& operator=(const SignalEvents&) = delete;

  void page_changed() const override {
    const std::uint64_t one = 1;
    [[maybe_unused]] const auto written = ::write(pages_, &one, sizeof one);
  }
  What wait(int milliseconds) const override {
    std::array<pollfd, 2> files{{{signals_, POLLIN, 0}, {pages_, POLLIN, 0}}};
    const int ready = poll(files.data(), files.size(), milliseconds);
    if (ready == 0) return What::nothing;
    if ((files[0].revents & POLLIN) != 0) {
      signalfd_siginfo told{};
      [[maybe_unused]] const auto got = read(signals_, &told, sizeof told);
      return What::signal;
    }
    std::uint64_t count = 0;
    [[maybe_unused]] const auto got = read(pages_, &count, sizeof count);
    return What::page;
  }

 private:
  sigset_t before_{};
  int signals_ = -1;
  int pages_ = -1;
};

}  // namespace

std::unique_ptr<Events> make_events() {
  return std::make_unique<SignalEvents>();
}

}  // namespace dapple::studio
