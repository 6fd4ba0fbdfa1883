// The command line: from words to an exit code.
#pragma once

#include <string>
#include <vector>

namespace dapple::app {

// Runs `dapple` with these words (without the program's own name); nothing is thrown.
int run_program(const std::vector<std::string>& words);

}  // namespace dapple::app
