// Reads images: checks limits, joins the frames of one or several files, and applies texts.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>

#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/point_files.hpp"
#include "draw/frame_sequence.hpp"
#include "io/drawings/svg.hpp"
#include "io/images/formats.hpp"
#include "io/images/module.hpp"
#include "io/images/png_file.hpp"
#include "io/images/read/header_probe.hpp"
#include "io/images/read/jpeg.hpp"
#include "io/images/read/netpbm.hpp"
#include "io/images/read/npy_image.hpp"
#include "io/images/read/openimageio_reader.hpp"
#include "io/images/read/scanline_bands.hpp"
#include "io/images/read/texture_image.hpp"
#include "io/images/scanlines.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

constexpr std::string_view texture_key = "dapple:texture";  // text for renderers

void require_within_limits(const InputFile& file, const HeaderProbe& probe,
                           const Context& context) {
  const double pixels = probe.width * probe.height;
  try {
    context.require_pixels(probe.width, probe.height, "an image");
    context.require_memory(pixels * (4 * probe.channels + 4), "the image");
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), file.shown());
  }
  if (count_pages(file, probe.format, most_frames + 1) > most_frames) {
    throw Error(ErrorKind::limit,
                "holds more than " + std::to_string(most_frames) +
                    " frames, too many to read; split it into several files",
                file.shown());
  }
  if (probe.least_bytes <= static_cast<double>(file.size())) return;
  file.require_readable();
  throw Error(ErrorKind::input,
              "is damaged or incomplete: " + std::to_string(file.size()) +
                  " bytes are too few for " + std::to_string(std::llround(probe.width)) + "x" +
                  std::to_string(std::llround(probe.height)) + " pixels",
              file.shown());
}

// Returns the end of a warning about what the system did not enforce while a file was decoded.
std::string unconfined_note(const ImageHeader& header) {
  return " was decoded with weaker protection: " + header.unconfined +
         "; if the file is malicious, it may do harm. `sandbox always` refuses such a file instead";
}

// Returns true if the texts of a file of Dapple say that its values are not colors.
bool is_data(const Metadata& texts) {
  return std::find(texts.begin(), texts.end(), Metadata::value_type(encoding_key, "data")) !=
         texts.end();
}

// Removes a channel, unless it is missing or the only one.
void drop_channel(Image& image, std::string_view name) {
  const int found = image.find(name);
  if (found < 0 || image.channels.size() == 1) return;
  image.channels.erase(image.channels.begin() + found);
  image.names.erase(image.names.begin() + found);
}

// An image file whose header has passed the limits.
class Reader {
 public:
  Reader(const std::string& path, const Context& context, bool texts = false)
      : context_(context), file_(path, context), probe_(probe_header(file_)) {
    require_within_limits(file_, probe_, context);
    if (probe_.format == "png") check(open_png(file_, reader_, header_));
    if (probe_.format == "jpeg" && !texts) check(open_jpeg(file_, reader_, header_));
    if (probe_.format == "pnm") check(open_netpbm(file_, reader_, header_));
    if (probe_.format == "npy") check(open_npy(file_, reader_, header_));
    if (probe_.format == "texture") check(open_texture(file_, reader_, header_));
    if (reader_ == nullptr) open_by_module();
    require(1);
  }

  const ImageHeader& header() const { return header_; }
  int count_frames() {
    int frames = 1;
    check(reader_->count(frames));
    if (frames < 1) {
      throw Error(ErrorKind::input, "cannot be read: its decoder sent an invalid answer", shown());
    }
    require(frames);
    return frames;
  }
  void seek(int frame) {
    check(reader_->seek(frame, header_));
    require(1);
  }
  void read(Image& image, const ImageProgress& progress) {
    const ModuleError error = reader_->read(image, progress);
    if (error.kind == ErrorKind::cancelled) throw Error(error.kind, error.text);
    check(error);
    std::string note = header_.note;
    if (!header_.unconfined.empty()) image.notes.push_back(shown() + unconfined_note(header_));
    if (!is_data(header_.metadata)) note += convert_to_srgb(image, progress);
    if (!note.empty()) image.notes.push_back(shown() + " " + note);
    constexpr double most_per_inch = 100000;
    const double per_inch = header_.dots_per_inch;
    if (per_inch >= 1 && per_inch <= most_per_inch) image.dots_per_inch = per_inch;
    if (probe_.undeclared_alpha) drop_channel(image, "A");
  }
  // Returns a note on frames that are not read, or "".
  std::string note_of_other_frames() const {
    const int frames = count_animation(file_, probe_.format, most_frames);
    if (frames < 2) return "";
    return shown() + " has " + std::to_string(frames) + " frames; only the first is used";
  }
  const std::string& shown() const { return file_.shown(); }

