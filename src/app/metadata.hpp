// What an output carries beside the recipe that made it, and that recipe.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "io/text_keys.hpp"

namespace dapple::app {

// The slice of the whole that a numbered file holds, from 0.
inline constexpr std::string_view frame_key = "dapple:frame";
// The number of a tile in its set.
inline constexpr std::string_view udim_key = "dapple:udim";
// The part of a drawing in tiles, COLUMN-ROW from 1, and where its upper left corner lies on the
// paper.
inline constexpr std::string_view part_key = "dapple:tile";
inline constexpr std::string_view corner_key = "dapple:tile-corner";

// The output that a file holds alone.
inline constexpr std::string_view output_key = "dapple:output";

// Of a texture: what the whole range of its heights stands for, such as 23.4 px.
inline constexpr std::string_view full_height_key = "dapple:full-height";

// nullptr: there is none.
inline const std::string* recipe_in(const Metadata& metadata) {
  const auto found = std::find_if(metadata.begin(), metadata.end(),
                                  [](const auto& entry) { return entry.first == recipe_key; });
  return found == metadata.end() ? nullptr : &found->second;
}

// In place of that of an input; "": none.
inline void set_recipe(Metadata& metadata, const std::string& recipe) {
  std::erase_if(metadata, [](const auto& entry) { return entry.first == recipe_key; });
  if (!recipe.empty()) metadata.emplace_back(recipe_key, recipe);
}

}  // namespace dapple::app
