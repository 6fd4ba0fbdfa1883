// The command line as a part of other programs: link dapple::app. A program of one's own has every
// command of Dapple's, and its own operations beside them (register_operation).
#pragma once

#include <string>
#include <vector>

namespace dapple::app {

// Runs `dapple` with these words (without the program's own name) and returns the exit code;
// nothing is thrown.
int run_program(const std::vector<std::string>& words);

}  // namespace dapple::app