 private:
  // Returns the formats that may read the file. The first bytes of a raw photo are those of a TIFF.
  std::vector<std::string> formats() const {
    std::vector<std::string> found;
    for (const std::string& name : context_.limits.decoding.allowed_formats) {
      const bool raw = name == "raw" && probe_.format == "tiff";
      if (probe_.format.empty() || probe_.format == name || raw) found.push_back(name);
    }
    const bool has_process = context_.limits.decoding.sandbox != Sandbox::never;
    const bool is_known = is_common(probe_.format) || (is_of_phones(probe_.format) && has_process);
    if (is_known) found.push_back(probe_.format);
    if (!found.empty()) return found;
    file_.require_readable();
    const std::string known =
        is_mesh_format(std::filesystem::path(shown()).extension().string())
            ? "its extension is that of a mesh; give it to the command sample with `on MESH`"
        : probe_.format.empty()
            ? "its format is unknown (docs/formats.md lists those that are read); `allow-format "
              "NAME` allows one more that OpenImageIO reads"
        : probe_.format == "jxl"
            ? "it is a JPEG XL file, which OpenImageIO 2.4 does not read; convert it, such as by "
              "'djxl photo.jxl photo.png' (Debian's package libjxl-tools)"
            : "it is a " + probe_.format + " file, which is read only with `allow-format " +
                  probe_.format + "`";
    throw Error(ErrorKind::input, "cannot be read as an image: " + known, shown());
  }
  void open_by_module() {
    ModuleError error;
    std::unique_ptr<BandReader> bands;
    for (const std::string& format : formats()) {
      error = open_foreign(file_, format, probe_, context_, bands, header_);
      if (error.text.empty()) break;
    }
    check(error);
    reader_ = std::make_unique<BandedImage>(std::move(bands), header_);
  }
  // Converts the colors of a file that was decoded in this process. Returns what could not be done.
  std::string convert_to_srgb(Image& image, const ImageProgress& progress) {
    std::string problem;
    if (context_.limits.decoding.profile == EmbeddedProfile::ignore) return problem;
    const std::size_t alpha = image.find("A") < 0 ? 0 : 1;
    const std::size_t colors = image.channels.size() - alpha;
    const ColorModel model = colors == 4   ? ColorModel::cmyk_inverted
                             : colors == 1 ? ColorModel::gray
                                           : ColorModel::rgb;
    const auto conversion =
        ColorConversion::of(header_.profile, model, image.type, image.encoding, problem);
    if (conversion == nullptr) return problem;
    const int rows = rows_of_look(static_cast<std::size_t>(image.width()) * 4 * sizeof(float));
    for (int y = 0; y < image.height(); ++y) {
      if (y % rows == 0 && !progress(1)) throw Error(ErrorKind::cancelled, stopped().text);
      ColorConversion::Row row;
      for (std::size_t c = 0; c < colors; ++c) row.values[c] = image.channels[c].row(y);
      conversion->convert(row, row, image.width());
    }
    if (colors == 4) {
      image.channels.pop_back();
      image.names = {"R", "G", "B"};
    }
    return problem;
  }
  void check(const ModuleError& error) const {
    if (error.text.empty()) return;
    file_.require_readable();
    throw Error(error.kind, error.text, shown());
  }
  void require(int frames) const {
    const double height = 1.0 * header_.height * frames;
    try {
      context_.require_pixels(header_.width, height, "an image");
      context_.require_memory(
          header_.width * height * (4.0 * header_.channels + 4) + header_.working_bytes,
          "the image");
    } catch (const Error& error) {
      throw Error(error.kind(), error.what(), shown());
    }
  }

