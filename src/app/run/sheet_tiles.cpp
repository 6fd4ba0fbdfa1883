#include "app/run/sheet_tiles.hpp"

#include <filesystem>

#include "app/metadata.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "draw/tiles.hpp"

namespace dapple::app {

bool has_tile(const std::string& path) {
  return path.find(tile_part) != std::string::npos;
}

void check_tiles(const std::string& path, std::string_view holds) {
  if (!has_tile(path)) return;
  if (holds != "drawing") {
    throw Error(ErrorKind::usage,
                "{tile} numbers the tiles of a drawing, but this file holds " + std::string(holds) +
                    ": leave {tile} out",
                path);
  }
  if (has_tile(std::filesystem::path(path).parent_path().string())) {
    throw Error(ErrorKind::usage, "put {tile} into the name of the file, not of its folder", path);
  }
}

std::vector<SheetTile> sheet_tiles(const Drawing& drawing, const std::string& path,
                                   const std::string& part, Context& context) {
  std::vector<SheetTile> all;
  for (DrawingTile& tile : tiles_of(drawing, context)) {
    SheetTile made{std::move(tile.drawing), path, "", tile.corner};
    made.part = std::to_string(tile.column + 1) + "-" + std::to_string(tile.row + 1);
    if (!part.empty() && part != made.part) continue;
    if (const auto at = path.find(tile_part); at != std::string::npos) {
      made.path.replace(at, tile_part.size(), made.part);
    }
    made.drawing.metadata.emplace_back(part_key, made.part);
    made.drawing.metadata.emplace_back(
        corner_key, shortest(tile.corner.x) + "mm," + shortest(tile.corner.y) + "mm");
    all.push_back(std::move(made));
  }
  if (all.empty()) {
    throw Error(ErrorKind::input, "tile " + part + " does not exist in this drawing");
  }
  return all;
}

}  // namespace dapple::app
