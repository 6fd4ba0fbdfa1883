// Writes images: defines what each format can hold, and makes an image fit.
#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>

#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "io/images/color/spaces.hpp"
#include "io/images/exr_pack.hpp"
#include "io/images/formats.hpp"
#include "io/images/module.hpp"
#include "io/images/png_file.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

enum class Texts { none, keys, one };  // any keys, or one description

// Features that a format can have.
enum Room : unsigned {
  alpha = 1,
  u16 = 2,
  floats = 4,
  linear = 8,  // holds only linear light
  tags = 16,   // can mark values as not sRGB
  parts = 32,  // slices as separate parts
  all = alpha | u16 | floats | tags | parts,
};

struct Format {
  std::string_view extension;
  int channels;  // largest number
  unsigned room;
  Texts texts;
  std::string (*encode)(const Image&, const ImageExtras&) = nullptr;  // null: a library writes it

  bool has(Room what) const { return (room & what) != 0; }
};

constexpr int any = 1024;
constexpr std::array<Format, 27> formats{{
    {"png", 4, alpha | u16 | tags, Texts::keys},
    {"tif", any, all, Texts::one},
    {"tiff", any, all, Texts::one},
    {"exr", any, alpha | floats | linear | tags | parts, Texts::keys},
    {"tx", any, alpha | u16 | floats | tags, Texts::keys},
    {"jpg", 3, 0, Texts::one},
    {"jpeg", 3, 0, Texts::one},
    {"tga", 4, alpha, Texts::none},
    {"bmp", 3, 0, Texts::none},
    {"ppm", 3, 0, Texts::none},
    {"pgm", 1, 0, Texts::none},
    {"gif", 3, parts, Texts::none},
    {"pbm", 3, 0, Texts::none, encode_pbm},
    {"xbm", 3, 0, Texts::none, encode_xbm},
    {"hdr", 3, floats | linear, Texts::none},
    {"dds", 4, all, Texts::none, encode_dds},
    {"ktx2", 4, all, Texts::keys, encode_ktx2},
    {"npy", any, all, Texts::none, encode_npy_image},
    {"raw", any, all, Texts::none, encode_raw},
    {"c", any, all, Texts::keys, encode_source<Source::c>},
    {"h", any, all, Texts::keys, encode_source<Source::h>},
    {"wgsl", any, all, Texts::keys, encode_source<Source::wgsl>},
    {"glsl", any, all, Texts::keys, encode_source<Source::glsl>},
    {"hlsl", any, all, Texts::keys, encode_source<Source::hlsl>},
    {"rs", any, all, Texts::keys, encode_source<Source::rs>},
    {"cs", any, all, Texts::keys, encode_source<Source::cs>},
    {"json", any, all, Texts::keys, encode_json_image},
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

// Composites the image over white paper, in linear light.
void drop_alpha(Image& image) {
  const int found = image.find("A");
  if (found < 0) return;
  const auto place = static_cast<std::size_t>(found);
  if (image.channels.size() == 1) return;
  const bool encoded = image.encoding == Encoding::srgb;
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    if (c == place) continue;
    const std::span<float> v = image.channels[c].values();
    const std::span<const float> a = image.channels[place].values();
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

// Formats of fixed layout have gray, gray with alpha, RGB and RGBA. Any other two channels become R
// and G with a B of one value.
void fit_channels(Image& image, const Format& format) {
  const bool data = image.encoding == Encoding::data;
  if (!format.has(alpha) && !data) drop_alpha(image);
  const bool has_alpha = !data && image.find("A") >= 0;
  auto count = static_cast<int>(image.channels.size());
  if (format.channels == any) return;
  const bool needs_rgb = format.extension == "hdr" || format.extension == "ppm";
  const bool gray = count == (has_alpha ? 2 : 1);
  const bool gray_alpha = has_alpha && gray && format.extension != "png";
  if (format.channels == 1 && count == 3 && !data) {
    throw Error(ErrorKind::usage, "." + std::string(format.extension) +
                                      " holds only one channel; write .ppm or .png");
  }
  if ((gray && needs_rgb) || gray_alpha) {
    image.channels.insert(image.channels.begin(), 2, image.channels.front());
    image.names = {"R", "G", "B"};
    if (has_alpha) image.names.emplace_back("A");
  } else if (!has_alpha && count == 2 && format.channels >= 3 && format.encode == nullptr) {
    image.channels.emplace_back(image.width(), image.height());
    const std::span<float> third = image.channels.back().values();
    std::fill(third.begin(), third.end(), image.hints.third);
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

// Appends .V, for value, to long names. Readers of OpenEXR take the last part of a name as the
// component, a letter, and the rest as the pass; some skip a channel named F1.
void name_components(Image& image) {
  const auto name = [](std::string& channel) {
    if (channel.size() - (channel.rfind('.') + 1) > 1) channel += ".V";
  };
  std::for_each(image.names.begin(), image.names.end(), name);
  std::for_each(image.hints.labels.begin(), image.hints.labels.end(), name);
}

// Keeps 32-bit integers only if the format has them.
void fit_integers(Image& image, const Format& format, bool texture) {
  const bool tif = format.extension.starts_with("tif");
  // Renderers expect floats.
  if (texture || !(tif || format.extension == "exr")) image.hints.integers.clear();
  const auto whole = std::count_if(image.hints.integers.begin(), image.hints.integers.end(),
                                   [](const auto& plane) { return !plane.empty(); });
  if (tif && whole > 0 && whole < static_cast<std::ptrdiff_t>(image.channels.size())) {
    throw Error(ErrorKind::usage,
                "all channels of a .tif have the same type; write 32-bit integers to a file of "
                "their own, or write .exr");
  }
}

PixelType fit_type(const Image& image, const Format& format) {
  const bool integer = image.type == PixelType::u8 || image.type == PixelType::u16;
  if (format.has(linear) && integer) {
    return image.encoding == Encoding::data ? PixelType::f32 : PixelType::f16;
  }
  if (image.type == PixelType::f16 && format.extension.starts_with("tif")) return PixelType::f32;
  // Only OpenEXR has a type per channel.
  if (image.type == PixelType::f16 && !image.hints.labels.empty() && format.extension != "exr") {
    return PixelType::f32;
  }
  if (!integer && !format.has(floats)) return format.has(u16) ? PixelType::u16 : PixelType::u8;
  if (image.type == PixelType::u16 && !format.has(u16)) return PixelType::u8;
  return image.type;
}

void fit_encoding(Image& image, const Format& format) {
  if (format.has(linear) && image.encoding == Encoding::srgb) {
    convert(image, srgb_to_linear, Encoding::linear);
  } else if (!format.has(tags) && !format.has(linear) && image.encoding == Encoding::linear) {
    convert(image, linear_to_srgb, Encoding::srgb);
  }
}

// Returns OpenEXR for floats and TIFF for integers, as maketx does for a .tx.
const Format& holder_of_texture(const Image& image) {
  if (image.slices > 1) {
    throw Error(ErrorKind::usage,
                "a .tx holds one picture, not " + std::to_string(image.slices) +
                    " slices; put {frame} into its name to write one file per slice");
  }
  const bool integer = image.type == PixelType::u8 || image.type == PixelType::u16;
  return find_format(integer ? "tif" : "exr");
}

void fit_texts(Image& image, const Format& format) {
  if (image.slices > 1 && !format.has(parts)) {
    image.metadata.emplace_back(slices_key, std::to_string(image.slices));
  }
  if (image.volume) image.metadata.emplace_back(volume_key, "true");
  const bool implied = image.encoding == (format.has(linear) ? Encoding::linear : Encoding::srgb);
  // The writer of GIF takes the durations of frames from the texts.
  if (format.texts == Texts::none && !format.has(parts)) image.metadata.clear();
  if (format.texts == Texts::none || (implied && image.metadata.empty())) return;
  if (!implied) {
    image.metadata.emplace_back(encoding_key, image.encoding == Encoding::data ? "data" : "linear");
  }
  if (format.texts == Texts::one) {
    // unpack_texts() recognizes its own texts by their first key.
    std::stable_partition(image.metadata.begin(), image.metadata.end(),
                          [](const auto& entry) { return entry.first.starts_with("dapple:"); });
    image.metadata = {{"ImageDescription", pack_texts(image.metadata)}};
  }
}

// Halves cannot hold all whole numbers above 2048.
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
  if (format.has(parts)) return SlicesHeld::apart;
  return format.texts == Texts::none ? SlicesHeld::unnamed_strip : SlicesHeld::strip;
}

bool holds_any_value(std::string_view extension, PixelType type) {
  const Format& format = find_format(extension);
  const bool real = type == PixelType::f16 || type == PixelType::f32;
  return format.extension == "exr" || (real && format.has(floats) && !format.has(linear));
}

bool holds_type(std::string_view extension, PixelType type) {
  const Format& format = find_format(extension);
  if (format.extension == "tx") return true;
  // Floats in source code are decimals.
  const bool code = format.has(floats) && format.encode != nullptr && format.texts == Texts::keys;
  if (code && format.extension != "ktx2" && type == PixelType::f16) return false;
  Image probe;
  probe.encoding = Encoding::data;
  probe.type = type;
  return fit_type(probe, format) == type;
}

double memory_of_writer(std::string_view extension) {
  const auto found = std::find_if(formats.begin(), formats.end(), [&](const Format& format) {
    return format.extension == extension;
  });
  const bool module =
      found == formats.end() ? extension == "pdf" : found->encode == nullptr && extension != "png";
  return module ? image_module_memory : 0;
}

std::string encode_image(Image image, std::string_view extension) {
  return encode_image(std::move(image), extension, Context());
}

Image fit_image(Image image, std::string_view extension, ImageEncoding& how) {
  require_planes(image);
  const bool texture = find_format(extension).extension == "tx";
  const Format& format = texture ? holder_of_texture(image) : find_format(extension);
  if (texture && image.type == PixelType::f32 && image.hints.half_enough && fits_halves(image)) {
    image.type = PixelType::f16;
  }
  fit_integers(image, format, texture);
  fit_channels(image, format);
  if (format.extension == "exr") name_components(image);
  image.type = fit_type(image, format);
  bool converted = false;
  if (!image.hints.colorspace.empty()) {
    const auto space = output_space(image.hints.colorspace);
    require_space(*space, extension);
    how.clipped += convert_colors(image, *space, converted);
    if (converted) how.color = statement_of(*space);
    if (converted && format.has(linear)) image.encoding = Encoding::linear;
    converted = converted && !space->is_raw;
  }
  if (!converted) fit_encoding(image, format);
  fit_texts(image, format);
  how.extension = format.extension;
  how.parts = image.slices > 1 && format.has(parts);
  how.premultiply = format.extension == "exr" && image.encoding != Encoding::data;
  return image;
}

std::string encode_image(Image image, std::string_view extension, const Context& context,
                         const ImageExtras& extras) {
  ImageEncoding how;
  how.threads = context.threads;
  Image fitted = fit_image(std::move(image), extension, how);
  if (extras.clipped != nullptr) *extras.clipped = how.clipped;
  const Format& format = find_format(how.extension);
  if (format.encode != nullptr) return format.encode(fitted, extras);
  if (format.extension == "bmp") {
    if (auto indexed = encode_indexed_bmp(fitted)) return std::move(*indexed);
  }
  if (format.extension == "gif") fitted = as_indices(fitted);
  how.attributes = packing_of(fitted, how);
  if (find_format(extension).extension == "tx") encode_as_texture(fitted, how);
  if (packs_exr(fitted, how)) return encode_exr(fitted, how, context);
  std::string bytes;
  const auto encode = how.extension == "png" ? encode_png : image_module(how.extension).encode;
  const ModuleError error = encode(fitted, how, bytes, progress_of(context));
  if (!error.text.empty()) throw Error(error.kind, error.text);
  return bytes;
}

}  // namespace dapple
