// Headers as the specifications of the formats lay them out. How few bytes a picture can take is
// what its packing makes of the most even one: deflate puts 1032 bytes into one, LZW about 2700,
// runs of bytes 64, Huffman codes of JPEG four blocks of 64 pixels. Packings without such a bound
// (arithmetic codes, Zstandard, WebP) are held to 65536 pixels a byte, far beyond any photo.
#include "io/images/read/claim.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <limits>

#include "dapple/image_files.hpp"
#include "io/images/read/netpbm.hpp"

namespace dapple {
namespace {

constexpr double deflate = 1032;
constexpr double unbounded = 65536;
constexpr double never = std::numeric_limits<double>::infinity();

double number(const InputFile& file, std::uint64_t at, std::size_t count, bool highest_first) {
  return static_cast<double>(file.number(at, count, highest_first));
}

double rounded_up(double count, double step) {
  return std::ceil(count / step);
}

Claim png(const InputFile& file) {
  if (file.bytes(12, 4) != "IHDR") return {"png"};
  const auto color = file.number(25, 1);
  const double samples = color == 2 ? 3 : color == 4 ? 2 : color == 6 ? 4 : 1;
  Claim claim{"png", number(file, 16, 4, true), number(file, 20, 4, true),
              color == 3 ? 3 : samples};
  const double row = rounded_up(claim.width * samples * number(file, 24, 1, true), 8) + 1;
  claim.least_bytes = row * claim.height / deflate;
  return claim;
}

Claim jpeg(const InputFile& file) {
  Claim claim{"jpeg"};
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
      claim.height = number(file, at + 5, 2, true);
      claim.width = number(file, at + 7, 2, true);
      claim.channels = std::max(number(file, at + 9, 1, true), 1.0);
      claim.least_bytes = claim.width * claim.height / (marker > 0xc8 ? unbounded : 512);
      break;
    }
    const bool alone = marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
    at += 2 + (alone ? 0 : file.number(at + 2, 2, true));
  }
  return claim;
}

Claim netpbm(const InputFile& file) {
  const NetpbmHeader header = netpbm_header(file);
  if (!header.problem.empty()) return {"pnm"};
  return {"pnm", 1.0 * header.width, 1.0 * header.height, 1.0 * header.channels(),
          header.least_bytes()};
}

Claim gif(const InputFile& file) {
  Claim claim{"gif", number(file, 6, 2, false), number(file, 8, 2, false), 3};
  claim.least_bytes = claim.width * claim.height / unbounded;
  return claim;
}

Claim bmp(const InputFile& file) {
  const bool old = file.number(14, 4) == 12;
  const std::size_t size = old ? 2 : 4;
  Claim claim{"bmp", number(file, 18, size, false)};
  const auto height = static_cast<std::int32_t>(file.number(18 + size, size));
  claim.height = std::abs(static_cast<double>(height));  // below zero: from the top down
  const double bits = number(file, old ? 24 : 28, 2, false);
  claim.channels = bits > 8 ? 3 : 1;
  const auto packing = old ? 0 : file.number(30, 4);
  const bool runs = packing == 1 || packing == 2;  // which may leave pixels out
  claim.least_bytes = runs ? claim.width * claim.height / unbounded
                           : rounded_up(claim.width * bits, 32) * 4 * claim.height;
  return claim;
}

bool is_targa(const InputFile& file) {
  const auto map = file.number(1, 1);
  const auto type = file.number(2, 1) & ~8u;  // 8: in runs
  const auto bits = file.number(16, 1);
  const bool indexed = type == 1;
  const bool color = bits == 15 || bits == 16 || bits == 24 || bits == 32;
  return file.size() > 18 && map <= 1 && (file.number(2, 1) & ~11u) == 0 && type >= 1 &&
         indexed == (map == 1 && bits == 8) && (type == 2 ? color : bits == 8 || bits == 16) &&
         file.number(12, 2) > 0 && file.number(14, 2) > 0;
}

Claim targa(const InputFile& file) {
  const double bytes = rounded_up(number(file, 16, 1, false), 8);
  Claim claim{"targa", number(file, 12, 2, false), number(file, 14, 2, false),
              bytes < 3 ? 1 : bytes};
  const double pixels = claim.width * claim.height;
  const bool runs = (file.number(2, 1) & 8) != 0;
  claim.least_bytes = runs ? rounded_up(pixels, 128) * (1 + bytes) : pixels * bytes;
  return claim;
}

Claim webp(const InputFile& file) {
  Claim claim{"webp", 0, 0, 3};
  const std::string kind(file.bytes(12, 4));
  if (kind == "VP8X") {
    claim.width = number(file, 24, 3, false) + 1;
    claim.height = number(file, 27, 3, false) + 1;
  } else if (kind == "VP8L") {
    claim.width = static_cast<double>(file.number(21, 4) & 0x3fff) + 1;
    claim.height = static_cast<double>(file.number(21, 4) >> 14 & 0x3fff) + 1;
  } else {
    claim.width = static_cast<double>(file.number(26, 2) & 0x3fff);
    claim.height = static_cast<double>(file.number(28, 2) & 0x3fff);
  }
  claim.least_bytes = claim.width * claim.height / unbounded;
  return claim;
}

