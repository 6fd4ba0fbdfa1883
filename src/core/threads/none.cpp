// Runs everything on the caller's thread, for systems without threads, such as web pages that are
// not isolated.
#include "core/threads/threads.hpp"

namespace dapple::threads {

int of_machine() {
  return 1;
}

void for_ranges(int /*threads*/, std::size_t count, RangeBody body, void* of) {
  body(of, 0, count);
}

}  // namespace dapple::threads
