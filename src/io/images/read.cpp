// Images in: limits and messages, frames of a file and of numbered files, what texts say of values.
#include <algorithm>
#include <cerrno>
#include <charconv>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>

#include "dapple/context.hpp"
#include "dapple/files.hpp"
#include "io/drawings/svg.hpp"
#include "io/images/formats.hpp"
#include "io/images/jpeg_file.hpp"
#include "io/images/module.hpp"
#include "io/images/png_file.hpp"
#include "io/text_keys.hpp"
#include "io/write_all.hpp"

namespace dapple {
namespace {

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
  Source(const std::string& path, const Context& context)
      : shown_(path == "-" ? "standard input" : path), path_(path) {
    if (path == "-") {
      take_in(read_file(path, max_bytes, context));
      return;
    }
    struct stat status {};
    int code = ::stat(path.c_str(), &status) == 0 ? 0 : errno;
    if (code == 0 && S_ISDIR(status.st_mode)) code = EISDIR;
    if (code == 0 && ::access(path.c_str(), R_OK) != 0) code = errno;
    if (code != 0) fail(std::generic_category().message(code));
    if (!S_ISREG(status.st_mode)) take_in(read_file(path, max_bytes, context));  // readers seek
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
  static constexpr std::int64_t max_bytes = std::int64_t{1} << 31;

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

// Takes what texts say of the values out of them.
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
  const Source source(path, context);
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
  const Source source(path, Context());
  Metadata texts = texts_of(Reader(source.path(), source.shown(), true).header());
  std::erase_if(texts, [](const auto& entry) { return entry.first == encoding_key; });
  return texts;
}

}  // namespace dapple
