// Lets the main thread wait for signals that end the studio, and for pages to open or close.
#pragma once

#include <memory>

namespace dapple::studio {

// Only one may exist at a time. Threads started while it lives leave the signals to it.
class Events {
 public:
  virtual ~Events() = default;
  // Wakes wait(). May be called from any thread.
  virtual void page_changed() const = 0;
  enum class What { signal, page, nothing };
  // Waits for a signal, a page or `milliseconds`; -1: no time limit.
  virtual What wait(int milliseconds) const = 0;
};

// Throws Error(limit) if the system has no descriptors left.
std::unique_ptr<Events> make_events();

}  // namespace dapple::studio
