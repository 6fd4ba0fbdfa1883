// Writes images of few colors by the place of each pixel's color in a table: indexed PNG and BMP
// files, pictures of two colors, and packed rows for the controllers of panels.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>

#include "core/constants.hpp"
#include "dapple/error.hpp"
#include "dapple/image_files.hpp"
#include "io/images/formats.hpp"
#include "io/images/png_file.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

struct Pixel {
  std::uint8_t r, g, b, a;
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

// Colors and their indices, found by hashing.
class Table {
 public:
  Table() { slots_.fill(none); }
  int size() const { return static_cast<int>(colors_.size()); }
  const Pixel& operator[](int i) const { return colors_[static_cast<std::size_t>(i)]; }
  // Returns the index of a color and adds a new color. Returns -1 if the table has 256 others.
  int place(const Pixel& p) {
    if (last_ >= 0 && (*this)[last_] == p) return last_;
    const std::uint32_t key = p.r + 256u * p.g + 65536u * p.b + 16777216u * p.a;
    std::size_t slot = (key * 2654435761u) >> 22;
    while (slots_[slot] != none && !((*this)[slots_[slot]] == p)) slot = (slot + 1) % slots_.size();
    if (slots_[slot] == none) {
      if (size() == 256) return -1;
      slots_[slot] = static_cast<std::int16_t>(size());
      colors_.push_back(p);
    }
    return last_ = slots_[slot];
  }

 private:
  static constexpr std::int16_t none = -1;
  std::vector<Pixel> colors_;
  std::array<std::int16_t, 1024> slots_;
  int last_ = -1;
};

std::uint8_t byte_of(float v) {
  return v > 0 ? static_cast<std::uint8_t>(std::min(v, 1.0f) * 255.0f + 0.5f) : std::uint8_t{0};
}

// `image`: Y, R G B or R G B A.
Pixel pixel_of(const Image& image, int x, int y) {
  const auto at = [&](std::size_t c) { return byte_of(image.channels[c](x, y)); };
  if (image.channels.size() == 1) return {at(0), at(0), at(0), 255};
  return {at(0), at(1), at(2), image.channels.size() == 4 ? at(3) : std::uint8_t{255}};
}

// Adds every color of the image to `table`. Returns false if there are too many.
bool collect(const Image& image, Table& table) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (table.place(pixel_of(image, x, y)) < 0) return false;
    }
  }
  return true;
}

// Returns the colors of the image in the order of its palette, then all others. Leaves out unused
// colors of the palette if there are more than 256, and is empty if there still are.
Table table_of(const Image& image) {
  Table table;
  for (const auto& [r, g, b] : image.hints.palette) table.place({r, g, b, 255});
  if (collect(image, table)) return table;
  table = Table();
  return collect(image, table) ? table : Table();
}

// Prepares rows of indices or gray values, and their header.
struct Plan {
  explicit Plan(const Image& of) : image(of) {}

  const Image& image;
  Table table;
  bool gray = false;
  int colors = 0;
  PngHeader header;
  std::vector<png_byte> row;

  void fill_row(int y) {
    for (int x = 0; x < image.width(); ++x) {
      const int value = gray ? byte_of(image.channels[0](x, y)) * (colors - 1) / 255
                             : table.place(pixel_of(image, x, y));
      row[static_cast<std::size_t>(x)] = static_cast<png_byte>(value);
    }
  }
};

int bits_for(int colors) {
  return colors <= 2 ? 1 : colors <= 4 ? 2 : colors <= 16 ? 4 : 8;
}

bool plan_gray(Plan& plan) {
  const auto& palette = plan.image.hints.palette;
  const std::size_t n = palette.size();
  if (n != 2 && n != 4 && n != 16) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const auto v = static_cast<std::uint8_t>(255 * i / (n - 1));
    if (palette[i] != std::array<std::uint8_t, 3>{v, v, v}) return false;
  }
  plan.gray = true;
  plan.colors = static_cast<int>(n);
  return true;
}

bool plan_colors(Plan& plan) {
  plan.table = table_of(plan.image);
  plan.colors = plan.table.size();
  if (plan.colors == 0) return false;
  std::vector<png_byte>& alpha = plan.header.alpha;
  for (int i = 0; i < plan.colors; ++i) {
    const Pixel& p = plan.table[i];
    plan.header.palette.push_back({p.r, p.g, p.b});
    alpha.push_back(p.a);
  }
  while (!alpha.empty() && alpha.back() == 255) alpha.pop_back();
  return true;
}

