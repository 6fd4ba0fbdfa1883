// Defines the table of the image module, and writes images. Only this file and read/decode.cpp
// include OpenImageIO.
//
// Writers go through an IOProxy, which records errors that they ignore: the writers of PNG, JPEG
// and TIFF report success on a full disk.
#include <OpenImageIO/color.h>
#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imagebufalgo.h>
#include <OpenImageIO/imageio.h>
#include <OpenImageIO/thread.h>
#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <memory>

#include "dapple/version.hpp"
#include "io/images/module.hpp"
#include "io/images/parts.hpp"
#include "io/images/read/decode.hpp"
#include "io/images/scanlines.hpp"

namespace dapple {

namespace {
namespace filesystem = OIIO::Filesystem;

// ---- writing ------------------------------------------------------------------------------------

OIIO::TypeDesc type_of(StoredAs stored) {
  constexpr std::array types{OIIO::TypeDesc::UINT8, OIIO::TypeDesc::UINT16, OIIO::TypeDesc::HALF,
                             OIIO::TypeDesc::FLOAT, OIIO::TypeDesc::UINT32};
  return types[static_cast<std::size_t>(stored)];
}

// Returns the type that pack_rows() gives. UNKNOWN means each channel in its stored type.
OIIO::TypeDesc type_of_rows(const OIIO::ImageSpec& spec) {
  if (!spec.channelformats.empty()) return OIIO::TypeDesc::UNKNOWN;
  return spec.format == OIIO::TypeDesc::HALF ? OIIO::TypeDesc(OIIO::TypeDesc::FLOAT) : spec.format;
}

// Returns true for a picture of black and white, such as a printing plate.
bool is_bilevel(const Image& image) {
  const auto& palette = image.hints.palette;
  return image.channels.size() == 1 && image.type == PixelType::u8 && palette.size() == 2 &&
         palette[0] == std::array<std::uint8_t, 3>{0, 0, 0} &&
         palette[1] == std::array<std::uint8_t, 3>{255, 255, 255};
}

// Names the space of the colors. Only OpenEXR has primaries, other formats have profiles.
void state_colors(OIIO::ImageSpec& spec, const Image& image, const ColorStatement& color) {
  const std::string usual = image.encoding == Encoding::srgb ? "sRGB" : "Linear";
  spec.attribute("oiio:ColorSpace", color.name.empty() ? usual : color.name);
  if (color.icc.empty()) return;
  spec.attribute("colorInteropID", color.interop_id);
  std::array<float, 8> xy{};
  std::transform(color.chromaticities.begin(), color.chromaticities.end(), xy.begin(),
                 [](double v) { return static_cast<float>(v); });
  spec.attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8), xy.data());
  spec.attribute("ICCProfile",
                 OIIO::TypeDesc(OIIO::TypeDesc::UINT8, static_cast<int>(color.icc.size())),
                 color.icc.data());
}

// Returns the description of one part of `height` rows.
OIIO::ImageSpec spec_of(const Image& image, int height, int part, const ImageEncoding& how) {
  std::vector<OIIO::TypeDesc> types;
  for (const StoredAs stored : stored_channels(image)) types.push_back(type_of(stored));
  const bool alike =
      std::count(types.begin(), types.end(), types[0]) == static_cast<std::ptrdiff_t>(types.size());
  OIIO::ImageSpec spec(image.width(), height, static_cast<int>(image.channels.size()),
                       alike ? types[0] : OIIO::TypeDesc(OIIO::TypeDesc::FLOAT));
  if (!alike) spec.channelformats = types;
  spec.channelnames = image.names;
  spec.alpha_channel = image.find("A");
  spec.z_channel = -1;
  state_colors(spec, image, how.color);
  if (!how.premultiply && !how.premultiplied) spec.attribute("oiio:UnassociatedAlpha", 1);
  // A date that is not a text is never written, and stops writers from adding today's date.
  spec.attribute("DateTime", 0);
  // Exif data would only repeat sRGB. To add them, libtiff reads the file back, which the proxy of
  // OpenImageIO does not allow.
  spec.attribute("tiff:write_exif", 0);
  if (image.dots_per_inch > 0) {
    spec.attribute("XResolution", static_cast<float>(image.dots_per_inch));
    spec.attribute("YResolution", static_cast<float>(image.dots_per_inch));
    spec.attribute("ResolutionUnit", "in");
  }
  if (how.extension == "tif" && !how.texture && is_bilevel(image)) {
    spec.attribute("oiio:BitsPerSample", 1);
  }
  for (const auto& [name, text] : how.attributes) spec.attribute(name, text);
  if (how.parts) {
    char number[16];
    std::snprintf(number, sizeof number, "%04d", part);
    spec.attribute("oiio:subimagename", number);
  }
  if (part > 0) return spec;  // texts of the whole file are written once
  for (const auto& [name, text] : image.metadata) spec.attribute(name, text);
  return spec;
}

