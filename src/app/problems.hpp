// What is wrong, as a user of the command line reads it: problems are collected and reported
// together, a line each, and options are flags.
#pragma once

#include <string>
#include <string_view>

#include "dapple/error.hpp"

namespace dapple::app {

// Text of the library with the options that it mentions as flags: use `nan zero` becomes use --nan
// zero. Other words in backquotes stay as they are.
std::string as_flags(std::string_view text);

// As a line, and as lines. What a recipe says is named as it stands there.
std::string text_of(const Problem& problem);
std::string text_of(const Error& error);

}  // namespace dapple::app
