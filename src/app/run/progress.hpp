// A line of progress on standard error.
#pragma once

#include <chrono>

#include "app/run/options.hpp"

namespace dapple::app {

// Follows a context for as long as it lives; its line is wiped at the end. Shows nothing where
// standard error is no terminal, unless asked to.
class Progress {
 public:
  Progress(Context& context, ShowProgress show, bool quiet);
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

 private:
  void show(std::string_view stage, double fraction);

  Context& context_;
  bool always_ = false;
  bool color_ = false;
  bool drawn_ = false;
  std::string stage_;
  std::chrono::steady_clock::time_point start_, last_;
};

}  // namespace dapple::app