// Returns true for Y, R G B and, if allowed, R G B A.
bool is_gray_or_rgb(const Image& image, bool with_alpha) {
  const std::size_t channels = image.channels.size();
  if (channels == 1) return image.find("Y") == 0;
  return image.find("R") == 0 && image.find("G") == 1 && image.find("B") == 2 &&
         (channels == 3 || (with_alpha && channels == 4 && image.find("A") == 3));
}

// How codes of a row of pixels fill its bytes.
struct Packing {
  int bits;           // of a code: 1, 2, 4 or 8
  bool lowest_first;  // the first pixel has the lowest bits of its byte
  std::size_t unit;   // rows are padded to a multiple of so many bytes
};

// Appends the bytes of row y. `codes`: one for each color of the table.
void pack_row(const Image& image, int y, Table& table, std::span<const std::uint8_t> codes,
              const Packing& packing, std::string& bytes) {
  const std::size_t start = bytes.size();
  const int per_byte = 8 / packing.bits;
  std::uint8_t byte = 0;
  for (int x = 0; x < image.width(); ++x) {
    const int code = codes[static_cast<std::size_t>(table.place(pixel_of(image, x, y)))];
    const int place = x % per_byte;
    const int shift = (packing.lowest_first ? place : per_byte - 1 - place) * packing.bits;
    byte = static_cast<std::uint8_t>(byte | code << shift);
    if (place + 1 < per_byte && x + 1 < image.width()) continue;
    bytes += static_cast<char>(byte);
    byte = 0;
  }
  while ((bytes.size() - start) % packing.unit != 0) bytes += '\0';
}

// Returns 0, 1, 2 and so on.
std::vector<std::uint8_t> own_codes(int count) {
  std::vector<std::uint8_t> codes(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = static_cast<std::uint8_t>(i);
  return codes;
}

// Returns the rows of a picture of two colors, of which the darker one is 1.
std::string rows_of_two(const Image& image, std::string_view extension, bool lowest_first) {
  Table table = is_gray_or_rgb(image, false) ? table_of(image) : Table();
  if (table.size() == 0 || table.size() > 2) {
    throw Error(ErrorKind::usage,
                "." + std::string(extension) + " holds two opaque colors, and this picture has " +
                    (table.size() == 0 ? "other channels or more" : std::to_string(table.size())) +
                    ": dither it to two, or write .png");
  }
  const auto light = [&](int i) {
    return 2126 * table[i].r + 7152 * table[i].g + 722 * table[i].b;
  };
  std::vector<std::uint8_t> codes{0, 0};
  if (table.size() == 2) {
    codes[light(0) < light(1) ? 0 : 1] = 1;
  } else if (light(0) < 5000 * 255) {
    codes[0] = 1;
  }
  std::string bytes;
  for (int y = 0; y < image.height(); ++y) {
    pack_row(image, y, table, codes, {1, lowest_first, 1}, bytes);
  }
  return bytes;
}

}  // namespace

Image pack_indices(const Image& image, int bits) {
  Table table = is_gray_or_rgb(image, false) ? table_of(image) : Table();
  const int colors = table.size();
  if (colors == 0 || colors > 1 << bits) {
    throw Error(ErrorKind::usage,
                "`pack " + std::to_string(bits) + "` holds " + std::to_string(1 << bits) +
                    " opaque colors, and this picture has " +
                    (colors == 0 ? "others, or more than 256" : std::to_string(colors)) +
                    ": give fewer `levels` with `grey`, a smaller palette, or more bits");
  }
  const std::vector<std::uint8_t> codes = own_codes(colors);
  const int per_byte = 8 / bits;
  Image packed;
  packed.names = {"Y"};
  packed.encoding = Encoding::data;
  packed.type = PixelType::u8;
  packed.slices = image.slices;
  packed.metadata = image.metadata;
  packed.channels.push_back(
      Plane<float>::unset((image.width() + per_byte - 1) / per_byte, image.height()));
  std::string row;
  for (int y = 0; y < image.height(); ++y) {
    row.clear();
    pack_row(image, y, table, codes, {bits, false, 1}, row);
    for (std::size_t x = 0; x < row.size(); ++x) {
      packed.channels[0].row(y)[x] = static_cast<float>(static_cast<std::uint8_t>(row[x])) / 255.0f;
    }
  }
  std::string about = std::to_string(image.width()) + "x" + std::to_string(image.slice_height()) +
                      " pixels of " + std::to_string(bits) + (bits == 1 ? " bit" : " bits") +
                      "; the first pixel of a byte has the highest; rows start with a byte; colors";
  for (int i = 0; i < colors; ++i) {
    char text[32];
    std::snprintf(text, sizeof text, " %d=#%02x%02x%02x", i, table[i].r, table[i].g, table[i].b);
    about += text;
  }
  packed.metadata.emplace_back(packed_key, about);
  return packed;
}

