// One-channel rasters and the images made of them.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace dapple {

// A view of `height` rows of `width` values, rows `stride` values apart, or upwards where that is
// below 0; owns nothing.
template <class T>
class PlaneView {
 public:
  PlaneView() = default;
  PlaneView(T* data, int width, int height, std::ptrdiff_t stride)
      : data_(data), width_(width), height_(height), stride_(stride) {}
  operator PlaneView<const T>() const requires(!std::is_const_v<T>) {
    return {data_, width_, height_, stride_};
  }

  int width() const { return width_; }
  int height() const { return height_; }
  std::ptrdiff_t stride() const { return stride_; }
  T* data() const { return data_; }
  T* row(int y) const { return data_ + static_cast<std::ptrdiff_t>(y) * stride_; }
  T& operator()(int x, int y) const { return row(y)[x]; }

 private:
  T* data_ = nullptr;
  int width_ = 0;
  int height_ = 0;
  std::ptrdiff_t stride_ = 0;
};

// Memory for many values: large pages where the system has them, as the first write to a small one
// takes longer than most of what fills it. Throws std::bad_alloc.
void* allocate_values(std::size_t bytes);
void free_values(void* values) noexcept;

// The allocator of vectors in such memory. Values that are not given are not set to anything.
template <class T>
struct ValueAllocator {
  using value_type = T;
  ValueAllocator() = default;
  template <class U>
  ValueAllocator(const ValueAllocator<U>&) {}
  T* allocate(std::size_t n) { return static_cast<T*>(allocate_values(n * sizeof(T))); }
  void deallocate(T* values, std::size_t) noexcept { free_values(values); }
  template <class U, class... Given>
  void construct(U* at, const Given&... given) {
    if constexpr (sizeof...(Given) == 0) {
      ::new (static_cast<void*>(at)) U;
    } else {
      ::new (static_cast<void*>(at)) U(given...);
    }
  }
  friend bool operator==(const ValueAllocator&, const ValueAllocator&) { return true; }
};

// Values of so many pixels; throws Error(usage) for a side below 0, Error(limit) above 2^40.
std::size_t plane_size(int width, int height);
// Throws Error(usage) where there is no such slice.
void require_slice(int index, int slices);

// An owning raster, rows packed (stride = width), zero-initialized unless a value is given.
template <class T>
class Plane {
 public:
  Plane() = default;
  Plane(int width, int height, T value = T{})
      : width_(width), height_(height), values_(plane_size(width, height), value) {}
  // For what sets every value: nothing is written before.
  static Plane unset(int width, int height) {
    Plane plane;
    plane.width_ = width;
    plane.height_ = height;
    plane.values_.resize(plane_size(width, height));
    return plane;
  }

  int width() const { return width_; }
  int height() const { return height_; }
  std::size_t size() const { return values_.size(); }
  bool empty() const { return values_.empty(); }
  T* row(int y) { return values_.data() + index(0, y); }
  const T* row(int y) const { return values_.data() + index(0, y); }
  T& operator()(int x, int y) { return values_[index(x, y)]; }
  const T& operator()(int x, int y) const { return values_[index(x, y)]; }
  std::span<T> values() { return values_; }
  std::span<const T> values() const { return values_; }
  PlaneView<T> view() { return {values_.data(), width_, height_, width_}; }
  PlaneView<const T> view() const { return {values_.data(), width_, height_, width_}; }

  friend bool operator==(const Plane&, const Plane&) = default;

 private:
  std::size_t index(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
           static_cast<std::size_t>(x);
  }

  int width_ = 0;
  int height_ = 0;
  std::vector<T, ValueAllocator<T>> values_;
};

// How the numbers of an image stand for light. `data` is not light at all (distances, ids,
// thresholds) and must never be color-managed; files tag it as linear.
enum class Encoding { srgb, linear, data };

// How a file stores a value. Integers hold 0..1 scaled to their range; floats hold values as they
// are.
enum class PixelType { u8, u16, f16, f32 };

// What a writer may do with an image beyond its values, where the format has such.
struct WriterHints {
  // Names of the channels that number things: such values are never averaged nor rounded.
  std::vector<std::string> labels = {};
  // Whole numbers of a channel, for files of 32-bit integers: a plane per channel, empty where the
  // channel has none; or none at all.
  std::vector<Plane<std::uint32_t>> integers = {};
  // Every color that occurs, where an indexed file is wanted; or empty.
  std::vector<std::array<std::uint8_t, 3>> palette = {};
  bool half_enough = false;  // a texture to look up (.tx) needs no more than half of these floats
  bool tileable = false;     // repeats without a seam: textures say so to who looks them up
};

// An image in memory: planes of one size, 32-bit float, 0..1 for what came from integers. The
// frames of an animation and the layers of a volume are slices: each below the one before, in every
// plane.
struct Image {
  std::vector<Plane<float>> channels = {};
  std::vector<std::string> names =
      {};  // of the channels: R G B A Y, or that of an output such as F1
  Encoding encoding = Encoding::srgb;
  PixelType type = PixelType::u8;  // as read, or as it should be written where the format allows it
  std::vector<std::pair<std::string, std::string>> metadata =
      {};  // text keys, written where possible
  int slices = 1;
  bool volume = false;  // slices are layers of one volume: a 3-D texture, not an array of 2-D ones
  WriterHints hints = {};

  int width() const { return channels.empty() ? 0 : channels.front().width(); }
  int height() const { return channels.empty() ? 0 : channels.front().height(); }  // of all slices
  int slice_height() const { return height() / std::max(slices, 1); }
  bool is_label(std::size_t channel) const {
    return channel < names.size() && std::find(hints.labels.begin(), hints.labels.end(),
                                               names[channel]) != hints.labels.end();
  }
  // Index of the channel of that name, or -1.
  int find(std::string_view name) const;
};

// An image that is made by rows, as its writer asks for them: all of it need not fit into memory.
struct ImageRows {
  int width = 0;
  int height = 0;
  int step = 64;  // rows that are best asked for together, a multiple of 64
  // Rows first..last alone, with everything else of the image.
  std::function<Image(int first, int last)> rows;
};

// Rows first..last alone, as one slice, with everything else of the image.
Image rows_of(const Image& image, int first, int last);
// Makes `strip` the strip `index` of `count` of one height below each other; the first one says
// what there is beside the values.
void put_strip(Image& all, Image strip, int index, int count);
// One slice alone, with everything else of the image.
Image slice_of(const Image& image, int index);
// Some channels alone, with everything else of the image.
Image channels_of(const Image& image, std::size_t first, std::size_t count);
// The rows of one slice of a plane of `slices`.
template <class T>
Plane<T> slice_of(const Plane<T>& plane, int index, int slices) {
  require_slice(index, slices);
  const int height = plane.height() / slices;
  Plane<T> slice(plane.width(), height);
  const auto from = plane.values().subspan(static_cast<std::size_t>(index) * slice.size());
  std::copy(from.begin(), from.begin() + static_cast<std::ptrdiff_t>(slice.size()),
            slice.values().begin());
  return slice;
}

// sRGB transfer curve (IEC 61966-2-1), encoded to linear and back; mirrored below 0, extended
// above 1.
float srgb_to_linear(float encoded);
float linear_to_srgb(float linear);

}  // namespace dapple
