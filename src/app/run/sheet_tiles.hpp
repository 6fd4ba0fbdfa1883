// Files of a drawing in tiles: their names, and what is in each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"

namespace dapple::app {

inline constexpr std::string_view tile_part = "{tile}";  // in names, which fill_name() leaves

bool has_tile(const std::string& path);
// Throws Error(usage) where it stands in a name that cannot have it. `holds`: what the file does.
void check_tiles(const std::string& path, std::string_view holds);

struct SheetTile {
  Drawing drawing;
  std::string path;
  std::string part;  // COLUMN-ROW, from 1
  Vec2 corner;       // its upper left one on the sheet, mm
};

// The tiles of a drawing, or the `part` that is wanted alone.
std::vector<SheetTile> sheet_tiles(const Drawing& drawing, const std::string& path,
                                   const std::string& part, Context& context);

}  // namespace dapple::app
