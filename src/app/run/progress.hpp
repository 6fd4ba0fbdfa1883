// Shows a line of progress on standard error.
#pragma once

#include <chrono>

#include "app/run/options.hpp"

namespace dapple::app {

// Shows the progress of a context while it lives, then clears the line. Shows nothing if standard
// error is not a terminal, unless `show` is `always`.
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
