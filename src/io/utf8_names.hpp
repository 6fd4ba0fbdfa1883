// Names of files as valid UTF-8, which TOML, JSON and XML demand and file systems do not. A byte
// that belongs to no valid sequence is written as the character U+EF00 + byte, of the area for
// private use, and so is each byte of such a character itself: every name reads back as it was.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace dapple {

// Length of the UTF-8 sequence at the front of `text`, which is not empty; 0 where it is not valid.
std::size_t utf8_length(std::string_view text);

std::string utf8_of_name(std::string_view name);
std::string name_of_utf8(std::string_view text);

}  // namespace dapple
