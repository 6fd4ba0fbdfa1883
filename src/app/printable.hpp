// Text for terminals and logs. Names of files, options and recipes come from strangers too: what
// could move the cursor, answer for the user or turn the direction of reading is shown as an
// escape.
#pragma once

#include <string>
#include <string_view>

namespace dapple::app {

// Control characters but tab and the end of a line, marks of the direction of reading and other
// ends of lines as \u001b and the like, bytes that are no UTF-8 as \x9b. Within a string of JSON or
// TOML the character stays the same.
std::string printable(std::string_view text);
// What is to stay within a line: ends of lines become escapes too, so that no name begins a line of
// its own.
std::string on_one_line(std::string_view text);

// With so many digits after the point.
std::string rounded(double value, int decimals);

}  // namespace dapple::app
