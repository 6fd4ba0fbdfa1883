// Writes arrays of numbers: NumPy's .npy (NEP 1), or the same values without a header. Ranks, if
// given, have the smallest of u16 and u32 that holds them; other values have the image's type.
#include <algorithm>

#include "core/preconditions.hpp"
#include "io/images/formats.hpp"

namespace dapple {
namespace {

struct Array {
  std::string type;  // in NumPy's notation
  std::string name;  // for messages
  std::vector<int> shape;
  int rank_bytes = 0;  // per rank; 0: stores values, not ranks
};

bool wide(const ImageExtras& extras) {
  for (const Plane<std::int32_t>& plane : extras.ranks) {
    for (const std::int32_t rank : plane.values()) {
      if (rank > 0xffff) return true;
    }
  }
  return false;
}

Array array_of(const Image& image, const ImageExtras& extras) {
  Array array;
  if (!extras.ranks.empty()) {
    const bool four = wide(extras);
    array = {four ? "<u4" : "<u2", four ? "uint32" : "uint16", {}, four ? 4 : 2};
  } else {
    switch (image.type) {
      case PixelType::u8:
        array = {"|u1", "uint8", {}, 0};
        break;
      case PixelType::u16:
        array = {"<u2", "uint16", {}, 0};
        break;
      case PixelType::f16:
        array = {"<f2", "float16", {}, 0};
        break;
      case PixelType::f32:
        array = {"<f4", "float32", {}, 0};
        break;
    }
  }
  if (image.slices > 1) array.shape.push_back(image.slices);
  array.shape.push_back(image.slice_height());
  array.shape.push_back(image.width());
  const std::size_t channels = extras.ranks.empty() ? image.channels.size() : extras.ranks.size();
  if (channels > 1) array.shape.push_back(static_cast<int>(channels));
  return array;
}

std::string values_of(const Image& image, const ImageExtras& extras, const Array& array) {
  if (array.rank_bytes == 0) {
    return interleaved(image, image.type, own_order(image.channels.size()));
  }
  std::string bytes;
  const std::size_t pixels = extras.ranks.front().size();
  bytes.reserve(pixels * extras.ranks.size() * static_cast<std::size_t>(array.rank_bytes));
  for (std::size_t i = 0; i < pixels; ++i) {
    for (const Plane<std::int32_t>& plane : extras.ranks) {
      put(bytes, static_cast<std::uint32_t>(plane.values()[i]), array.rank_bytes);
    }
  }
  return bytes;
}

std::string text_of(const std::vector<int>& shape) {
  std::string text = "(";
  for (const int side : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(side);
  return text + ")";
}

}  // namespace

std::string array_layout(const Image& image, const ImageExtras& extras) {
  require_planes(image);
  const Array array = array_of(image, extras);
  std::string names = image.slices > 1 ? "depth, height, width" : "height, width";
  if (array.shape.size() > (image.slices > 1 ? 3u : 2u)) names += ", channel";
  return (extras.ranks.empty() ? "values as " : "ranks as ") + array.name +
         (array.name == "uint8" ? "" : " little-endian") + ", " + text_of(array.shape) + " = (" +
         names + ")";
}

std::string encode_raw(const Image& image, const ImageExtras& extras) {
  return values_of(image, extras, array_of(image, extras));
}

std::string encode_npy_image(const Image& image, const ImageExtras& extras) {
  const Array array = array_of(image, extras);
  return npy_header(array.type, text_of(array.shape)) + values_of(image, extras, array);
}

std::string npy_header(const std::string& type, const std::string& shape) {
  std::string header =
      "{'descr': '" + type + "', 'fortran_order': False, 'shape': " + shape + ", }";
  // Values begin at a multiple of 64 bytes. 10 bytes precede the header text; a newline ends it.
  header.append(63 - (10 + header.size()) % 64, ' ');
  header += '\n';
  std::string bytes("\x93NUMPY\x01\x00", 8);
  put(bytes, header.size(), 2);
  return bytes + header;
}

}  // namespace dapple