constexpr int tile = 64;  // side of tiles, and rows packed at a time

// Returns the hash that maketx makes: a hash of the floats in blocks of 256 rows, and of everything
// else that determines the levels.
std::string hash_of(const Image& image) {
  const auto n = static_cast<int>(image.channels.size());
  const OIIO::ImageSpec spec(image.width(), image.height(), n, OIIO::TypeDesc::FLOAT);
  std::vector<float> values = interleaved_floats(image);
  const OIIO::ImageBuf buffer(spec, values.data());
  std::string more = "box ";
  for (const std::string& label : image.hints.labels) more += "label=" + label + " ";
  return OIIO::ImageBufAlgo::computePixelHashSHA1(buffer, more, OIIO::ROI::All(), 256);
}

// Adds the attributes of a texture.
void add_texture(OIIO::ImageSpec& spec, const Image& image, const ImageEncoding& how) {
  spec.tile_width = tile;
  spec.tile_height = tile;
  spec.attribute("fovcot", static_cast<float>(spec.width) / static_cast<float>(spec.height));
  spec.attribute("openexr:roundingmode", 0);  // sizes of levels are rounded down
  // Readers trust the texts below only in files of OpenImageIO, since another program may have
  // changed the values.
  spec.attribute("Software", "OpenImageIO, dapple " DAPPLE_VERSION);
  Metadata texts = how.texture_texts;
  texts.emplace_back("oiio:SHA-1", hash_of(image));
  if (how.extension == "exr") {
    for (const auto& [name, text] : texts) spec.attribute(name, text);
    return;
  }
  // Readers of TIFF find the texts in the description and remove them from it.
  std::string description(spec.get_string_attribute("ImageDescription"));
  description += "dapple:texture:";
  for (const auto& [name, text] : texts) description += " " + name + "=" + text;
  spec.attribute("ImageDescription", description);
}

// Describes a level below the first one. Each level of a TIFF is a page; only the first page
// carries the texts.
OIIO::ImageSpec spec_of_level(const OIIO::ImageSpec& first, const Image& level) {
  OIIO::ImageSpec spec = first;
  spec.erase_attribute("ImageDescription");
  spec.width = spec.full_width = level.width();
  spec.height = spec.full_height = level.height();
  return spec;
}

// Takes the bytes of a writer. Writers may ignore failures, above all at their end, and no
// exception may pass through writers in C. So this class keeps the error and accepts no more bytes.
class Output : public filesystem::IOProxy {
 public:
  Output() : IOProxy("", Write) {}
  const char* proxytype() const override { return "dapple"; }
  size_t write(const void* from, size_t size) override {
    const size_t written = pwrite(from, size, m_pos);
    m_pos += static_cast<int64_t>(written);
    return written;
  }
  size_t pwrite(const void* from, size_t size, int64_t offset) override {
    try {
      if (error_ == 0) error_ = store(static_cast<const char*>(from), size, offset);
    } catch (const std::exception&) {
      error_ = ENOMEM;
    }
    if (error_ != 0) return 0;
    size_ = std::max(size_, static_cast<size_t>(offset) + size);
    return size;
  }
  size_t size() const override { return size_; }
  int error() const { return error_; }

