// The one exception type of the library. A message says what is wrong, where, and what to do.
//
// Options are named bare, as in a recipe or a struct. Where a sentence mentions one it stands in
// backquotes, with its value where one is advised: "use `nan zero`". A command line shows those as
// its flags.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace dapple {

enum class ErrorKind {
  usage,         // options or recipe that make no sense, before any work was done
  input,         // a file or image that cannot be read, or holds what cannot be used
  output,        // a file that could not be written
  limit,         // more pixels, points or memory than the limits allow
  verification,  // a proof asked for did not hold
  cancelled,     // the caller asked to stop
  internal,      // a broken promise of the library itself
};

// One thing that is wrong.
struct Problem {
  std::string option = {};   // at fault; "" where none is, or no single one
  std::string message = {};  // without a final full stop
  // Where the option was set, as file:line:column; "" where no file set it.
  std::string place = {};

  // Such as "regularity: must be from 0 to 1, not 99".
  std::string text() const {
    return (place.empty() ? "" : place + ": ") + (option.empty() ? "" : option + ": ") + message;
  }
  friend bool operator==(const Problem&, const Problem&) = default;
};

class Error : public std::runtime_error {
 public:
  // `message` is a full sentence without a final full stop. `file` names the file at fault, if any;
  // what() then starts with it.
  Error(ErrorKind kind, const std::string& message, std::string file = {})
      : Error(kind, Problem{"", file.empty() ? message : file + ": " + message}) {
    file_ = std::move(file);
  }
  Error(ErrorKind kind, Problem problem) : Error(kind, std::vector{std::move(problem)}) {}
  // Several problems at once, at least one: what() has a line for each.
  Error(ErrorKind kind, std::vector<Problem> problems)
      : std::runtime_error(listed(problems)), kind_(kind), problems_(std::move(problems)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& file() const noexcept { return file_; }
  // The option at fault, of the first problem; "" where none is.
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
