// Packs the pixels of small PNG files. Filters rows as libpng does. libdeflate packs all rows at
// once in half the time of zlib, which sets up tables for every file.
#include "io/images/png_file.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "io/images/png_pack.cpp"
#include <hwy/foreach_target.h>
// after foreach_target.h
#include <algorithm>
#include <array>
#include <libdeflate.h>
#include <utility>

#include "core/lanes.hpp"
#include "io/images/deflate.hpp"

#ifndef DAPPLE_UNFILTERED_ROW
#define DAPPLE_UNFILTERED_ROW
namespace dapple {
namespace {

constexpr std::size_t widest_vector = 64;

// A row and its neighbors for the filters, with space for a vector after each.
struct UnfilteredRow {
  const png_byte* row;
  const png_byte* left;
  const png_byte* above;
  const png_byte* corner;
  std::size_t size;
};

}  // namespace
}  // namespace dapple
#endif

HWY_BEFORE_NAMESPACE();
namespace dapple {
namespace HWY_NAMESPACE {
namespace {

using Bytes = Lanes<std::uint8_t, widest_vector>;

HWY_INLINE Bytes distance(Bytes a, Bytes b) {
  return max(a, b) - min(a, b);
}

HWY_INLINE Bytes paeth(Bytes left, Bytes above, Bytes corner) {
  const Bytes from_left = distance(above, corner);
  const Bytes from_above = distance(left, corner);
  const auto opposite = ((above < corner) & (left > corner)) | ((above > corner) & (left < corner));
  const Bytes from_corner =
      select(opposite, distance(from_left, from_above), saturated_sum(from_left, from_above));
  const Bytes least = min(min(from_left, from_above), from_corner);
  return select(from_left == least, left, select(from_above == least, above, corner));
}

// Writes the row minus its prediction. Returns the cost of the result, as libpng computes it.
template <class Predicted>
HWY_INLINE std::int64_t less(const UnfilteredRow& of, png_byte* to, const Predicted& predicted) {
  ByteSums<widest_vector> sum;
  for (std::size_t i = 0; i < of.size; i += Bytes::count) {
    const Bytes left = Bytes::load(of.row + i) - predicted(i);
    left.store(to + i);
    const Bytes size = min(left, Bytes(std::uint8_t{0}) - left);
    sum.add(keep(Bytes::first(std::min(Bytes::count, of.size - i)), size));
  }
  return sum.total();
}

}  // namespace

std::int64_t filter_row(const UnfilteredRow& of, int filter, png_byte* to) {
  const auto left = [&](std::size_t i) HWY_ATTR { return Bytes::load(of.left + i); };
  const auto above = [&](std::size_t i) HWY_ATTR { return Bytes::load(of.above + i); };
  switch (filter) {
    case PNG_FILTER_VALUE_SUB:
      return less(of, to, left);
    case PNG_FILTER_VALUE_UP:
      return less(of, to, above);
    case PNG_FILTER_VALUE_AVG:
      return less(of, to, [&](std::size_t i) HWY_ATTR {
        const Bytes a = left(i);
        const Bytes b = above(i);
        return (a & b) + shift_right<1>(a ^ b);
      });
    case PNG_FILTER_VALUE_PAETH:
      return less(of, to, [&](std::size_t i) HWY_ATTR {
        return paeth(left(i), above(i), Bytes::load(of.corner + i));
      });
    default:
      return less(of, to, [](std::size_t) HWY_ATTR { return Bytes(std::uint8_t{0}); });
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace dapple
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple {
namespace {

HWY_EXPORT(filter_row);

constexpr std::size_t most_bytes = std::size_t{1} << 20;

std::size_t channels_of(const PngHeader& header) {
  switch (header.color_type) {
    case PNG_COLOR_TYPE_GRAY_ALPHA:
      return 2;
    case PNG_COLOR_TYPE_RGB:
      return 3;
    case PNG_COLOR_TYPE_RGB_ALPHA:
      return 4;
    default:
      return 1;
  }
}

}  // namespace

bool PngPacking::takes(const PngHeader& header) {
  const auto row = static_cast<std::size_t>(header.width) * channels_of(header) *
                       static_cast<std::size_t>(header.bits / 8) +
                   1;
  return header.bits >= 8 && header.level <= 12 &&
         static_cast<std::size_t>(header.height) <= most_bytes / row;
}

PngPacking::PngPacking(const PngHeader& header)
    : header_(header),
      step_(channels_of(header) * static_cast<std::size_t>(header.bits / 8)),
      size_(static_cast<std::size_t>(header.width) * step_),
      filters_(header.filters) {
  if (filters_ == 0) {
    filters_ = header.color_type == PNG_COLOR_TYPE_PALETTE ? PNG_FILTER_NONE : PNG_ALL_FILTERS;
  }
  // Removes filters without a neighbor to use.
  if (header.width == 1) filters_ &= PNG_FILTER_NONE | PNG_FILTER_UP;
  if (header.height == 1) filters_ &= PNG_FILTER_NONE | PNG_FILTER_SUB;
  if (filters_ == 0) filters_ = PNG_FILTER_NONE;
  for (auto* bytes : {&row_, &above_, &trial_, &best_}) {
    bytes->resize(step_ + size_ + widest_vector);
  }
  filtered_.reserve((size_ + 1) * static_cast<std::size_t>(header.height));
}

void PngPacking::add(const png_byte* row) {
  std::swap(row_, above_);
  png_byte* own = row_.data() + step_;
  std::copy_n(row, size_, own);
  // PNG stores the high byte first.
  for (std::size_t i = 0; header_.bits == 16 && i < size_; i += 2) std::swap(own[i], own[i + 1]);
  const UnfilteredRow of{own, row_.data(), above_.data() + step_, above_.data(), size_};
  constexpr std::array<std::pair<int, int>, 5> all{{{PNG_FILTER_VALUE_NONE, PNG_FILTER_NONE},
                                                    {PNG_FILTER_VALUE_SUB, PNG_FILTER_SUB},
                                                    {PNG_FILTER_VALUE_UP, PNG_FILTER_UP},
                                                    {PNG_FILTER_VALUE_AVG, PNG_FILTER_AVG},
                                                    {PNG_FILTER_VALUE_PAETH, PNG_FILTER_PAETH}}};
  int filter = 0;
  std::int64_t least = -1;
  for (const auto& [value, flag] : all) {
    if ((filters_ & flag) == 0) continue;
    const std::int64_t sum = HWY_DYNAMIC_DISPATCH(filter_row)(of, value, trial_.data());
    if (least >= 0 && sum >= least) continue;
    least = sum;
    filter = value;
    trial_.swap(best_);
  }
  filtered_.push_back(static_cast<png_byte>(filter));
  filtered_.insert(filtered_.end(), best_.data(), best_.data() + size_);
}

const std::vector<png_byte>& PngPacking::packed() {
  const auto pack = [&](int level) {
    libdeflate_compressor& compressor = compressor_of(level);
    packed_.resize(libdeflate_zlib_compress_bound(&compressor, filtered_.size()));
    packed_.resize(libdeflate_zlib_compress(&compressor, filtered_.data(), filtered_.size(),
                                            packed_.data(), packed_.size()));
  };
  // If the fastest level cannot make data smaller, the data are noise, and no level can.
  pack(1);
  if (packed_.size() < filtered_.size()) pack(header_.level);
  return packed_;
}

}  // namespace dapple
#endif
