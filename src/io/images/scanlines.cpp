// Converts rows of an image: orientation, alpha, and integers of 8 and 16 bits.
#include "io/images/scanlines.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>

#include "io/images/formats.hpp"

namespace dapple {

bool turn_upright(Plane<float>& plane, int orientation, const ImageProgress& progress) {
  if (orientation < 2 || orientation > 8) return true;
  const int w = plane.width();
  const int h = plane.height();
  const bool turned = orientation >= 5;
  const bool from_right =
      orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
  const bool from_below =
      orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
  auto made = Plane<float>::unset(turned ? h : w, turned ? w : h);
  // Rows of a turned picture are columns of the stored picture. Works on several columns at once,
  // which share cache lines.
  constexpr int together = 16;
  for (int first = 0; first < made.height(); first += together) {
    if (!progress(1)) return false;
    const int last = std::min(first + together, made.height());
    for (int x = 0; x < made.width(); ++x) {
      for (int y = first; y < last; ++y) {
        const int i = turned ? y : x;
        const int j = turned ? x : y;
        made(x, y) = plane(from_right ? w - 1 - i : i, from_below ? h - 1 - j : j);
      }
    }
  }
  plane = std::move(made);
  return true;
}

bool unpremultiply(Image& image, const ImageProgress& progress) {
  const int found = image.find("A");
  if (found < 0) return true;
  const Plane<float>& alpha = image.channels[static_cast<std::size_t>(found)];
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const std::string& name = image.names[c];
    if (name != "R" && name != "G" && name != "B" && name != "Y") continue;
    for (int y = 0; y < alpha.height(); ++y) {
      if (y % 64 == 0 && !progress(1)) return false;
      const float* const a = alpha.row(y);
      float* const v = image.channels[c].row(y);
      for (int x = 0; x < alpha.width(); ++x) {
        if (a[x] > 0) v[x] /= a[x];
      }
    }
  }
  return true;
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

// Writes values as bytes, `stride` bytes apart.
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
