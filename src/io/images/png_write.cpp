// Writes PNG files by libpng, which reports errors by longjmp. Objects with destructors live
// outside the function that longjmp may leave.
#include <algorithm>
#include <bit>
#include <cerrno>
#include <cmath>
#include <csetjmp>
#include <optional>

#include "core/text/number_text.hpp"
#include "io/images/png_file.hpp"
#include "io/images/scanlines.hpp"
#include "io/write_all.hpp"

namespace dapple {
namespace {

static_assert(std::endian::native == std::endian::little);

// Returns the PNG key for a text that other formats name differently.
const char* key_of(const std::string& name) {
  return name == "ImageDescription" ? "Description"
         : name == "Artist"         ? "Author"
         : name == "DocumentName"   ? "Title"
                                    : name.c_str();
}

struct Writing {
  Writing(const PngHeader& of, const PngRow& from, const PngSink& to)
      : header(of), row(from), sink(to) {
    for (const auto& [name, text] : of.texts) {
      png_text entry{};
      entry.compression = PNG_TEXT_COMPRESSION_NONE;  // other readers expect UTF-8 in these
      entry.key = const_cast<char*>(key_of(name));    // libpng only reads it
      entry.text = const_cast<char*>(text.c_str());
      entry.text_length = text.size();
      texts.push_back(entry);
    }
    if (PngPacking::takes(of)) packing.emplace(of);
  }

