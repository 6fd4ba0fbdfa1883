// Reads headers as the format specifications define them: formats with fixed offsets, and JPEG and
// GIF, which are lists of blocks.
#include "io/images/read/format_probes.hpp"

#include <algorithm>
#include <cstdlib>

#include "io/images/read/netpbm.hpp"

namespace dapple {

HeaderProbe probe_png(const InputFile& file) {
  if (file.bytes(12, 4) != "IHDR") return {"png"};
  const auto color = file.number(25, 1);
  const double samples = color == 2 ? 3 : color == 4 ? 2 : color == 6 ? 4 : 1;
  HeaderProbe probe{"png", number(file, 16, 4, true), number(file, 20, 4, true),
                    color == 3 ? 3 : samples};
  const double row = rounded_up(probe.width * samples * number(file, 24, 1, true), 8) + 1;
  probe.least_bytes = row * probe.height / 1032;
  return probe;
}

HeaderProbe probe_jpeg(const InputFile& file) {
  HeaderProbe probe{"jpeg"};
  std::uint64_t at = 2;
  while (at + 4 < file.size()) {
    const auto marker = file.number(at + 1, 1);
    if (file.number(at, 1) != 0xff || marker == 0xff || marker == 0) {  // stray or filling bytes
      ++at;
      continue;
    }
    if (marker == 0xda) break;  // pixels
    const bool other = marker == 0xc4 || marker == 0xc8 || marker == 0xcc;
    if (marker >= 0xc0 && marker <= 0xcf && !other) {
      probe.height = number(file, at + 5, 2, true);
      probe.width = number(file, at + 7, 2, true);
      probe.channels = std::max(number(file, at + 9, 1, true), 1.0);
      probe.least_bytes = probe.width * probe.height / (marker > 0xc8 ? pixels_of_any_byte : 512);
      break;
    }
    const bool alone = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += 2 + (alone ? 0 : file.number(at + 2, 2, true));
  }
  return probe;
}

HeaderProbe probe_netpbm(const InputFile& file) {
  const NetpbmHeader header = netpbm_header(file);
  if (!header.problem.empty()) return {"pnm"};
  return {"pnm", 1.0 * header.width, 1.0 * header.height, 1.0 * header.channels(),
          header.least_bytes()};
}

HeaderProbe probe_gif(const InputFile& file) {
  HeaderProbe probe{"gif", number(file, 6, 2, false), number(file, 8, 2, false), 3};
  probe.least_bytes = probe.width * probe.height / pixels_of_any_byte;
  return probe;
}

HeaderProbe probe_bmp(const InputFile& file) {
  const bool old = file.number(14, 4) == 12;
  const std::size_t size = old ? 2 : 4;
  HeaderProbe probe{"bmp", number(file, 18, size, false)};
  const auto height = static_cast<std::int32_t>(file.number(18 + size, size));
  probe.height = std::abs(static_cast<double>(height));  // negative: from the top down
  const double bits = number(file, old ? 24 : 28, 2, false);
  probe.channels = bits > 8 ? 3 : 1;
  const auto packing = old ? 0 : file.number(30, 4);
  probe.undeclared_alpha = bits == 32 && packing == 0;
  const bool runs = packing == 1 || packing == 2;  // run-length codes may skip pixels
  probe.least_bytes = runs ? probe.width * probe.height / pixels_of_any_byte
                           : rounded_up(probe.width * bits, 32) * 4 * probe.height;
  return probe;
}

bool is_targa(const InputFile& file) {
  const auto map = file.number(1, 1);
  const auto type = file.number(2, 1) & ~8u;  // 8: run-length coded
  const auto bits = file.number(16, 1);
  const bool indexed = type == 1;
  const bool color = bits == 15 || bits == 16 || bits == 24 || bits == 32;
  return file.size() > 18 && map <= 1 && (file.number(2, 1) & ~11u) == 0 && type >= 1 &&
         indexed == (map == 1 && bits == 8) && (type == 2 ? color : bits == 8 || bits == 16) &&
         file.number(12, 2) > 0 && file.number(14, 2) > 0;
}

HeaderProbe probe_targa(const InputFile& file) {
  const double bytes = rounded_up(number(file, 16, 1, false), 8);
  HeaderProbe probe{"targa", number(file, 12, 2, false), number(file, 14, 2, false),
                    bytes < 3 ? 1 : bytes};
  probe.undeclared_alpha = bytes == 4 && (file.number(17, 1) & 15) == 0;
  const double pixels = probe.width * probe.height;
  const bool runs = (file.number(2, 1) & 8) != 0;
  probe.least_bytes = runs ? rounded_up(pixels, 128) * (1 + bytes) : pixels * bytes;
  return probe;
}

HeaderProbe probe_webp(const InputFile& file) {
  HeaderProbe probe{"webp", 0, 0, 3};
  const std::string kind(file.bytes(12, 4));
  if (kind == "VP8X") {
    probe.width = number(file, 24, 3, false) + 1;
    probe.height = number(file, 27, 3, false) + 1;
  } else if (kind == "VP8L") {
    probe.width = static_cast<double>(file.number(21, 4) & 0x3fff) + 1;
    probe.height = static_cast<double>(file.number(21, 4) >> 14 & 0x3fff) + 1;
  } else {
    probe.width = static_cast<double>(file.number(26, 2) & 0x3fff);
    probe.height = static_cast<double>(file.number(28, 2) & 0x3fff);
  }
  probe.least_bytes = probe.width * probe.height / pixels_of_any_byte;
  return probe;
}

// Finds the largest of the pictures that HEIF (ISO/IEC 23008-12) states in boxes `ispe`; the others
// are its tiles and thumbnails.
HeaderProbe probe_heif(const InputFile& file) {
  HeaderProbe probe{"heif", 0, 0, 3};
  constexpr std::uint64_t most = 1 << 20;  // the properties come before the pixels
  const std::string head(file.bytes(0, static_cast<std::size_t>(std::min(most, file.size()))));
  for (auto at = head.find("ispe"); at != std::string::npos; at = head.find("ispe", at + 4)) {
    const double width = number(file, at + 8, 4, true);
    const double height = number(file, at + 12, 4, true);
    if (width * height <= probe.width * probe.height) continue;
    probe.width = width;
    probe.height = height;
  }
  probe.least_bytes = probe.width * probe.height / pixels_of_any_byte;
  return probe;
}

// Reads Radiance: lines of text, an empty one, then the size as "-Y 768 +X 1024".
HeaderProbe probe_hdr(const InputFile& file) {
  HeaderProbe probe{"hdr", 0, 0, 3};
  const std::string text(file.bytes(0, 16384));
  const std::size_t end = text.find("\n\n");
  if (end == std::string::npos) return probe;
  const char* at = text.c_str() + end + 2;
  for (int side = 0; side < 2 && (*at == '-' || *at == '+'); ++side) {
    double& length = at[1] == 'Y' ? probe.height : probe.width;
    char* next = nullptr;
    length = std::max(std::strtod(at + 2, &next), 0.0);
    if (!(length < 1e9)) length = 1e9;  // above any valid size; also for inf and nan
    at = *next == ' ' ? next + 1 : next;
  }
  // Each of the four values of a pixel is packed in runs of up to 127 bytes.
  const double row = std::min(4 * probe.width, 4 + 8 * rounded_up(probe.width, 127));
  probe.least_bytes = row * probe.height;
  return probe;
}

int gif_pictures(const InputFile& file, int most) {
  const auto table = [&](std::uint64_t flags) {
    return (flags & 0x80) != 0 ? 3u << ((flags & 7) + 1) : 0u;
  };
  std::uint64_t at = 13 + table(file.number(10, 1));
  int count = 0;
  while (count < most && at < file.size()) {
    const auto kind = file.number(at, 1);
    if (kind == ',') {
      ++count;
      at += 11 + table(file.number(at + 9, 1));  // with the smallest code size
    } else if (kind == '!') {
      at += 2;
    } else {
      break;
    }
    while (at < file.size() && file.number(at, 1) != 0) at += 1 + file.number(at, 1);
    ++at;
  }
  return count;
}

int png_frames(const InputFile& file) {
  constexpr std::uint64_t signature = 8;
  constexpr std::uint64_t around = 12;  // length, name and checksum of a chunk
  for (std::uint64_t at = signature; at + around <= file.size();) {
    const std::string name(file.bytes(at + 4, 4));
    if (name == "IDAT") return 0;  // acTL comes before the pixels
    if (name == "acTL")
      return static_cast<int>(std::min<std::uint64_t>(file.number(at + 8, 4, true), 1 << 20));
    at += around + file.number(at, 4, true);
  }
  return 0;
}

int webp_frames(const InputFile& file, int most) {
  int count = 0;
  for (std::uint64_t at = 12; count < most && at + 8 <= file.size();) {
    if (file.bytes(at, 4) == "ANMF") ++count;
    const std::uint64_t size = file.number(at + 4, 4);
    at += 8 + size + size % 2;
  }
  return count;
}

HeaderProbe probe_psd(const InputFile& file) {
  HeaderProbe probe{"psd", number(file, 18, 4, true), number(file, 14, 4, true),
                    std::max(number(file, 12, 2, true), 1.0)};
  probe.least_bytes = probe.width * probe.height / pixels_of_any_byte;
  return probe;
}

}  // namespace dapple
