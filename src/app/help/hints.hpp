// Translates words of artists and of other programs into options of dapple.
#pragma once

#include <string>
#include <string_view>

namespace dapple::app {

// Returns a hint for a word or letter that is not an option of `command`; "" if none is known.
std::string option_hint(std::string_view command, std::string_view word);

// Returns a hint if `word`, in place of a command, is a file; otherwise "".
std::string file_hint(const std::string& word);

}  // namespace dapple::app
