// The profiles of cameras and screens are a curve per channel and a matrix: in linear light they
// are sums of one table per channel, which is ten times as fast as Little CMS and as exact.
// Profiles of printers and floating point values go through Little CMS.
#include "io/images/read/color_profile.hpp"

#include <algorithm>
#include <cmath>
#include <lcms2.h>

#include "field/curve_table.hpp"
#include "io/images/color/primaries.hpp"

namespace dapple {
namespace {

using CmsProfile = std::unique_ptr<void, decltype(&cmsCloseProfile)>;
using CmsLibrary = std::unique_ptr<std::remove_pointer_t<cmsContext>, decltype(&cmsDeleteContext)>;
using CmsTransform = std::unique_ptr<void, decltype(&cmsDeleteTransform)>;
using CmsCurve = std::unique_ptr<cmsToneCurve, decltype(&cmsFreeToneCurve)>;

CmsCurve power_curve(cmsContext library, double gamma) {
  return {cmsBuildGamma(library, gamma), cmsFreeToneCurve};
}
CmsCurve srgb_curve(cmsContext library) {
  const std::array<double, 5> values{2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  return {cmsBuildParametricToneCurve(library, 4, values.data()), cmsFreeToneCurve};
}

CmsProfile rgb_profile(cmsContext library, const std::array<double, 8>& xy, const CmsCurve& curve) {
  const cmsCIExyY white{xy[6], xy[7], 1};
  const cmsCIExyYTRIPLE primaries{{xy[0], xy[1], 1}, {xy[2], xy[3], 1}, {xy[4], xy[5], 1}};
  cmsToneCurve* const curves[] = {curve.get(), curve.get(), curve.get()};
  return {cmsCreateRGBProfileTHR(library, &white, &primaries, curves), cmsCloseProfile};
}
CmsProfile gray_profile(cmsContext library, const CmsCurve& curve) {
  return {cmsCreateGrayProfileTHR(library, cmsD50_xyY(), curve.get()), cmsCloseProfile};
}

// Returns the profile that a file describes, or null if it is damaged.
CmsProfile stated_profile(cmsContext library, const ColorProfile& profile, ColorModel model,
                          Encoding encoding) {
  if (model == ColorModel::lab) return {cmsCreateLab4ProfileTHR(library, nullptr), cmsCloseProfile};
  if (!profile.icc.empty()) {
    return {cmsOpenProfileFromMemTHR(library, profile.icc.data(),
                                     static_cast<cmsUInt32Number>(profile.icc.size())),
            cmsCloseProfile};
  }
  const CmsCurve curve = encoding == Encoding::linear ? power_curve(library, 1)
                         : profile.gamma > 0          ? power_curve(library, profile.gamma)
                                                      : srgb_curve(library);
  if (model == ColorModel::gray) return gray_profile(library, curve);
  return rgb_profile(
      library, profile.chromaticities[7] > 0 ? profile.chromaticities : rec709_primaries, curve);
}

std::string_view kind_of(cmsColorSpaceSignature space) {
  return space == cmsSigGrayData   ? "gray"
         : space == cmsSigRgbData  ? "RGB"
         : space == cmsSigCmykData ? "CMYK"
         : space == cmsSigLabData  ? "Lab"
                                   : "another kind of";
}

// Returns the space of a model, and its format in Little CMS, with floating point values.
std::pair<cmsColorSpaceSignature, cmsUInt32Number> format_of(ColorModel model) {
  switch (model) {
    case ColorModel::gray:
      return {cmsSigGrayData, TYPE_GRAY_FLT};
    case ColorModel::rgb:
      return {cmsSigRgbData, TYPE_RGB_FLT};
    case ColorModel::lab:
      return {cmsSigLabData, TYPE_Lab_FLT};
    default:
      return {cmsSigCmykData, TYPE_CMYK_FLT};
  }
}

}  // namespace

ColorProfile profile_of_code_points(int primaries, int transfer, int matrix) {
  ColorProfile profile;
  switch (primaries) {
    case 1:
      break;
    case 9:  // ITU-R BT.2020
      profile.chromaticities = rec2020_primaries;
      break;
    case 12:  // Display P3
      profile.chromaticities = p3_primaries;
      break;
    default:
      profile.unusable = "primaries " + std::to_string(primaries) + " of ITU-T H.273";
  }
  if (transfer == 1 || transfer == 6 || transfer == 14 || transfer == 15) profile.gamma = 2.4;
  if (transfer == 4) profile.gamma = 2.2;
  if (transfer == 5) profile.gamma = 2.8;
  if (transfer == 8) profile.gamma = 1;
  if (transfer != 13 && profile.gamma == 0) {
    profile.unusable = transfer == 16 ? "HDR (PQ)"
                       : transfer == 18
                           ? "HDR (HLG)"
                           : "transfer function " + std::to_string(transfer) + " of ITU-T H.273";
  }
  if (matrix != 0) profile.unusable = "matrix " + std::to_string(matrix) + " of ITU-T H.273";
  return profile;
}

struct ColorConversion::Parts {
  CmsLibrary library{cmsCreateContext(nullptr, nullptr), cmsDeleteContext};
  CmsTransform transform{nullptr, cmsDeleteTransform};
  const CurveTable& curve = to_srgb();
  ColorModel model = ColorModel::rgb;
  std::size_t from = 3;  // channels
  std::size_t to = 3;
  bool linear = false;  // the result is light
  bool bounded = true;  // the result is cut to 0..1
  float levels = 0;     // largest integer of the tables
  float lab_range = 0;  // largest a and b, unsigned
  // Light of the result by channel of the file and its value; empty: Little CMS computes.
  std::array<std::vector<std::array<float, 3>>, 3> tables;

