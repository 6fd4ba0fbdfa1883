// Defines the only exception type of the library. A message says what is wrong, where, and what to
// do.
//
// Options have bare names, as in a recipe or a struct. A sentence puts an option in backquotes,
// with any value that it advises: "use `nan zero`". A command line shows these options as its
// flags.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "dapple/language.hpp"

namespace dapple {

enum class ErrorKind {
  usage,         // invalid options or an invalid recipe, before any work was done
  input,         // a file or image that cannot be read or used
  output,        // a file that could not be written
  limit,         // more pixels, points or memory than the limits allow
  verification,  // a requested proof failed
  cancelled,     // the caller asked to stop
  internal,      // an error of the library itself
};

// A single problem.
struct Problem {
  std::string option = {};   // the option at fault; "" if there is none, or more than one
  std::string message = {};  // without a final period
  // The place that set the option, as file:line:column; "" if no file set it.
  std::string place = {};

  // Returns text such as "regularity: must be from 0 to 1, not 99".
  std::string text() const {
    return (place.empty() ? "" : place + ": ") + (option.empty() ? "" : option + ": ") + message;
  }
  friend bool operator==(const Problem&, const Problem&) = default;
};

class Error : public std::runtime_error {
 public:
  // `message` is a full sentence without a final period. `file` names the file at fault, if any;
  // what() then starts with it.
  Error(ErrorKind kind, const std::string& message, std::string file = {})
      : Error(kind, Problem{"", file.empty() ? message : file + ": " + message}) {
    file_ = std::move(file);
  }
  Error(ErrorKind kind, Problem problem) : Error(kind, std::vector{std::move(problem)}) {}
  // Takes at least one problem; what() has one line per problem.
  Error(ErrorKind kind, std::vector<Problem> problems)
      : std::runtime_error(listed(problems)), kind_(kind), problems_(std::move(problems)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& file() const noexcept { return file_; }
  // Returns the option at fault of the first problem; "" if there is none.
  const std::string& option() const noexcept { return problems_.front().option; }
  const std::vector<Problem>& problems() const noexcept { return problems_; }

 private:
  static std::string listed(const std::vector<Problem>& problems) {
    std::string text;
    for (const Problem& problem : problems) text += (text.empty() ? "" : "\n") + problem.text();
    return text;
  }

  ErrorKind kind_;
  std::string file_;
  std::vector<Problem> problems_;
};

}  // namespace dapple
