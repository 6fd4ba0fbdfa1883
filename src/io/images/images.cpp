// Images in and out: limits and messages on the way in, what each format can hold on the way out.
#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "dapple/context.hpp"
#include "dapple/files.hpp"
#include "io/drawings/svg.hpp"
#include "io/images/compression.hpp"
#include "io/images/formats.hpp"
#include "io/images/jpeg_file.hpp"
#include "io/images/module.hpp"
#include "io/images/png_file.hpp"
#include "io/images/texture.hpp"
#include "io/text_keys.hpp"
#include "io/write_all.hpp"

namespace dapple {
namespace {

constexpr std::string_view encoding_key = "dapple:encoding";
constexpr std::string_view slices_key = "dapple:slices";  // of a strip
constexpr std::string_view volume_key = "dapple:volume";
constexpr std::string_view texture_key = "dapple:texture";  // what is for renderers

// An open file.
class Reader {
 public:
  // `shown` names the file in messages.
  Reader(const std::string& path, std::string shown, bool texts = false)
      : shown_(std::move(shown)) {
    check(open_png(path, reader_, header_));
    if (reader_ == nullptr && !texts) check(open_jpeg(path, reader_, header_));
    if (reader_ == nullptr) check(image_module().open(path, reader_, header_));
  }

  const ImageHeader& header() const { return header_; }
  int count_frames() {
    int frames = 1;
    check(reader_->count(frames));
    return frames;
  }
  void seek(int frame) { check(reader_->seek(frame, header_)); }
  void read(Image& image, const ImageProgress& progress) {
    const ModuleError error = reader_->read(image, progress);
    if (error.kind == ErrorKind::cancelled) throw Error(error.kind, error.text);
    check(error);
  }

 private:
  void check(const ModuleError& error) const {
    if (!error.text.empty()) throw Error(error.kind, error.text, shown_);
  }

  std::unique_ptr<ImageReader> reader_;
  ImageHeader header_;
  std::string shown_;
};

// A path that readers can open: standard input becomes a file in memory.
class Source {
 public:
  Source(const std::string& path, std::int64_t max_bytes)
      : shown_(path == "-" ? "standard input" : path), path_(path) {
    if (path == "-") {
      take_in(read_file(path, max_bytes));
      return;
    }
    struct stat status {};
    int code = ::stat(path.c_str(), &status) == 0 ? 0 : errno;
    if (code == 0 && S_ISDIR(status.st_mode)) code = EISDIR;
    if (code == 0 && ::access(path.c_str(), R_OK) != 0) code = errno;
    if (code != 0) fail(std::generic_category().message(code));
    if (!S_ISREG(status.st_mode)) take_in(read_file(path, max_bytes));  // readers seek
    bytes_ = bytes_ < 0 ? static_cast<double>(status.st_size) : bytes_;
    if (bytes_ == 0) fail("the file is empty");
  }
  ~Source() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  Source(const Source&) = delete;
  Source& operator=(const Source&) = delete;

  const std::string& path() const { return path_; }
  const std::string& shown() const { return shown_; }
  double bytes() const { return bytes_; }

 private:
  [[noreturn]] void fail(const std::string& why) const {
    throw Error(ErrorKind::input, "cannot be read as an image: " + why, shown_);
  }
  void take_in(const std::string& bytes) {
    descriptor_ = memfd_create("dapple-input", MFD_CLOEXEC);
    bytes_ = static_cast<double>(bytes.size());
    if (bytes.empty()) fail("there are no bytes");
    const int code = descriptor_ < 0 ? errno : write_all(descriptor_, bytes);
    if (code != 0) fail(std::generic_category().message(code));
    path_ = "/proc/self/fd/" + std::to_string(descriptor_);
  }

  std::string shown_;
  std::string path_;
  double bytes_ = -1;
  int descriptor_ = -1;
};

Metadata texts_of(const ImageHeader& header) {
  Metadata texts;
  for (const auto& [key, text] : header.metadata) {
    const Metadata packed = key == "ImageDescription" ? unpack_texts(text) : Metadata();
    texts.insert(texts.end(), packed.begin(), packed.end());
    if (packed.empty()) texts.emplace_back(key, text);
  }
  std::erase_if(texts, [](const auto& entry) { return entry.first == texture_key; });
  return texts;
}

void check_header(const ImageHeader& header, int frames, const Source& source,
                  const Context& context) {
  const double pixels = static_cast<double>(header.width) * header.height * frames;
  try {
    context.require_pixels(header.width, 1.0 * header.height * frames, "an image");
    context.require_memory(pixels * (4.0 * header.channels + 4), "the image");
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), source.shown());
  }
  // Deflate packs at most 1032 bytes into one.
  if (frames == 1 && header.format == "png" && header.stored_bytes > 1032 * source.bytes()) {
    throw Error(ErrorKind::input,
                "is damaged or incomplete: " + std::to_string(header.width) + "x" +
                    std::to_string(header.height) + " pixels cannot come from its " +
                    shortest(source.bytes()) + " bytes",
                source.shown());
  }
}

