// Names the metadata of an output beside its recipe, and reads and sets the recipe.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

#include "io/text_keys.hpp"

namespace dapple::app {

// The slice that a numbered file holds, from 0.
inline constexpr std::string_view frame_key = "dapple:frame";
// The UDIM number of a tile in its set.
inline constexpr std::string_view udim_key = "dapple:udim";
// The tile of a drawing, COLUMN-ROW from 1, and the place of its upper left corner on the paper.
inline constexpr std::string_view part_key = "dapple:tile";
inline constexpr std::string_view corner_key = "dapple:tile-corner";

// The name of the only output, or of the only ink, that a file holds.
inline constexpr std::string_view output_key = "dapple:output";
// The kind and the seed of the values in source code.
inline constexpr std::string_view about_key = "dapple:about";

// The height of a texture's full range, such as 23.4 px.
inline constexpr std::string_view full_height_key = "dapple:full-height";

// Returns the recipe, or nullptr if there is none.
inline const std::string* recipe_in(const Metadata& metadata) {
  const auto found = std::find_if(metadata.begin(), metadata.end(),
                                  [](const auto& entry) { return entry.first == recipe_key; });
  return found == metadata.end() ? nullptr : &found->second;
}

// Replaces the recipe of an input; "" removes it.
inline void set_recipe(Metadata& metadata, const std::string& recipe) {
  std::erase_if(metadata, [](const auto& entry) { return entry.first == recipe_key; });
  if (!recipe.empty()) metadata.emplace_back(recipe_key, recipe);
}

}  // namespace dapple::app