 private:
  virtual int store(const char* from, size_t size, int64_t offset) = 0;
  int error_ = 0;
  size_t size_ = 0;
};

struct StringOutput : Output {
  explicit StringOutput(std::string& to) : bytes(to) {}
  int store(const char* from, size_t size, int64_t offset) override {
    const auto at = static_cast<size_t>(offset);
    if (bytes.size() < at + size) bytes.resize(at + size);
    std::copy_n(from, size, bytes.begin() + offset);
    return 0;
  }
  std::string& bytes;
};

struct DescriptorOutput : Output {
  explicit DescriptorOutput(int to) : descriptor(to) {}
  int store(const char* from, size_t size, int64_t offset) override {
    while (size > 0) {
      const ssize_t n = ::pwrite(descriptor, from, size, offset);
      if (n < 0 && errno == EINTR) continue;
      if (n <= 0) return n < 0 ? errno : ENOSPC;
      from += n;
      size -= static_cast<size_t>(n);
      offset += n;
    }
    return 0;
  }
  int descriptor;
};

// Writes rows [first, last), `step` at a time; the image holds them from row `from` on.
template <class Write>
ModuleError write_bands(OIIO::ImageOutput& output, const Image& image, const ImageEncoding& how,
                        int from, int first, int last, int step, const ImageProgress& progress,
                        const Write& write) {
  const int held = std::min(step, last - first);
  std::vector<unsigned char> rows(4 * static_cast<std::size_t>(held) *
                                  static_cast<std::size_t>(image.width()) * image.channels.size());
  for (int y = first; y < last; y += step) {
    if (!progress(1.0 * (y - first) / (last - first))) return stopped();
    const int end = std::min(y + step, last);
    pack_rows(image, how, from + y - first, from + end - first, rows);
    if (!write(y, end, rows.data())) return {ErrorKind::output, output.geterror()};
  }
  return {};
}

// Writes the tiles of one level. OpenImageIO fills TIFF tiles that reach beyond the image with
// random memory, so TIFF gets whole tiles.
ModuleError write_tiles(OIIO::ImageOutput& output, const OIIO::ImageSpec& spec, const Image& level,
                        const ImageEncoding& how, const ImageProgress& progress) {
  const bool whole = how.extension == "tif";
  const Image padded = whole ? whole_tiles(level, tile) : Image();
  const Image& image = whole ? padded : level;
  return write_bands(output, image, how, 0, 0, image.height(), tile, progress,
                     [&](int y, int end, const void* rows) {
                       return output.write_tiles(0, image.width(), y, end, 0, 1, type_of_rows(spec),
                                                 rows);
                     });
}

ModuleError write_rows(OIIO::ImageOutput& output, const OIIO::ImageSpec& spec, const Image& image,
                       const ImageEncoding& how, int from, int first, int last,
                       const ImageProgress& progress) {
  // Steps are whole strips of a TIFF and blocks of an OpenEXR, except in very wide images.
  int step = tile;
  const double row_bytes = 4.0 * image.width() * static_cast<double>(image.channels.size());
  while (step > 1 && step * row_bytes > (64 << 20)) step /= 2;
  return write_bands(output, image, how, from, first, last, step, progress,
                     [&](int y, int end, const void* rows) {
                       return output.write_scanlines(y, end, 0, type_of_rows(spec), rows);
                     });
}

std::string name_of(const ImageEncoding& how) {
  return "image." + how.extension;
}

std::unique_ptr<OIIO::ImageOutput> make_output(const ImageEncoding& how, Output& to) {
  // OpenEXR has one thread pool for all files, whose size must not change during writes. All jobs
  // of a batch have the same number of threads.
  [[maybe_unused]] static const bool set = OIIO::attribute("exr_threads", how.threads);
  std::unique_ptr<OIIO::ImageOutput> output = OIIO::ImageOutput::create(name_of(how));
  // out of reach: OpenImageIO without one of its formats
  if (output) output->threads(how.threads);
  // out of reach: OpenImageIO without one of its formats
  return output && output->set_ioproxy(&to) ? std::move(output) : nullptr;
}

