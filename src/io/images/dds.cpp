// Writes DDS textures (Microsoft, "Programming Guide for DDS"). Images of 8 bits use the header
// that every reader knows. Arrays, two channels, 16 bits and floats use its extension DX10. The old
// header also has 16-bit gray, but some readers silently take it for 8 bits.
#include "io/images/formats.hpp"

namespace dapple {

std::uint32_t dxgi_format(PixelType type, std::size_t channels, bool srgb) {
  switch (type) {
    case PixelType::u8:
      return channels == 1 ? 61 : channels == 2 ? 49 : srgb ? 29 : 28;
    case PixelType::u16:
      return channels == 1 ? 56 : channels == 2 ? 35 : 11;
    case PixelType::f16:
      return channels == 1 ? 54 : channels == 2 ? 34 : 10;
    case PixelType::f32:
      break;
  }
  return channels == 1 ? 41 : channels == 2 ? 16 : channels == 3 ? 6 : 2;
}

namespace {

enum Flags : std::uint32_t {
  caps = 0x1,
  height = 0x2,
  width = 0x4,
  pitch = 0x8,
  pixel_format = 0x1000,
  depth = 0x800000,
  caps_complex = 0x8,
  caps_texture = 0x1000,
  caps2_volume = 0x200000,
  pf_alpha = 0x1,
  pf_fourcc = 0x4,
  pf_rgb = 0x40,
  pf_luminance = 0x20000,
};

struct Layout {
  std::uint32_t dxgi = 0;  // 0: the old header suffices
  std::uint32_t flags = pf_fourcc;
  std::uint32_t masks[4] = {0, 0, 0, 0};
  std::vector<int> order;  // channels in stored order; -1: all ones
};

Layout layout_of(const Image& image) {
  const std::size_t channels = image.channels.size();
  const bool array = image.slices > 1 && !image.volume;
  Layout layout;
  if (!array && channels == 1 && image.type == PixelType::u8) {
    layout.flags = pf_luminance;
    layout.masks[0] = 0xff;
    layout.order = {0};
    return layout;
  }
  if (!array && channels >= 3 && image.type == PixelType::u8) {
    layout.flags = pf_rgb | (channels == 4 ? pf_alpha : 0u);
    layout.masks[0] = 0xff0000;
    layout.masks[1] = 0xff00;
    layout.masks[2] = 0xff;
    layout.masks[3] = channels == 4 ? 0xff000000 : 0;
    layout.order = {2, 1, 0};
    if (channels == 4) layout.order.push_back(3);
    return layout;
  }
  layout.order = own_order(channels);
  if (channels == 3 && image.type != PixelType::f32) layout.order.push_back(-1);
  layout.dxgi = dxgi_format(image.type, channels, image.encoding == Encoding::srgb);
  return layout;
}

}  // namespace

std::string encode_dds(const Image& image, const ImageExtras&) {
  const Layout layout = layout_of(image);
  const bool volume = image.volume && image.slices > 1;
  const std::size_t pixel_bytes = layout.order.size() * bytes_of(image.type);
  std::string bytes = "DDS ";
  const auto word = [&](std::uint64_t number) { put(bytes, number, 4); };
  word(124);
  word(caps | height | width | pitch | pixel_format | (volume ? depth : 0u));
  word(static_cast<std::uint64_t>(image.slice_height()));
  word(static_cast<std::uint64_t>(image.width()));
  word(static_cast<std::uint64_t>(image.width()) * pixel_bytes);
  word(volume ? static_cast<std::uint64_t>(image.slices) : 0);
  for (int i = 0; i < 12; ++i) word(0);  // number of levels, reserved
  word(32);
  word(layout.flags);
  bytes += layout.dxgi != 0 ? std::string("DX10") : std::string(4, '\0');
  word(layout.dxgi != 0 ? 0 : 8 * pixel_bytes);
  for (const std::uint32_t mask : layout.masks) word(mask);
  word(caps_texture | (image.slices > 1 ? caps_complex : 0u));
  word(volume ? caps2_volume : 0u);
  for (int i = 0; i < 3; ++i) word(0);
  if (layout.dxgi != 0) {
    word(layout.dxgi);
    word(volume ? 4 : 3);  // a 3-D or 2-D texture
    word(0);
    word(volume ? 1 : static_cast<std::uint64_t>(image.slices));
    word(0);
  }
  return bytes + interleaved(image, image.type, layout.order);
}

}  // namespace dapple
