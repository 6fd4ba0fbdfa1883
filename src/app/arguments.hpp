// Sorts the words of a command line into options and operands. Every option in an OptionList is a
// flag, so no command names its flags twice.
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
  std::vector<Assignment> assignments;  // in the order written; not set yet
  std::vector<std::string> operands;
  std::vector<Problem> problems;  // all problems, not only the first
  // An option that does not exist. Its value may be among the operands.
  struct Unknown {
    std::string name;     // or letter
    std::size_t problem;  // index of the problem that reports it
  };
  std::vector<Unknown> unknown;
};

// Parses `--name value`, `--name=value`, `--flag`, `--no-flag`, `-x value`, `-xvalue` and `-xy` for
// flags. Operands that start with a dash follow `--`. An earlier list hides equal names of later
// ones.
Arguments parse_arguments(std::span<const std::string> words,
                          std::initializer_list<const OptionList*> lists);

// Runs `step` and adds the problems of an Error that it throws.
template <class Step>
void attempt(std::vector<Problem>& problems, Step&& step) {
  try {
    step();
  } catch (const Error& error) {
    problems.insert(problems.end(), error.problems().begin(), error.problems().end());
  }
}

// Sets every assigned option; adds the options that cannot be set to `problems`.
void set_all(const std::vector<Arguments::Assignment>& assignments, std::vector<Problem>& problems);

}  // namespace dapple::app
