// Builds the color table of an image, and rows of indices.
#include <algorithm>
#include <array>

#include "io/images/png_file.hpp"

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

Pixel pixel_of(const Image& image, int x, int y) {
  const auto at = [&](std::size_t c) { return byte_of(image.channels[c](x, y)); };
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
  for (const auto& [r, g, b] : plan.image.hints.palette) plan.table.place({r, g, b, 255});
  if (!collect(plan.image, plan.table)) {
    plan.table = Table();  // leaves out unused palette colors
    if (!collect(plan.image, plan.table)) return false;
  }
  plan.colors = plan.table.size();
  std::vector<png_byte>& alpha = plan.header.alpha;
  for (int i = 0; i < plan.colors; ++i) {
    const Pixel& p = plan.table[i];
    plan.header.palette.push_back({p.r, p.g, p.b});
    alpha.push_back(p.a);
  }
  while (!alpha.empty() && alpha.back() == 255) alpha.pop_back();
  return true;
}

}  // namespace

bool encode_indexed_png(const Image& image, const PngSink& sink, const ImageProgress& progress,
                        ModuleError& error) {
  const std::size_t channels = image.channels.size();
  const bool rgb = (channels == 3 || channels == 4) && image.find("R") == 0 &&
                   image.find("G") == 1 && image.find("B") == 2 &&
                   (channels == 3 || image.find("A") == 3);
  const bool gray = channels == 1 && image.find("Y") == 0;
  if (image.hints.palette.empty() || image.hints.palette.size() > 256 ||
      image.type != PixelType::u8 || (!rgb && !gray)) {
    return false;
  }
  Plan plan(image);
  if (gray ? !plan_gray(plan) : !plan_colors(plan)) return false;
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
