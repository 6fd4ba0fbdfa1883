// Splits the text of a mesh into words, with line numbers for messages.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "dapple/error.hpp"
#include "io/points/format.hpp"

namespace dapple {

class MeshWords {
 public:
  // `comment` begins a comment up to the end of the line; 0: there are none.
  explicit MeshWords(std::string_view bytes, char comment = 0) : rest_(bytes), comment_(comment) {}

  // Returns the next word, or "" at the end.
  std::string_view next() {
    for (;;) {
      std::size_t first = 0;
      while (first < rest_.size() && is_blank(rest_[first])) {
        if (rest_[first++] == '\n') ++line_;
      }
      rest_.remove_prefix(first);
      if (rest_.empty() || comment_ == 0 || rest_.front() != comment_) break;
      skip_line();
    }
    std::size_t end = 0;
    while (end < rest_.size() && !is_blank(rest_[end])) ++end;
    const std::string_view word = rest_.substr(0, end);
    rest_.remove_prefix(end);
    return word;
  }
  // Returns the next number; fails with `expected` if the next word is none.
  double next_number(std::string_view expected) {
    std::string_view word = next();
    const auto value = take_number(word);
    if (!value || !word.empty()) fail(std::string(expected));
    return *value;
  }
  void skip_line() { rest_.remove_prefix(std::min(rest_.find('\n'), rest_.size())); }
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::input, "line " + std::to_string(line_) + ": " + why);
  }

 private:
  static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\n'; }

  std::string_view rest_;
  char comment_;
  std::size_t line_ = 1;
};

}  // namespace dapple
