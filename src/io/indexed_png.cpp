// OpenImageIO writes no indexed PNG, so libpng is used as it is. It reports errors by longjmp: what
// has a destructor lives outside of the function that it may leave.
#include "io/indexed_png.hpp"

#include <algorithm>
#include <array>
#include <csetjmp>
#include <png.h>
#include <vector>

namespace dapple {
namespace {

struct Pixel {
  std::uint8_t r, g, b, a;
  friend bool operator==(const Pixel&, const Pixel&) = default;
};

// Colours and their places, found by hashing.
class Table {
 public:
  Table() { slots_.fill(none); }
  int size() const { return static_cast<int>(colours_.size()); }
  const Pixel& operator[](int i) const { return colours_[static_cast<std::size_t>(i)]; }
  // The place of a colour, which is added if it is new; -1: there are 256 others.
  int place(const Pixel& p) {
    if (last_ >= 0 && (*this)[last_] == p) return last_;
    const std::uint32_t key = p.r + 256u * p.g + 65536u * p.b + 16777216u * p.a;
    std::size_t slot = (key * 2654435761u) >> 22;
    while (slots_[slot] != none && !((*this)[slots_[slot]] == p)) slot = (slot + 1) % slots_.size();
    if (slots_[slot] == none) {
      if (size() == 256) return -1;
      slots_[slot] = static_cast<std::int16_t>(size());
      colours_.push_back(p);
    }
    return last_ = slots_[slot];
  }

 private:
  static constexpr std::int16_t none = -1;
  std::vector<Pixel> colours_;
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

// Every colour of the image after those of `table`; false: too many.
bool collect(const Image& image, Table& table) {
  for (int y = 0; y < image.height(); ++y) {
    for (int x = 0; x < image.width(); ++x) {
      if (table.place(pixel_of(image, x, y)) < 0) return false;
    }
  }
  return true;
}

// Rows of indices or grey values, and what stands before them.
struct Plan {
  Plan(const Image& of, const ImageProgress& told, std::string& to)
      : image(of), progress(told), bytes(to) {}

  const Image& image;
  const ImageProgress& progress;
  std::string& bytes;
  Table table;
  bool grey = false;
  int colours = 0;
  int bits = 8;
  std::array<png_color, 256> palette{};
  std::array<png_byte, 256> alpha{};
  int with_alpha = 0;  // entries up to the last that is not opaque
  std::vector<png_text> texts;
  std::vector<png_byte> row;
  std::string problem;
  bool stopped = false;

