// Runs the program `dapple`.
#include <atomic>
#include <cstdio>
#include <exception>
#include <new>
#include <unistd.h>

#include "app/exit_code.hpp"
#include "dapple/extend/program.hpp"

namespace {

// Constructors of shared libraries run before main() and may already run out of memory. Sanitizers
// are not ready at that time.
__attribute__((no_sanitize("address", "thread", "undefined"))) void before_libraries(int, char**,
                                                                                     char**) {
  std::set_terminate(dapple::app::end_by_exception);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const preinit)(int, char**,
                                                                    char**) = before_libraries;

std::atomic<bool> memory_ended = false;

void note_end_of_memory() {
  memory_ended = true;
  throw std::bad_alloc();
}

}  // namespace

int main(int argc, char** argv) {
  std::set_new_handler(note_end_of_memory);
  const int code = dapple::app::run_program({argv + 1, argv + argc});
  if (memory_ended || code == dapple::app::exit_code(dapple::ErrorKind::limit)) {
    // After a failed allocation, the destructors of some libraries abort. Threads also abort that
    // started before another thread failed to start.
    std::fflush(nullptr);
    _exit(code);
  }
  return code;
}
