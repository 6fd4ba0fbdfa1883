// Reads rows of the picture as wanted values. Tables hold the values of 8-bit and 16-bit files,
// because computing powers takes longer than everything else.
#include <algorithm>
#include <bit>
#include <cmath>
#include <string>

#include "core/color.hpp"
#include "dapple/error.hpp"
#include "generate/dither/parts.hpp"

namespace dapple::dithering {
namespace {

// Clamps to 0..1. NaN becomes 0, as all_finite() checks for it separately.
float clamped(float v) {
  return v > 0 ? std::min(v, 1.0f) : 0.0f;
}

bool all_finite(const float* row, int width) {
  constexpr std::uint32_t exponent = 0x7f800000;
  std::uint32_t bad = 0;
  for (int x = 0; x < width; ++x) {
    bad |= (std::bit_cast<std::uint32_t>(row[x]) & exponent) == exponent;
  }
  return bad == 0;
}

// Returns the indices of R, G and B, or of one channel.
std::vector<std::size_t> sources_of(const Image& image) {
  const std::array<int, 3> rgb{image.find("R"), image.find("G"), image.find("B")};
  if (*std::min_element(rgb.begin(), rgb.end()) >= 0) return {rgb.begin(), rgb.end()};
  return {static_cast<std::size_t>(std::max(0, image.find("Y")))};
}

}  // namespace

std::string Picture::channel_of(const Image& image) {
  const std::vector<std::size_t> sources = sources_of(image);
  return sources.size() == 3 ? "luminance" : std::to_string(sources[0]);
}

Picture::Picture(const Image& image, bool gray, bool linear)
    : image_(image), gray_(gray), linear_(linear), sources_(sources_of(image)) {
  if (const int a = image.find("A"); a >= 0) {
    alpha_ = &image.channels[static_cast<std::size_t>(a)];
    for (int y = 0; y < alpha_->height(); ++y) {
      if (!all_finite(alpha_->row(y), alpha_->width())) fail(static_cast<std::size_t>(a), y);
    }
  }
  const std::size_t steps = image.type == PixelType::u16 ? 65535 : 255;
  for (std::size_t i = 0; i <= steps; ++i) {
    const float v = static_cast<float>(i) / static_cast<float>(steps);
    stored_.push_back(v);
    wanted_.push_back(linear && image.encoding == Encoding::srgb      ? srgb_to_linear(v)
                      : !linear && image.encoding == Encoding::linear ? linear_to_srgb(v)
                                                                      : v);
  }
}

void Picture::fail(std::size_t source, int y) const {
  const float* row = image_.channels[source].row(y);
  const float* bad = std::find_if(row, row + width(), [](float v) { return !std::isfinite(v); });
  const std::string name =
      source < image_.names.size() ? image_.names[source] : std::to_string(source);
  throw Error(ErrorKind::input, "pixel " + std::to_string(bad - row) + "," + std::to_string(y) +
                                    " holds " + shortest(*bad) + " in channel " + name);
}

void Picture::read_plane(std::size_t source, int y, float* to) const {
  const float* from = image_.channels[source].row(y);
  if (!all_finite(from, width())) fail(source, y);
  const bool decode = linear_ && image_.encoding == Encoding::srgb;
  const bool encode = !linear_ && image_.encoding == Encoding::linear;
  if (!decode && !encode) {
    std::transform(from, from + width(), to, clamped);
    return;
  }
  const auto last = static_cast<float>(stored_.size() - 1);
  for (int x = 0; x < width(); ++x) {
    const float v = clamped(from[x]);
    const auto i = static_cast<std::size_t>(v * last + 0.5f);
    to[x] = stored_[i] == v ? wanted_[i] : decode ? srgb_to_linear(v) : linear_to_srgb(v);
  }
}

void Picture::read_row(int c, int y, float* to) const {
  if (sources_.size() == 1 || !gray_) {
    read_plane(sources_[sources_.size() == 1 ? 0 : static_cast<std::size_t>(c)], y, to);
    return;
  }
  // The luminance of light or of encoded values.
  std::vector<float> row(static_cast<std::size_t>(width()));
  for (std::size_t k = 0; k < 3; ++k) {
    read_plane(sources_[k], y, row.data());
    const auto share = static_cast<float>(luminance_shares[k]);
    for (std::size_t x = 0; x < row.size(); ++x) {
      to[x] = (k == 0 ? 0.0f : to[x]) + share * row[x];
    }
  }
  std::transform(to, to + width(), to, clamped);  // the sum may be an ulp above 1
}

bool Picture::read_bytes(int c, int y, std::uint8_t* to) const {
  if (image_.type != PixelType::u8 || image_.encoding == Encoding::linear) return false;
  if (sources_.size() == 3 && gray_) return false;
  const std::size_t source = sources_[sources_.size() == 1 ? 0 : static_cast<std::size_t>(c)];
  const float* from = image_.channels[source].row(y);
  // Checks a row at a time. Rows with other values are rare and are read as floats.
  std::uint32_t other = 0;
  for (int x = 0; x < width(); ++x) {
    const int byte = static_cast<int>(clamped(from[x]) * 255.0f + 0.5f);
    other |= static_cast<std::uint32_t>(static_cast<float>(byte) / 255.0f != from[x]);
    to[x] = static_cast<std::uint8_t>(byte);
  }
  return other == 0;
}

}  // namespace dapple::dithering