// Returns the error. If bytes could not be written, the writer's message is ignored. A failed
// writer without a message had no memory for one.
ModuleError failure(const Output& to, const ImageEncoding& how, const std::string& why) {
  if (to.error() == ENOMEM || (to.error() == 0 && why.empty())) return no_memory();
  if (to.error() != 0) return {ErrorKind::output, "cannot be written", to.error()};
  return {ErrorKind::output, "cannot be encoded as " + how.extension + ": " + first_line(why)};
}

ModuleError encode_rows(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                        const ImageProgress& progress) {
  DescriptorOutput file(descriptor);
  const std::unique_ptr<OIIO::ImageOutput> output = make_output(how, file);
  // out of reach: OpenImageIO without one of its formats
  if (!output) return failure(file, how, OIIO::geterror());
  OIIO::ImageSpec spec;
  for (int y = 0; y < rows.height; y += rows.step) {
    const int end = std::min(y + rows.step, rows.height);
    const Image strip = rows.rows(y, end);
    if (strip.channels.empty()) return stopped();
    if (y == 0) spec = spec_of(strip, rows.height, 0, how);
    if (y == 0 && !output->open(name_of(how), spec)) return failure(file, how, output->geterror());
    const ModuleError error = write_rows(*output, spec, strip, how, 0, y, end, [&](double part) {
      return progress((y + part * (end - y)) / rows.height);
    });
    if (error.kind == ErrorKind::cancelled) return error;
    if (!error.text.empty() || file.error() != 0) return failure(file, how, error.text);
  }
  const bool well = output->close() && file.error() == 0;
  return well ? ModuleError() : failure(file, how, output->geterror());
}

// A file of one page or part: the rows of an image from `from` on.
struct Page {
  const Image& image;
  int from;
  OIIO::ImageSpec spec;
};

// Encodes a page into memory. The levels of an OpenEXR are part of its page.
ModuleError encode_page(const Page& page, const ImageEncoding& how, std::string& bytes,
                        const ImageProgress& progress) {
  const auto& spec = page.spec;
  const bool levels = how.extension == "exr" && !how.levels.empty();
  // Reserves space for all unpacked pixels: growing would copy them. Unused space costs nothing.
  bytes.reserve(spec.image_bytes(true) / 64 * (levels ? 96 : 65) + (1 << 16));
  StringOutput memory(bytes);
  std::unique_ptr<OIIO::ImageOutput> output = make_output(how, memory);
  // out of reach: OpenImageIO without one of its formats
  if (!output) return failure(memory, how, OIIO::geterror());
  ModuleError error{ErrorKind::output, ""};
  const auto write = [&](const Image& image, const OIIO::ImageSpec& what,
                         OIIO::ImageOutput::OpenMode mode) {
    if (!output->open(name_of(how), what, mode)) return false;
    error = how.texture
                ? write_tiles(*output, spec, image, how, progress)
                : write_rows(*output, spec, image, how, page.from, 0, spec.height, progress);
    return error.text.empty();
  };
  bool well = write(page.image, spec, OIIO::ImageOutput::Create);
  for (std::size_t i = 0; levels && well && i < how.levels.size(); ++i) {
    const OIIO::ImageSpec smaller = spec_of_level(spec, how.levels[i]);
    well = write(how.levels[i], smaller, OIIO::ImageOutput::AppendMIPLevel);
  }
  if (error.kind == ErrorKind::cancelled) return error;
  well = well && output->close();
  const std::string why = error.text.empty() ? output->geterror() : error.text;
  output.reset();  // finishes levels
  return well && memory.error() == 0 ? ModuleError() : failure(memory, how, why);
}

