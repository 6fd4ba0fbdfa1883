// Formats errors for users of the command line: one problem per line, with options as flags.
#pragma once

#include <string>
#include <string_view>

#include "dapple/error.hpp"

namespace dapple::app {

// Replaces option names in backquotes by flags: use `nan zero` becomes use --nan zero. Leaves other
// words in backquotes.
std::string as_flags(std::string_view text);

// Return a problem as one line, and an error as one line per problem. Option names from a recipe
// stay as in the recipe.
std::string text_of(const Problem& problem);
std::string text_of(const Error& error);

}  // namespace dapple::app
