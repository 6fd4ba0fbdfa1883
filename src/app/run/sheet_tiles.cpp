#include "app/run/sheet_tiles.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <optional>

#include "app/metadata.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "draw/tiles.hpp"

namespace dapple::app {

bool has_tile(const std::string& path) {
  return path.find(tile_part) != std::string::npos;
}

bool has_ink(const std::string& path) {
  return path.find(ink_part) != std::string::npos;
}

std::string ink_path(std::string path, std::string_view ink) {
  std::string name;
  for (const char c : ink.substr(ink.starts_with('#') ? 1 : 0)) {
    const auto byte = static_cast<unsigned char>(c);
    const bool plain = std::isalnum(byte) != 0 || byte >= 0x80 || c == '.' || c == '_';
    name += plain ? c : '-';
  }
  if (const auto at = path.find(ink_part); at != std::string::npos) {
    path.replace(at, ink_part.size(), name);
  }
  return path;
}

std::vector<std::string> ink_names(const Drawing& drawing) {
  std::vector<std::string> names;
  for (const Layer& layer : drawing.layers) {
    if (std::find(names.begin(), names.end(), layer.ink) == names.end()) names.push_back(layer.ink);
  }
  return names;
}

Result of_ink(const Result& result, std::size_t ink, const std::string& name) {
  const DrawingMade& made = *result.drawing();
  DrawingMade own;
  own.drawing = made.drawing;
  std::erase_if(own.drawing.layers, [&](const Layer& layer) { return layer.ink != name; });
  own.raster_width = made.raster_width;
  own.raster_height = made.raster_height;
  own.on_paper = made.on_paper;
  own.dpi_of_file = made.dpi_of_file;
  own.place = made.place;
  Points points;
  if (result.points) {
    const Points& all = *result.points;
    points.domain = all.domain;
    points.metadata = all.metadata;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const bool belongs =
          all.class_id.empty() || all.class_id[i] == static_cast<std::int32_t>(ink);
      if (belongs) points.append(all, i);
    }
    // Ranks count the points of the file.
    std::vector<std::int32_t> sorted = points.rank;
    std::sort(sorted.begin(), sorted.end());
    for (std::int32_t& rank : points.rank) {
      const auto at = std::lower_bound(sorted.begin(), sorted.end(), rank);
      rank = static_cast<std::int32_t>(at - sorted.begin());
    }
  }
  return {result.points ? std::optional(std::move(points)) : std::nullopt, std::move(own)};
}

void check_tiles(const std::string& path, std::string_view holds) {
  if (has_ink(std::filesystem::path(path).parent_path().string())) {
    throw Error(ErrorKind::usage, "put {ink} into the name of the file, not of its folder", path);
  }
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
