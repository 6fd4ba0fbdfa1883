// Problems are collected and reported together, a line each.
#pragma once

#include <string>
#include <vector>

#include "dapple/error.hpp"

namespace dapple::app {

inline std::string listed(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& problem : problems) text += (text.empty() ? "" : "\n") + problem;
  return text;
}

// Runs a step; what it throws becomes a problem.
template <class Step>
void attempt(std::vector<std::string>& problems, Step&& step) {
  try {
    step();
  } catch (const Error& error) {
    problems.emplace_back(error.what());
  }
}

}  // namespace dapple::app
