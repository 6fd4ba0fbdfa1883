// Converts pixels to bytes: interleaved, little-endian.
#include <Eigen/Core>
#include <algorithm>
#include <bit>
#include <numeric>

#include "io/images/formats.hpp"

namespace dapple {

std::size_t bytes_of(PixelType type) {
  return type == PixelType::u8 ? 1 : type == PixelType::f32 ? 4 : 2;
}

void put(std::string& bytes, std::uint64_t number, int count) {
  for (int i = 0; i < count; ++i) bytes += static_cast<char>(number >> (8 * i) & 0xff);
}

std::uint32_t level_of(float value, PixelType type) {
  const float range = type == PixelType::u8 ? 255.0f : 65535.0f;
  const float v = value > 0 ? std::min(value, 1.0f) : 0.0f;  // NaN is not above 0
  return static_cast<std::uint32_t>(v * range + 0.5f);
}

std::uint16_t half_of(float value) {
  return Eigen::half_impl::float_to_half_rtne(value).x;
}

std::vector<int> own_order(std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  return order;
}

std::string interleaved(const Image& image, PixelType type, const std::vector<int>& order) {
  std::string bytes;
  const auto count = static_cast<int>(bytes_of(type));
  const std::size_t pixels = image.channels.front().size();
  bytes.reserve(pixels * order.size() * static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < pixels; ++i) {
    for (const int c : order) {
      const float v = c < 0 ? 1.0f : image.channels[static_cast<std::size_t>(c)].values()[i];
      if (type == PixelType::f32) {
        put(bytes, std::bit_cast<std::uint32_t>(v), 4);
      } else if (type == PixelType::f16) {
        put(bytes, half_of(v), 2);
      } else {
        put(bytes, level_of(v, type), count);
      }
    }
  }
  return bytes;
}

}  // namespace dapple