  void fill_row(int y) {
    for (int x = 0; x < image.width(); ++x) {
      const int value = grey ? byte_of(image.channels[0](x, y)) * (colours - 1) / 255
                             : table.place(pixel_of(image, x, y));
      row[static_cast<std::size_t>(x)] = static_cast<png_byte>(value);
    }
  }
};

int bits_for(int colours) {
  return colours <= 2 ? 1 : colours <= 4 ? 2 : colours <= 16 ? 4 : 8;
}

bool plan_grey(Plan& plan) {
  const auto& palette = plan.image.palette;
  const std::size_t n = palette.size();
  if (n != 2 && n != 4 && n != 16) return false;
  for (std::size_t i = 0; i < n; ++i) {
    const auto v = static_cast<std::uint8_t>(255 * i / (n - 1));
    if (palette[i] != std::array<std::uint8_t, 3>{v, v, v}) return false;
  }
  plan.grey = true;
  plan.colours = static_cast<int>(n);
  return true;
}

bool plan_colours(Plan& plan) {
  for (const auto& [r, g, b] : plan.image.palette) plan.table.place({r, g, b, 255});
  if (!collect(plan.image, plan.table)) {
    plan.table = Table();  // without those that do not occur
    if (!collect(plan.image, plan.table)) return false;
  }
  plan.colours = plan.table.size();
  for (int i = 0; i < plan.colours; ++i) {
    const Pixel& p = plan.table[i];
    plan.palette[static_cast<std::size_t>(i)] = {p.r, p.g, p.b};
    plan.alpha[static_cast<std::size_t>(i)] = p.a;
    if (p.a < 255) plan.with_alpha = i + 1;
  }
  return true;
}

void plan_texts(Plan& plan) {
  for (const auto& [key, text] : plan.image.metadata) {
    png_text entry{};
    entry.compression = PNG_TEXT_COMPRESSION_NONE;  // UTF-8 in them is what OpenImageIO reads
    entry.key = const_cast<char*>(key.c_str());     // libpng only reads it
    entry.text = const_cast<char*>(text.c_str());
    entry.text_length = text.size();
    plan.texts.push_back(entry);
  }
}

void write_header(png_structp png, png_infop info, Plan& plan) {
  png_set_IHDR(png, info, static_cast<png_uint_32>(plan.image.width()),
               static_cast<png_uint_32>(plan.image.height()), plan.bits,
               plan.grey ? PNG_COLOR_TYPE_GRAY : PNG_COLOR_TYPE_PALETTE, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  if (!plan.grey) png_set_PLTE(png, info, plan.palette.data(), plan.colours);
  if (plan.with_alpha > 0) png_set_tRNS(png, info, plan.alpha.data(), plan.with_alpha, nullptr);
  // As OpenImageIO tags other files.
  if (plan.image.encoding == Encoding::srgb) {
    png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_ABSOLUTE);
  } else {
    png_set_gAMA(png, info, 1.0);
  }
  if (!plan.texts.empty()) {
    png_set_text(png, info, plan.texts.data(), static_cast<int>(plan.texts.size()));
  }
  png_write_info(png, info);
  png_set_packing(png);
}

void on_error(png_structp png, png_const_charp message) {
  static_cast<Plan*>(png_get_error_ptr(png))->problem = message;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

void on_write(png_structp png, png_bytep from, std::size_t count) {
  static_cast<Plan*>(png_get_io_ptr(png))->bytes.append(reinterpret_cast<const char*>(from), count);
}

void on_flush(png_structp) {}

void write(png_structp png, png_infop info, Plan& plan) {
  if (setjmp(png_jmpbuf(png)) != 0) return;
  png_set_write_fn(png, &plan, on_write, on_flush);
  write_header(png, info, plan);
  const int height = plan.image.height();
  for (int y = 0; y < height && !plan.stopped; ++y) {
    if (y % 64 == 0) plan.stopped = !plan.progress(1.0 * y / height);
    plan.fill_row(y);
    png_write_row(png, plan.row.data());
  }
  if (!plan.stopped) png_write_end(png, info);
}

}  // namespace

bool encode_indexed_png(const Image& image, std::string& bytes, const ImageProgress& progress,
                        ModuleError& error) {
  const std::size_t channels = image.channels.size();
  const bool rgb = (channels == 3 || channels == 4) && image.find("R") == 0 &&
                   image.find("G") == 1 && image.find("B") == 2 &&
                   (channels == 3 || image.find("A") == 3);
  const bool grey = channels == 1 && image.find("Y") == 0;
  if (image.palette.empty() || image.palette.size() > 256 || image.type != PixelType::u8 ||
      (!rgb && !grey)) {
    return false;
  }
  Plan plan(image, progress, bytes);
  if (grey ? !plan_grey(plan) : !plan_colours(plan)) return false;
  plan.bits = bits_for(plan.colours);
  plan.row.resize(static_cast<std::size_t>(image.width()));
  plan_texts(plan);

  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &plan, on_error, on_warning);
  png_infop info = png == nullptr ? nullptr : png_create_info_struct(png);
  if (info == nullptr) {
    plan.problem = "no memory for it";
  } else {
    write(png, info, plan);
  }
  png_destroy_write_struct(&png, &info);
  if (plan.stopped) {
    error = {ErrorKind::cancelled, "cancelled"};
  } else if (!plan.problem.empty()) {
    error = {ErrorKind::output, "cannot be encoded as png: " + plan.problem};
  }
  return true;
}

}  // namespace dapple
