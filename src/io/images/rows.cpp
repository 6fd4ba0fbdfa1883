// Rows of an image: orientation, alpha, and integers of 8 and 16 bits.
#include "io/images/rows.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "io/images/formats.hpp"

namespace dapple {

Plane<float> upright(Plane<float> stored, int orientation) {
  if (orientation < 2 || orientation > 8) return stored;
  const int w = stored.width();
  const int h = stored.height();
  const bool turned = orientation >= 5;
  Plane<float> plane(turned ? h : w, turned ? w : h);
  for (int y = 0; y < plane.height(); ++y) {
    for (int x = 0; x < plane.width(); ++x) {
      int i = turned ? y : x;
      int j = turned ? x : y;
      if (orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8) {
        i = w - 1 - i;
      }
      if (orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7) {
        j = h - 1 - j;
      }
      plane(x, y) = stored(i, j);
    }
  }
  return plane;
}

void unpremultiply(Image& image) {
  const int alpha = image.find("A");
  if (alpha < 0) return;
  const std::span<const float> a = image.channels[static_cast<std::size_t>(alpha)].values();
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const std::string& name = image.names[c];
    if (name != "R" && name != "G" && name != "B" && name != "Y") continue;
    const std::span<float> v = image.channels[c].values();
    for (std::size_t i = 0; i < v.size(); ++i) {
      if (a[i] > 0) v[i] /= a[i];
    }
  }
}

std::vector<float> interleaved_floats(const Image& image) {
  const std::size_t count = image.channels.size();
  std::vector<float> values(image.channels[0].size() * count);
  for (std::size_t c = 0; c < count; ++c) {
    std::size_t at = c;
    for (const float v : image.channels[c].values()) {
      values[at] = v;
      at += count;
    }
  }
  return values;
}

Image whole_tiles(const Image& image, int side) {
  Image whole = image;
  const int width = (image.width() + side - 1) / side * side;
  const int height = (image.height() + side - 1) / side * side;
  for (Plane<float>& plane : whole.channels) {
    Plane<float> larger(width, height);
    for (int y = 0; y < height; ++y) {
      const float* from = plane.row(std::min(y, plane.height() - 1));
      float* to = larger.row(y);
      for (int x = 0; x < width; ++x) to[x] = from[std::min(x, plane.width() - 1)];
    }
    plane = std::move(larger);
  }
  return whole;
}

std::vector<StoredAs> stored_channels(const Image& image) {
  std::vector<StoredAs> stored(image.channels.size(), static_cast<StoredAs>(image.type));
  for (std::size_t c = 0; c < stored.size(); ++c) {
    if (stored[c] == StoredAs::f16 && image.is_label(c)) stored[c] = StoredAs::f32;
    if (c < image.hints.integers.size() && !image.hints.integers[c].empty())
      stored[c] = StoredAs::u32;
  }
  return stored;
}

std::size_t bytes_of(StoredAs stored) {
  return stored == StoredAs::u32 ? 4 : bytes_of(static_cast<PixelType>(stored));
}

namespace {

template <class T>
void pack_row(const float* from, int count, int stride, T* to) {
  constexpr float range = static_cast<float>(std::numeric_limits<T>::max());
  for (int x = 0; x < count; ++x) {
    const float v = from[x] > 0 ? std::min(from[x], 1.0f) : 0.0f;  // NaN is not above 0
    to[x * stride] = static_cast<T>(v * range + 0.5f);
  }
}

// Values as bytes, `stride` bytes apart.
template <class T, class Value>
void put_row(int count, std::size_t stride, unsigned char* to, const Value& value) {
  for (int x = 0; x < count; ++x) {
    const T v = value(x);
    std::memcpy(to + static_cast<std::size_t>(x) * stride, &v, sizeof v);
  }
}

void pack_mixed(const Image& image, const std::vector<StoredAs>& stored, int first, int last,
                std::vector<unsigned char>& bytes) {
  const int w = image.width();
  std::size_t pixel = 0;
  for (const StoredAs s : stored) pixel += bytes_of(s);
  std::size_t offset = 0;
  for (std::size_t c = 0; c < stored.size(); ++c) {
    for (int y = first; y < last; ++y) {
      unsigned char* to =
          bytes.data() + static_cast<std::size_t>(y - first) * static_cast<std::size_t>(w) * pixel +
          offset;
      const float* from = image.channels[c].row(y);
      if (stored[c] == StoredAs::u32) {
        const std::uint32_t* whole = image.hints.integers[c].row(y);
        put_row<std::uint32_t>(w, pixel, to, [&](int x) { return whole[x]; });
      } else if (stored[c] == StoredAs::f16) {
        put_row<std::uint16_t>(w, pixel, to, [&](int x) { return half_of(from[x]); });
      } else {
        put_row<float>(w, pixel, to, [&](int x) { return from[x]; });
      }
    }
    offset += bytes_of(stored[c]);
  }
}

}  // namespace

void pack_rows(const Image& image, const ImageEncoding& how, int first, int last,
               std::vector<unsigned char>& bytes) {
  const std::vector<StoredAs> stored = stored_channels(image);
  const bool alike = std::count(stored.begin(), stored.end(), stored[0]) ==
                     static_cast<std::ptrdiff_t>(stored.size());
  if (!alike || stored[0] == StoredAs::u32) return pack_mixed(image, stored, first, last, bytes);
  const int w = image.width();
  const int n = static_cast<int>(image.channels.size());
  const int alpha = how.premultiply ? image.find("A") : -1;
  std::vector<float> row(static_cast<std::size_t>(w));
  for (int y = first; y < last; ++y) {
    for (int c = 0; c < n; ++c) {
      const float* from = image.channels[static_cast<std::size_t>(c)].row(y);
      const std::ptrdiff_t start = (static_cast<std::ptrdiff_t>(y - first) * w) * n + c;
      if (image.type == PixelType::u8) {
        pack_row(from, w, n, bytes.data() + start);
      } else if (image.type == PixelType::u16) {
        pack_row(from, w, n, reinterpret_cast<std::uint16_t*>(bytes.data()) + start);
      } else {
        float* to = reinterpret_cast<float*>(bytes.data()) + start;
        const float* a = alpha < 0 || alpha == c
                             ? nullptr
                             : image.channels[static_cast<std::size_t>(alpha)].row(y);
        for (int x = 0; x < w; ++x) to[x * n] = a == nullptr ? from[x] : from[x] * a[x];
      }
    }
  }
}

}  // namespace dapple
