// Declares one-channel rasters and the images made of them.
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

#include "dapple/language.hpp"

namespace dapple {

// A view of `height` rows of `width` values that owns nothing. Rows are `stride` values apart, and
// go upwards if `stride` is below 0.
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

// Allocates memory for many values, in large pages if the system has them: the first write to a
// small page takes longer than most work that fills it. Throws std::bad_alloc.
void* allocate_values(std::size_t bytes);
void free_values(void* values) noexcept;

// An allocator of vectors by allocate_values(). Values that are not given stay uninitialized.
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

// Returns width * height. Throws Error(usage) for a side below 0, Error(limit) above 2^40.
std::size_t plane_size(int width, int height);
// Throws Error(usage) if `index` is not from 0 to `slices` - 1.
void require_slice(int index, int slices);

// An owning raster with packed rows (stride = width), zero-initialized unless a value is given.
template <class T>
class Plane {
 public:
  Plane() = default;
  Plane(int width, int height, T value = T{})
      : width_(width), height_(height), values_(plane_size(width, height), value) {}
  // Returns a plane with uninitialized values, for callers that set all of them.
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

// The relation of an image's numbers to light. `data` is not light (distances, ids, thresholds) and
// must never be color-managed; files tag it as linear.
enum class Encoding { srgb, linear, data };

// The type of a value in a file. Integers hold 0..1 scaled to their range; floats hold the values
// themselves.
enum class PixelType { u8, u16, f16, f32 };

// Hints to a writer beyond the values. A format ignores the hints that it has no room for.
struct WriterHints {
  // Names of the channels that hold ids. Their values are never averaged or rounded.
  std::vector<std::string> labels = {};
  // Whole numbers of channels, for files of 32-bit integers: a plane per channel, empty for a
  // channel without them; or no planes.
  std::vector<Plane<std::uint32_t>> integers = {};
  // Every color that occurs, if an indexed file is wanted; otherwise empty.
  std::vector<std::array<std::uint8_t, 3>> palette = {};
  bool half_enough = false;     // half floats suffice for a lookup texture (.tx)
  bool tileable = false;        // repeats without a seam; texture files record it
  float third = 0;              // of the third channel that formats of colors add to two
  std::string colorspace = {};  // of the colors in the file, by its name; "": the usual one
};

// An image in memory: planes of one size, of 32-bit floats, 0..1 if they came from integers. The
// frames of an animation and the layers of a volume are slices. In every plane each slice lies
// below the one before.
struct Image {
  std::vector<Plane<float>> channels = {};
  std::vector<std::string> names =
      {};  // of the channels: R G B A Y, or the name of an output such as F1
  Encoding encoding = Encoding::srgb;
  PixelType type = PixelType::u8;  // as read, or as it should be written if the format allows it
  std::vector<std::pair<std::string, std::string>> metadata = {};  // text keys, written if possible
  int slices = 1;
  double dots_per_inch = 0;             // as the file states; 0: it does not
  std::vector<std::string> notes = {};  // what a reader took for granted or left out, for the user
  bool volume = false;  // slices are layers of one volume: a 3-D texture, not an array of 2-D ones
  WriterHints hints = {};

  int width() const { return channels.empty() ? 0 : channels.front().width(); }
  int height() const { return channels.empty() ? 0 : channels.front().height(); }  // of all slices
  int slice_height() const { return height() / std::max(slices, 1); }
  bool is_label(std::size_t channel) const {
    return channel < names.size() && std::find(hints.labels.begin(), hints.labels.end(),
                                               names[channel]) != hints.labels.end();
  }
  // Returns the index of the channel `name`, or -1.
  int find(std::string_view name) const;
};

// An image that is made by rows as its writer requests them, so it need not fit into memory.
struct ImageRows {
  int width = 0;
  int height = 0;
  int step = 64;  // rows that are best requested together, a multiple of 64
  // Returns only rows first to last - 1, with everything else of the image.
  std::function<Image(int first, int last)> rows;
};

// Returns only rows first to last - 1, as one slice, with everything else of the image.
Image rows_of(const Image& image, int first, int last);
// Puts `strip` into `all` as strip `index` of `count` strips of one height below each other. The
// first strip sets everything but the values.
void put_strip(Image& all, Image strip, int index, int count);
// Returns one slice, with everything else of the image.
Image slice_of(const Image& image, int index);
// Returns `count` channels from `first` on, with everything else of the image.
Image channels_of(const Image& image, std::size_t first, std::size_t count);
// Returns one slice of a plane of `slices` slices.
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

// The sRGB transfer curve (IEC 61966-2-1), from encoded to linear and back. It is mirrored below 0
// and extended above 1.
float srgb_to_linear(float encoded);
float linear_to_srgb(float linear);

// Returns #rgb, #rrggbb or a CSS color keyword as sRGB 0..1. Throws Error(usage) naming the text.
std::array<float, 3> parse_color(std::string_view text);

}  // namespace dapple