  const Context& context_;
  InputFile file_;
  HeaderProbe probe_;
  std::unique_ptr<ImageReader> reader_;
  ImageHeader header_;
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

std::string shape_of(const Image& image) {
  return std::to_string(image.width()) + " x " + std::to_string(image.height()) + " pixels and " +
         std::to_string(image.channels.size()) + " channels";
}

// Returns true if a frame has the size and the channels of the first of `count` frames.
bool is_alike(const Image& frames, const Image& frame, int count) {
  return frame.width() == frames.width() && 1.0 * frame.height() * count == frames.height() &&
         frame.names == frames.names && frame.channels.size() == frames.channels.size();
}

// Copies a frame to its place below the earlier ones.
void put_frame(Image& frames, const Image& frame, int index, int count) {
  for (std::size_t c = 0; c < frames.channels.size(); ++c) {
    Plane<float>& all = frames.channels[c];
    const Plane<float>& plane = frame.channels[c];
    if (index == 0) all = Plane<float>(plane.width(), plane.height() * count);
    std::copy(plane.values().begin(), plane.values().end(), all.row(index * plane.height()));
  }
}

// Applies texts about the values to the image and removes them from its metadata.
void take_texts(Image& image, bool frames, const std::string& shown) {
  int slices = 1;
  for (const auto& [key, text] : image.metadata) {
    if (key == encoding_key && text == "data") image.encoding = Encoding::data;
    if (key == encoding_key && text == "linear") image.encoding = Encoding::linear;
    if (!frames) continue;
    if (key == volume_key) image.volume = true;
    if (key == slices_key) read_number(text.data(), text.data() + text.size(), slices);
  }
  std::erase_if(image.metadata, [&](const auto& entry) {
    return entry.first == encoding_key || (!frames && entry.first == durations_key) ||
           (frames && (entry.first == slices_key || entry.first == volume_key));
  });
  if (slices == 1) return;
  if (slices < 1 || image.height() % slices != 0) {
    throw Error(ErrorKind::input,
                "has " + std::to_string(slices) + " slices by its metadata, but its height of " +
                    std::to_string(image.height()) +
                    " pixels is not a multiple of that; was it cropped or scaled?",
                shown);
  }
  image.slices = slices;
}

void drop_opaque_alpha(Image& image) {
  const int found = image.find("A");
  if (found < 0) return;
  const std::span<const float> alpha = image.channels[static_cast<std::size_t>(found)].values();
  if (std::any_of(alpha.begin(), alpha.end(), [](float a) { return a < 1; })) return;
  drop_channel(image, "A");
}

// Adds the warning about missing limits to the texts of a file.
Metadata with_warning(Metadata texts, const ImageHeader& header) {
  std::erase_if(texts, [](const auto& entry) { return entry.first == unconfined_key; });
  if (!header.unconfined.empty()) texts.emplace_back(unconfined_key, unconfined_note(header));
  return texts;
}

// Returns the texts in the information of a PDF document.
Metadata pdf_metadata(const std::string& path, const Context& context) {
  const InputFile file(path, context);
  std::unique_ptr<BandReader> none;
  ImageHeader header;
  const ModuleError error = open_foreign(file, "pdf", HeaderProbe(), context, none, header);
  if (error.text.empty()) return with_warning(header.metadata, header);
  file.require_readable();
  throw Error(error.kind, error.text, file.shown());
}

Image read_one(const std::string& path, bool frames, const Context& context) {
  Reader reader(path, context);
  const int count = frames ? reader.count_frames() : 1;
  Image image;
  if (count == 1) {
    reader.read(image, progress_of(context));
    // A PNG is read as its first frame even where all frames are wanted.
    if (std::string note = reader.note_of_other_frames(); !note.empty()) {
      image.notes.push_back(std::move(note));
    }
  } else {
    for (int i = 0; i < count; ++i) {
      Image frame;
      if (i > 0) reader.seek(i);
      reader.read(frame,
                  [&](double fraction) { return progress_of(context)((i + fraction) / count); });
      if (i == 0) image = frame;
      if (i > 0 && !is_alike(image, frame, count)) {
        throw Error(ErrorKind::input,
                    "is damaged or incomplete from frame " + std::to_string(i) + " on: it has " +
                        shape_of(frame) + ", but earlier frames have " +
                        shape_of(slice_of(image, 0)),
                    reader.shown());
      }
      put_frame(image, frame, i, count);
    }
    reader.seek(0);
    image.slices = count;
  }
  // Animations always have an alpha, as do some textures of three channels. A fully opaque one is
  // dropped.
  const std::string& format = reader.header().format;
  if (format == "gif" || format == "texture" || (format == "png" && count > 1)) {
    drop_opaque_alpha(image);
  }
  image.metadata = texts_of(reader.header());
  take_texts(image, frames, reader.shown());
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
      context.require_pixels(frame.width(), 1.0 * frame.height() * count, "the sequence");
      context.require_memory(4.0 * frame.width() * frame.height() *
                                 static_cast<double>(frame.channels.size()) * (count + 2),
                             "the sequence");
      image = frame;
    } else if (!is_alike(image, frame, count)) {
      throw Error(ErrorKind::input,
                  "has " + shape_of(frame) + ", but " + files.front() + " has " +
                      shape_of(slice_of(image, 0)) +
                      "; all frames must have the same size and channels",
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

std::vector<std::pair<std::string, std::string>> read_metadata(const std::string& path,
                                                               const Context& context) {
  constexpr std::int64_t most_bytes = std::int64_t{1} << 31;
  if (path.ends_with(".svg")) return svg_metadata(read_file(path, most_bytes, context));
  if (path.ends_with(".pdf")) return pdf_metadata(path, context);
  if (path.ends_with(".gcode") || path.ends_with(".nc")) {
    return gcode_metadata(read_file(path, most_bytes, context));
  }
  if (path.ends_with(".dxf")) return dxf_metadata(read_file(path, most_bytes, context));
  Context any_size;
  any_size.limits.decoding = context.limits.decoding;
  any_size.limits.max_pixels = std::numeric_limits<std::int64_t>::max();
  any_size.limits.max_memory = any_size.limits.max_pixels;
  const Reader reader(path, any_size, true);
  Metadata texts = with_warning(texts_of(reader.header()), reader.header());
  std::erase_if(texts, [](const auto& entry) { return entry.first == encoding_key; });
  return texts;
}

}  // namespace dapple
