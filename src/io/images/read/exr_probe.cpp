// Probes headers of OpenEXR files with one part or several.
#include <algorithm>

#include "io/images/read/format_probes.hpp"

namespace dapple {
namespace {

struct ExrPart {
  double width = 0, height = 0;  // in stored pixels
  double full_width = 0, full_height = 0;
  double channels = 0;
  double bytes = 0;  // per pixel
  std::uint64_t packing = 0;
  double tile_width = 0, tile_height = 0;

  double chunks() const {
    if (tile_width > 0) return rounded_up(width, tile_width) * rounded_up(height, tile_height);
    constexpr double rows[] = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
    return rounded_up(height, packing < std::size(rows) ? rows[packing] : 1);
  }
  double least_bytes() const {
    if (tile_width * tile_height > std::max(width * height, 4194304.0)) return more_than_any;
    const double stored = width * height * bytes;
    const double packed =
        packing == 0 ? stored : stored / (packing < 8 ? 4096 : pixels_of_any_byte);
    // Each chunk takes 16 bytes more: an entry in the table, its position and its length.
    return packed + 16 * chunks();
  }
};

std::string text_at(const InputFile& file, std::uint64_t at) {
  const std::string_view bytes = file.bytes(at, 256);
  return std::string(bytes.substr(0, bytes.find('\0')));
}

void add_channels(const InputFile& file, std::uint64_t at, std::uint64_t end, ExrPart& part) {
  while (at < end && file.number(at, 1) != 0) {
    at += text_at(file, at).size() + 1;
    const double across = std::max(number(file, at + 8, 4, false), 1.0);
    const double down = std::max(number(file, at + 12, 4, false), 1.0);
    part.channels += 1;
    part.bytes += (file.number(at, 4) == 1 ? 2 : 4) / across / down;
    at += 16;
  }
}

void set_window(const InputFile& file, std::uint64_t at, double& width, double& height) {
  const auto side = [&](std::uint64_t from) {
    return static_cast<double>(static_cast<std::int32_t>(file.number(from + 8, 4))) -
           static_cast<double>(static_cast<std::int32_t>(file.number(from, 4))) + 1;
  };
  width = side(at);
  height = side(at + 4);
}

// Reads one header. Returns false if its attributes exceed the file.
bool read_part(const InputFile& file, std::uint64_t& at, ExrPart& part) {
  for (;;) {
    if (at >= file.size()) return false;
    const std::string name = text_at(file, at);
    at += name.size() + 1;
    if (name.empty()) return true;
    at += text_at(file, at).size() + 1;  // its type
    const std::uint64_t size = file.number(at, 4);
    at += 4;
    if (name == "channels") add_channels(file, at, std::min(at + size, file.size()), part);
    if (name == "compression") part.packing = file.number(at, 1);
    if (name == "dataWindow") set_window(file, at, part.width, part.height);
    if (name == "displayWindow") set_window(file, at, part.full_width, part.full_height);
    if (name == "tiles") {
      part.tile_width = number(file, at, 4, false);
      part.tile_height = number(file, at + 4, 4, false);
    }
    at += size;
  }
}

}  // namespace

HeaderProbe probe_exr(const InputFile& file) {
  HeaderProbe probe{"openexr"};
  const bool parts = (file.number(4, 4) & 0x1000) != 0;
  std::uint64_t at = 8;
  do {
    ExrPart part;
    if (!read_part(file, at, part)) break;
    if (probe.width == 0) {
      probe.width = std::max(part.full_width, 1.0);
      probe.height = std::max(part.full_height, 1.0);
      probe.channels = std::max(part.channels, 1.0);
      probe.least_bytes = probe.width * probe.height / pixels_of_any_byte;
    }
    probe.least_bytes = std::max(probe.least_bytes, part.least_bytes());
  } while (parts && at < file.size() && file.number(at, 1) != 0);
  return probe;
}

}  // namespace dapple
