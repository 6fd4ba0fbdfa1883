// Memory of planes, channels by name, slices, and the sRGB transfer curve.
#include "dapple/plane.hpp"

#include <cmath>
#include <cstdlib>
#ifdef __linux__
#include <sys/mman.h>
#endif

namespace dapple {

void* allocate_values(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{1} << 21;
  const bool large = bytes >= 2 * page;
  void* values = large ? std::aligned_alloc(page, (bytes + page - 1) / page * page)
                       : std::malloc(bytes > 0 ? bytes : 1);
  if (values == nullptr) throw std::bad_alloc();
#ifdef __linux__
  if (large) madvise(values, bytes, MADV_HUGEPAGE);  // where it fails, pages are small
#endif
  return values;
}

void free_values(void* values) noexcept {
  std::free(values);
}

int Image::find(std::string_view name) const {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<int>(i);
  }
  return -1;
}

Image slice_of(const Image& image, int index) {
  Image slice;
  for (const Plane<float>& plane : image.channels) {
    slice.channels.push_back(slice_of(plane, index, image.slices));
  }
  slice.names = image.names;
  slice.encoding = image.encoding;
  slice.type = image.type;
  slice.metadata = image.metadata;
  slice.palette = image.palette;
  slice.tileable = image.tileable;
  slice.half_enough = image.half_enough;
  slice.labels = image.labels;
  for (const Plane<std::uint32_t>& plane : image.integers) {
    slice.integers.push_back(plane.empty() ? plane : slice_of(plane, index, image.slices));
  }
  return slice;
}

float srgb_to_linear(float encoded) {
  const float v = std::abs(encoded);
  const float linear = v <= 0.04045f ? v / 12.92f : std::pow((v + 0.055f) / 1.055f, 2.4f);
  return std::copysign(linear, encoded);
}

float linear_to_srgb(float linear) {
  const float v = std::abs(linear);
  if (v == 1) return linear;  // the constants miss it by a rounding error
  const float encoded = v <= 0.0031308f ? v * 12.92f : 1.055f * std::pow(v, 1.0f / 2.4f) - 0.055f;
  return std::copysign(encoded, linear);
}

}  // namespace dapple
