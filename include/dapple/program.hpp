// The command line as a part of other programs: link dapple::app. A program of one's own has every
// command of Dapple's, and its own operations beside them (register_operation).
#pragma once

#include <string>
#include <vector>

namespace dapple::app {

// Runs `dapple` with these words (without the program's own name) and returns the exit code;
// nothing is thrown.
int run_program(const std::vector<std::string>& words);

// For std::set_terminate: says in words that need no memory why the process ends, with exit code 5
// where there is no memory, else 1. Destructors and libraries meet the end of memory, too.
[[noreturn]] void end_by_exception();

}  // namespace dapple::app
