// Words of artists and of other programs, and what they are called here.
#pragma once

#include <string>
#include <string_view>

namespace dapple::app {

// What to say of an option, or of a letter, that a command does not have; "" where it is no such
// word.
std::string option_hint(std::string_view command, std::string_view word);

// What to say of a file where a command is expected; "" where it is none.
std::string file_hint(const std::string& word);

}  // namespace dapple::app
