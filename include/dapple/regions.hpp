// Declares polygons that hold points: the census tracts of a map, the shapes of a drawing.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"

namespace dapple {

// One or more polygons with holes. A place is inside if a line from it to the outside crosses an
// odd number of edges (even-odd), so that rings may be wound either way and may cross themselves.
struct Region {
  std::string name = {};                      // empty: none
  std::vector<std::vector<Vec2>> rings = {};  // of 3 corners or more, without the first one again
  std::vector<std::pair<std::string, std::string>> properties =
      {};  // numbers and texts of the file
};

// Regions share a plane, in the unit of their file. They may overlap.
struct Regions {
  std::vector<Region> all = {};
  bool y_up = false;  // y grows upwards, as on maps; pictures are turned over
  // Sentences on what the file asks for and its reader does not honor; read_regions() warns of
  // them.
  std::vector<std::string> notes = {};
};

// The metadata key for the names of regions, one per line, in the order of the file.
inline constexpr std::string_view region_names_key = "region-names";

// Returns the name of a region for messages, such as `region 3 (Kreuzberg)`.
std::string name_of_region(const Regions& regions, std::size_t index);
Box bounds_of(const Regions& regions);
// Throws Error(input) that names the first region without a ring, with a ring of less than 3
// corners, or with a coordinate that is not finite.
void validate(const Regions& regions);
// Reads the number of points of each region: one number for all, or the name of a property. Throws
// Error(usage) or Error(input) that names the first region without a whole number from 0 up.
std::vector<std::int64_t> counts_from(const Regions& regions, std::string_view source);

// Reads the polygons of a file: GeoJSON (features, or one geometry), WKT (one geometry or several),
// or the filled shapes of an SVG file, whose curves become chords within 1/2000 of the drawing.
// Coordinates of GeoJSON and WKT are planar numbers, without a projection of degrees; their z and m
// are left out, and a note says so. O(bytes) in time. Throws Error(input) that names the first
// feature whose ring is open, has fewer than 4 positions or holds a number that is not finite.
Regions read_regions(const std::string& path, Context& context);
Regions decode_regions(std::string_view bytes, std::string_view extension, const Limits& limits);

}  // namespace dapple
