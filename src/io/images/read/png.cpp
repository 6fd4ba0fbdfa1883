// Reads PNG files by libpng, which reports errors by longjmp. Objects with destructors live outside
// the functions that longjmp may leave.
#include <algorithm>
#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstdlib>

#include "io/images/png_file.hpp"
#include "io/images/scanlines.hpp"

namespace dapple {
namespace {

static_assert(std::endian::native == std::endian::little);

// Returns the name that other formats give to a text with a PNG key.
std::string name_of(const std::string& key) {
  return key == "Description" ? "ImageDescription"
         : key == "Author"    ? "Artist"
         : key == "Title"     ? "DocumentName"
                              : key;
}

class PngReader : public ImageReader {
 public:
  explicit PngReader(FileStream file) : file_(std::move(file)) {}
  explicit PngReader(std::string bytes) : file_(nullptr, std::fclose), bytes_(std::move(bytes)) {}
  ~PngReader() override { png_destroy_read_struct(&png_, &info_, nullptr); }

  ModuleError read_header(ImageHeader& header) {
    png_ = png_create_read_struct_2(PNG_LIBPNG_VER_STRING, this, on_error, on_warning, this,
                                    allocate, release);
    // out of reach: libpng gets no memory
    if (png_ != nullptr) info_ = png_create_info_struct(png_);
    // out of reach: libpng gets no memory
    if (info_ == nullptr) return no_memory();
    if (!start()) return start_problem();
    header.width = width_;
    header.height = height_;
    header.channels = channels_;
    header.stored_bytes = 1.0 * static_cast<double>(row_bytes_) * height_;
    // libpng keeps two rows and their packed data.
    header.working_bytes =
        passes_ > 1 ? header.stored_bytes : 1.0 * static_cast<double>(row_bytes_) * (3 + band());
    header.format = "png";
    header.metadata = texts_;
    header.profile = profile_;
    png_uint_32 x = 0;
    png_uint_32 y = 0;
    int unit = 0;
    if (png_get_pHYs(png_, info_, &x, &y, &unit) != 0 && unit == PNG_RESOLUTION_METER) {
      header.dots_per_inch = x * 0.0254;
    }
    return {};
  }

  // Returns true if Exif or XMP data may turn the picture.
  bool may_be_turned() const {
    return png_get_valid(png_, info_, PNG_INFO_eXIf) != 0 ||
           std::any_of(texts_.begin(), texts_.end(), [](const auto& text) {
             return text.first == "XML:com.adobe.xmp" || text.first.starts_with("Raw profile");
           });
  }

  ModuleError read(Image& image, const ImageProgress& progress) noexcept override try {
    // An interlaced file has seven passes; each pass brings some pixels of the rows.
    const bool interlaced = passes_ > 1;
    const auto done = [&](int pass, int row) { return (pass + 1.0 * row / height_) / passes_; };
    rows_.resize(static_cast<std::size_t>(interlaced ? height_ : band()) * row_bytes_);
    for (int pass = 0; pass < passes_ - 1; ++pass) {
      for (int first = 0; first < height_; first += band()) {
        if (!progress(done(pass, first))) return stopped();
        if (!read_rows(first, std::min(band(), height_ - first))) return damaged_from(0, problem_);
      }
    }
    for (int first = 0; first < height_; first += band()) {
      const int count = std::min(band(), height_ - first);
      const int kept = interlaced ? first : 0;
      if (!progress(done(passes_ - 1, first))) return stopped();
      if (!read_rows(kept, count)) return damaged_from(first, problem_);
      if (first == 0) {
        for (int c = 0; c < channels_; ++c) {
          image.channels.push_back(Plane<float>::unset(width_, height_));
        }
      }
      for (int row = 0; row < count; ++row) unpack(kept + row, image, first + row);
    }
    image.names =
        channels_ > 2 ? std::vector<std::string>{"R", "G", "B"} : std::vector<std::string>{"Y"};
    if (channels_ % 2 == 0) image.names.emplace_back("A");
    image.metadata = texts_;
    image.encoding = linear_ ? Encoding::linear : Encoding::srgb;
    image.type = bits_ == 16 ? PixelType::u16 : PixelType::u8;
    return {};
  } catch (...) {
    return caught_error();
  }

