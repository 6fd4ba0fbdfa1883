#include "io/images/read/decode.hpp"

#include <OpenImageIO/filesystem.h>
#include <OpenImageIO/imageio.h>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <tuple>
#include <unistd.h>

#include "core/text/lower_case.hpp"
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
  EmbeddedProfile profile = EmbeddedProfile::convert;
  int raw_model = 0;  // photometric interpretation of a TIFF whose values are read as they are
  // The conversion of bands, null if there is none, and what it was made of: frames share it.
  std::unique_ptr<const ColorConversion> conversion;
  std::tuple<ColorProfile, ColorModel, PixelType, Encoding> converted;
  std::string note;                // on a profile that cannot be used
  std::vector<float> unconverted;  // the values of a band
};

// Photometric interpretations of TIFF for whose pixels OpenImageIO knows no profile.
constexpr int separated = 5;
constexpr int cielab = 8;

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
  const std::string space = lower_case(std::string(spec.get_string_attribute("oiio:ColorSpace")));
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

// Returns the ICC profile of a WebP file, which OpenImageIO 2.4 does not return (RFC 9649).
std::string webp_profile(int descriptor) {
  constexpr std::size_t head_size = 8;
  constexpr std::size_t most = 4 << 20;
  constexpr std::size_t first_chunk = 12;
  for (std::size_t at = first_chunk;;) {
    std::string head(head_size, '\0');
    if (::pread(descriptor, head.data(), head.size(), static_cast<off_t>(at)) != head_size)
      return "";
    std::uint32_t size = 0;
    std::memcpy(&size, head.data() + 4, sizeof size);  // both are little-endian
    at += head_size;
    if (head.starts_with("ICCP")) {
      std::string icc(std::min<std::size_t>(size, most), '\0');
      const ssize_t count = ::pread(descriptor, icc.data(), icc.size(), static_cast<off_t>(at));
      return count == static_cast<ssize_t>(icc.size()) ? icc : "";
    }
    if (!head.starts_with("VP8X")) return "";  // a profile comes before all pixels
    at += std::size_t{size} + size % 2;
  }
}

// Returns the ICC profile of a HEIF file (ISO/IEC 23008-12), which OpenImageIO does not
// report, from its first box colr with a profile. All boxes of properties come before the pixels.
std::string heif_profile(int descriptor) {
  constexpr std::size_t most = 1 << 20;
  std::string head(most, '\0');
  const ssize_t count = ::pread(descriptor, head.data(), head.size(), 0);
  head.resize(count > 0 ? static_cast<std::size_t>(count) : 0);
  for (const std::string_view kind : {"colrprof", "colrrICC"}) {
    const std::size_t at = head.find(kind);
    if (at == std::string::npos || at < 4) continue;
    std::size_t size = 0;
    for (std::size_t i = at - 4; i < at; ++i)
      size = size << 8 | static_cast<unsigned char>(head[i]);
    if (size > 12 && size - 4 <= head.size() - at) return head.substr(at + 8, size - 12);
  }
  return "";
}

// Returns what the file states about its colors.
ColorProfile profile_of(const Opened& reader) {
  const OIIO::ImageSpec& spec = reader.spec;
  ColorProfile profile;
  if (reader.format == "webp") profile.icc = webp_profile(reader.descriptor);
  if (reader.format == "heif") profile.icc = heif_profile(reader.descriptor);
  if (const OIIO::ParamValue* icc = spec.find_attribute("ICCProfile"); icc != nullptr) {
    profile.icc.assign(static_cast<const char*>(icc->data()), icc->type().size());
  }
  const OIIO::ParamValue* xy =
      spec.find_attribute("chromaticities", OIIO::TypeDesc(OIIO::TypeDesc::FLOAT, 8));
  if (xy != nullptr) {
    std::copy_n(static_cast<const float*>(xy->data()), 8, profile.chromaticities.begin());
  }
  return profile;
}

// Returns true if the last channel of the part is alpha. OpenImageIO takes the fourth of raw inks
// for alpha.
bool has_alpha(const Opened& reader) {
  const OIIO::ImageSpec& spec = reader.spec;
  const bool is_ink = reader.raw_model == separated && spec.nchannels == 4;
  return spec.alpha_channel == spec.nchannels - 1 && !is_ink;
}

// Prepares the conversion of colors to sRGB. The bands then hold floats, and gray or RGB.
void take_profile(Opened& reader, ImageHeader& header) {
  header.note.clear();
  if (reader.profile == EmbeddedProfile::ignore) return;
  const OIIO::ImageSpec& spec = reader.spec;
  const bool alpha = has_alpha(reader);
  const int colors = spec.nchannels - (alpha ? 1 : 0);
  const bool named = colors == 3 && spec.channel_name(0) == "R" && spec.channel_name(1) == "G" &&
                     spec.channel_name(2) == "B";
  const auto model = reader.raw_model == separated ? ColorModel::cmyk
                     : reader.raw_model == cielab  ? ColorModel::lab
                     : colors == 1                 ? ColorModel::gray
                                                   : ColorModel::rgb;
  const int expected = model == ColorModel::cmyk ? 4 : model == ColorModel::gray ? 1 : 3;
  if (colors != expected || (model == ColorModel::rgb && !named)) {
    reader.conversion = nullptr;
    return;
  }
  const std::tuple wanted{profile_of(reader), model, header.type, header.encoding};
  if (wanted != reader.converted) {
    reader.note.clear();
    reader.conversion =
        ColorConversion::of(std::get<0>(wanted), model, header.type, header.encoding, reader.note);
    reader.converted = wanted;
  }
  header.note = reader.note;
  if (reader.conversion == nullptr) return;
  header.values = PixelType::f32;
  header.channels = reader.conversion->channels() + (alpha ? 1 : 0);
  header.names =
      header.channels < 3 ? std::vector<std::string>{"Y"} : std::vector<std::string>{"R", "G", "B"};
  if (alpha) header.names.emplace_back("A");
}

