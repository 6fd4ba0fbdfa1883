// Pixels as bytes: interleaved, little-endian.
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
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const std::uint32_t sign = bits >> 16 & 0x8000;
  const std::uint32_t magnitude = bits & 0x7fffffff;
  const auto made = [&](std::uint32_t half) { return static_cast<std::uint16_t>(sign | half); };
  if (magnitude > 0x7f800000) return made(0x7e00);   // not a number
  if (magnitude >= 0x477ff000) return made(0x7c00);  // rounds beyond 65504
  if (magnitude < 0x33000001) return made(0);        // rounds below the smallest
  const auto exponent = static_cast<int>(magnitude >> 23) - 127;
  const std::uint32_t fraction = (magnitude & 0x7fffff) | 0x800000;
  const int shift = exponent < -14 ? -exponent - 1 : 13;  // below 2^-14 there is no hidden bit
  const std::uint32_t kept = fraction >> shift;
  const std::uint32_t rest = fraction & ((1u << shift) - 1);
  const std::uint32_t middle = 1u << (shift - 1);
  const std::uint32_t up = rest > middle || (rest == middle && (kept & 1) != 0) ? 1 : 0;
  // A carry runs into the exponent, where it belongs.
  const std::uint32_t base = exponent < -14 ? 0 : static_cast<std::uint32_t>(exponent + 14) << 10;
  return made(base + kept + up);
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
