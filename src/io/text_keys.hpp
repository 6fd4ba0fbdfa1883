// Texts inside other texts: several in one, for formats that keep a single description, and JSON.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dapple {

using Metadata = std::vector<std::pair<std::string, std::string>>;

// The key under which an output carries the recipe that made it.
inline constexpr std::string_view recipe_key = "dapple:recipe";

// A line `key: value` each; further lines of a value are indented by one space.
std::string pack_texts(const Metadata& metadata);
// The texts that pack_texts() was given; none where the text was not made by it (its first key is
// not one of Dapple's).
Metadata unpack_texts(std::string_view text);

// In quotes, as a string of JSON; bytes that are no UTF-8 are replaced.
std::string json_quoted(const std::string& text);

}  // namespace dapple