std::string shape_of(const Image& image) {
  return std::to_string(image.width()) + " x " + std::to_string(image.height()) + " pixels and " +
         std::to_string(image.channels.size()) + " channels";
}

// The next frame below those that are there.
void put_frame(Image& frames, const Image& frame, int index, int count) {
  for (std::size_t c = 0; c < frames.channels.size(); ++c) {
    Plane<float>& all = frames.channels[c];
    const Plane<float>& plane = frame.channels[c];
    if (index == 0) all = Plane<float>(plane.width(), plane.height() * count);
    std::copy(plane.values().begin(), plane.values().end(), all.row(index * plane.height()));
  }
}

// What texts say of the values, taken out of them.
void take_texts(Image& image, bool frames, const std::string& shown) {
  int slices = 1;
  for (const auto& [key, text] : image.metadata) {
    if (key == encoding_key && text == "data") image.encoding = Encoding::data;
    if (key == encoding_key && text == "linear") image.encoding = Encoding::linear;
    if (!frames) continue;
    if (key == volume_key) image.volume = true;
    if (key == slices_key) std::from_chars(text.data(), text.data() + text.size(), slices);
  }
  std::erase_if(image.metadata, [&](const auto& entry) {
    return entry.first == encoding_key ||
           (frames && (entry.first == slices_key || entry.first == volume_key));
  });
  if (slices == 1) return;
  if (slices < 1 || image.height() % slices != 0) {
    throw Error(ErrorKind::input,
                "says that it is a strip of " + std::to_string(slices) +
                    " slices, which do not divide its height of " + std::to_string(image.height()) +
                    " pixels: was it cropped or scaled?",
                shown);
  }
  image.slices = slices;
}

void drop_opaque_alpha(Image& image) {
  const int found = image.find("A");
  if (found < 0 || image.channels.size() == 1) return;
  const std::span<const float> alpha = image.channels[static_cast<std::size_t>(found)].values();
  if (std::any_of(alpha.begin(), alpha.end(), [](float a) { return a < 1; })) return;
  image.channels.erase(image.channels.begin() + found);
  image.names.erase(image.names.begin() + found);
}

Image read_one(const std::string& path, bool frames, const Context& context) {
  const Source source(path, std::int64_t{1} << 31);
  Reader reader(source.path(), source.shown());
  check_header(reader.header(), 1, source, context);
  const int count = frames ? reader.count_frames() : 1;
  Image image;
  if (count == 1) {
    reader.read(image, progress_of(context));
  } else {
    check_header(reader.header(), count, source, context);
    for (int i = 0; i < count; ++i) {
      Image frame;
      if (i > 0) reader.seek(i);
      reader.read(frame,
                  [&](double fraction) { return progress_of(context)((i + fraction) / count); });
      if (i == 0) image = frame;
      put_frame(image, frame, i, count);
    }
    reader.seek(0);
    image.slices = count;
  }
  // A GIF always has an alpha; one that hides nothing is none.
  if (reader.header().format == "gif") drop_opaque_alpha(image);
  image.metadata = texts_of(reader.header());
  take_texts(image, frames, source.shown());
  return image;
}

Image read_numbered(const std::string& path, const Context& context) {
  const std::vector<std::string> files = frame_files(path);
  const auto count = static_cast<int>(files.size());
  Image image;
  for (int i = 0; i < count; ++i) {
    const std::string& file = files[static_cast<std::size_t>(i)];
    const Image frame = read_image(file, context);
    if (i == 0) {
      context.require_pixels(frame.width(), 1.0 * frame.height() * count, "the frames");
      context.require_memory(4.0 * frame.width() * frame.height() *
                                 static_cast<double>(frame.channels.size()) * (count + 2),
                             "the frames");
      image = frame;
    } else if (frame.width() != image.width() || frame.height() * count != image.height() ||
               frame.names != image.names) {
      throw Error(ErrorKind::input,
                  "is of " + shape_of(frame) + ", but " + files.front() + " of " +
                      shape_of(slice_of(image, 0)) + ": frames are all of one size",
                  file);
    }
    put_frame(image, frame, i, count);
    image.slices = count;
  }
  return image;
}