// Converts a band that was read as floats. The last channel may be alpha.
void convert_band(Opened& reader, std::size_t pixels, bool premultiplied, float* to) {
  const auto from_step = static_cast<std::size_t>(reader.spec.nchannels);
  const bool alpha = has_alpha(reader);
  const auto to_step = static_cast<std::size_t>(reader.conversion->channels()) + (alpha ? 1 : 0);
  float* const from = reader.unconverted.data();
  const auto each_color = [&](float* values, std::size_t step, auto&& change) {
    for (std::size_t i = 0; i < pixels; ++i, values += step) {
      for (std::size_t c = 0; c + 1 < step; ++c) change(values[c], values[step - 1]);
    }
  };
  if (alpha && premultiplied)
    each_color(from, from_step, [](float& v, float a) { v = a > 0 ? v / a : 0; });
  const ColorConversion::Row source{{from, from + 1, from + 2, from + 3}, reader.spec.nchannels};
  const ColorConversion::Row target{{to, to + 1, to + 2, nullptr}, static_cast<int>(to_step)};
  reader.conversion->convert(source, target, static_cast<int>(pixels));
  if (!alpha) return;
  for (std::size_t i = 0; i < pixels; ++i)
    to[i * to_step + to_step - 1] = from[i * from_step + from_step - 1];
  if (premultiplied) each_color(to, to_step, [](float& v, float a) { v *= a; });
}

// Sets the layout of the pixels of the current part.
void take_values(Opened& reader, ImageHeader& header) {
  const OIIO::ImageSpec& spec = reader.spec;
  const bool mixed = !spec.channelformats.empty();
  header.type = type_of(spec);
  header.values = mixed || header.type == PixelType::f16 ? PixelType::f32 : header.type;
  header.encoding = encoding_of(spec);
  header.names = spec.channelnames;
  if (spec.alpha_channel >= 0 && spec.alpha_channel < spec.nchannels) {
    header.names[static_cast<std::size_t>(spec.alpha_channel)] = "A";
  }
  take_profile(reader, header);
  reader.values = header.values == PixelType::u8    ? OIIO::TypeDesc::UINT8
                  : header.values == PixelType::u16 ? OIIO::TypeDesc::UINT16
                                                    : OIIO::TypeDesc::FLOAT;
  const std::size_t row_bytes = static_cast<std::size_t>(spec.width) *
                                static_cast<std::size_t>(spec.nchannels) * reader.values.size();
  const int rows = spec.tile_width > 0 ? spec.tile_height : rows_within(row_bytes, 256);
  reader.band = header.band = std::min(rows, spec.height);
  const double bands = reader.conversion ? 3 : 2;
  header.working_bytes = image_module_memory + bands * static_cast<double>(row_bytes) * header.band;
  header.premultiplied = spec.get_int_attribute("oiio:UnassociatedAlpha", 0) == 0;
  header.orientation = spec.get_int_attribute("Orientation", 1);
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
  const bool per_cm = spec.get_string_attribute("ResolutionUnit") == "cm";
  header.dots_per_inch = spec.get_float_attribute("XResolution") * (per_cm ? 2.54 : 1);
  return {};
}

// Opens the file from its start.
ModuleError start(Opened& reader) {
  OIIO::ImageSpec config;
  config.attribute("oiio:UnassociatedAlpha", 1);
  config.attribute("oiio:RawColor", reader.raw_model != 0 ? 1 : 0);
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
  if (format != "tiff" && format != "openexr" && format != "webp") return {};
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
  void* const target = rows;
  if (reader.conversion) {
    reader.unconverted.resize(static_cast<std::size_t>(spec.width) *
                              static_cast<std::size_t>(reader.band) *
                              static_cast<std::size_t>(spec.nchannels));
    rows = reader.unconverted.data();
  }
  const bool read =
      spec.tile_width > 0
          ? input.read_tiles(reader.part, 0, spec.x, spec.x + spec.width, y0, y1, 0, 1, 0,
                             spec.nchannels, reader.values, rows)
          : input.read_scanlines(reader.part, 0, y0, y1, 0, 0, spec.nchannels, reader.values, rows);
  if (!read) return damaged_from(first, first_line(input.geterror()));
  if (reader.conversion) {
    convert_band(reader, static_cast<std::size_t>(spec.width) * static_cast<std::size_t>(y1 - y0),
                 spec.get_int_attribute("oiio:UnassociatedAlpha", 0) == 0,
                 static_cast<float*>(target));
  }
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

ModuleError open_file(int descriptor, const std::string& format, EmbeddedProfile profile,
                      std::unique_ptr<BandReader>& reader, ImageHeader& header) {
  if (format == "pdf") return read_pdf(descriptor, header);
  if (format == "gif") return open_gif(descriptor, reader, header);
  Opened opened;
  opened.descriptor = descriptor;
  opened.format = format;
  opened.profile = profile;
  if (ModuleError error = start(opened); !error.text.empty()) return error;
  const int photometric = opened.spec.get_int_attribute("tiff:PhotometricInterpretation", -1);
  const bool inks = photometric == separated && opened.spec.find_attribute("ICCProfile") != nullptr;
  if (profile == EmbeddedProfile::convert && (inks || photometric == cielab)) {
    opened.raw_model = photometric;
    if (ModuleError error = start(opened); !error.text.empty()) return error;
  }
  const ModuleError error = take_header(opened, header);
  if (error.text.empty()) reader = std::make_unique<Reader>(std::move(opened));
  return error;
}

}  // namespace dapple
