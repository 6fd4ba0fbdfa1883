#include "studio/events/events.hpp"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

namespace dapple::studio {
namespace {

HANDLE ended = nullptr;  // of the one object

// Runs in a thread of its own.
BOOL WINAPI on_console(DWORD) {
  SetEvent(ended);
  return TRUE;
}

class ConsoleEvents : public Events {
 public:
  ConsoleEvents() : pages_(CreateEventW(nullptr, FALSE, FALSE, nullptr)) {
    ended = CreateEventW(nullptr, TRUE, FALSE, nullptr);
    SetConsoleCtrlHandler(on_console, TRUE);
  }
  ~ConsoleEvents() override {
    SetConsoleCtrlHandler(on_console, FALSE);
    CloseHandle(ended);
    CloseHandle(pages_);
  }
  ConsoleEvents(const ConsoleEvents&) = delete;
  ConsoleEvents& operator=(const ConsoleEvents&) = delete;

  void page_changed() const override { SetEvent(pages_); }
  What wait(int milliseconds) const override {
    const HANDLE both[] = {ended, pages_};
    const DWORD limit = milliseconds < 0 ? INFINITE : static_cast<DWORD>(milliseconds);
    const DWORD woken = WaitForMultipleObjects(2, both, FALSE, limit);
    if (woken == WAIT_OBJECT_0) return What::signal;
    return woken == WAIT_OBJECT_0 + 1 ? What::page : What::nothing;
  }

 private:
  HANDLE pages_;
};

}  // namespace

std::unique_ptr<Events> make_events() {
  return std::make_unique<ConsoleEvents>();
}

}  // namespace dapple::studio
