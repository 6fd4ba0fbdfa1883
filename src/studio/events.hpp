// Lets the main thread wait for signals that end the studio, and for pages to open or close.
#pragma once

#include <memory>

namespace dapple::studio {

// Only one may exist at a time. Threads started while it lives leave the signals to it.
class Events {
 public:
  // Throws Error(limit) if the system has no descriptors left.
  Events();
  ~Events();
  Events(const Events&) = delete;
  Events& operator=(const Events&) = delete;

  // Wakes wait(). May be called from any thread.
  void page_changed() const;
  enum class What { signal, page, nothing };
  // Waits for a signal, a page or `milliseconds`; -1: no time limit.
  What wait(int milliseconds) const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace dapple::studio
