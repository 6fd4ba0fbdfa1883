#include "io/images/read/decode.hpp"

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <algorithm>

#include "dapple/inputs.hpp"
#include "io/images/read/input_file.hpp"
#include "io/images/scanlines.hpp"

namespace dapple {
namespace {

// A file opened by OpenImageIO.
struct Opened {
  int descriptor = -1;
  std::string format;
  FileStream stream{nullptr, std::fclose};  // outlives its reader
  std::unique_ptr<OIIO::Filesystem::IOFile> file;
  std::unique_ptr<OIIO::ImageInput> input;
  OIIO::ImageSpec spec;
  int part = 0;
  int band = 0;  // rows per read
  OIIO::TypeDesc values;
};

// Returns the texts of users, without file properties and settings of OpenImageIO.
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

// Returns true for a harmless message. libjpeg only warns of an incomplete file and fills the rest
// with gray. Stray bytes between markers are common and harmless.
bool is_harmless(const std::string& message) {
  return message.empty() || message.find("extraneous bytes") != std::string::npos;
}

// Sets the layout of the pixels of the current part.
void take_values(Opened& reader, ImageHeader& header) {
  const OIIO::ImageSpec& spec = reader.spec;
  const bool mixed = !spec.channelformats.empty();
  header.type = type_of(spec);
  header.values = mixed || header.type == PixelType::f16 ? PixelType::f32 : header.type;
  reader.values = header.values == PixelType::u8    ? OIIO::TypeDesc::UINT8
                  : header.values == PixelType::u16 ? OIIO::TypeDesc::UINT16
                                                    : OIIO::TypeDesc::FLOAT;
  const std::size_t row_bytes = static_cast<std::size_t>(spec.width) *
                                static_cast<std::size_t>(spec.nchannels) * reader.values.size();
  const int rows = spec.tile_width > 0 ? spec.tile_height : rows_within(row_bytes, 256);
  reader.band = header.band = std::min(rows, spec.height);
  header.working_bytes = image_module_memory + 2.0 * static_cast<double>(row_bytes) * header.band;
  header.encoding = encoding_of(spec);
  header.premultiplied = spec.get_int_attribute("oiio:UnassociatedAlpha", 0) == 0;
  header.orientation = spec.get_int_attribute("Orientation", 1);
  header.names = spec.channelnames;
  if (spec.alpha_channel >= 0 && spec.alpha_channel < spec.nchannels) {
    header.names[static_cast<std::size_t>(spec.alpha_channel)] = "A";
  }
}

// Takes the header of the current part of the file.
ModuleError take_header(Opened& reader, ImageHeader& header) {
  reader.spec = reader.input->spec();
  const OIIO::ImageSpec& spec = reader.spec;
  if (spec.deep) return {ErrorKind::input, "is a deep image; flatten it first"};
  if (spec.depth > 1) return {ErrorKind::input, "is a volume; give one slice of it"};
  if (spec.width < 1 || spec.height < 1 || spec.nchannels < 1) {
    return {ErrorKind::input, "holds an image without pixels"};
  }
  header.format = reader.input->format_name();
  // Only OpenEXR states reliably that the stored pixels are part of a larger picture.
  const bool windows = header.format == "openexr" && spec.full_width > 0 && spec.full_height > 0;
  header.width = windows ? spec.full_width : spec.width;
  header.height = windows ? spec.full_height : spec.height;
  header.left = windows ? spec.x - spec.full_x : 0;
  header.top = windows ? spec.y - spec.full_y : 0;
  header.stored_width = spec.width;
  header.stored_height = spec.height;
  header.channels = spec.nchannels;
  header.stored_bytes = static_cast<double>(spec.image_bytes(true));
  take_values(reader, header);
  header.metadata = texts_of(spec);
  return {};
}

// Opens the file from its start.
ModuleError start(Opened& reader) {
  OIIO::ImageSpec config;
  config.attribute("oiio:UnassociatedAlpha", 1);
  reader.input = nullptr;
  reader.stream = stream_of(reader.descriptor);
  if (reader.stream == nullptr) return no_memory();
  // Every reader accepts this proxy, and only this one.
  reader.file = std::make_unique<OIIO::Filesystem::IOFile>(reader.stream.get(),
                                                           OIIO::Filesystem::IOProxy::Read);
  reader.input = OIIO::ImageInput::create(reader.format);
  if (!reader.input) {
    return {ErrorKind::input, "cannot be read as an image: " + first_line(OIIO::geterror())};
  }
  if (reader.input->supports("ioproxy")) reader.input->set_ioproxy(reader.file.get());
  const std::string path = "/proc/self/fd/" + std::to_string(reader.descriptor);
  if (!reader.input->open(path, reader.spec, config)) {
    const std::string why = first_line(reader.input->geterror());
    return {ErrorKind::input, "cannot be read as an image: " + why};
  }
  return {};
}

ModuleError seek_part(Opened& reader, int part, ImageHeader& header) {
  // Some readers only move forward; to go back they would reopen the file by its name.
  if (part < reader.input->current_subimage()) {
    if (ModuleError error = start(reader); !error.text.empty()) return error;
  }
  if (!reader.input->seek_subimage(part, 0)) {
    return {ErrorKind::input, "is damaged or incomplete from frame " + std::to_string(part) +
                                  " on: " + first_line(reader.input->geterror())};
  }
  reader.part = part;
  return take_header(reader, header);
}

constexpr int most_frames = 1 << 20;

// Counts frames. Pages of different sizes are thumbnails; parts with different channels are layers.
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
  frames = count;
  // At the end of a file, some readers lose their position: WebP then decodes nothing.
  if (ModuleError error = start(reader); !error.text.empty()) return error;
  ImageHeader header;
  return seek_part(reader, 0, header);
}

ModuleError read_band(Opened& reader, int first, void* rows) {
  const OIIO::ImageSpec& spec = reader.spec;
  OIIO::ImageInput& input = *reader.input;
  if (first < 0 || first >= spec.height)
    return {ErrorKind::input, "has no row " + std::to_string(first)};
  const int y0 = spec.y + first;
  const int y1 = spec.y + std::min(first + reader.band, spec.height);
  const bool read =
      spec.tile_width > 0
          ? input.read_tiles(reader.part, 0, spec.x, spec.x + spec.width, y0, y1, 0, 1, 0,
                             spec.nchannels, reader.values, rows)
          : input.read_scanlines(reader.part, 0, y0, y1, 0, 0, spec.nchannels, reader.values, rows);
  if (!read) return damaged_from(first, first_line(input.geterror()));
  const std::string message = y1 == spec.y + spec.height ? input.geterror() : "";
  if (is_harmless(message)) return {};
  return {ErrorKind::input, "is damaged or incomplete: " + first_line(message)};
}

// Reads the texts of a PDF document.
ModuleError read_pdf(int descriptor, ImageHeader& header) {
  const FileStream file = stream_of(descriptor);
  if (file == nullptr) return no_memory();
  std::string bytes;
  std::vector<char> piece(1 << 16);
  while (const std::size_t n = std::fread(piece.data(), 1, piece.size(), file.get())) {
    bytes.append(piece.data(), n);
  }
  header.format = "pdf";
  header.metadata = pdf_texts(bytes);
  return {};
}

class Reader : public BandReader {
 public:
  explicit Reader(Opened opened) : opened_(std::move(opened)) {}
  ModuleError count(int& frames) noexcept override {
    return guarded([&] { return count_frames(opened_, frames); });
  }
  ModuleError seek(int frame, ImageHeader& header) noexcept override {
    return guarded([&] { return seek_part(opened_, frame, header); });
  }
  ModuleError band(int first, void* rows) noexcept override {
    return guarded([&] { return read_band(opened_, first, rows); });
  }

 private:
  Opened opened_;
};

}  // namespace

ModuleError open_file(int descriptor, const std::string& format,
                      std::unique_ptr<BandReader>& reader, ImageHeader& header) {
  if (format == "pdf") return read_pdf(descriptor, header);
  Opened opened;
  opened.descriptor = descriptor;
  opened.format = format;
  if (ModuleError error = start(opened); !error.text.empty()) return error;
  const ModuleError error = take_header(opened, header);
  if (error.text.empty()) reader = std::make_unique<Reader>(std::move(opened));
  return error;
}

}  // namespace dapple
