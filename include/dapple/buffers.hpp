// Reads and writes images in memory of the caller, in place and at any stride.
//
//     std::vector<std::uint8_t> screen(4 * 640 * 480);
//     const auto pixels = view_of<std::uint8_t>(screen, 4 * 640, 480);
//     rasterize(drawing, ImageTarget::interleaved(pixels, 4), context);
//
// Views own nothing, and calls keep nothing: the memory must outlive the call that receives it.
// Bytes and 16-bit numbers stand for 0..1, as in files; floats hold values as they are.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/plane.hpp"

namespace dapple {

template <class T>
concept Stored =
    std::same_as<T, std::uint8_t> || std::same_as<T, std::uint16_t> || std::same_as<T, float>;

// Throws Error(usage) if `height` rows of `width` values need more than `values` values, or if rows
// begin less than a row apart. A span cannot be viewed with rows that go upwards (stride < 0).
void require_room(std::size_t values, int width, int height, std::ptrdiff_t stride);
// Throws Error(usage) that names `what` for a view without pixels and for overlapping rows. Also
// throws for data that is not aligned to `bytes`, the size of a value.
void require_view(std::string_view what, const void* data, int width, int height,
                  std::ptrdiff_t stride, std::size_t bytes);
template <class T>
void require_view(std::string_view what, const PlaneView<T>& view) {
  require_view(what, view.data(), view.width(), view.height(), view.stride(), sizeof(T));
}

// Returns a view of `memory` as rows `stride` values apart. Throws Error(usage) if it is too small.
template <class T>
PlaneView<T> view_of(std::span<T> memory, int width, int height, std::ptrdiff_t stride) {
  require_room(memory.size(), width, height, stride);
  return {memory.data(), width, height, stride};
}
template <class T>
PlaneView<T> view_of(std::span<T> memory, int width, int height) {
  return view_of(memory, width, height, width);
}

// An image that is read in place.
class ImageView {
 public:
  // Throws Error(input) for planes of different sizes and for channels without a name.
  ImageView(const Image& image);
  // Takes one view per channel, all of one size. Channels are named Y; Y A; R G B; or R G B A.
  // Throws as require_view() does, and Error(usage) for other numbers of channels.
  template <Stored T>
  static ImageView planes(const std::vector<PlaneView<const T>>& channels, Encoding encoding);
  // As above, but takes channels side by side in each pixel: a row has `channels` values per pixel.
  template <Stored T>
  static ImageView interleaved(PlaneView<const T> rows, int channels, Encoding encoding);

  int width() const { return width_; }
  int height() const { return height_; }  // of all slices
  int slice_height() const { return height_ / slices_; }
  std::size_t channels() const { return channels_.size(); }
  const std::vector<std::string>& names() const { return names_; }
  Encoding encoding() const { return encoding_; }
  // Returns the index of the channel `name`, or -1.
  int find(std::string_view name) const;
  // Returns true if rows are packed floats, so that row() needs no room.
  bool in_place() const {
    return type_ == PixelType::f32 && step_ == static_cast<std::ptrdiff_t>(sizeof(float));
  }
  // Returns row y of a channel. The row is read in place if in_place(), otherwise it is converted
  // into `room`, which holds width() values.
  const float* row(std::size_t channel, int y, float* room) const;
  // Returns a copy of one channel, or of all channels.
  Plane<float> plane(std::size_t channel) const;
  Image copied() const;

 private:
  struct Channel {
    const std::byte* data;
    std::ptrdiff_t stride;  // bytes
  };
  ImageView() = default;
  void add(const void* data, std::ptrdiff_t stride) {
    channels_.push_back({static_cast<const std::byte*>(data), stride});
  }
  void name_channels();

  int width_ = 0;
  int height_ = 0;
  int slices_ = 1;
  PixelType type_ = PixelType::f32;  // of a value in memory
  std::ptrdiff_t step_ = sizeof(float);
  Encoding encoding_ = Encoding::srgb;
  std::vector<Channel> channels_;
  std::vector<std::string> names_;
};

// The memory that an image is written to.
class ImageTarget {
 public:
  // Takes one view per channel, all of one size. Throws as require_view() does, and Error(usage) if
  // two views have a value in common.
  template <Stored T>
  static ImageTarget planes(const std::vector<PlaneView<T>>& channels);
  // As above, but takes channels side by side in each pixel: a row has `channels` values per pixel.
  template <Stored T>
  static ImageTarget interleaved(PlaneView<T> rows, int channels);

  int width() const { return width_; }
  int height() const { return height_; }  // of all slices
  int channels() const { return static_cast<int>(channels_.size()); }
  PixelType type() const { return type_; }

  // Throws Error(usage) that names `what` unless this target has the given size and channels.
  void require(std::string_view what, int width, int height, int channels) const;
  // Writes `rows` from row `first` on. Integers are rounded from values of 0..1. Gray also fills
  // the three channels of a color target, and a missing alpha is 1. Throws Error(usage) if rows or
  // channels do not fit this target.
  void put(const Image& rows, int first) const;

 private:
  struct Channel {
    std::byte* data;
    std::ptrdiff_t stride;  // bytes
  };
  ImageTarget() = default;
  void add(void* data, std::ptrdiff_t stride) {
    channels_.push_back({static_cast<std::byte*>(data), stride});
  }
  template <Stored T>
  void put_row(const float* from, std::size_t channel, int y) const;

  int width_ = 0;
  int height_ = 0;
  PixelType type_ = PixelType::f32;
  std::ptrdiff_t step_ = sizeof(float);
  std::vector<Channel> channels_;
};

}  // namespace dapple
