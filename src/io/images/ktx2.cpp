// Writes KTX 2.0 textures (Khronos, KTX File Format Specification 2.0; Khronos Data Format
// Specification 1.3 for the descriptor): one level, not compressed, texts as key/value data.
#include <algorithm>
#include <array>
#include <bit>

#include "dapple/version.hpp"
#include "io/images/formats.hpp"

namespace dapple {

std::uint32_t vk_format(PixelType type, std::size_t channels, bool srgb) {
  constexpr std::array<std::array<std::uint32_t, 4>, 5> formats{{
      {9, 16, 23, 37},       // R8_UNORM ..
      {15, 22, 29, 43},      // R8_SRGB ..
      {70, 77, 84, 91},      // R16_UNORM ..
      {76, 83, 90, 97},      // R16_SFLOAT ..
      {100, 103, 106, 109},  // R32_SFLOAT ..
  }};
  const std::size_t row = type == PixelType::u8    ? (srgb ? 1 : 0)
                          : type == PixelType::u16 ? 2
                          : type == PixelType::f16 ? 3
                                                   : 4;
  return formats[row][channels - 1];
}

namespace {

// Returns the descriptor. Only 8 bits have an sRGB format; here other types can be sRGB too.
std::string data_format(const Image& image) {
  const std::size_t channels = image.channels.size();
  const auto bits = static_cast<std::uint32_t>(8 * bytes_of(image.type));
  const bool floats = image.type == PixelType::f16 || image.type == PixelType::f32;
  const bool srgb = image.encoding == Encoding::srgb;
  std::string bytes;
  put(bytes, 28 + 16 * channels, 4);  // total size
  put(bytes, 0, 4);                   // Khronos, basic block
  put(bytes, 2, 2);                   // version 1.3
  put(bytes, 24 + 16 * channels, 2);
  put(bytes, 1, 1);                                         // RGBSDA
  put(bytes, image.encoding == Encoding::data ? 0 : 1, 1);  // primaries: none, or BT.709
  put(bytes, srgb ? 2 : 1, 1);                              // sRGB, linear
  put(bytes, 0, 1);                                         // straight alpha
  put(bytes, 0, 4);                                         // blocks of one pixel
  put(bytes, channels * bits / 8, 8);                       // bytes of plane 0, the only plane
  for (std::size_t c = 0; c < channels; ++c) {
    const bool alpha = c == 3;
    const std::uint32_t kind = (alpha ? 15u : static_cast<std::uint32_t>(c)) |
                               (floats ? 0xc0u : 0u) | (alpha && srgb ? 0x10u : 0u);
    put(bytes, c * bits, 2);
    put(bytes, bits - 1, 1);
    put(bytes, kind, 1);
    put(bytes, 0, 4);  // sample position: the pixel itself
    put(bytes, floats ? std::bit_cast<std::uint32_t>(-1.0f) : 0u, 4);
    put(bytes, floats ? std::bit_cast<std::uint32_t>(1.0f) : (1u << bits) - 1, 4);
  }
  return bytes;
}

std::string key_values(const Image& image) {
  std::vector<std::pair<std::string, std::string>> texts;
  for (const auto& [key, text] : image.metadata) {
    const bool reserved = key.starts_with("KTX") || key.starts_with("ktx");
    if (!reserved && !key.empty()) texts.emplace_back(key, text);
  }
  const bool volume = image.volume && image.slices > 1;
  texts.emplace_back("KTXorientation", volume ? "rdi" : "rd");
  texts.emplace_back("KTXwriter", std::string("dapple ") + DAPPLE_VERSION);
  std::stable_sort(texts.begin(), texts.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  // Each key occurs only once.
  texts.erase(std::unique(texts.begin(), texts.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first; }),
              texts.end());
  std::string bytes;
  for (const auto& [key, text] : texts) {
    const std::string value = text.substr(0, text.find('\0'));
    put(bytes, key.size() + value.size() + 2, 4);
    bytes += key;
    bytes += '\0';
    bytes += value;
    bytes += '\0';
    bytes.resize((bytes.size() + 3) / 4 * 4);
  }
  return bytes;
}

}  // namespace

std::string encode_ktx2(const Image& image, const ImageExtras&) {
  const std::size_t channels = image.channels.size();
  const bool volume = image.volume && image.slices > 1;
  const std::size_t pixel_bytes = channels * bytes_of(image.type);
  const std::string format = data_format(image);
  const std::string texts = key_values(image);
  constexpr std::size_t header_bytes = 104;  // with the index of one level
  const std::size_t texts_at = header_bytes + format.size();
  // Values begin at a multiple of 4 and of the pixel's size, 4, 8, 12 or 16 bytes.
  const std::size_t unit = pixel_bytes % 4 == 0   ? pixel_bytes
                           : pixel_bytes % 2 == 0 ? 2 * pixel_bytes
                                                  : 4 * pixel_bytes;
  const std::size_t data_at = (texts_at + texts.size() + unit - 1) / unit * unit;
  const std::size_t data_bytes = image.channels.front().size() * pixel_bytes;

  std::string bytes("\xabKTX 20\xbb\r\n\x1a\n", 12);
  const auto word = [&](std::uint64_t number) { put(bytes, number, 4); };
  word(vk_format(image.type, channels, image.encoding == Encoding::srgb));
  word(bytes_of(image.type));
  word(static_cast<std::uint64_t>(image.width()));
  word(static_cast<std::uint64_t>(image.slice_height()));
  word(volume ? static_cast<std::uint64_t>(image.slices) : 0);
  word(image.slices > 1 && !volume ? static_cast<std::uint64_t>(image.slices) : 0);
  word(1);  // face
  word(1);  // level
  word(0);  // no compression
  word(header_bytes);
  word(format.size());
  word(texts_at);
  word(texts.size());
  put(bytes, 0, 8);
  put(bytes, 0, 8);
  put(bytes, data_at, 8);
  put(bytes, data_bytes, 8);
  put(bytes, data_bytes, 8);
  bytes += format;
  bytes += texts;
  bytes.resize(data_at);
  return bytes + interleaved(image, image.type, own_order(channels));
}

}  // namespace dapple