  // Returns the light of a pixel, by Little CMS.
  std::array<float, 3> light_of(const std::array<float, 4>& values) const {
    std::array<float, 3> light{};
    cmsDoTransform(transform.get(), values.data(), light.data(), 1);
    return light;
  }

  // Fills the tables for a profile whose channels add up in light.
  void tabulate() {
    const std::array<float, 3> black = light_of({});
    for (std::size_t c = 0; c < from; ++c) {
      auto& table = tables[c];
      table.resize(static_cast<std::size_t>(levels) + 1);
      for (std::size_t i = 0; i < table.size(); ++i) {
        std::array<float, 4> values{};
        values[c] = static_cast<float>(i) / levels;
        table[i] = light_of(values);
        for (std::size_t k = 0; k < 3 && c > 0; ++k) table[i][k] -= black[k];
      }
    }
  }

  std::array<float, 3> tabulated(const std::array<float, 4>& values) const {
    std::array<float, 3> light{};
    for (std::size_t c = 0; c < from; ++c) {
      const float place = std::clamp(values[c], 0.0f, 1.0f) * levels;
      const std::array<float, 3>& entry = tables[c][static_cast<std::size_t>(place + 0.5f)];
      for (std::size_t k = 0; k < 3; ++k) light[k] += entry[k];
    }
    return light;
  }

  float encoded(float light) const {
    if (!bounded) return light;
    const float cut = std::clamp(light, 0.0f, 1.0f);
    // The C library's power function, which Little CMS calls, differs between systems in the last
    // digit. Values of 16 bits are the same everywhere.
    return static_cast<float>(static_cast<int>((linear ? cut : curve(cut)) * 65535 + 0.5f)) / 65535;
  }

  // Returns true if the conversion leaves colors in steps of 8 bits as they are.
  bool is_identity() const {
    if (model != ColorModel::gray && model != ColorModel::rgb) return false;
    constexpr std::size_t steps = 8;
    const std::size_t count = from == 1 ? steps + 1 : (steps + 1) * (steps + 1) * (steps + 1);
    for (std::size_t i = 0; i < count; ++i) {
      std::array<float, 4> values{};
      for (std::size_t c = 0, rest = i; c < from; ++c, rest /= steps + 1) {
        values[c] = static_cast<float>(rest % (steps + 1)) / steps;
      }
      const std::array<float, 3> light = light_of(values);
      for (std::size_t c = 0; c < from; ++c) {
        const float kept = linear ? light[c] : linear_to_srgb(light[c]);
        if (!(std::abs(kept - values[c]) < 1.0f / 255)) return false;
      }
    }
    return true;
  }

