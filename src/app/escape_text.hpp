// Makes text safe for terminals and logs. Names of files, options and recipes may come from
// strangers. Escapes characters that move the cursor or change the reading direction.
#pragma once

#include <string>
#include <string_view>

namespace dapple::app {

// Escapes control characters except tabs and line ends, and marks of reading direction, as \u001b.
// Bytes that are not UTF-8 become \x9b. The escapes are valid inside JSON and TOML strings.
std::string printable(std::string_view text);
// As above, but also escapes line ends, so that a name cannot fake a new line.
std::string on_one_line(std::string_view text);

// Formats `value` with `decimals` digits after the point.
std::string rounded(double value, int decimals);

}  // namespace dapple::app
