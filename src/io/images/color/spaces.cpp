// Defines the table of color spaces and the conversion to them.
#include "io/images/color/spaces.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <mutex>
#include <vector>

#include "core/color.hpp"
#include "core/deterministic_math.hpp"
#include "core/text/lower_case.hpp"
#include "dapple/error.hpp"
#include "io/images/module.hpp"

namespace dapple {
namespace {

constexpr double curve_of_srgb = 0;

// The first two are the usual spaces of linear and of encoded files.
constexpr std::array<ColorSpace, 14> spaces{{
    {"lin_rec709", "lin_rec709_scene", &rec709_primaries, 1, 1,
     "Linear Rec.709 (sRGB)|Linear Rec.709|Linear|lin_rec709_srgb|lin_srgb|Utility - Linear - "
     "sRGB"},
    {"srgb_texture", "srgb_rec709_scene", &rec709_primaries, curve_of_srgb, 1,
     "sRGB - Texture|sRGB|srgb_tx|sRGB Encoded Rec.709 (sRGB)|Utility - sRGB - Texture"},
    {"acescg", "lin_ap1_scene", &ap1_primaries, 1, 0, "ACEScg|lin_ap1|Linear ACEScg|ACES - ACEScg"},
    {"aces2065_1", "lin_ap0_scene", &ap0_primaries, 1, 0,
     "ACES2065-1|lin_ap0|Linear ACES|ACES - ACES2065-1"},
    {"lin_rec2020", "lin_rec2020_scene", &rec2020_primaries, 1, 9,
     "Linear Rec.2020|Utility - Linear - Rec.2020"},
    {"lin_p3d65", "lin_p3d65_scene", &p3_primaries, 1, 12,
     "Linear P3-D65|Linear DCI-P3 D65|lin_displayp3|Utility - Linear - P3-D65"},
    {"lin_adobergb", "lin_adobergb_scene", &adobe_primaries, 1, 0,
     "Linear AdobeRGB|Utility - Linear - Adobe RGB"},
    {"srgb_displayp3", "srgb_p3d65_scene", &p3_primaries, curve_of_srgb, 12,
     "sRGB Encoded P3-D65 - Texture|sRGB Encoded P3-D65|srgb_encoded_p3d65_tx|srgb_p3d65|Display "
     "P3"},
    {"srgb_ap1", "srgb_ap1_scene", &ap1_primaries, curve_of_srgb, 0,
     "sRGB Encoded AP1 - Texture|sRGB Encoded AP1|srgb_encoded_ap1_tx"},
    {"g18_rec709", "g18_rec709_scene", &rec709_primaries, 1.8, 0,
     "Gamma 1.8 Rec.709 - Texture|Gamma 1.8 Encoded Rec.709|g18_rec709_tx"},
    {"g22_rec709", "g22_rec709_scene", &rec709_primaries, 2.2, 1,
     "Gamma 2.2 Rec.709 - Texture|Gamma 2.2 Encoded Rec.709|g22_rec709_tx"},
    {"g24_rec709", "g24_rec709_scene", &rec709_primaries, 2.4, 0,
     "Gamma 2.4 Rec.709 - Texture|Gamma 2.4 Encoded Rec.709|g24_rec709_tx|rec709_display"},
    {"g22_ap1", "g22_ap1_scene", &ap1_primaries, 2.2, 0,
     "Gamma 2.2 AP1 - Texture|Gamma 2.2 Encoded AP1|g22_ap1_tx"},
    {"adobergb", "g22_adobergb_scene", &adobe_primaries, 563.0 / 256, 0,
     "g22_adobergb|Gamma 2.2 Encoded AdobeRGB|Adobe RGB (1998)"},
}};
constexpr const ColorSpace& linear_space = spaces[0];
constexpr const ColorSpace& srgb_space = spaces[1];

// ---- matrices -----------------------------------------------------------------------------------

using Vector = std::array<double, 3>;
using oklab::product;

ColorMatrix product(const ColorMatrix& a, const ColorMatrix& b) {
  ColorMatrix c{};
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      c[i][k] = a[i][0] * b[0][k] + a[i][1] * b[1][k] + a[i][2] * b[2][k];
    }
  }
  return c;
}

