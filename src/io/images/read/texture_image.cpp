#include "io/images/read/texture_image.hpp"

#include <algorithm>

#include "io/images/formats.hpp"

namespace dapple {
namespace {

constexpr std::size_t ktx2_header_bytes = 104;  // with the index of one level
constexpr std::string_view ktx2_start = "\xabKTX 20\xbb\r\n\x1a\n";

// Sets the type and the channels by the number of a pixel format. Returns true if it is known.
bool take_format(std::uint64_t number,
                 std::uint32_t (*format)(PixelType type, std::size_t channels, bool srgb),
                 ArrayLayout& layout) {
  for (const PixelType type : {PixelType::u8, PixelType::u16, PixelType::f16, PixelType::f32}) {
    for (const std::size_t channels : {1u, 2u, 4u, 3u}) {
      for (const bool srgb : {false, true}) {
        if (format(type, channels, srgb) != number) continue;
        const bool floats = type == PixelType::f16 || type == PixelType::f32;
        layout.array.kind = floats ? 'f' : 'u';
        layout.array.item_bytes = bytes_of(type);
        layout.channels = channels;
        layout.encoding = srgb ? Encoding::srgb : floats ? Encoding::linear : Encoding::data;
        return true;
      }
    }
  }
  return false;
}

void set_depth(std::uint64_t layers, ArrayLayout& layout) {
  layout.slices *= std::max<std::uint64_t>(layers, 1);
  layout.texts.emplace_back(volume_key, "1");
}

ArrayLayout dds_layout(const InputFile& file) {
  ArrayLayout layout;
  const auto word = [&](std::uint64_t at) { return file.number(at, 4); };
  layout.height = word(12);
  layout.width = word(16);
  layout.array.start = 128;
  constexpr std::uint64_t is_volume = 0x200000;
  constexpr std::uint64_t is_cube = 0x200;
  std::uint64_t layers = 1;
  bool known = false;
  if (file.bytes(84, 4) == "DX10") {
    layout.array.start = 148;
    layers = std::max<std::uint64_t>(word(140), 1);
    known = take_format(word(128), dxgi_format, layout) && (word(136) & 4) == 0;
  } else {
    // The old header has masks of bits; these are of 8 bits per channel.
    layout.array.kind = 'u';
    layout.array.item_bytes = 1;
    layout.encoding = Encoding::srgb;
    layout.channels = word(88) / 8;
    const bool fits = word(88) % 8 == 0 && layout.channels >= 1 && layout.channels <= 4;
    // Alpha alone, or beside one gray, has the fourth mask but is not the fourth channel.
    for (std::uint64_t c = 0; fits && c < layout.channels; ++c) {
      for (std::size_t mask = 0; mask < layout.channels; ++mask) {
        if (word(92 + 4 * mask) == std::uint64_t{0xff} << (8 * c)) layout.order.push_back(mask);
      }
    }
    known = fits && layout.order.size() == layout.channels && (word(80) & 4) == 0;
  }
  const std::uint64_t kind = word(112);
  layout.slices = layers;
  if ((kind & is_volume) != 0) set_depth(word(24), layout);
  if (!known || (kind & is_cube) != 0) layout.problem = "its pixel format is compressed or rare";
  return layout;
}

ArrayLayout ktx2_layout(const InputFile& file) {
  ArrayLayout layout;
  const auto word = [&](std::uint64_t at) { return file.number(at, 4); };
  layout.width = word(20);
  layout.height = std::max<std::uint64_t>(word(24), 1);
  layout.slices = std::max<std::uint64_t>(word(32), 1);
  layout.array.start = static_cast<std::size_t>(file.number(80, 8));
  const bool packed = word(44) != 0;
  if (!take_format(word(12), vk_format, layout) || packed || word(36) != 1) {
    layout.problem = "its values are compressed or rare (VkFormat " + std::to_string(word(12)) +
                     "); 8 and 16 bits, half and float are read";
    return layout;
  }
  // The data format descriptor holds the color primaries (0: no color), and the curve (2: sRGB).
  const std::uint64_t descriptor = word(48);
  layout.encoding = file.number(descriptor + 13, 1) == 0   ? Encoding::data
                    : file.number(descriptor + 14, 1) == 2 ? Encoding::srgb
                                                           : Encoding::linear;
  constexpr std::uint64_t most_text = 1 << 24;
  const auto text_bytes = static_cast<std::size_t>(std::min(word(60), most_text));
  const std::string texts(file.bytes(word(56), text_bytes));
  for (std::size_t at = 0; at + 4 <= texts.size();) {
    const auto length = static_cast<std::size_t>(number_in(texts, at, 4, false));
    const std::string entry = texts.substr(at + 4, length);
    const auto end = entry.find('\0');
    if (length == 0 || end == entry.npos) break;
    const std::string key = entry.substr(0, end);
    if (!key.starts_with("KTX")) layout.texts.emplace_back(key, entry.c_str() + end + 1);
    at += 4 + (length + 3) / 4 * 4;
  }
  if (word(28) > 1) set_depth(word(28), layout);
  return layout;
}

ArrayLayout layout_of(const InputFile& file) {
  constexpr std::uint64_t longest = 1 << 30;  // largest side
  const bool is_ktx2 = file.bytes(0, ktx2_start.size()) == ktx2_start;
  ArrayLayout layout = is_ktx2 ? ktx2_layout(file) : dds_layout(file);
  const bool sized = layout.width >= 1 && layout.width <= longest && layout.height >= 1 &&
                     layout.height <= longest && layout.slices <= longest;
  const bool whole = layout.array.start >= ktx2_header_bytes && layout.array.start < file.size();
  if (layout.problem.empty() && !(sized && whole)) layout.problem = "its header is damaged";
  return layout;
}

}  // namespace

bool is_plain_dds(const InputFile& file) {
  return file.bytes(0, 4) == "DDS " && layout_of(file).problem.empty();
}

HeaderProbe probe_texture(const InputFile& file) {
  return probe_array(layout_of(file), "texture");
}

ModuleError open_texture(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                         ImageHeader& header) {
  ArrayLayout layout = layout_of(file);
  if (layout.problem.empty()) return open_array(file, std::move(layout), "texture", reader, header);
  return {ErrorKind::input, "cannot be read as an image: " + layout.problem};
}

}  // namespace dapple
