#include "studio/events.hpp"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace dapple::studio {
namespace {

HANDLE ended = nullptr;

// Runs in a thread of its own.
BOOL WINAPI on_console(DWORD) {
  SetEvent(ended);
  return TRUE;
}

}  // namespace

struct Events::State {
  HANDLE pages = CreateEventW(nullptr, FALSE, FALSE, nullptr);
};

Events::Events() : state_(std::make_unique<State>()) {
  ended = CreateEventW(nullptr, TRUE, FALSE, nullptr);
  SetConsoleCtrlHandler(on_console, TRUE);
}

Events::~Events() {
  SetConsoleCtrlHandler(on_console, FALSE);
  CloseHandle(ended);
  CloseHandle(state_->pages);
}

void Events::page_changed() const {
  SetEvent(state_->pages);
}

Events::What Events::wait(int milliseconds) const {
  const HANDLE both[] = {ended, state_->pages};
  const DWORD limit = milliseconds < 0 ? INFINITE : static_cast<DWORD>(milliseconds);
  switch (WaitForMultipleObjects(2, both, FALSE, limit)) {
    case WAIT_OBJECT_0:
      return What::signal;
    case WAIT_OBJECT_0 + 1:
      return What::page;
    default:
      return What::nothing;
  }
}

}  // namespace dapple::studio
