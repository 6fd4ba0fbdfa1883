// Reads an array of shape (height, width), optionally with channels as the last side and slices as
// the first. If both are possible, a last side of up to four is channels. Whole numbers that
// contain each number from 0 on once are the ranks of a mask, read as its thresholds. Other 8 and
// 16-bit numbers become 0..1; all others are kept. 8 bits are sRGB, others linear.
#include "io/images/read/npy_image.hpp"

#include <algorithm>
#include <vector>

#include "dapple/error.hpp"

namespace dapple {
namespace {

constexpr std::uint64_t longest = 1 << 30;  // largest side

ArrayLayout layout_of(const InputFile& file) {
  ArrayLayout layout;
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
bool holds_ranks(const InputFile& file, const ArrayLayout& layout) {
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

}  // namespace

HeaderProbe probe_npy(const InputFile& file) {
  return probe_array(layout_of(file), "npy");
}

ModuleError open_npy(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header) {
  ArrayLayout layout = layout_of(file);
  if (!layout.problem.empty()) {
    return {ErrorKind::input, "cannot be read as an image: " + layout.problem};
  }
  if (holds_ranks(file, layout)) {
    layout.ranks = true;
    layout.encoding = Encoding::data;
  }
  return open_array(file, std::move(layout), "npy", reader, header);
}

}  // namespace dapple
