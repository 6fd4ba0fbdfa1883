// Reads an array of shape (height, width), optionally with channels as the last side and slices as
// the first. If both are possible, a last side of up to four is channels. Whole numbers that
// contain each number from 0 on once are the ranks of a mask, read as its thresholds. Other 8 and
// 16-bit numbers become 0..1; all others are kept. 8 bits are sRGB, others linear.
#include "io/images/read/npy_image.hpp"

#include <algorithm>
#include <vector>

#include "dapple/error.hpp"
#include "io/npy.hpp"

namespace dapple {
namespace {

constexpr std::uint64_t longest = 1 << 30;  // largest side

struct Layout {
  NpyHeader array;
  std::uint64_t slices = 1, height = 0, width = 0, channels = 1;
  bool ranks = false;
  Encoding encoding = Encoding::linear;
  std::string problem;  // "" if the array is an image

  std::uint64_t values() const { return slices * height * width; }  // of a channel
  bool is_light_level() const { return array.kind == 'u' && array.item_bytes <= 2; }
};

Layout layout_of(const InputFile& file) {
  Layout layout;
  try {
    layout.array = npy_header_of(file.bytes(0, npy_header_bytes));
  } catch (const Error& error) {
    layout.problem = error.what();
    return layout;
  }
  const NpyHeader& array = layout.array;
  const std::vector<std::uint64_t>& shape = array.shape;
  const bool sliced = shape.size() == 4 || (shape.size() == 3 && shape[2] > 4);
  const std::size_t at = sliced ? 1 : 0;
  const bool known = shape.size() >= at + 2 && shape.size() <= at + 3;
  if (!known || std::any_of(shape.begin(), shape.end(),
                            [](std::uint64_t n) { return n < 1 || n > longest; })) {
    layout.problem = "its shape " + array.shape_text() +
                     " is not (height, width), optionally with slices before and channels after";
    return layout;
  }
  if (array.fortran_order) {
    layout.problem = "it is in Fortran order; save numpy.ascontiguousarray() of it";
    return layout;
  }
  if (sliced) layout.slices = shape[0];
  layout.height = shape[at];
  layout.width = shape[at + 1];
  if (shape.size() == at + 3) layout.channels = shape[at + 2];
  if (array.kind == 'u' && array.item_bytes == 1) layout.encoding = Encoding::srgb;
  return layout;
}

// Returns true if each channel holds every number from 0 to count - 1 once.
bool holds_ranks(const InputFile& file, const Layout& layout) {
  const NpyHeader& array = layout.array;
  if (array.kind != 'u' || array.item_bytes == 1) return false;
  const std::uint64_t count = layout.values();
  // Uses doubles: a header may claim more than 64 bits can count.
  const double bytes_needed =
      static_cast<double>(layout.slices) * static_cast<double>(layout.height) *
      static_cast<double>(layout.width) * static_cast<double>(layout.channels * array.item_bytes);
  if (static_cast<double>(file.size() - array.start) < bytes_needed) return false;
  const std::uint64_t row = layout.width * layout.channels;
  const auto row_bytes = static_cast<std::size_t>(row * array.item_bytes);
  std::vector<bool> seen(static_cast<std::size_t>(count * layout.channels));
  for (std::uint64_t at = 0; at < seen.size(); at += row) {
    const std::string_view bytes = file.bytes(array.start + at * array.item_bytes, row_bytes);
    for (std::uint64_t i = 0; i < row; ++i) {
      const double rank = array.item(bytes, i);
      if (!(rank < static_cast<double>(count))) return false;
      const auto place = static_cast<std::size_t>(
          static_cast<std::uint64_t>(rank) * layout.channels + i % layout.channels);
      if (seen[place]) return false;
      seen[place] = true;
    }
  }
  return true;
}

class NpyReader : public ImageReader {
 public:
  NpyReader(const InputFile& file, Layout layout) : file_(file), layout_(std::move(layout)) {}

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
        image.channels[static_cast<std::size_t>(i % layout_.channels)].row(
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
  } catch (const std::bad_alloc&) {
    return no_memory();
  } catch (const Error& error) {
    return {error.kind(), error.what()};
  }

 private:
  std::string name_of(std::size_t channel) const {
    if (layout_.channels <= 2) return channel == 0 ? (layout_.channels == 1 ? "Y" : "R") : "G";
    if (layout_.channels <= 4) return std::string(1, "RGBA"[channel]);
    return "C" + std::to_string(channel);
  }

  const InputFile& file_;
  Layout layout_;
  std::uint64_t frame_ = 0;
};

}  // namespace

HeaderProbe probe_npy(const InputFile& file) {
  const Layout layout = layout_of(file);
  if (!layout.problem.empty()) return {"npy"};
  const double values = 1.0 * static_cast<double>(layout.width) *
                        static_cast<double>(layout.height) * static_cast<double>(layout.channels);
  return {"npy", static_cast<double>(layout.width), static_cast<double>(layout.height),
          static_cast<double>(layout.channels),
          static_cast<double>(layout.array.start) +
              values * static_cast<double>(layout.slices * layout.array.item_bytes)};
}

ModuleError open_npy(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header) {
  Layout layout = layout_of(file);
  if (!layout.problem.empty()) {
    return {ErrorKind::input, "cannot be read as an image: " + layout.problem};
  }
  constexpr std::uint64_t most_channels = 1024;
  if (layout.channels > most_channels || layout.slices > 100000) {
    return {ErrorKind::limit, "has more than 1024 channels or 100000 slices"};
  }
  header.width = static_cast<int>(layout.width);
  header.height = static_cast<int>(layout.height);
  header.channels = static_cast<int>(layout.channels);
  header.stored_bytes = static_cast<double>(layout.array.item_bytes) *
                        static_cast<double>(layout.width * layout.height) * header.channels;
  header.format = "npy";
  if (holds_ranks(file, layout)) {
    layout.ranks = true;
    layout.encoding = Encoding::data;
  }
  reader = std::make_unique<NpyReader>(file, std::move(layout));
  return {};
}

}  // namespace dapple