  // Returns a stored value in the unit of Little CMS: inks in percent, Lab by its definition.
  float to_unit(float value, std::size_t channel) const {
    switch (model) {
      case ColorModel::cmyk:
        return 100 * value;
      case ColorModel::cmyk_inverted:
        return 100 * (1 - value);
      case ColorModel::lab: {
        if (channel == 0) return 100 * value;
        const float unsigned_value = value * lab_range;
        return unsigned_value < 128 ? unsigned_value : unsigned_value - 256;
      }
      default:
        return value;
    }
  }
};

ColorConversion::ColorConversion(std::unique_ptr<Parts> parts) : parts_(std::move(parts)) {}
ColorConversion::~ColorConversion() = default;

int ColorConversion::channels() const {
  return static_cast<int>(parts_->to);
}

std::unique_ptr<const ColorConversion> ColorConversion::of(const ColorProfile& profile,
                                                           ColorModel model, PixelType type,
                                                           Encoding encoding,
                                                           std::string& problem) {
  if (profile.empty() && model != ColorModel::lab) return nullptr;
  if (profile.icc.empty() && !profile.unusable.empty()) {
    problem = "states colors in " + profile.unusable + ", which are taken as sRGB";
    return nullptr;
  }
  auto parts = std::make_unique<Parts>();
  const cmsContext library = parts->library.get();
  const CmsProfile source = stated_profile(library, profile, model, encoding);
  if (source == nullptr) {
    problem = "states colors in a damaged color profile, which are taken as sRGB";
    return nullptr;
  }
  const auto [space, format] = format_of(model);
  if (cmsGetColorSpace(source.get()) != space) {
    problem = "has a color profile for " + std::string(kind_of(cmsGetColorSpace(source.get()))) +
              " pixels, but its pixels are " + std::string(kind_of(space)) +
              "; they are taken as sRGB";
    return nullptr;
  }
  const bool is_gray = model == ColorModel::gray;
  const CmsCurve straight = power_curve(library, 1);
  const CmsProfile target =
      is_gray ? gray_profile(library, straight) : rgb_profile(library, rec709_primaries, straight);
  // Black of a printer becomes black of the screen.
  parts->transform.reset(cmsCreateTransformTHR(
      library, source.get(), format, target.get(), is_gray ? TYPE_GRAY_FLT : TYPE_RGB_FLT,
      INTENT_RELATIVE_COLORIMETRIC,
      cmsFLAGS_BLACKPOINTCOMPENSATION | cmsFLAGS_NOOPTIMIZE | cmsFLAGS_NOCACHE));
  if (parts->transform == nullptr) {
    problem = "has a color profile that converts no " + std::string(kind_of(space)) +
              " pixels; they are taken as sRGB";
    return nullptr;
  }
  const bool is_integer = type == PixelType::u8 || type == PixelType::u16;
  parts->model = model;
  parts->from = T_CHANNELS(format);
  parts->lab_range = type == PixelType::u8 ? 255 : 65535.0f / 256;
  parts->to = is_gray ? 1 : 3;
  parts->linear = encoding == Encoding::linear;
  parts->bounded = is_integer || !parts->linear;
  if (parts->is_identity()) return nullptr;
  const bool adds_up =
      cmsIsMatrixShaper(source.get()) != 0 &&
      cmsIsCLUT(source.get(), INTENT_RELATIVE_COLORIMETRIC, LCMS_USED_AS_INPUT) == 0;
  if (is_integer && adds_up) {
    parts->levels = type == PixelType::u8 ? 255 : 65535;
    parts->tabulate();
  }
  return std::unique_ptr<const ColorConversion>(new ColorConversion(std::move(parts)));
}

void ColorConversion::convert(const Row& from, const Row& to, int count) const {
  const Parts& parts = *parts_;
  for (int i = 0; i < count; ++i) {
    std::array<float, 4> values{};
    for (std::size_t c = 0; c < parts.from; ++c) {
      values[c] = parts.to_unit(from.values[c][static_cast<std::ptrdiff_t>(i) * from.step], c);
    }
    const std::array<float, 3> light =
        parts.levels > 0 ? parts.tabulated(values) : parts.light_of(values);
    for (std::size_t c = 0; c < parts.to; ++c) {
      to.values[c][static_cast<std::ptrdiff_t>(i) * to.step] = parts.encoded(light[c]);
    }
  }
}

}  // namespace dapple