std::string encode_pbm(const Image& image, const ImageExtras&) {
  return "P4\n" + std::to_string(image.width()) + " " + std::to_string(image.height()) + "\n" +
         rows_of_two(image, "pbm", false);
}

std::string encode_xbm(const Image& image, const ImageExtras& extras) {
  const std::string id = identifier(extras.name);
  std::string text = "#define " + id + "_width " + std::to_string(image.width()) + "\n#define " +
                     id + "_height " + std::to_string(image.height()) + "\nstatic unsigned char " +
                     id + "_bits[] = {";
  std::size_t i = 0;
  for (const char c : rows_of_two(image, "xbm", true)) {
    char byte[8];
    std::snprintf(byte, sizeof byte, " 0x%02x,", static_cast<unsigned char>(c));
    text += (i++ % 12 == 0 ? "\n " : "") + std::string(byte);
  }
  return text + "\n};\n";
}

Image as_indices(const Image& image) {
  Table table = is_gray_or_rgb(image, false) ? table_of(image) : Table();
  if (table.size() == 0) {
    throw Error(
        ErrorKind::usage,
        ".gif holds 256 colors, and this picture has more: dither it to fewer, or write .png");
  }
  Image made;
  made.names = {"Y"};
  made.encoding = image.encoding;
  made.slices = image.slices;
  made.metadata = image.metadata;
  made.channels.push_back(Plane<float>::unset(image.width(), image.height()));
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      made.channels[0](x, y) = static_cast<float>(table.place(pixel_of(image, x, y)));
    }
  }
  for (int i = 0; i < table.size(); ++i) {
    made.hints.palette.push_back({table[i].r, table[i].g, table[i].b});
  }
  return made;
}

std::optional<std::string> encode_indexed_bmp(const Image& image) {
  if (image.hints.palette.empty() || !is_gray_or_rgb(image, false)) return std::nullopt;
  Table table = table_of(image);
  const int colors = table.size();
  if (colors == 0) return std::nullopt;
  const int bits = colors <= 2 ? 1 : colors <= 16 ? 4 : 8;
  std::string rows;
  for (int y = image.height() - 1; y >= 0; --y) {
    pack_row(image, y, table, own_codes(colors), {bits, false, 4}, rows);
  }
  constexpr std::size_t file_header = 14;
  constexpr std::size_t picture_header = 40;
  const std::size_t start = file_header + picture_header + 4 * static_cast<std::size_t>(colors);
  const auto a_meter =
      static_cast<std::uint64_t>(std::lround(image.dots_per_inch * 1000 / mm_per_inch));
  std::string bytes = "BM";
  for (const std::uint64_t number : {start + rows.size(), std::size_t{0}, start, picture_header}) {
    put(bytes, number, 4);
  }
  put(bytes, static_cast<std::uint64_t>(image.width()), 4);
  put(bytes, static_cast<std::uint64_t>(image.height()), 4);
  put(bytes, 1, 2);  // planes
  put(bytes, static_cast<std::uint64_t>(bits), 2);
  put(bytes, 0, 4);  // not compressed
  put(bytes, rows.size(), 4);
  put(bytes, a_meter, 4);
  put(bytes, a_meter, 4);
  put(bytes, static_cast<std::uint64_t>(colors), 4);
  put(bytes, 0, 4);  // all colors matter
  for (int i = 0; i < colors; ++i) {
    for (const std::uint8_t byte : {table[i].b, table[i].g, table[i].r, std::uint8_t{0}}) {
      put(bytes, byte, 1);
    }
  }
  return bytes + rows;
}

bool encode_indexed_png(const Image& image, const PngSink& sink, const ImageProgress& progress,
                        ModuleError& error) {
  if (image.hints.palette.empty() || image.hints.palette.size() > 256 ||
      image.type != PixelType::u8 || !is_gray_or_rgb(image, true)) {
    return false;
  }
  Plan plan(image);
  if (image.channels.size() == 1 ? !plan_gray(plan) : !plan_colors(plan)) return false;
  plan.row.resize(static_cast<std::size_t>(image.width()));
  plan.header.width = image.width();
  plan.header.height = image.height();
  plan.header.bits = bits_for(plan.colors);
  plan.header.color_type = plan.gray ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_PALETTE;
  plan.header.srgb = image.encoding == Encoding::srgb;
  plan.header.texts = image.metadata;
  plan.header.dots_per_inch = image.dots_per_inch;
  const auto row = [&](int y) -> const png_byte* {
    if (y % 64 == 0 && !progress(1.0 * y / image.height())) return nullptr;
    plan.fill_row(y);
    return plan.row.data();
  };
  error = write_png(plan.header, row, sink);
  return true;
}

}  // namespace dapple