 private:
  // Texts are unpacked with the header. These limit one chunk, and all allocations of libpng.
  static constexpr png_alloc_size_t most_in_chunk = 4 << 20;
  static constexpr png_alloc_size_t most_in_header = 16 << 20;

  // Returns the number of rows per read.
  int band() const { return std::min(height_, rows_of_look(row_bytes_)); }

  static void on_error(png_structp png, png_const_charp message) {
    static_cast<PngReader*>(png_get_error_ptr(png))->problem_ = message;
    png_longjmp(png, 1);
  }
  // libpng only warns of a text that is too long, and of a profile that is damaged, and continues
  // with the next chunk.
  static void on_warning(png_structp png, png_const_charp message) {
    const std::string_view text(message);
    if (text.starts_with("iCCP")) {
      static_cast<PngReader*>(png_get_error_ptr(png))->has_wrong_icc_ = true;
    }
    int& cut = static_cast<PngReader*>(png_get_error_ptr(png))->cut_texts_;
    if (text.ends_with(": truncated")) ++cut;
    if (cut > 3 || text.ends_with("insufficient memory")) on_error(png, message);
  }
  static void take_bytes(png_structp png, png_bytep to, std::size_t count) {
    auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (count > self.bytes_.size() - self.taken_) png_error(png, "it ends early");
    std::copy_n(self.bytes_.data() + self.taken_, count, to);
    self.taken_ += count;
  }
  ModuleError start_problem() const {
    if (cut_texts_ > 3 || refused_) {
      return {ErrorKind::limit, "has more than " + std::to_string(most_in_header >> 20) +
                                    " MB of texts and profiles, the limit for a PNG; save it "
                                    "without them"};
    }
    return {ErrorKind::input, "cannot be read as an image: " + problem_};
  }
  static png_voidp allocate(png_structp png, png_alloc_size_t size) {
    auto& self = *static_cast<PngReader*>(png_get_mem_ptr(png));
    self.allocated_ += size;
    const bool refused = self.in_header_ && self.allocated_ > most_in_header;
    self.refused_ = self.refused_ || refused;
    return refused ? nullptr : std::malloc(size);
  }
  static void release(png_structp, png_voidp memory) { std::free(memory); }

  // Reads the header, and asks for values of whole bytes without a palette.
  bool start() {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    if (file_ != nullptr) {
      png_init_io(png_, file_.get());
    } else {
      png_set_read_fn(png_, this, take_bytes);
    }
    // Sizes are checked before the file is opened (header_probe.hpp).
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_chunk_malloc_max(png_, most_in_chunk);
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_ALWAYS,
                                reinterpret_cast<const png_byte*>("cICP"), 1);
    png_read_info(png_, info_);
    in_header_ = false;
    png_set_expand(png_);
    png_set_swap(png_);
    passes_ = png_set_interlace_handling(png_);
    take_profile();
    png_read_update_info(png_, info_);
    width_ = static_cast<int>(png_get_image_width(png_, info_));
    height_ = static_cast<int>(png_get_image_height(png_, info_));
    channels_ = png_get_channels(png_, info_);
    bits_ = png_get_bit_depth(png_, info_);
    row_bytes_ = png_get_rowbytes(png_, info_);
    png_textp texts = nullptr;
    const int count = png_get_text(png_, info_, &texts, nullptr);
    for (int i = 0; i < count; ++i) add_text(texts[i]);
    return true;
  }

