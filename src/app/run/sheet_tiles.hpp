// Names and cuts the tiles and the inks of a drawing, one file each.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/extend/result.hpp"
#include "dapple/forward.hpp"

namespace dapple::app {

inline constexpr std::string_view tile_part = "{tile}";  // the part of names that fill_name() keeps

inline constexpr std::string_view ink_part = "{ink}";  // as above

bool has_tile(const std::string& path);
bool has_ink(const std::string& path);
// Returns the file of an ink: {ink} becomes its name, with - for what does not belong into names.
std::string ink_path(std::string path, std::string_view ink);
// Returns the names of the inks of a drawing, in the order of its layers and classes.
std::vector<std::string> ink_names(const Drawing& drawing);
// Returns the points and the layers of the ink `name`, whose place in ink_names() is `ink`.
Result of_ink(const Result& result, std::size_t ink, const std::string& name);
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
