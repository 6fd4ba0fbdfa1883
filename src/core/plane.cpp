// Memory of planes, channels by name, slices, and the sRGB transfer curve.
#include "dapple/plane.hpp"

#include <cmath>
#include <cstdlib>
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "core/portable.hpp"

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

namespace {

template <class T>
Plane<T> rows_of(const Plane<T>& plane, int first, int last) {
  if (plane.empty()) return {};
  auto rows = Plane<T>::unset(plane.width(), last - first);
  std::copy_n(plane.row(first), rows.size(), rows.row(0));
  return rows;
}

template <class T>
void put_strip(std::vector<Plane<T>>& all, const std::vector<Plane<T>>& strip, int index,
               int count) {
  if (index == 0) all.resize(strip.size());
  for (std::size_t c = 0; c < strip.size(); ++c) {
    const Plane<T>& from = strip[c];
    if (from.empty()) continue;
    if (index == 0) all[c] = Plane<T>(from.width(), count * from.height());
    std::copy(from.values().begin(), from.values().end(), all[c].row(index * from.height()));
  }
}

}  // namespace

Image rows_of(const Image& image, int first, int last) {
  Image part;
  for (const auto& plane : image.channels) part.channels.push_back(rows_of(plane, first, last));
  const WriterHints& hints = image.hints;
  part.hints = {hints.labels, {}, hints.palette, hints.half_enough, hints.tileable};
  for (const auto& plane : hints.integers) {
    part.hints.integers.push_back(rows_of(plane, first, last));
  }
  part.names = image.names;
  part.encoding = image.encoding;
  part.type = image.type;
  part.metadata = image.metadata;
  return part;
}

void put_strip(Image& all, Image strip, int index, int count) {
  put_strip(all.channels, strip.channels, index, count);
  put_strip(all.hints.integers, strip.hints.integers, index, count);
  if (index > 0) return;
  strip.channels = std::move(all.channels);
  strip.hints.integers = std::move(all.hints.integers);
  all = std::move(strip);
}

Image slice_of(const Image& image, int index) {
  const int height = image.slice_height();
  return rows_of(image, index * height, (index + 1) * height);
}

namespace {

float power(float v, double exponent) {
  return static_cast<float>(portable_pow(static_cast<double>(v), exponent));
}

}  // namespace

float srgb_to_linear(float encoded) {
  const float v = std::abs(encoded);
  const float linear = v <= 0.04045f ? v / 12.92f : power((v + 0.055f) / 1.055f, 2.4);
  return std::copysign(linear, encoded);
}

float linear_to_srgb(float linear) {
  const float v = std::abs(linear);
  if (v == 1) return linear;  // the constants miss it by a rounding error
  const float encoded = v <= 0.0031308f ? v * 12.92f : 1.055f * power(v, 1 / 2.4) - 0.055f;
  return std::copysign(encoded, linear);
}

}  // namespace dapple