// ---- formats that are written
// --------------------------------------------------------------------

enum class Texts { none, keys, one };  // any keys, or one description

struct Format {
  std::string_view extension;
  std::string_view same_as;  // another name of that format
  int channels;              // at most
  bool alpha;
  bool u16;
  bool floats;
  bool linear;  // holds linear light, and only that
  bool tags;    // can say that values are not sRGB
  Texts texts;
  bool parts;                                                         // slices of their own
  std::string (*encode)(const Image&, const ImageExtras&) = nullptr;  // else OpenImageIO writes it
};

constexpr int any = 1024;
constexpr std::array<Format, 21> formats{{
    {"png", "", 4, true, true, false, false, true, Texts::keys, false},
    {"tif", "", any, true, true, true, false, true, Texts::one, true},
    {"tiff", "tif", any, true, true, true, false, true, Texts::one, true},
    {"exr", "", any, true, false, true, true, true, Texts::keys, true},
    {"tx", "", any, true, true, true, false, true, Texts::keys, false},
    {"jpg", "", 3, false, false, false, false, false, Texts::one, false},
    {"jpeg", "jpg", 3, false, false, false, false, false, Texts::one, false},
    {"tga", "", 4, true, false, false, false, false, Texts::none, false},
    {"bmp", "", 3, false, false, false, false, false, Texts::none, false},
    {"ppm", "", 3, false, false, false, false, false, Texts::none, false},
    {"pgm", "", 1, false, false, false, false, false, Texts::none, false},
    {"hdr", "", 3, false, false, true, true, false, Texts::none, false},
    {"dds", "", 4, true, true, true, false, true, Texts::none, true, encode_dds},
    {"ktx2", "", 4, true, true, true, false, true, Texts::keys, true, encode_ktx2},
    {"npy", "", any, true, true, true, false, true, Texts::none, true, encode_npy_image},
    {"raw", "", any, true, true, true, false, true, Texts::none, true, encode_raw},
    {"c", "", any, true, true, true, false, true, Texts::keys, true, encode_c},
    {"h", "", any, true, true, true, false, true, Texts::keys, true, encode_h},
    {"glsl", "", any, true, true, true, false, true, Texts::keys, true, encode_glsl},
    {"hlsl", "", any, true, true, true, false, true, Texts::keys, true, encode_hlsl},
    {"json", "", any, true, true, true, false, true, Texts::keys, true, encode_json_image},
}};

const Format& find_format(std::string_view extension) {
  std::string wanted;
  for (const char c : extension) {
    if (c != '.') wanted += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  }
  std::string known;
  for (const Format& format : formats) {
    if (format.extension == wanted) return format;
    known += (known.empty() ? "." : ", .") + std::string(format.extension);
  }
  throw Error(ErrorKind::usage, "images cannot be written as ." + wanted + "; use one of " + known);
}

std::string list_of(const std::vector<std::string>& names) {
  std::string all;
  for (const std::string& name : names) all += (all.empty() ? "" : ", ") + name;
  return all;
}

bool is_alpha(const Image& image, std::size_t channel) {
  return image.encoding != Encoding::data && image.names[channel] == "A";
}

// Over white paper; light adds up in linear light.
void drop_alpha(Image& image) {
  const int found = image.find("A");
  if (found < 0) return;
  const auto alpha = static_cast<std::size_t>(found);
  if (image.channels.size() == 1) return;
  const bool encoded = image.encoding == Encoding::srgb;
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    if (c == alpha) continue;
    const std::span<float> v = image.channels[c].values();
    const std::span<const float> a = image.channels[alpha].values();
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (a[i] >= 1) continue;
      const float light = encoded ? srgb_to_linear(v[i]) : v[i];
      const float mixed = light * a[i] + (1 - a[i]);
      v[i] = encoded ? linear_to_srgb(mixed) : mixed;
    }
  }
  image.channels.erase(image.channels.begin() + found);
  image.names.erase(image.names.begin() + found);
}

void convert(Image& image, float (*curve)(float), Encoding encoding) {
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    if (is_alpha(image, c)) continue;
    for (float& v : image.channels[c].values()) v = curve(v);
  }
  image.encoding = encoding;
}

