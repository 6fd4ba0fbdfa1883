// Several texts in one: for formats that keep a single description.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dapple {

using Metadata = std::vector<std::pair<std::string, std::string>>;

// A line `key: value` each; further lines of a value are indented by one space.
std::string pack_texts(const Metadata& metadata);
// What pack_texts() was given; empty where the text was not made by it (its first key is not one of
// Dapple's).
Metadata unpack_texts(std::string_view text);

}  // namespace dapple
