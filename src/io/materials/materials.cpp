// Holds the table of material formats.
#include <algorithm>
#include <array>

#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "io/materials/formats.hpp"

namespace dapple {
namespace {

struct Format {
  std::string_view name;
  std::string_view extension;
  std::string_view pictures;  // accepted extensions
  std::string (*encode)(const Material&);
};

constexpr std::array<Format, 4> formats{{
    {"gltf", "gltf", "png jpg jpeg", encode_gltf},
    {"blender", "py", "png jpg jpeg exr tif tiff tga bmp hdr dds", encode_blender},
    {"mtlx", "mtlx", "png jpg jpeg exr tif tiff tga hdr", encode_mtlx},
    {"usd", "usda", "png jpg jpeg exr", encode_usd},
}};

const Format& find_format(std::string_view name) {
  const auto found = std::find_if(formats.begin(), formats.end(),
                                  [&](const Format& format) { return format.name == name; });
  if (found != formats.end()) return *found;
  throw Error(ErrorKind::usage, "unknown material format '" + std::string(name) + "'");
}

}  // namespace

std::string Material::file_of(std::string_view output) const {
  const auto found = std::find_if(textures.begin(), textures.end(),
                                  [&](const Texture& one) { return one.output == output; });
  return found == textures.end() ? "" : found->file;
}

bool is_linear_picture(std::string_view file) {
  return file.ends_with(".exr") || file.ends_with(".hdr");
}

std::string identifier_of(std::string_view name) {
  std::string made;
  for (const char c : name) {
    const bool is_digit = c >= '0' && c <= '9';
    const bool is_letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
    if (is_digit && made.empty()) made += '_';
    made += is_digit || is_letter ? c : '_';
  }
  return made;
}

std::span<const std::string_view> material_formats() {
  static const auto names = [] {
    std::array<std::string_view, formats.size()> list;
    for (std::size_t i = 0; i < list.size(); ++i) list[i] = formats[i].name;
    return list;
  }();
  return names;
}

std::string_view extension_of_material(std::string_view format) {
  return find_format(format).extension;
}

OutputSpace space_of_color(const Material& material) {
  const bool linear = is_linear_picture(material.file_of("color"));
  const std::string_view usual = linear ? "lin_rec709" : "srgb_texture";
  return *output_space(material.colorspace.empty() ? usual : material.colorspace);
}

void check_pictures(std::string_view format, std::string_view extension,
                    std::string_view colorspace) {
  const std::string_view known = find_format(format).pictures;
  if (!colorspace.empty()) {
    const auto space = output_space(colorspace);
    const auto refuse = [&](const std::string& why) {
      throw Error(ErrorKind::usage,
                  Problem{"colorspace", space->name + " does not fit a material for " +
                                            std::string(format) + ", " + why});
    };
    if (space->is_raw) refuse("which states the space of its colors: name it");
    if (format == "gltf" && space->name != "srgb_texture") {
      refuse("whose base color is always srgb_texture: leave gltf or this option out");
    }
    if (format == "usd" && !space->is_linear &&
        (space->own() == nullptr || space->own()->gamma != 0)) {
      refuse("whose readers know light and the curve of sRGB: use a linear space or srgb_texture");
    }
  }
  if ((" " + std::string(known) + " ").find(" " + std::string(extension) + " ") !=
      std::string::npos) {
    return;
  }
  throw Error(ErrorKind::usage, "a material for " + std::string(format) + " cannot use ." +
                                    std::string(extension) + " pictures; use one of " +
                                    std::string(known));
}

std::string encode_material(const Material& material, std::string_view format) {
  if (material.width < 1 || material.height < 1) {
    throw Error(ErrorKind::usage, "the pictures of a material must have at least one pixel");
  }
  return find_format(format).encode(material);
}

}  // namespace dapple
