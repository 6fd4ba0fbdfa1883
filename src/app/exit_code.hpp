// Maps each kind of error to an exit code and to a word for --json.
#pragma once

#include <string_view>

#include "dapple/error.hpp"

namespace dapple::app {

constexpr int exit_code(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return 2;
    case ErrorKind::input:
      return 3;
    case ErrorKind::output:
      return 4;
    case ErrorKind::limit:
      return 5;
    case ErrorKind::verification:
      return 6;
    case ErrorKind::cancelled:
      return 130;
    case ErrorKind::internal:
      break;
  }
  return 1;
}

constexpr std::string_view kind_name(ErrorKind kind) {
  switch (kind) {
    case ErrorKind::usage:
      return "usage";
    case ErrorKind::input:
      return "input";
    case ErrorKind::output:
      return "output";
    case ErrorKind::limit:
      return "limit";
    case ErrorKind::verification:
      return "verification";
    case ErrorKind::cancelled:
      return "cancelled";
    case ErrorKind::internal:
      break;
  }
  return "internal";
}

}  // namespace dapple::app
