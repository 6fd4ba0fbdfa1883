// The one exception type of the library. A message says what is wrong, where, and what to do.
#pragma once

#include <stdexcept>
#include <string>

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

class Error : public std::runtime_error {
 public:
  // `message` is a full sentence without a final full stop. `file` names the file at fault, if any;
  // what() then starts with it.
  Error(ErrorKind kind, const std::string& message, std::string file = {})
      : std::runtime_error(file.empty() ? message : file + ": " + message),
        kind_(kind),
        file_(std::move(file)) {}

  ErrorKind kind() const noexcept { return kind_; }
  const std::string& file() const noexcept { return file_; }

 private:
  ErrorKind kind_;
  std::string file_;
};

}  // namespace dapple
