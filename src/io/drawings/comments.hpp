// Writes texts as comments of plotter languages, and reads them back. `start` is what a comment
// begins with, such as "; ". Comments are ASCII in short lines, since some controllers act on other
// bytes, even in comments.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dapple {

// Returns a text of one line as comments. Parentheses become brackets.
std::string comment_lines(std::string_view line, std::string_view start);
// Returns key and text pairs as comments, from which metadata_of_comments() reads them. Other
// characters than ASCII become escapes of TOML.
std::string metadata_comments(const std::vector<std::pair<std::string, std::string>>& metadata,
                              std::string_view start);
// Returns the texts in the comments at the start of a file. Never throws.
std::vector<std::pair<std::string, std::string>> metadata_of_comments(std::string_view file,
                                                                      std::string_view start);

}  // namespace dapple