ColorMatrix inverse(const ColorMatrix& m) {
  ColorMatrix made{};
  const auto cofactor = [&](std::size_t i, std::size_t k) {
    const std::size_t a = (i + 1) % 3, b = (i + 2) % 3, c = (k + 1) % 3, d = (k + 2) % 3;
    return m[a][c] * m[b][d] - m[a][d] * m[b][c];
  };
  const double determinant =
      m[0][0] * cofactor(0, 0) + m[0][1] * cofactor(0, 1) + m[0][2] * cofactor(0, 2);
  for (std::size_t i = 0; i < 3; ++i) {
    for (std::size_t k = 0; k < 3; ++k) made[i][k] = cofactor(k, i) / determinant;
  }
  return made;
}

// Returns XYZ of a chromaticity with Y = 1.
Vector xyz_of(double x, double y) {
  return {x / y, 1, (1 - x - y) / y};
}

ColorMatrix to_xyz(const Chromaticities& xy) {
  ColorMatrix m{};
  for (std::size_t c = 0; c < 3; ++c) {
    const double x = xy[2 * c], y = xy[2 * c + 1];
    m[0][c] = x;
    m[1][c] = y;
    m[2][c] = 1 - x - y;
  }
  const Vector scale = product(inverse(m), xyz_of(xy[6], xy[7]));
  for (auto& row : m) {
    for (std::size_t c = 0; c < 3; ++c) row[c] *= scale[c];
  }
  return m;
}

// Bradford adaptation (Lam 1985).
ColorMatrix adaptation(const Vector& from, const Vector& to) {
  constexpr ColorMatrix cones{
      {{0.8951, 0.2664, -0.1614}, {-0.7502, 1.7135, 0.0367}, {0.0389, -0.0685, 1.0296}}};
  const Vector a = product(cones, from);
  const Vector b = product(cones, to);
  ColorMatrix scaled = cones;
  for (std::size_t i = 0; i < 3; ++i) {
    for (double& v : scaled[i]) v *= b[i] / a[i];
  }
  return product(inverse(cones), scaled);
}

Vector white_of(const Chromaticities& xy) {
  return xyz_of(xy[6], xy[7]);
}

// ---- pixels -------------------------------------------------------------------------------------

// Encodes light; curves are mirrored below 0.
float encoded(float light, double gamma) {
  if (gamma == 1) return light;
  if (gamma == curve_of_srgb) return linear_to_srgb(light);
  const auto size = static_cast<double>(std::abs(light));
  return std::copysign(static_cast<float>(portable_pow(size, 1 / gamma)), light);
}

// The channels of colors in an image, and their curve.
struct Colors {
  std::vector<std::size_t> channels;  // three, or one of gray; empty: none
  bool is_encoded = false;
  bool is_whole = false;  // the image has no other channels
};

Colors colors_of(const Image& image) {
  Colors colors;
  if (image.encoding != Encoding::data) {
    for (std::size_t c = 0; c < image.channels.size(); ++c) {
      if (image.names[c] != "A") colors.channels.push_back(c);
    }
    if (colors.channels.size() != 3) colors.channels.resize(1);
    colors.is_encoded = image.encoding == Encoding::srgb;
    colors.is_whole = true;
    return colors;
  }
  for (std::size_t c = 0; c + 2 < image.names.size(); ++c) {
    const std::string& name = image.names[c];
    if (name == "color.R" || name.ends_with(".color.R")) colors.channels = {c, c + 1, c + 2};
  }
  colors.is_whole = colors.channels.size() == image.channels.size();
  return colors;
}

