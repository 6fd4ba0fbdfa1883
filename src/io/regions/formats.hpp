// Declares the readers of regions, and the check that their rings share.
#pragma once

#include <string_view>
#include <vector>

#include "dapple/regions.hpp"

namespace dapple {

Regions decode_geojson(std::string_view bytes);
Regions decode_wkt(std::string_view bytes);
Regions decode_svg_regions(std::string_view bytes, const Limits& limits);

// Adds a ring of a file, which repeats its first position at its end, to the last region. Throws
// Error(input) that names the region for an open ring and for less than 4 positions.
void add_closed_ring(Regions& regions, std::vector<Vec2> ring);

// Collections of geometries may lie this deep in each other, so that a hostile file cannot exhaust
// the stack. RFC 7946 advises against any collection in a collection.
inline constexpr int deepest_collection = 64;

inline constexpr const char* note_of_heights =
    "z and m of the positions are left out: regions are planar";

}  // namespace dapple