// Formats of fixed layout know gray, gray with alpha, RGB and RGBA: two channels of anything else
// become R and G beside an empty B.
void fit_channels(Image& image, const Format& format) {
  const bool data = image.encoding == Encoding::data;
  if (!format.alpha && !data) drop_alpha(image);
  const bool has_alpha = !data && image.find("A") >= 0;
  auto count = static_cast<int>(image.channels.size());
  if (format.channels == any) return;
  const bool needs_rgb = format.extension == "hdr" || format.extension == "ppm";
  const bool gray = count == (has_alpha ? 2 : 1);
  const bool gray_alpha = has_alpha && gray && format.extension != "png";
  if (format.channels == 1 && count == 3 && !data) {
    throw Error(ErrorKind::usage, "." + std::string(format.extension) +
                                      " holds one channel only; write .ppm or .png");
  }
  if ((gray && needs_rgb) || gray_alpha) {
    image.channels.insert(image.channels.begin(), 2, image.channels.front());
    image.names = {"R", "G", "B"};
    if (has_alpha) image.names.emplace_back("A");
  } else if (!has_alpha && count == 2 && format.channels >= 3 && format.encode == nullptr) {
    image.channels.emplace_back(image.width(), image.height());
    image.names.emplace_back("B");
  }
  count = static_cast<int>(image.channels.size());
  if (count > format.channels) {
    throw Error(ErrorKind::usage, "." + std::string(format.extension) + " holds at most " +
                                      std::to_string(format.channels) + " channels, not " +
                                      std::to_string(count) + " (" + list_of(image.names) +
                                      "); write .exr or .tif");
  }
}

// 32-bit integers, where the format has them.
void fit_integers(Image& image, const Format& format, bool texture) {
  const bool tif = format.extension.starts_with("tif");
  // Renderers look up floats.
  if (texture || !(tif || format.extension == "exr")) image.integers.clear();
  const auto whole = std::count_if(image.integers.begin(), image.integers.end(),
                                   [](const auto& plane) { return !plane.empty(); });
  if (tif && whole > 0 && whole < static_cast<std::ptrdiff_t>(image.channels.size())) {
    throw Error(ErrorKind::usage,
                "the channels of a .tif are of one type: write 32-bit integers alone, or .exr");
  }
}

PixelType fit_type(const Image& image, const Format& format) {
  const bool integer = image.type == PixelType::u8 || image.type == PixelType::u16;
  if (format.linear && integer) {
    return image.encoding == Encoding::data ? PixelType::f32 : PixelType::f16;
  }
  if (image.type == PixelType::f16 && format.extension.starts_with("tif")) return PixelType::f32;
  // OpenEXR alone has a type for each channel.
  if (image.type == PixelType::f16 && !image.labels.empty() && format.extension != "exr") {
    return PixelType::f32;
  }
  if (!integer && !format.floats) return format.u16 ? PixelType::u16 : PixelType::u8;
  if (image.type == PixelType::u16 && !format.u16) return PixelType::u8;
  return image.type;
}

void fit_encoding(Image& image, const Format& format) {
  if (format.linear && image.encoding == Encoding::srgb) {
    convert(image, srgb_to_linear, Encoding::linear);
  } else if (!format.tags && !format.linear && image.encoding == Encoding::linear) {
    convert(image, linear_to_srgb, Encoding::srgb);
  }
}

// OpenEXR for floats, TIFF for integers: each is what maketx puts into a .tx, too.
const Format& holder_of_texture(const Image& image) {
  if (image.slices > 1) {
    throw Error(ErrorKind::usage,
                "a .tx holds one picture, not " + std::to_string(image.slices) +
                    " slices: put {frame} into its name, which makes a file of each");
  }
  const bool integer = image.type == PixelType::u8 || image.type == PixelType::u16;
  return find_format(integer ? "tif" : "exr");
}

void fit_texts(Image& image, const Format& format) {
  if (image.slices > 1 && !format.parts) {
    image.metadata.emplace_back(slices_key, std::to_string(image.slices));
  }
  if (image.volume) image.metadata.emplace_back(volume_key, "true");
  const bool implied = image.encoding == (format.linear ? Encoding::linear : Encoding::srgb);
  if (format.texts == Texts::none) image.metadata.clear();
  if (format.texts == Texts::none || (implied && image.metadata.empty())) return;
  if (!implied) {
    image.metadata.emplace_back(encoding_key, image.encoding == Encoding::data ? "data" : "linear");
  }
  if (format.texts == Texts::one) {
    // unpack_texts() knows its own by the first key.
    std::stable_partition(image.metadata.begin(), image.metadata.end(),
                          [](const auto& entry) { return entry.first.starts_with("dapple:"); });
    image.metadata = {{"ImageDescription", pack_texts(image.metadata)}};
  }
}

}  // namespace

