// Implements memory of planes, channels by name, slices, and the sRGB transfer curve.
#include "dapple/plane.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "core/preconditions.hpp"
#ifdef __linux__
#include <sys/mman.h>
#endif

#include "core/deterministic_math.hpp"

namespace dapple {

void* allocate_values(std::size_t bytes) {
  constexpr std::size_t page = std::size_t{1} << 21;
  const bool large = bytes >= 2 * page;
#ifdef _WIN32
  void* values = _aligned_malloc(bytes > 0 ? bytes : 1, large ? page : alignof(std::max_align_t));
#else
  void* values = large ? std::aligned_alloc(page, (bytes + page - 1) / page * page)
                       : std::malloc(bytes > 0 ? bytes : 1);
#endif
  if (values == nullptr) throw std::bad_alloc();
#ifdef __linux__
  if (large) madvise(values, bytes, MADV_HUGEPAGE);  // if this fails, pages are small
#endif
  return values;
}

void free_values(void* values) noexcept {
#ifdef _WIN32
  _aligned_free(values);
#else
  std::free(values);
#endif
}

std::size_t plane_size(int width, int height) {
  if (width < 0 || height < 0) {
    throw Error(ErrorKind::usage, "the sides of a plane must be at least 0, not " +
                                      std::to_string(width) + "x" + std::to_string(height));
  }
  const auto size = static_cast<std::uint64_t>(width) * static_cast<std::uint64_t>(height);
  constexpr std::uint64_t most = std::min<std::uint64_t>(std::uint64_t{1} << 40, SIZE_MAX / 4);
  if (size > most) {
    throw Error(ErrorKind::limit, "a plane of " + std::to_string(size) + " pixels is too large");
  }
  return static_cast<std::size_t>(size);
}

void require_slice(int index, int slices) {
  if (index >= 0 && index < slices) return;
  throw Error(ErrorKind::usage, "slice " + std::to_string(index) + " of " + std::to_string(slices) +
                                    " does not exist; slices count from 0");
}

void require_planes(const Image& image) {
  const auto refuse = [](const char* why) { throw Error(ErrorKind::input, why); };
  const int width = image.width();
  const int height = image.height();
  if (width < 1 || height < 1) refuse("the image has no pixels");
  if (image.names.size() != image.channels.size()) refuse("each channel of an image needs a name");
  if (image.slices < 1 || height % image.slices != 0) {
    refuse("the height of an image must be a multiple of its number of slices");
  }
  const auto fits = [&](const auto& plane) {
    return plane.width() == width && plane.height() == height;
  };
  for (const auto& plane : image.channels) {
    if (!fits(plane)) refuse("all planes of an image must have the same size");
  }
  for (const auto& plane : image.hints.integers) {
    if (!plane.empty() && !fits(plane)) refuse("all planes of an image must have the same size");
  }
}

void require_rows(int first, int last, int rows) {
  if (first >= 0 && first <= last && last <= rows) return;
  throw Error(ErrorKind::usage, "rows " + std::to_string(first) + " to " + std::to_string(last) +
                                    " are out of range; the image has " + std::to_string(rows) +
                                    " rows");
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
    if (c >= all.size() || all[c].width() != from.width() ||
        all[c].height() != count * from.height()) {
      throw Error(ErrorKind::usage, "all strips of an image must have the same size");
    }
    std::copy(from.values().begin(), from.values().end(), all[c].row(index * from.height()));
  }
}

}  // namespace

Image rows_of(const Image& image, int first, int last) {
  require_planes(image);
  require_rows(first, last, image.height());
  Image part;
  for (const auto& plane : image.channels) part.channels.push_back(rows_of(plane, first, last));
  const WriterHints& hints = image.hints;
  part.hints = {hints.labels,   {},          hints.palette,   hints.half_enough,
                hints.tileable, hints.third, hints.colorspace};
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
  require_slice(index, count);
  put_strip(all.channels, strip.channels, index, count);
  put_strip(all.hints.integers, strip.hints.integers, index, count);
  if (index > 0) return;
  strip.channels = std::move(all.channels);
  strip.hints.integers = std::move(all.hints.integers);
  all = std::move(strip);
}

Image slice_of(const Image& image, int index) {
  require_slice(index, image.slices);
  const int height = image.slice_height();
  return rows_of(image, index * height, (index + 1) * height);
}

Image channels_of(const Image& image, std::size_t first, std::size_t count) {
  if (first > image.channels.size() || count > image.channels.size() - first) {
    throw Error(ErrorKind::usage, std::to_string(count) + " channels from channel " +
                                      std::to_string(first) + " on do not exist; the image has " +
                                      std::to_string(image.channels.size()));
  }
  const auto some = [&](auto& to, const auto& from) {
    if (from.empty()) return;
    const auto start = from.begin() + static_cast<std::ptrdiff_t>(first);
    to.assign(start, start + static_cast<std::ptrdiff_t>(count));
  };
  Image part;
  part.encoding = image.encoding;
  part.type = image.type;
  part.metadata = image.metadata;
  part.slices = image.slices;
  part.volume = image.volume;
  part.hints.half_enough = image.hints.half_enough;
  part.hints.tileable = image.hints.tileable;
  some(part.channels, image.channels);
  some(part.names, image.names);
  some(part.hints.integers, image.hints.integers);
  for (const std::string& label : image.hints.labels) {
    if (part.find(label) >= 0) part.hints.labels.push_back(label);
  }
  return part;
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
  if (v == 1) return linear;  // the constants miss 1 by a rounding error
  const float encoded = v <= 0.0031308f ? v * 12.92f : 1.055f * power(v, 1 / 2.4) - 0.055f;
  return std::copysign(encoded, linear);
}

}  // namespace dapple
