// Chooses the format of a file of regions.
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/limits.hpp"
#include "io/points/format.hpp"
#include "io/regions/formats.hpp"
#include "io/utf8.hpp"

namespace dapple {

void add_closed_ring(Regions& regions, std::vector<Vec2> ring) {
  Region& region = regions.all.back();
  const auto fail = [&](const std::string& why) {
    throw Error(ErrorKind::input, name_of_region(regions, regions.all.size() - 1) + ": ring " +
                                      std::to_string(region.rings.size() + 1) + " " + why);
  };
  if (ring.size() < 4) {
    fail("has " + std::to_string(ring.size()) +
         " positions: a ring needs at least 4, and the last repeats the first");
  }
  if (!(ring.front() == ring.back())) {
    fail("is open: its last position must repeat the first");
  }
  ring.pop_back();
  region.rings.push_back(std::move(ring));
}

Regions decode_regions(std::string_view bytes, std::string_view extension, const Limits& limits) {
  const std::string plain = plain_extension(extension);
  std::string memory;
  Regions regions;
  if (plain == "geojson" || plain == "json") {
    regions = decode_geojson(utf8_of_text(bytes, memory));
  } else if (plain == "wkt") {
    regions = decode_wkt(utf8_of_text(bytes, memory));
  } else if (plain == "svg") {
    regions = decode_svg_regions(bytes, limits);
  } else {
    throw Error(ErrorKind::usage, "'." + plain +
                                      "' is not a format of regions; use .geojson .json .wkt or "
                                      ".svg");
  }
  validate(regions);
  return regions;
}

Regions read_regions(const std::string& path, Context& context) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 30;
  const std::string bytes = read_file(path, most_bytes, context);
  // The values of JSON take about 12 times as many bytes as their text.
  context.require_memory(16.0 * static_cast<double>(bytes.size()),
                         "a file of regions of this size");
  try {
    const auto dot = path.find_last_of("./\\");
    const bool has_extension = dot != std::string::npos && path[dot] == '.';
    Regions regions =
        decode_regions(bytes, has_extension ? path.substr(dot) : "geojson", context.limits);
    for (const std::string& note : regions.notes) context.warn(path + ": " + note);
    return regions;
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), path);
  }
}

}  // namespace dapple
