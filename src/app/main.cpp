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
#ifndef _WIN32
[[gnu::section(".preinit_array"), gnu::used]] void (*const preinit)(int, char**,
                                                                    char**) = before_libraries;
#endif

std::atomic<bool> memory_ended = false;

void note_end_of_memory() {
  memory_ended = true;
  throw std::bad_alloc();
}

int run(const std::vector<std::string>& words) {
  std::set_new_handler(note_end_of_memory);
  const int code = dapple::app::run_program(words);
  if (memory_ended || code == dapple::app::exit_code(dapple::ErrorKind::limit)) {
    // After a failed allocation, the destructors of some libraries abort. Threads also abort that
    // started before another thread failed to start.
    std::fflush(nullptr);
    _exit(code);
  }
  return code;
}

}  // namespace

#ifdef _WIN32
int _dowildcard = -1;  // the C library replaces *.jpg by names, as shells of other systems do

int wmain(int argc, wchar_t** argv) {
  before_libraries(0, nullptr, nullptr);
  const ConsoleInUtf8 console;
  std::vector<std::string> words;
  for (int i = 1; i < argc; ++i) words.push_back(std::filesystem::path(argv[i]).string());
  return run(words);
}
#else
int main(int argc, char** argv) {
  return run({argv + 1, argv + argc});
}
#endif
