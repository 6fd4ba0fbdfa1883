// The program `dapple`.
#include <exception>

#include "dapple/program.hpp"

namespace {

// Constructors of shared libraries, which run before main(), may already meet the end of memory.
// No sanitizer is ready then.
__attribute__((no_sanitize("address", "thread", "undefined"))) void before_libraries(int, char**,
                                                                                     char**) {
  std::set_terminate(dapple::app::end_by_exception);
}
[[gnu::section(".preinit_array"), gnu::used]] void (*const preinit)(int, char**,
                                                                    char**) = before_libraries;

}  // namespace

int main(int argc, char** argv) {
  return dapple::app::run_program({argv + 1, argv + argc});
}
