#include "io/images/read/array_image.hpp"

#include "dapple/error.hpp"

namespace dapple {
namespace {

class ArrayReader : public ImageReader {
 public:
  ArrayReader(const InputFile& file, ArrayLayout layout)
      : file_(file), layout_(std::move(layout)) {}

  ModuleError count(int& frames) noexcept override {
    frames = static_cast<int>(layout_.slices);
    return {};
  }
  ModuleError seek(int frame, ImageHeader&) noexcept override {
    frame_ = static_cast<std::uint64_t>(frame);
    return {};
  }

  ModuleError read(Image& image, const ImageProgress& progress) noexcept override try {
    const auto width = static_cast<int>(layout_.width);
    const auto height = static_cast<int>(layout_.height);
    const NpyHeader& array = layout_.array;
    const std::uint64_t row_items = layout_.width * layout_.channels;
    const auto row_bytes = static_cast<std::size_t>(row_items * array.item_bytes);
    const double most = layout_.ranks               ? static_cast<double>(layout_.values())
                        : !layout_.is_light_level() ? 1
                        : array.item_bytes == 1     ? 255
                                                    : 65535;
    const double middle = layout_.ranks ? .5 : 0;
    for (std::uint64_t c = 0; c < layout_.channels; ++c) {
      image.channels.push_back(Plane<float>::unset(width, height));
      image.names.push_back(name_of(static_cast<std::size_t>(c)));
    }
    for (int y = 0; y < height; ++y) {
      if (y % 64 == 0 && !progress(1.0 * y / height)) return stopped();
      const std::uint64_t row = frame_ * layout_.height + static_cast<std::uint64_t>(y);
      const std::string_view bytes = file_.bytes(array.start + row * row_bytes, row_bytes);
      if (bytes.size() < row_bytes) return damaged_from(y, "there are no more values");
      for (std::uint64_t i = 0; i < row_items; ++i) {
        const auto stored = static_cast<std::size_t>(i % layout_.channels);
        image.channels[layout_.order.empty() ? stored : layout_.order[stored]].row(
            y)[static_cast<std::size_t>(i / layout_.channels)] =
            static_cast<float>((array.item(bytes, i) + middle) / most);
      }
    }
    image.encoding = layout_.encoding;
    image.type = layout_.ranks              ? PixelType::f32
                 : layout_.is_light_level() ? array.item_bytes == 1 ? PixelType::u8 : PixelType::u16
                 : array.kind == 'f' && array.item_bytes == 2 ? PixelType::f16
                                                              : PixelType::f32;
    return {};
  } catch (...) {
    return caught_error();
  }

 private:
  std::string name_of(std::size_t channel) const {
    if (layout_.channels <= 2) return channel == 0 ? (layout_.channels == 1 ? "Y" : "R") : "G";
    if (layout_.channels <= 4) return std::string(1, "RGBA"[channel]);
    return "C" + std::to_string(channel);
  }

  const InputFile& file_;
  ArrayLayout layout_;
  std::uint64_t frame_ = 0;
};

}  // namespace

HeaderProbe probe_array(const ArrayLayout& layout, const std::string& format) {
  if (!layout.problem.empty()) return {format};
  const double values = 1.0 * static_cast<double>(layout.width) *
                        static_cast<double>(layout.height) * static_cast<double>(layout.channels);
  return {format, static_cast<double>(layout.width), static_cast<double>(layout.height),
          static_cast<double>(layout.channels),
          static_cast<double>(layout.array.start) +
              values * static_cast<double>(layout.slices * layout.array.item_bytes)};
}

ModuleError open_array(const InputFile& file, ArrayLayout layout, const std::string& format,
                       std::unique_ptr<ImageReader>& reader, ImageHeader& header) {
  constexpr std::uint64_t most_channels = 1024;
  if (layout.channels > most_channels || layout.slices > 100000) {
    return {ErrorKind::limit, "has more than 1024 channels or 100000 slices"};
  }
  header.width = static_cast<int>(layout.width);
  header.height = static_cast<int>(layout.height);
  header.channels = static_cast<int>(layout.channels);
  header.stored_bytes = static_cast<double>(layout.array.item_bytes) *
                        static_cast<double>(layout.width * layout.height) * header.channels;
  header.format = format;
  header.metadata = layout.texts;
  reader = std::make_unique<ArrayReader>(file, std::move(layout));
  return {};
}

}  // namespace dapple
