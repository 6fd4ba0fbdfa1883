// Converts rows of an image between planes and the layouts of file readers and writers.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "io/images/module.hpp"

namespace dapple {

// Converts one channel of a stored row to floats; integers become exact fractions of their range.
template <class T>
void unpack_row(const T* from, int count, int stride, float* to) {
  constexpr float range =
      std::is_integral_v<T> ? static_cast<float>(std::numeric_limits<T>::max()) : 1.0f;
  for (int x = 0; x < count; ++x) to[x] = static_cast<float>(from[x * stride]) / range;
}

// Returns how many rows of `row_bytes` to read or write at once: at most `most` and 4 MB.
inline int rows_within(std::size_t row_bytes, std::size_t most = 64) {
  const std::size_t fitting = (4u << 20) / std::max<std::size_t>(row_bytes, 1);
  return static_cast<int>(std::clamp<std::size_t>(fitting, 1, most));
}

// Returns how many rows to read between two checks for a cancel: a few milliseconds of work.
inline int rows_of_look(std::size_t row_bytes) {
  const std::size_t fitting = (256u << 10) / std::max<std::size_t>(row_bytes, 1);
  return static_cast<int>(std::clamp<std::size_t>(fitting, 1, 64));
}

// Turns a plane upright by its Exif orientation 1..8. This and the next function return false if
// `progress` requests a stop.
bool turn_upright(Plane<float>& plane, int orientation, const ImageProgress& progress);
// Divides colors by alpha.
bool unpremultiply(Image& image, const ImageProgress& progress);
// Returns all values, pixel by pixel and row by row.
std::vector<float> interleaved_floats(const Image& image);
// Pads to multiples of `side` by repeating the last row and column.
Image whole_tiles(const Image& image, int side);

// The type in which a file stores a channel: the type of the image, except labels in halves, which
// become floats, and whole numbers, which become integers.
enum class StoredAs { u8, u16, f16, f32, u32 };
std::vector<StoredAs> stored_channels(const Image& image);
std::size_t bytes_of(StoredAs stored);

// Packs rows [first, last) interleaved for the writer. All channels become integers or floats;
// OpenImageIO turns floats into halves. If types differ, each channel is as stored.
void pack_rows(const Image& image, const ImageEncoding& how, int first, int last,
               std::vector<unsigned char>& bytes);

}  // namespace dapple