// Radiance: lines of text, an empty one, then the size as "-Y 768 +X 1024".
Claim hdr(const InputFile& file) {
  Claim claim{"hdr", 0, 0, 3};
  const std::string text(file.bytes(0, 16384));
  const std::size_t end = text.find("\n\n");
  if (end == std::string::npos) return claim;
  const char* at = text.c_str() + end + 2;
  for (int side = 0; side < 2 && (*at == '-' || *at == '+'); ++side) {
    double& length = at[1] == 'Y' ? claim.height : claim.width;
    char* next = nullptr;
    length = std::max(std::strtod(at + 2, &next), 0.0);
    if (!(length < 1e9)) length = 1e9;  // more than any, words such as inf and nan among them
    at = *next == ' ' ? next + 1 : next;
  }
  // Runs of up to 127 bytes for each of four values a pixel.
  const double row = std::min(4 * claim.width, 4 + 8 * rounded_up(claim.width, 127));
  claim.least_bytes = row * claim.height;
  return claim;
}

// ---- TIFF ---------------------------------------------------------------------------------------

class TiffDirectories {
 public:
  explicit TiffDirectories(const InputFile& file)
      : file_(file), big_end_(file.number(0, 1) == 'M'), large_(number(2, 2) == 43) {
    at_ = large_ ? number(8, 8) : number(4, 4);
  }
  bool at_end() const { return at_ == 0 || at_ >= file_.size(); }
  void next() { at_ = number(entry(entries()), large_ ? 8 : 4); }

  // The first value of a tag.
  double value(std::uint64_t tag, double otherwise) const {
    const std::uint64_t count = entries();
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t from = entry(i);
      if (from >= file_.size()) break;
      if (number(from, 2) != tag) continue;
      const auto type = number(from + 2, 2);
      const std::size_t size = type == 3 ? 2 : type == 16 ? 8 : type == 4 ? 4 : 1;
      const std::size_t room = large_ ? 8 : 4;
      const auto values = number(from + 4, room);
      const std::uint64_t place = from + 4 + room;
      const bool here = values <= room / size;
      return static_cast<double>(number(here ? place : number(place, room), size));
    }
    return otherwise;
  }

 private:
  std::uint64_t number(std::uint64_t at, std::size_t count) const {
    return file_.number(at, count, big_end_);
  }
  std::uint64_t entries() const {
    return std::min<std::uint64_t>(number(at_, large_ ? 8 : 2), 65535);
  }
  std::uint64_t entry(std::uint64_t i) const { return at_ + (large_ ? 8 + 20 * i : 2 + 12 * i); }

  const InputFile& file_;
  bool big_end_;
  bool large_;
  std::uint64_t at_ = 0;
};

double tiff_least_bytes(const TiffDirectories& page, const Claim& claim, double bits) {
  const double stored = claim.width * claim.height * claim.channels * bits / 8;
  switch (static_cast<int>(page.value(259, 1))) {
    case 1:
      return stored / 4;  // colors may be stored for blocks of pixels
    case 2:
    case 3:
    case 4:
      return claim.height / 8;  // a fax takes a bit for an empty row
    case 32773:
      return stored / 64;
    case 5:
    case 7:
    case 8:
    case 32946:
      return stored / 4096;
    default:
      return stored / unbounded;
  }
}

Claim tiff(const InputFile& file) {
  const TiffDirectories page(file);
  Claim claim{"tiff"};
  if (page.at_end()) return claim;
  claim.width = page.value(256, 0);
  claim.height = page.value(257, 0);
  const bool indexed = page.value(262, 1) == 3;
  const double bits = page.value(258, 1);
  claim.channels = std::max(page.value(277, 1), 1.0);
  claim.least_bytes = tiff_least_bytes(page, claim, bits);
  if (indexed) claim.channels = 3;
  // Tiles and strips are unpacked whole.
  const double tile = page.value(322, 0) * page.value(323, 0);
  if (tile > std::max(claim.width * claim.height, 4194304.0)) claim.least_bytes = never;
  return claim;
}

int tiff_pages(const InputFile& file, int most) {
  TiffDirectories page(file);
  int count = 0;
  for (; count < most && !page.at_end(); page.next()) ++count;
  return count;
}

// ---- OpenEXR ------------------------------------------------------------------------------------

struct ExrPart {
  double width = 0, height = 0;  // of the stored pixels
  double full_width = 0, full_height = 0;
  double channels = 0;
  double bytes = 0;  // a pixel
  std::uint64_t packing = 0;
  double tile_width = 0, tile_height = 0;

