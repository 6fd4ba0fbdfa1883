// Names and cuts the tiles of a drawing, one file each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"

namespace dapple::app {

inline constexpr std::string_view tile_part = "{tile}";  // the part of names that fill_name() keeps

bool has_tile(const std::string& path);
// Throws Error(usage) if `path` must not hold {tile}. `holds` is the kind of the file.
void check_tiles(const std::string& path, std::string_view holds);

struct SheetTile {
  Drawing drawing;
  std::string path;
  std::string part;  // COLUMN-ROW, from 1
  Vec2 corner;       // upper left corner on the sheet, mm
};

// Returns the tiles of a drawing, or only the tile `part` if it is not empty.
std::vector<SheetTile> sheet_tiles(const Drawing& drawing, const std::string& path,
                                   const std::string& part, Context& context);

}  // namespace dapple::app