ImageProgress progress_of(const Context& context) {
  return [&context](double fraction) {
    try {
      context.progress(fraction);
      return true;
    } catch (const Error&) {
      return false;
    }
  };
}

Image read_image(const std::string& path, const Limits& limits) {
  Context context;
  context.limits = limits;
  return read_image(path, context);
}

Image read_image(const std::string& path, const Context& context) {
  return read_one(path, false, context);
}

Image read_frames(const std::string& path, const Context& context) {
  return has_frame_number(path) ? read_numbered(path, context) : read_one(path, true, context);
}

std::vector<std::pair<std::string, std::string>> read_metadata(const std::string& path) {
  if (path.ends_with(".svg")) return svg_metadata(read_file(path, std::int64_t{1} << 31));
  if (path.ends_with(".pdf")) return pdf_metadata(read_file(path, std::int64_t{1} << 31));
  if (path.ends_with(".gcode") || path.ends_with(".nc")) {
    return gcode_metadata(read_file(path, std::int64_t{1} << 31));
  }
  const Source source(path, std::int64_t{1} << 31);
  Metadata texts = texts_of(Reader(source.path(), source.shown(), true).header());
  std::erase_if(texts, [](const auto& entry) { return entry.first == encoding_key; });
  return texts;
}

std::span<const std::string_view> image_formats() {
  static const auto names = [] {
    std::array<std::string_view, formats.size()> list;
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = formats[i].extension;
    return list;
  }();
  return names;
}

int channels_held(std::string_view extension) {
  return find_format(extension).channels;
}

SlicesHeld slices_held(std::string_view extension) {
  const Format& format = find_format(extension);
  if (format.parts) return SlicesHeld::apart;
  return format.texts == Texts::none ? SlicesHeld::unnamed_strip : SlicesHeld::strip;
}

bool holds_any_value(std::string_view extension, PixelType type) {
  const Format& format = find_format(extension);
  const bool floats = type == PixelType::f16 || type == PixelType::f32;
  const bool array = format.extension == "npy" || format.extension == "raw";
  return format.extension == "exr" || array || (floats && format.floats && !format.linear);
}

std::string encode_image(Image image, std::string_view extension) {
  return encode_image(std::move(image), extension, Context());
}

namespace {

// Above 2048 halves skip whole numbers.
bool fits_halves(const Image& image) {
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    if (image.is_label(c)) continue;
    const auto values = image.channels[c].values();
    if (std::any_of(values.begin(), values.end(), [](float v) { return std::abs(v) > 2048; })) {
      return false;
    }
  }
  return true;
}

}  // namespace

Image fit_image(Image image, std::string_view extension, ImageEncoding& how) {
  if (image.width() < 1 || image.height() < 1 || image.names.size() != image.channels.size()) {
    throw Error(ErrorKind::internal, "an image to write has no pixels or no channel names");
  }
  const bool texture = find_format(extension).extension == "tx";
  const Format& format = texture ? holder_of_texture(image) : find_format(extension);
  if (texture && image.type == PixelType::f32 && image.half_enough && fits_halves(image)) {
    image.type = PixelType::f16;
  }
  fit_integers(image, format, texture);
  fit_channels(image, format);
  image.type = fit_type(image, format);
  fit_encoding(image, format);
  fit_texts(image, format);
  how.extension = format.extension;
  how.parts = image.slices > 1 && format.parts;
  how.premultiply = format.extension == "exr" && image.encoding != Encoding::data;
  return image;
}

std::string encode_image(Image image, std::string_view extension, const Context& context,
                         const ImageExtras& extras) {
  ImageEncoding how;
  how.threads = context.threads;
  Image fitted = fit_image(std::move(image), extension, how);
  const Format& format = find_format(how.extension);
  if (format.encode != nullptr) return format.encode(fitted, extras);
  how.attributes = packing_of(fitted, how);
  if (find_format(extension).extension == "tx") encode_as_texture(fitted, how);
  std::string bytes;
  const auto encode = how.extension == "png" ? encode_png : image_module().encode;
  const ModuleError error = encode(fitted, how, bytes, progress_of(context));
  if (!error.text.empty()) throw Error(error.kind, error.text);
  return bytes;
}

}  // namespace dapple
