// Rows of an image between planes and what readers and writers of files want.
#pragma once

#include <algorithm>
#include <limits>
#include <type_traits>
#include <vector>

#include "io/images/module.hpp"

namespace dapple {

// Stored samples of one channel of one row to floats; integers as exact fractions of their range.
template <class T>
void unpack_row(const T* from, int count, int stride, float* to) {
  constexpr float range =
      std::is_integral_v<T> ? static_cast<float>(std::numeric_limits<T>::max()) : 1.0f;
  for (int x = 0; x < count; ++x) to[x] = static_cast<float>(from[x * stride]) / range;
}

// How many rows of so many bytes are read or written at a time: some, but no more than 4 MB.
inline int rows_within(std::size_t row_bytes, std::size_t most = 64) {
  const std::size_t fitting = (4u << 20) / std::max<std::size_t>(row_bytes, 1);
  return static_cast<int>(std::clamp<std::size_t>(fitting, 1, most));
}

// Rows that are read between two looks for a cancel, which are some milliseconds apart.
inline int rows_of_look(std::size_t row_bytes) {
  const std::size_t fitting = (256u << 10) / std::max<std::size_t>(row_bytes, 1);
  return static_cast<int>(std::clamp<std::size_t>(fitting, 1, 64));
}

// Exif orientation 1..8: which stored pixel stands at (x, y) of the upright picture. False where
// `progress` asks for a stop, as in what follows.
bool turn_upright(Plane<float>& plane, int orientation, const ImageProgress& progress);
// Divides colors by alpha.
bool unpremultiply(Image& image, const ImageProgress& progress);
// All values, pixel by pixel and row by row.
std::vector<float> interleaved_floats(const Image& image);
// Goes on with its last row and column to multiples of `side`.
Image whole_tiles(const Image& image, int side);

// How a file stores a channel: as the image's type says, labels no less than exactly, and whole
// numbers as such.
enum class StoredAs { u8, u16, f16, f32, u32 };
std::vector<StoredAs> stored_channels(const Image& image);
std::size_t bytes_of(StoredAs stored);

// Rows first..last, interleaved as the writer wants them: all channels as integers or as floats,
// which OpenImageIO makes halves of; where channels differ, each as it is stored.
void pack_rows(const Image& image, const ImageEncoding& how, int first, int last,
               std::vector<unsigned char>& bytes);

}  // namespace dapple
