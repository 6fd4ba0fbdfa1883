// Packs several texts into one, for formats with a single description, and quotes texts for JSON.
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace dapple {

using Metadata = std::vector<std::pair<std::string, std::string>>;

// The key of the recipe that made an output.
inline constexpr std::string_view recipe_key = "dapple:recipe";
// The unit of coordinates and radii in a point file: mm; pixels if there is none.
inline constexpr std::string_view unit_key = "unit";
// The key of a warning that this run adds to the texts of a file; never taken from a file.
inline constexpr std::string_view unconfined_key = "dapple:unconfined";

// Writes a line `key: value` per text; further lines of a value are indented by one space.
std::string pack_texts(const Metadata& metadata);
// Returns the texts that pack_texts() packed. Returns none if it did not make `text`, because the
// first key is not one of Dapple's.
Metadata unpack_texts(std::string_view text);

// Returns the text in quotes as a JSON string. Bytes that are not UTF-8 are replaced.
std::string json_quoted(const std::string& text);

}  // namespace dapple
