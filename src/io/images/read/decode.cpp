// A reader checks the header first; then it reads some rows before it allocates the image, so that
// a short file that claims to be huge fails early.
#include "io/images/read/decode.hpp"

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <algorithm>

#include "io/images/read/input_file.hpp"
#include "io/images/rows.hpp"

namespace dapple {
namespace {

// A file that OpenImageIO reads.
struct Opened {
  FileStream stream{nullptr, std::fclose};  // outlives who reads it
  std::unique_ptr<OIIO::Filesystem::IOFile> file;
  std::unique_ptr<OIIO::ImageInput> input;
  OIIO::ImageSpec spec;
  int part = 0;
  int width = 0;  // of the image; the file may store a part of it, or more
  int height = 0;
  int left = 0;  // of the stored pixels in the image
  int top = 0;
};

// Facts about the file and settings of OpenImageIO are no texts that somebody wrote.
Metadata texts_of(const OIIO::ImageSpec& spec) {
  Metadata texts;
  const bool textured = !spec.get_string_attribute("textureformat").empty();
  for (const OIIO::ParamValue& p : spec.extra_attribs) {
    if (p.type() != OIIO::TypeString) continue;
    const std::string name = p.name().string();
    bool internal = name == "compression" || name == "planarconfig" || name == "wrapmodes" ||
                    name == "textureformat" || (name == "Software" && textured);
    for (const char* prefix : {"oiio:", "png:", "tiff:", "jpeg:", "openexr:", "Exif:", "IPTC:"}) {
      internal = internal || name.starts_with(prefix);
    }
    if (!internal) texts.emplace_back(name, p.get_string());
  }
  return texts;
}

Encoding encoding_of(const OIIO::ImageSpec& spec) {
  std::string space = spec.get_string_attribute("oiio:ColorSpace");
  std::transform(space.begin(), space.end(), space.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  if (space.find("linear") != std::string::npos) return Encoding::linear;
  if (spec.format.is_floating_point()) {
    return space.find("srgb") != std::string::npos ? Encoding::srgb : Encoding::linear;
  }
  return Encoding::srgb;
}

PixelType type_of(const OIIO::ImageSpec& spec) {
  switch (spec.format.basetype) {
    case OIIO::TypeDesc::UINT8:
      return PixelType::u8;
    case OIIO::TypeDesc::UINT16:
      return PixelType::u16;
    case OIIO::TypeDesc::HALF:
      return PixelType::f16;
    default:
      return PixelType::f32;
  }
}

// A band of rows, as stored.
class Band {
 public:
  Band(const OIIO::ImageSpec& spec, int part) : spec_(spec), part_(part) {
    const bool mixed = !spec.channelformats.empty();
    const bool kept = spec.format == OIIO::TypeDesc::UINT8 || spec.format == OIIO::TypeDesc::UINT16;
    format_ = kept && !mixed ? spec.format : OIIO::TypeDesc(OIIO::TypeDesc::FLOAT);
    row_bytes_ = static_cast<std::size_t>(spec.width) * static_cast<std::size_t>(spec.nchannels) *
                 format_.size();
    rows_ = spec.tile_width > 0 ? spec.tile_height : rows_within(row_bytes_, 256);
    rows_ = std::min(rows_, spec.height);
    values_.resize(static_cast<std::size_t>(rows_) * row_bytes_);
  }
  int rows() const { return rows_; }

  // Rows first.. of the file, as far as there are any.
  bool read(OIIO::ImageInput& input, int first) {
    const int y0 = spec_.y + first;
    const int y1 = spec_.y + std::min(first + rows_, spec_.height);
    if (spec_.tile_width > 0) {
      return input.read_tiles(part_, 0, spec_.x, spec_.x + spec_.width, y0, y1, 0, 1, 0,
                              spec_.nchannels, format_, values_.data());
    }
    return input.read_scanlines(part_, 0, y0, y1, 0, 0, spec_.nchannels, format_, values_.data());
  }

  // Row `row` of the band, channel c: `count` pixels from pixel `start` on.
  void get(int row, int c, int start, int count, float* to) const {
    const unsigned char* bytes = values_.data() + static_cast<std::size_t>(row) * row_bytes_;
    const int n = spec_.nchannels;
    const std::ptrdiff_t offset = static_cast<std::ptrdiff_t>(start) * n + c;
    if (format_ == OIIO::TypeDesc::UINT8) {
      unpack_row(bytes + offset, count, n, to);
    } else if (format_ == OIIO::TypeDesc::UINT16) {
      unpack_row(reinterpret_cast<const std::uint16_t*>(bytes) + offset, count, n, to);
    } else {
      unpack_row(reinterpret_cast<const float*>(bytes) + offset, count, n, to);
    }
  }

 private:
  const OIIO::ImageSpec& spec_;
  int part_;
  OIIO::TypeDesc format_;
  std::size_t row_bytes_ = 0;
  int rows_ = 0;
  std::vector<unsigned char> values_;
};

// libjpeg only warns of an incomplete file and fills the rest with gray, as others do; stray bytes
// between markers are common and harmless.
bool is_harmless(const std::string& message) {
  return message.empty() || message.find("extraneous bytes") != std::string::npos;
}

// Takes over what the present part of the file says about itself.
ModuleError take_header(Opened& reader, ImageHeader& header) {
  reader.spec = reader.input->spec();
  const OIIO::ImageSpec& spec = reader.spec;
  if (spec.deep) return {ErrorKind::input, "is a deep image; flatten it first"};
  if (spec.depth > 1) return {ErrorKind::input, "is a volume; give one slice of it"};
  if (spec.width < 1 || spec.height < 1 || spec.nchannels < 1) {
    return {ErrorKind::input, "holds an image without pixels"};
  }
  header.format = reader.input->format_name();
  // Only OpenEXR means it when it says that the stored pixels are a part of the picture.
  const bool windows = header.format == "openexr" && spec.full_width > 0 && spec.full_height > 0;
  reader.width = windows ? spec.full_width : spec.width;
  reader.height = windows ? spec.full_height : spec.height;
  reader.left = windows ? spec.x - spec.full_x : 0;
  reader.top = windows ? spec.y - spec.full_y : 0;
  header.width = reader.width;
  header.height = reader.height;
  header.channels = spec.nchannels;
  header.stored_bytes = static_cast<double>(spec.image_bytes(true));
  const int rows = spec.tile_width > 0 ? std::min(spec.tile_height, spec.height) : 1;
  header.working_bytes = image_module_memory + (4 << 20) + 4.0 * spec.width * spec.nchannels * rows;
  header.metadata = texts_of(spec);
  return {};
}

ModuleError seek_part(Opened& reader, int part, ImageHeader& header) {
  if (!reader.input->seek_subimage(part, 0)) {
    return {ErrorKind::input, "is damaged or incomplete from frame " + std::to_string(part) +
                                  " on: " + first_line(reader.input->geterror())};
  }
  reader.part = part;
  return take_header(reader, header);
}

constexpr int most_frames = 1 << 20;

// Pages of several sizes are thumbnails, parts of several channels are layers: no frames.
ModuleError count_frames(Opened& reader, int& frames) {
  frames = 1;
  const std::string format = reader.input->format_name();
  if (format != "gif" && format != "tiff" && format != "openexr" && format != "webp") return {};
  const OIIO::ImageSpec& first = reader.spec;
  int count = 1;
  while (count < most_frames && reader.input->seek_subimage(count, 0)) {
    const OIIO::ImageSpec& spec = reader.input->spec();
    if (spec.width != first.width || spec.height != first.height || spec.deep ||
        spec.depth != first.depth || spec.channelnames != first.channelnames) {
      count = 1;
      break;
    }
    ++count;
  }
  reader.input->geterror();  // that there are no more is none
  frames = count;
  ImageHeader header;
  return seek_part(reader, 0, header);
}

ModuleError read_pixels(Opened& reader, Image& image, const ImageProgress& progress) {
  const OIIO::ImageSpec& spec = reader.spec;
  Band band(spec, reader.part);
  const int x0 = std::clamp(-reader.left, 0, spec.width);
  const int x1 = std::clamp(reader.width - reader.left, 0, spec.width);
  for (int first = 0; first < spec.height; first += band.rows()) {
    if (!progress(1.0 * first / spec.height)) return stopped();
    if (!band.read(*reader.input, first)) {
      return damaged_from(first, first_line(reader.input->geterror()));
    }
    if (first == 0) {
      image.channels.assign(static_cast<std::size_t>(spec.nchannels),
                            Plane<float>(reader.width, reader.height));
    }
    for (int row = 0; row < std::min(band.rows(), spec.height - first); ++row) {
      const int y = first + row + reader.top;
      if (y < 0 || y >= reader.height || x1 <= x0) continue;
      for (int c = 0; c < spec.nchannels; ++c) {
        float* to = image.channels[static_cast<std::size_t>(c)].row(y) + (x0 + reader.left);
        band.get(row, c, x0, x1 - x0, to);
      }
    }
  }
  const std::string message = reader.input->geterror();
  if (!is_harmless(message)) {
    return {ErrorKind::input, "is damaged or incomplete: " + first_line(message)};
  }
  const int orientation = spec.get_int_attribute("Orientation", 1);
  for (Plane<float>& plane : image.channels) plane = upright(std::move(plane), orientation);
  image.names = spec.channelnames;
  if (spec.alpha_channel >= 0 && spec.alpha_channel < spec.nchannels) {
    image.names[static_cast<std::size_t>(spec.alpha_channel)] = "A";
  }
  image.metadata = texts_of(spec);
  image.encoding = encoding_of(spec);
  image.type = type_of(spec);
  if (spec.get_int_attribute("oiio:UnassociatedAlpha", 0) == 0) unpremultiply(image);
  return {};
}

class Reader : public ImageReader {
 public:
  explicit Reader(Opened opened) : opened_(std::move(opened)) {}
  ModuleError count(int& frames) noexcept override {
    return guarded([&] { return count_frames(opened_, frames); });
  }
  ModuleError seek(int frame, ImageHeader& header) noexcept override {
    return guarded([&] { return seek_part(opened_, frame, header); });
  }
  ModuleError read(Image& image, const ImageProgress& progress) noexcept override {
    return guarded([&] { return read_pixels(opened_, image, progress); });
  }

 private:
  Opened opened_;
};

}  // namespace

ModuleError open_file(int descriptor, const std::string& format,
                      std::unique_ptr<ImageReader>& reader, ImageHeader& header) {
  OIIO::ImageSpec config;
  config.attribute("oiio:UnassociatedAlpha", 1);
  Opened opened;
  opened.stream = stream_of(descriptor);
  if (opened.stream == nullptr) return no_memory();
  // Of all proxies this is the one that every reader takes.
  opened.file = std::make_unique<OIIO::Filesystem::IOFile>(opened.stream.get(),
                                                           OIIO::Filesystem::IOProxy::Read);
  opened.input = OIIO::ImageInput::create(format);
  if (!opened.input) {
    return {ErrorKind::input, "cannot be read as an image: " + first_line(OIIO::geterror())};
  }
  if (opened.input->supports("ioproxy")) opened.input->set_ioproxy(opened.file.get());
  const std::string path = "/proc/self/fd/" + std::to_string(descriptor);
  if (!opened.input->open(path, opened.spec, config)) {
    const std::string why = first_line(opened.input->geterror());
    return {ErrorKind::input, "cannot be read as an image: " + why};
  }
  const ModuleError error = take_header(opened, header);
  if (error.text.empty()) reader = std::make_unique<Reader>(std::move(opened));
  return error;
}

}  // namespace dapple
