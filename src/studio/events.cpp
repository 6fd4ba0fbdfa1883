#include "studio/events.hpp"

#include <array>
#include <csignal>
#include <cstdint>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "dapple/error.hpp"

namespace dapple::studio {

struct Events::State {
  sigset_t before{};
  int signals = -1;
  int pages = -1;
};

Events::Events() : state_(std::make_unique<State>()) {
  sigset_t set;
  sigemptyset(&set);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) sigaddset(&set, signal);
  pthread_sigmask(SIG_BLOCK, &set, &state_->before);
  state_->signals = signalfd(-1, &set, SFD_CLOEXEC);
  state_->pages = eventfd(0, EFD_CLOEXEC);
  if (state_->signals < 0 || state_->pages < 0) {
    throw Error(ErrorKind::limit, "too many files are open to start the studio");
  }
}

Events::~Events() {
  close(state_->signals);
  close(state_->pages);
  pthread_sigmask(SIG_SETMASK, &state_->before, nullptr);
}

void Events::page_changed() const {
  const std::uint64_t one = 1;
  [[maybe_unused]] const auto written = ::write(state_->pages, &one, sizeof one);
}

Events::What Events::wait(int milliseconds) const {
  std::array<pollfd, 2> files{{{state_->signals, POLLIN, 0}, {state_->pages, POLLIN, 0}}};
  const int ready = poll(files.data(), files.size(), milliseconds);
  if (ready == 0) return What::nothing;
  if ((files[0].revents & POLLIN) != 0) {
    signalfd_siginfo told{};
    [[maybe_unused]] const auto got = read(state_->signals, &told, sizeof told);
    return What::signal;
  }
  std::uint64_t count = 0;
  [[maybe_unused]] const auto got = read(state_->pages, &count, sizeof count);
  return What::page;
}

}  // namespace dapple::studio