  // Takes the first description of colors in the order of the PNG specification (W3C 2023, 4.3):
  // cICP, iCCP, sRGB, then gAMA and cHRM.
  void take_profile() {
    double gamma = 0;
    const bool has_gamma = png_get_gAMA(png_, info_, &gamma) != 0 && gamma > 0;
    png_charp name = nullptr;
    png_bytep icc = nullptr;
    png_uint_32 size = 0;
    int packing = 0;
    png_unknown_chunkp unknown = nullptr;
    const int count = png_get_unknown_chunks(png_, info_, &unknown);
    const auto* cicp = std::find_if(unknown, unknown + count, [](const png_unknown_chunk& chunk) {
      return chunk.size == 4 &&
             std::string_view(reinterpret_cast<const char*>(chunk.name)) == "cICP";
    });
    if (cicp != unknown + count) {
      profile_ = profile_of_code_points(cicp->data[0], cicp->data[1], cicp->data[2]);
    } else if (png_get_iCCP(png_, info_, &name, &packing, &icc, &size) != 0) {
      profile_.icc.assign(reinterpret_cast<const char*>(icc), size);
    } else if (has_wrong_icc_) {
      profile_.unusable = "a damaged color profile";
    } else if (png_get_valid(png_, info_, PNG_INFO_sRGB) == 0) {
      auto& xy = profile_.chromaticities;
      png_get_cHRM(png_, info_, &xy[6], &xy[7], &xy[0], &xy[1], &xy[2], &xy[3], &xy[4], &xy[5]);
      // 1 / 2.2 approximates the curve of sRGB.
      if (has_gamma && std::abs(gamma * 2.2 - 1) > 0.05) profile_.gamma = 1 / gamma;
      linear_ = has_gamma && std::abs(gamma - 1) < 0.005;
      if (linear_) profile_.gamma = 0;
    }
  }

  void add_text(const png_text& text) {
    const std::size_t length = text.text_length > 0 ? text.text_length : text.itxt_length;
    texts_.emplace_back(name_of(text.key), std::string(text.text, length));
  }

  // Reads the next rows of the file into rows_ from `first` on. Later passes of an interlaced file
  // add to the result of earlier passes.
  bool read_rows(int first, int count) {
    if (setjmp(png_jmpbuf(png_)) != 0) return false;
    for (int row = first; row < first + count; ++row) {
      png_read_row(png_, rows_.data() + static_cast<std::size_t>(row) * row_bytes_, nullptr);
    }
    return true;
  }

  void unpack(int row, Image& image, int y) const {
    const png_byte* from = rows_.data() + static_cast<std::size_t>(row) * row_bytes_;
    for (int c = 0; c < channels_; ++c) {
      float* to = image.channels[static_cast<std::size_t>(c)].row(y);
      if (bits_ == 16) {
        unpack_row(reinterpret_cast<const std::uint16_t*>(from) + c, width_, channels_, to);
      } else {
        unpack_row(from + c, width_, channels_, to);
      }
    }
  }

  FileStream file_;
  std::string bytes_;  // of a file in memory
  std::size_t taken_ = 0;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
  std::string problem_;
  int width_ = 0;
  int height_ = 0;
  int channels_ = 0;
  int bits_ = 8;
  int passes_ = 1;
  bool linear_ = false;
  ColorProfile profile_;
  bool has_wrong_icc_ = false;
  bool in_header_ = true;
  int cut_texts_ = 0;
  bool refused_ = false;  // memory for the header was refused
  png_alloc_size_t allocated_ = 0;
  std::size_t row_bytes_ = 0;
  Metadata texts_;
  std::vector<png_byte, ValueAllocator<png_byte>> rows_;
};

}  // namespace

ModuleError open_png(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header) {
  FileStream stream = file.stream();
  // out of reach: descriptors run out between two calls
  if (stream == nullptr) return {};
  auto png = std::make_unique<PngReader>(std::move(stream));
  const ModuleError error = png->read_header(header);
  if (error.text.empty() && !png->may_be_turned()) {
    reader = with_frames(file, std::move(png), header);
  }
  return error;
}

ModuleError open_png_bytes(std::string bytes, std::unique_ptr<ImageReader>& reader,
                           ImageHeader& header) {
  auto png = std::make_unique<PngReader>(std::move(bytes));
  const ModuleError error = png->read_header(header);
  if (error.text.empty()) reader = std::move(png);
  return error;
}

}  // namespace dapple
