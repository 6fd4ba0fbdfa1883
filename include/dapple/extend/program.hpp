// Runs the command line inside other programs: link dapple::app. The program has every command of
// Dapple, and its own operations beside them (register_operation).
#pragma once

#include <string>
#include <vector>

namespace dapple::app {

// Runs `dapple` with these words (without the program's own name) and returns the exit code. Throws
// nothing.
int run_program(const std::vector<std::string>& words);

// A handler for std::set_terminate: reports, without allocating, why the process ends. The exit
// code is 5 if memory ran out, otherwise 1. Memory can also run out in destructors and libraries.
[[noreturn]] void end_by_exception();

}  // namespace dapple::app