// Converts the colors of an image from the usual space of its encoding.
void convert_pixels(Image& image, const Colors& colors, const OutputSpace& space) {
  const ColorSpace& known = *space.known;
  const bool gray = colors.channels.size() == 1;
  const bool same_light = known.primaries == &rec709_primaries || gray;
  const ColorMatrix matrix = light_matrix(rec709_primaries, *known.primaries);
  const auto width = static_cast<std::size_t>(image.width());
  std::vector<float> pixels(3 * width);
  for (int y = 0; y < image.height(); ++y) {
    std::array<float*, 3> rows{};
    for (std::size_t c = 0; c < 3; ++c) {
      rows[c] = image.channels[colors.channels[gray ? 0 : c]].row(y);
    }
    for (std::size_t x = 0; x < width; ++x) {
      Vector light;
      for (std::size_t c = 0; c < 3; ++c) {
        light[c] = static_cast<double>(colors.is_encoded ? srgb_to_linear(rows[c][x]) : rows[c][x]);
      }
      if (!same_light) light = product(matrix, light);
      for (std::size_t c = 0; c < 3; ++c) {
        pixels[3 * x + c] = encoded(static_cast<float>(light[c]), known.gamma);
      }
    }
    if (space.convert) space.convert(pixels.data(), width);
    for (std::size_t x = 0; x < width; ++x) {
      for (std::size_t c = 0; c < (gray ? 1 : 3); ++c) rows[c][x] = pixels[3 * x + c];
    }
  }
}

// ---- names --------------------------------------------------------------------------------------

// Returns all names of a space.
std::vector<std::string> names_of(const ColorSpace& space) {
  std::vector<std::string> names{std::string(space.name), std::string(space.scene_name)};
  const std::string_view all = space.aliases;
  for (std::size_t at = 0; at < all.size();) {
    const std::size_t end = std::min(all.find('|', at), all.size());
    names.emplace_back(all.substr(at, end - at));
    at = end + 1;
  }
  return names;
}

std::string known_names() {
  std::string names;
  for (const ColorSpace& space : spaces) names += std::string(space.name) + ", ";
  return names + "raw";
}

// Returns a space of the configuration.
OutputSpace configured(const std::string& config, const std::string& name) {
  std::vector<std::string> sources{"aces_interchange"};
  std::vector<const ColorSpace*> known{&spaces[3]};
  for (const ColorSpace& space : spaces) {
    if (!space.is_linear()) continue;
    for (std::string& source : names_of(space)) {
      sources.push_back(std::move(source));
      known.push_back(&space);
    }
  }
  OutputSpace made;
  made.name = name;
  ConfigConversion found;
  const ModuleError error = image_module("ocio").color_config(config, name, sources, found);
  if (!error.text.empty()) {
    throw Error(
        error.kind,
        Problem{"colorspace", error.text + "; names that need no configuration: " + known_names()});
  }
  made.known = known[found.source];
  made.is_linear = found.is_linear;
  made.convert = std::move(found.convert);
  return made;
}

}  // namespace

std::vector<std::string> names_of(const OutputSpace& space) {
  return space.own() == nullptr ? std::vector<std::string>{space.name} : names_of(*space.own());
}

ColorMatrix light_matrix(const Chromaticities& from, const Chromaticities& to) {
  const ColorMatrix adapted = product(adaptation(white_of(from), white_of(to)), to_xyz(from));
  return product(inverse(to_xyz(to)), adapted);
}

ColorMatrix adaptation_to_d50(const Chromaticities& from) {
  return adaptation(white_of(from), {0.9642, 1, 0.8249});
}

ColorMatrix matrix_to_d50(const Chromaticities& from) {
  return product(adaptation_to_d50(from), to_xyz(from));
}