  const PngHeader& header;
  const PngRow& row;
  const PngSink& sink;
  std::optional<PngPacking> packing;
  std::vector<png_text> texts;
  std::string problem;
  int code = 0;
  bool stopped = false;
};

void on_error(png_structp png, png_const_charp message) {
  static_cast<Writing*>(png_get_error_ptr(png))->problem = message;
  png_longjmp(png, 1);
}

void on_warning(png_structp, png_const_charp) {}

// No exception may pass through libpng.
void on_write(png_structp png, png_bytep from, std::size_t count) {
  auto& writing = *static_cast<Writing*>(png_get_io_ptr(png));
  try {
    writing.code = writing.sink({reinterpret_cast<const char*>(from), count});
  } catch (const std::bad_alloc&) {
    writing.code = ENOMEM;
  }
  if (writing.code != 0) png_error(png, "cannot be written");
}

void on_flush(png_structp) {}

void write_header(png_structp png, png_infop info, Writing& writing) {
  const PngHeader& header = writing.header;
  png_set_IHDR(png, info, static_cast<png_uint_32>(header.width),
               static_cast<png_uint_32>(header.height), header.bits, header.color_type,
               PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_set_compression_level(png, header.level);
  if (header.filters != 0) png_set_filter(png, PNG_FILTER_TYPE_BASE, header.filters);
  if (!header.palette.empty()) {
    png_set_PLTE(png, info, header.palette.data(), static_cast<int>(header.palette.size()));
  }
  if (!header.alpha.empty()) {
    png_set_tRNS(png, info, header.alpha.data(), static_cast<int>(header.alpha.size()), nullptr);
  }
  const ColorStatement& color = header.color;
  const bool is_chosen = !color.icc.empty() && color.name != "srgb_texture";
  if (is_chosen) {
    png_set_iCCP(png, info, color.name.c_str(), PNG_COMPRESSION_TYPE_BASE,
                 reinterpret_cast<png_const_bytep>(color.icc.data()),
                 static_cast<png_uint_32>(color.icc.size()));
  } else if (header.srgb && !color.is_unstated) {
    png_set_sRGB_gAMA_and_cHRM(png, info, PNG_sRGB_INTENT_ABSOLUTE);
  }
  if (!header.srgb && !color.is_unstated) png_set_gAMA(png, info, 1.0);
  if (header.dots_per_inch > 0) {
    const auto per_meter = static_cast<png_uint_32>(std::lround(header.dots_per_inch / 0.0254));
    png_set_pHYs(png, info, per_meter, per_meter, PNG_RESOLUTION_METER);
  }
  if (!writing.texts.empty()) {
    png_set_text(png, info, writing.texts.data(), static_cast<int>(writing.texts.size()));
  }
  png_write_info_before_PLTE(png, info);
  if (is_chosen && color.primaries != 0) {
    // Primaries, curve, RGB without a matrix, full range (PNG, third edition).
    const std::array<png_byte, 4> points{static_cast<png_byte>(color.primaries),
                                         static_cast<png_byte>(color.transfer), 0, 1};
    png_write_chunk(png, reinterpret_cast<png_const_bytep>("cICP"), points.data(), points.size());
  }
  png_write_info(png, info);
  if (header.bits < 8) png_set_packing(png);
  if (header.bits == 16) png_set_swap(png);
}

void write(png_structp png, png_infop info, Writing& writing) {
  if (setjmp(png_jmpbuf(png)) != 0) return;
  png_set_write_fn(png, &writing, on_write, on_flush);
  // Lifts the limits on file size and text length.
  png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
  write_header(png, info, writing);
  for (int y = 0; y < writing.header.height; ++y) {
    const png_byte* row = writing.row(y);
    writing.stopped = row == nullptr;
    if (writing.stopped) return;
    if (writing.packing) {
      writing.packing->add(row);
    } else {
      png_write_row(png, row);
    }
  }
  if (!writing.packing) return png_write_end(png, info);
  const std::vector<png_byte>& data = writing.packing->packed();
  png_write_chunk(png, reinterpret_cast<png_const_bytep>("IDAT"), data.data(), data.size());
  png_write_chunk(png, reinterpret_cast<png_const_bytep>("IEND"), nullptr, 0);
}

int number_of(const Metadata& attributes, std::string_view name, int otherwise) {
  for (const auto& [key, text] : attributes) {
    if (key == name) read_number(text.data(), text.data() + text.size(), otherwise);
  }
  return otherwise;
}

PngHeader header_of(const Image& image, int height, const ImageEncoding& how) {
  constexpr std::array<int, 4> types{PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA,
                                     PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGB_ALPHA};
  PngHeader header;
  header.width = image.width();
  header.height = height;
  header.bits = image.type == PixelType::u16 ? 16 : 8;
  header.color_type = types[image.channels.size() - 1];
  header.srgb = image.encoding == Encoding::srgb;
  header.color = how.color;
  header.texts = image.metadata;
  header.dots_per_inch = image.dots_per_inch;
  header.level = number_of(how.attributes, "png:compressionLevel", header.level);
  header.filters = number_of(how.attributes, "png:filter", header.filters);
  return header;
}

// Packs several rows of an image at a time.
class Packed {
 public:
  Packed(const ImageEncoding& how, const ImageProgress& progress, int height)
      : how_(how), progress_(progress), height_(height) {}
  // Returns row y of the file, which is row y - from of the image.
  const png_byte* row(const Image& image, int from, int y) {
    if (y < first_ || y >= last_) {
      if (!progress_(1.0 * y / height_)) return nullptr;
      row_bytes_ = static_cast<std::size_t>(image.width()) * image.channels.size() *
                   bytes_of(stored_channels(image).front());
      first_ = y;
      last_ = std::min(y + rows_within(row_bytes_), from + image.height());
      bytes_.resize(static_cast<std::size_t>(last_ - first_) * row_bytes_);
      pack_rows(image, how_, first_ - from, last_ - from, bytes_);
    }
    return bytes_.data() + static_cast<std::size_t>(y - first_) * row_bytes_;
  }

 private:
  const ImageEncoding& how_;
  const ImageProgress& progress_;
  int height_;
  int first_ = 0;
  int last_ = 0;
  std::size_t row_bytes_ = 0;
  std::vector<unsigned char> bytes_;
};

}  // namespace

ModuleError write_png(const PngHeader& header, const PngRow& row, const PngSink& sink) {
  Writing writing(header, row, sink);
  struct Handle {
    png_structp png = nullptr;
    png_infop info = nullptr;
    ~Handle() { png_destroy_write_struct(&png, &info); }
  } handle;
  handle.png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &writing, on_error, on_warning);
  // out of reach: libpng gets no memory
  if (handle.png != nullptr) handle.info = png_create_info_struct(handle.png);
  // out of reach: libpng gets no memory
  if (handle.info == nullptr) return no_memory();
  write(handle.png, handle.info, writing);
  if (writing.stopped) return stopped();
  // libpng and zlib also report failed allocations.
  const bool no_room = writing.code == ENOMEM || writing.problem == "insufficient memory" ||
                       writing.problem == "Out of memory";
  if (no_room) return no_memory();
  if (writing.code != 0) return {ErrorKind::output, "cannot be written", writing.code};
  if (!writing.problem.empty()) {
    return {ErrorKind::output, "cannot be encoded as png: " + writing.problem};
  }
  return {};
}

ModuleError encode_png(const Image& image, const ImageEncoding& how, std::string& bytes,
                       const ImageProgress& progress) {
  const PngSink sink = [&](std::string_view more) {
    bytes += more;
    return 0;
  };
  ModuleError error;
  if (encode_indexed_png(image, sink, progress, error)) return error;
  Packed packed(how, progress, image.height());
  return write_png(
      header_of(image, image.height(), how), [&](int y) { return packed.row(image, 0, y); }, sink);
}

ModuleError encode_png_rows(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                            const ImageProgress& progress) {
  Packed packed(how, progress, rows.height);
  int from = 0;
  Image strip = rows.rows(0, std::min(rows.step, rows.height));
  if (strip.channels.empty()) return stopped();
  const auto row = [&](int y) -> const png_byte* {
    if (y == from + strip.height()) {
      from = y;
      strip = rows.rows(y, std::min(y + rows.step, rows.height));
      if (strip.channels.empty()) return nullptr;
    }
    return packed.row(strip, from, y);
  };
  return write_png(header_of(strip, rows.height, how), row,
                   [&](std::string_view bytes) { return write_all(descriptor, bytes); });
}

}  // namespace dapple