ModuleError encode(const Image& image, const ImageEncoding& how, std::string& bytes,
                   const ImageProgress& progress) {
  if (how.extension == "gif") return encode_gif(image, bytes, progress);
  const int parts = how.parts ? image.slices : 1;
  const int height = image.height() / parts;
  std::vector<Page> pages;
  for (int i = 0; i < parts; ++i) {
    pages.push_back({image, i * height, spec_of(image, height, i, how)});
  }
  if (how.texture) add_texture(pages[0].spec, image, how);
  if (how.extension == "tif") {
    for (const Image& level : how.levels) {
      pages.push_back({level, 0, spec_of_level(pages[0].spec, level)});
    }
  }
  if (pages.size() == 1) return encode_page(pages[0], how, bytes, progress);
  std::vector<std::string> files(pages.size());
  for (std::size_t i = 0; i < pages.size(); ++i) {
    const ModuleError error = encode_page(pages[i], how, files[i], [&](double part) {
      return progress((static_cast<double>(i) + part) / static_cast<double>(pages.size()));
    });
    if (!error.text.empty()) return error;
  }
  return how.extension == "exr" ? join_exr_parts(std::move(files), bytes)
                                : join_tiff_pages(std::move(files), bytes);
}

// ---- PDF files ----------------------------------------------------------------------------------

ModuleError write_pdf(const PdfPage& page, std::string& bytes) {
  bytes = make_pdf(page);
  return {};
}

// ---- OpenColorIO configurations -----------------------------------------------------------------

// Returns true if the results are proportional to the values.
bool is_linear(const std::function<void(float*, std::size_t)>& convert) {
  std::array<float, 6> pixels{0.1f, 0.2f, 0.3f, 0.2f, 0.4f, 0.6f};
  convert(pixels.data(), 2);
  for (std::size_t c = 0; c < 3; ++c) {
    if (!(std::abs(pixels[c + 3] - 2 * pixels[c]) < 1e-4f)) return false;
  }
  return true;
}

ModuleError color_config(const std::string& config, const std::string& space,
                         const std::vector<std::string>& sources, ConfigConversion& found) {
  OIIO::ColorConfig all(config);
  const std::string start = "the OpenColorIO configuration " + config + " (OCIO) ";
  if (!OIIO::ColorConfig::supportsOpenColorIO()) {
    return {ErrorKind::usage, "OpenImageIO was built without OpenColorIO, which OCIO needs"};
  }
  if (all.error())
    return {ErrorKind::input, start + "cannot be read: " + first_line(all.geterror())};
  std::string why;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    const OIIO::ColorProcessorHandle processor = all.createColorProcessor(sources[i], space);
    if (!processor) {
      why = all.geterror();
      continue;
    }
    found.source = i;
    found.convert = [processor](float* pixels, std::size_t count) {
      processor->apply(pixels, static_cast<int>(count), 1, 3, sizeof(float), 3 * sizeof(float),
                       static_cast<OIIO::stride_t>(3 * sizeof(float) * count));
    };
    found.is_linear = is_linear(found.convert);
    return {};
  }
  return {ErrorKind::usage, start + "has no space '" + space + "': " + first_line(why)};
}

void prepare() noexcept {
  OIIO::attribute("exr_threads", -1);      // only the calling thread
  OIIO::default_thread_pool()->resize(0);  // a pool starts with one thread
}

template <auto function, class... Arguments>
ModuleError guard(Arguments... arguments) noexcept {
  return guarded([&] { return function(std::forward<Arguments>(arguments)...); });
}

const ImageModule table = {
    DAPPLE_VERSION,     OIIO_VERSION_STRING, guard<open_file>,    guard<encode>,
    guard<encode_rows>, guard<write_pdf>,    guard<color_config>, prepare,
};

}  // namespace
}  // namespace dapple

extern "C" {
__attribute__((visibility("default"))) extern const char dapple_image_mark[];
__attribute__((used)) const char dapple_image_mark[] = DAPPLE_MODULE_MARK;
}

extern "C" __attribute__((visibility("default"))) const dapple::ImageModule* dapple_image_module() {
  OIIO::attribute("debug", 0);  // its debug messages would go to the terminal
  return &dapple::table;
}