std::shared_ptr<const OutputSpace> output_space(std::string_view name) {
  const std::string lower = lower_case(name);
  OutputSpace space;
  if (lower == raw_space) {
    space.name = raw_space;
    space.is_raw = true;
    return std::make_shared<const OutputSpace>(std::move(space));
  }
  const auto found = std::find_if(spaces.begin(), spaces.end(), [&](const ColorSpace& known) {
    const std::vector<std::string> names = names_of(known);
    return std::any_of(names.begin(), names.end(),
                       [&](const std::string& one) { return lower_case(one) == lower; });
  });
  if (found != spaces.end()) {
    space.name = found->name;
    space.known = &*found;
    space.is_linear = found->is_linear();
    return std::make_shared<const OutputSpace>(std::move(space));
  }
  const std::string& config = color_config_path();
  if (config.empty()) {
    throw Error(ErrorKind::usage,
                Problem{"colorspace", "'" + std::string(name) + "' is unknown; use one of " +
                                          known_names() +
                                          ", or set OCIO to a configuration that names it"});
  }
  static std::mutex mutex;
  static std::map<std::string, std::shared_ptr<const OutputSpace>> of_config;
  const std::lock_guard lock(mutex);
  auto& kept = of_config[std::string(name)];
  if (!kept) kept = std::make_shared<const OutputSpace>(configured(config, std::string(name)));
  return kept;
}

void require_space(const OutputSpace& space, std::string_view extension) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage,
                Problem{"colorspace", space.name + " does not fit ." + std::string(extension) +
                                          " files, " + why});
  };
  const bool encoded = space.own() != nullptr && !space.is_linear;
  const bool tif = extension == "tif" || extension == "tiff";
  if (space.is_raw || tif || extension == "png") return;
  if (extension == "exr") {
    if (encoded) refuse("which hold linear light: use lin_rec709, or write .png or .tif");
  } else if (extension == "tx") {
    if (!space.is_linear && space.own() != &srgb_space) {
      refuse("whose smaller levels are means of light: use a linear space or srgb_texture");
    }
  } else if (extension == "jpg" || extension == "jpeg") {
    if (space.is_linear || space.own() == nullptr) {
      refuse("whose 8 bits would show bands: write .png, .tif or .exr");
    }
  } else if (space.own() != (extension == "hdr" ? &linear_space : &srgb_space)) {
    refuse("which cannot state it: write .exr, .tif or .png");
  }
}

std::size_t convert_colors(Image& image, const OutputSpace& space, bool& has_colors) {
  const Colors colors = colors_of(image);
  has_colors = !colors.channels.empty();
  if (!has_colors || space.is_raw) return 0;
  const bool integer = image.type == PixelType::u8 || image.type == PixelType::u16;
  if (!colors.is_whole && integer) {
    throw Error(ErrorKind::usage,
                Problem{"colorspace",
                        "cannot be stated for colors beside other outputs in integers: put "
                        "{output} into the name, or write .exr"});
  }
  const bool is_usual = space.own() == (colors.is_encoded ? &srgb_space : &linear_space);
  if (!is_usual) {
    convert_pixels(image, colors, space);
    image.hints.palette.clear();
  }
  if (colors.is_whole && space.is_linear && image.type == PixelType::u8) {
    image.type = PixelType::u16;  // 8 bits of light show bands
  }
  if (colors.is_whole) image.encoding = space.is_linear ? Encoding::linear : Encoding::srgb;
  if (!integer) return 0;
  constexpr float least = 0.5f / 65535;  // rounds to the same 16 bits
  std::size_t clipped = 0;
  for (std::size_t i = 0; i < image.channels[0].size(); ++i) {
    clipped += std::any_of(colors.channels.begin(), colors.channels.end(), [&](std::size_t c) {
      const float v = image.channels[c].values()[i];
      return !(v >= -least && v <= 1 + least);
    });
  }
  return clipped;
}

ColorStatement statement_of(const OutputSpace& space) {
  ColorStatement made;
  made.name = space.name;
  made.is_unstated = space.own() == nullptr;
  if (made.is_unstated) return made;
  made.interop_id = space.known->scene_name;
  made.chromaticities = *space.known->primaries;
  made.icc = icc_profile(*space.known);
  if (space.known->code_points != 0) {
    made.primaries = space.known->code_points;
    made.transfer = space.is_linear ? 8 : space.known->gamma == 2.2 ? 4 : 13;
  }
  return made;
}

}  // namespace dapple
