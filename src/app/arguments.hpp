// The words of a command line, sorted into options and operands. Flags are data: whatever an
// OptionList holds is a flag, so no command names its flags twice.
#pragma once

#include <initializer_list>
#include <span>
#include <string>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/forward.hpp"

namespace dapple::app {

struct Arguments {
  struct Assignment {
    Option* option;
    std::string text;
  };
  std::vector<Assignment> assignments;  // in the order written; nothing is set yet
  std::vector<std::string> operands;
  std::vector<Problem> problems;  // every one, not only the first
  // An option that does not exist: its value may stand among the operands.
  struct Unknown {
    std::string name;     // or letter
    std::size_t problem;  // that says so
  };
  std::vector<Unknown> unknown;
};

// `--name value`, `--name=value`, `--flag`, `--no-flag`, `-x value`, `-xvalue`, `-xy` for flags,
// `--` before operands that start with a dash. Earlier lists win where two have a name.
Arguments parse_arguments(std::span<const std::string> words,
                          std::initializer_list<const OptionList*> lists);

// Runs a step; what it throws is added to the problems.
template <class Step>
void attempt(std::vector<Problem>& problems, Step&& step) {
  try {
    step();
  } catch (const Error& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
}

// Sets every assigned option; what cannot be set is added to `problems`.
void set_all(const std::vector<Arguments::Assignment>& assignments, std::vector<Problem>& problems);

}  // namespace dapple::app