  double chunks() const {
    if (tile_width > 0) return rounded_up(width, tile_width) * rounded_up(height, tile_height);
    constexpr double rows[] = {1, 1, 1, 16, 32, 16, 32, 32, 32, 256};
    return rounded_up(height, packing < std::size(rows) ? rows[packing] : 1);
  }
  double least_bytes() const {
    if (tile_width * tile_height > std::max(width * height, 4194304.0)) return never;
    const double stored = width * height * bytes;
    const double packed = packing == 0 ? stored : stored / (packing < 8 ? 4096 : unbounded);
    // A chunk has its place in a table, and says where it lies and how long it is.
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

// One header; false where its attributes leave the file.
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

Claim exr(const InputFile& file) {
  Claim claim{"openexr"};
  const bool parts = (file.number(4, 4) & 0x1000) != 0;
  std::uint64_t at = 8;
  do {
    ExrPart part;
    if (!read_part(file, at, part)) break;
    if (claim.width == 0) {
      claim.width = std::max(part.full_width, 1.0);
      claim.height = std::max(part.full_height, 1.0);
      claim.channels = std::max(part.channels, 1.0);
      claim.least_bytes = claim.width * claim.height / unbounded;
    }
    claim.least_bytes = std::max(claim.least_bytes, part.least_bytes());
  } while (parts && at < file.size() && file.number(at, 1) != 0);
  return claim;
}

// ---- GIF ----------------------------------------------------------------------------------------

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
      at += 11 + table(file.number(at + 9, 1));  // and the least number of bits in a code
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

// ---- formats that are read where they are allowed -----------------------------------------------

Claim psd(const InputFile& file) {
  Claim claim{"psd", number(file, 18, 4, true), number(file, 14, 4, true),
              std::max(number(file, 12, 2, true), 1.0)};
  claim.least_bytes = claim.width * claim.height / unbounded;
  return claim;
}

struct Magic {
  std::size_t at;
  std::string_view bytes;
  const char* format;
};

constexpr std::array<Magic, 17> magics{{{128, "DICM", "dicom"},
                                        {0, "SDPX", "dpx"},
                                        {0, "XPDS", "dpx"},
                                        {0, "\x80\x2a\x5f\xd7", "cineon"},
                                        {0, "DDS ", "dds"},
                                        {0, "SIMPLE  =", "fits"},
                                        {4, "ftyphei", "heif"},
                                        {4, "ftypmif", "heif"},
                                        {4, "ftypavi", "heif"},
                                        {4, "ftyp", "ffmpeg"},
                                        {0, "\x1a\x45\xdf\xa3", "ffmpeg"},
                                        {8, "AVI ", "ffmpeg"},
                                        {4, "jP  ", "jpeg2000"},
                                        {0, "FOR4", "iff"},
                                        {0, "\x01\xda", "sgi"},
                                        {0, "\x53\x80\xf6\x34", "softimage"},
                                        {0, " BDV", "openvdb"}}};

Claim other(const InputFile& file) {
  if (file.bytes(0, 4) == "8BPS") return psd(file);
  for (const Magic& magic : magics) {
    if (file.bytes(magic.at, magic.bytes.size()) == magic.bytes) return {magic.format};
  }
  return is_targa(file) ? targa(file) : Claim();  // Targa has no first bytes of its own
}

}  // namespace

bool is_common(const std::string& format) {
  constexpr std::array<std::string_view, 10> common{"png", "jpeg", "pnm",   "tiff", "openexr",
                                                    "hdr", "webp", "targa", "bmp",  "gif"};
  return std::find(common.begin(), common.end(), format) != common.end();
}

std::span<const std::string_view> other_formats() {
  static constexpr std::array<std::string_view, 17> names{
      "cineon",   "dds",     "dicom", "dpx", "ffmpeg", "fits", "heif",      "ico",  "iff",
      "jpeg2000", "openvdb", "psd",   "raw", "rla",    "sgi",  "softimage", "zfile"};
  return names;
}

Claim claim_of(const InputFile& file) {
  const std::string start(file.bytes(0, 16));
  const auto has = [&](std::string_view magic) { return start.starts_with(magic); };
  if (has("\x89PNG\r\n\x1a\n")) return png(file);
  if (has("\xff\xd8\xff")) return jpeg(file);
  if (is_netpbm(start)) return netpbm(file);
  if (has("GIF87a") || has("GIF89a")) return gif(file);
  if (has({"II*\0", 4}) || has({"MM\0*", 4}) || has({"II+\0", 4}) || has({"MM\0+", 4})) {
    return tiff(file);
  }
  if (has("\x76\x2f\x31\x01")) return exr(file);
  if (has("#?")) return hdr(file);
  if (has("RIFF") && file.bytes(8, 4) == "WEBP") return webp(file);
  if (has("BM")) return bmp(file);
  return other(file);
}

int count_pages(const InputFile& file, const std::string& format, int most) {
  return format == "tiff" ? tiff_pages(file, most) : format == "gif" ? gif_pictures(file, most) : 0;
}

}  // namespace dapple
