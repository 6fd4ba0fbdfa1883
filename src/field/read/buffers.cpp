// Implements views of images in the caller's memory: checks, reading rows, and writing.
#include "dapple/buffers.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>

#include "core/preconditions.hpp"
#include "dapple/units.hpp"

namespace dapple {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorKind::usage, why);
}

std::string size_text(int width, int height) {
  return std::to_string(width) + "x" + std::to_string(height);
}

template <class T>
constexpr PixelType type_of() {
  return sizeof(T) == 1 ? PixelType::u8 : sizeof(T) == 2 ? PixelType::u16 : PixelType::f32;
}

template <class T>
std::ptrdiff_t row_bytes(const PlaneView<T>& view) {
  return view.stride() * static_cast<std::ptrdiff_t>(sizeof(T));
}

// Requires valid views of one size.
template <class T>
void require_views(const std::vector<PlaneView<T>>& views) {
  if (views.empty()) refuse("an image needs at least one channel");
  for (std::size_t i = 0; i < views.size(); ++i) {
    const std::string what = "the buffer of channel " + std::to_string(i);
    require_view(what, views[i]);
    if (views[i].width() == views[0].width() && views[i].height() == views[0].height()) continue;
    refuse(what + " is " + size_text(views[i].width(), views[i].height()) +
           ", but the buffer of channel 0 is " + size_text(views[0].width(), views[0].height()));
  }
}

template <class T>
int interleaved_width(const PlaneView<T>& rows, int channels) {
  require_view("the buffer", rows);
  if (channels >= 1 && rows.width() % channels == 0) return rows.width() / channels;
  refuse("rows of " + std::to_string(rows.width()) + " values do not hold whole pixels of " +
         std::to_string(channels) + " channels");
}

// Requires that rows do not overlap. Sorts the rows of all views by their addresses.
template <class T>
void require_apart(const std::vector<PlaneView<T>>& views) {
  struct Row {
    const T* first;
    std::size_t view;
  };
  std::vector<Row> rows;
  for (std::size_t i = 0; i < views.size(); ++i) {
    for (int y = 0; y < views[i].height(); ++y) rows.push_back({views[i].row(y), i});
  }
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return std::less<>()(a.first, b.first); });
  const auto width = static_cast<std::size_t>(views[0].width()) * sizeof(T);
  for (std::size_t i = 1; i < rows.size(); ++i) {
    const auto gap = reinterpret_cast<std::uintptr_t>(rows[i].first) -
                     reinterpret_cast<std::uintptr_t>(rows[i - 1].first);
    if (gap >= width) continue;
    const auto [a, b] = std::minmax(rows[i].view, rows[i - 1].view);
    refuse("the buffers of channels " + std::to_string(a) + " and " + std::to_string(b) +
           " overlap; each channel needs its own memory");
  }
}

// Reads a row of values that are `step` bytes apart, as floats.
template <class T>
void read_values(const std::byte* from, std::ptrdiff_t step, int width, float* to) {
  constexpr float full = std::is_same_v<T, float> ? 1.0F : std::numeric_limits<T>::max();
  for (int x = 0; x < width; ++x, from += step) {
    T value;
    std::memcpy(&value, from, sizeof value);
    to[x] = static_cast<float>(value) / full;
  }
}

}  // namespace

void require_room(std::size_t values, int width, int height, std::ptrdiff_t stride) {
  if (width < 1 || height < 1) {
    refuse("a view must be at least 1x1, not " + size_text(width, height));
  }
  if (stride < width && height > 1) {
    refuse("the stride of rows of " + std::to_string(width) + " values must be at least " +
           std::to_string(width) + ", not " + std::to_string(stride));
  }
  // Sides are ints, and strides of rows that fit are no longer than the memory.
  const auto room = static_cast<double>(values);
  const double needed = static_cast<double>(stride) * (height - 1) + width;
  if (needed <= room) return;
  refuse("the buffer has " + std::to_string(values) + " values, but a view of " +
         size_text(width, height) + " with stride " + std::to_string(stride) + " needs " +
         shortest(needed));
}

void require_view(std::string_view what, const void* data, int width, int height,
                  std::ptrdiff_t stride, std::size_t bytes) {
  const std::string of(what);
  if (width < 1 || height < 1) {
    refuse(of + " must be at least 1x1, not " + size_text(width, height));
  }
  if (data == nullptr) refuse(of + " is a null pointer");
  if (height > 1 && stride < width && -stride < width) {
    refuse(of + " has rows of " + std::to_string(width) + " values with stride " +
           std::to_string(stride) + ", so they overlap");
  }
  if (reinterpret_cast<std::uintptr_t>(data) % bytes != 0) {
    refuse(of + " is not aligned: its address must be a multiple of " + std::to_string(bytes));
  }
}

// ---- reading ------------------------------------------------------------------------------------

ImageView::ImageView(const Image& image)
    : width_(image.width()),
      height_(image.height()),
      slices_(image.slices),
      encoding_(image.encoding),
      names_(image.names) {
  require_planes(image);
  for (const Plane<float>& plane : image.channels) {
    add(plane.row(0), static_cast<std::ptrdiff_t>(sizeof(float)) * width_);
  }
}

void ImageView::name_channels() {
  switch (channels_.size()) {
    case 1:
      names_ = {"Y"};
      return;
    case 2:
      names_ = {"Y", "A"};
      return;
    case 3:
      names_ = {"R", "G", "B"};
      return;
    case 4:
      names_ = {"R", "G", "B", "A"};
      return;
    default:
      refuse("an image needs 1 to 4 channels (gray, gray and alpha, RGB, RGB and alpha), not " +
             std::to_string(channels_.size()));
  }
}

template <Stored T>
ImageView ImageView::planes(const std::vector<PlaneView<const T>>& channels, Encoding encoding) {
  require_views(channels);
  ImageView image;
  image.width_ = channels[0].width();
  image.height_ = channels[0].height();
  image.type_ = type_of<T>();
  image.step_ = sizeof(T);
  image.encoding_ = encoding;
  for (const PlaneView<const T>& view : channels) image.add(view.data(), row_bytes(view));
  image.name_channels();
  return image;
}

template <Stored T>
ImageView ImageView::interleaved(PlaneView<const T> rows, int channels, Encoding encoding) {
  ImageView image;
  image.width_ = interleaved_width(rows, channels);
  image.height_ = rows.height();
  image.type_ = type_of<T>();
  image.step_ = static_cast<std::ptrdiff_t>(sizeof(T)) * channels;
  image.encoding_ = encoding;
  for (int c = 0; c < channels; ++c) image.add(rows.data() + c, row_bytes(rows));
  image.name_channels();
  return image;
}

int ImageView::find(std::string_view name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  return found == names_.end() ? -1 : static_cast<int>(found - names_.begin());
}

const float* ImageView::row(std::size_t channel, int y, float* room) const {
  const std::byte* const from = channels_[channel].data + y * channels_[channel].stride;
  if (in_place()) return reinterpret_cast<const float*>(from);
  switch (type_) {
    case PixelType::u8:
      read_values<std::uint8_t>(from, step_, width_, room);
      break;
    case PixelType::u16:
      read_values<std::uint16_t>(from, step_, width_, room);
      break;
    default:
      read_values<float>(from, step_, width_, room);
  }
  return room;
}

Plane<float> ImageView::plane(std::size_t channel) const {
  auto plane = Plane<float>::unset(width_, height_);
  for (int y = 0; y < height_; ++y) {
    float* const to = plane.row(y);
    const float* const from = row(channel, y, to);
    if (from != to) std::copy(from, from + width_, to);
  }
  return plane;
}

Image ImageView::copied() const {
  Image image;
  image.names = names_;
  image.encoding = encoding_;
  image.type = type_;
  image.slices = slices_;
  for (std::size_t c = 0; c < channels(); ++c) image.channels.push_back(plane(c));
  return image;
}

// ---- writing ------------------------------------------------------------------------------------

template <Stored T>
ImageTarget ImageTarget::planes(const std::vector<PlaneView<T>>& channels) {
  require_views(channels);
  require_apart(channels);
  ImageTarget target;
  target.width_ = channels[0].width();
  target.height_ = channels[0].height();
  target.type_ = type_of<T>();
  target.step_ = sizeof(T);
  for (const PlaneView<T>& view : channels) target.add(view.data(), row_bytes(view));
  return target;
}

template <Stored T>
ImageTarget ImageTarget::interleaved(PlaneView<T> rows, int channels) {
  ImageTarget target;
  target.width_ = interleaved_width(rows, channels);
  target.height_ = rows.height();
  target.type_ = type_of<T>();
  target.step_ = static_cast<std::ptrdiff_t>(sizeof(T)) * channels;
  for (int c = 0; c < channels; ++c) target.add(rows.data() + c, row_bytes(rows));
  return target;
}

void ImageTarget::require(std::string_view what, int width, int height, int channels) const {
  const std::string of(what);
  if (width_ != width || height_ != height) {
    refuse("the buffer is " + size_text(width_, height_) + " pixels, but " + of + " is " +
           size_text(width, height));
  }
  if (this->channels() != channels) {
    refuse("the buffer has " + std::to_string(this->channels()) + " channels, but " + of + " has " +
           std::to_string(channels));
  }
}

template <Stored T>
void ImageTarget::put_row(const float* from, std::size_t channel, int y) const {
  std::byte* to = channels_[channel].data + y * channels_[channel].stride;
  for (int x = 0; x < width_; ++x, to += step_) {
    T value;
    if constexpr (std::is_same_v<T, float>) {
      value = from[x];
    } else {
      constexpr float full = std::numeric_limits<T>::max();
      const float v = from[x] > 0 ? std::min(from[x], 1.0F) : 0.0F;  // NaN is not above 0
      value = static_cast<T>(v * full + 0.5F);
    }
    std::memcpy(to, &value, sizeof value);
  }
}

void ImageTarget::put(const Image& rows, int first) const {
  require_planes(rows);
  require_rows(first, first + rows.height(), height_);
  const int alpha = rows.find("A");
  const int given = static_cast<int>(rows.channels.size());
  const int colors = given - (alpha >= 0 ? 1 : 0);
  const bool same = channels() == given;
  const int wanted = channels() >= 3 ? 3 : 1;  // number of colors; the rest is alpha
  const bool fits = rows.encoding != Encoding::data && channels() <= 4 &&
                    (colors == 1 || colors == wanted) && (alpha < 0 || channels() > wanted);
  require("the image", rows.width(), height_, same || fits ? channels() : given);
  const std::vector<float> opaque(same ? 0 : static_cast<std::size_t>(width_), 1.0F);
  for (int y = 0; y < rows.height(); ++y) {
    for (int c = 0; c < channels(); ++c) {
      const auto channel = static_cast<std::size_t>(c);
      const auto from = [&]() -> const float* {
        if (same) return rows.channels[channel].row(y);
        if (c >= wanted) {
          return alpha < 0 ? opaque.data() : rows.channels[static_cast<std::size_t>(alpha)].row(y);
        }
        return rows.channels[colors == 1 ? 0 : channel].row(y);
      }();
      switch (type_) {
        case PixelType::u8:
          put_row<std::uint8_t>(from, channel, first + y);
          break;
        case PixelType::u16:
          put_row<std::uint16_t>(from, channel, first + y);
          break;
        default:
          put_row<float>(from, channel, first + y);
      }
    }
  }
}

template ImageView ImageView::planes(const std::vector<PlaneView<const std::uint8_t>>&, Encoding);
template ImageView ImageView::planes(const std::vector<PlaneView<const std::uint16_t>>&, Encoding);
template ImageView ImageView::planes(const std::vector<PlaneView<const float>>&, Encoding);
template ImageView ImageView::interleaved(PlaneView<const std::uint8_t>, int, Encoding);
template ImageView ImageView::interleaved(PlaneView<const std::uint16_t>, int, Encoding);
template ImageView ImageView::interleaved(PlaneView<const float>, int, Encoding);
template ImageTarget ImageTarget::planes(const std::vector<PlaneView<std::uint8_t>>&);
template ImageTarget ImageTarget::planes(const std::vector<PlaneView<std::uint16_t>>&);
template ImageTarget ImageTarget::planes(const std::vector<PlaneView<float>>&);
template ImageTarget ImageTarget::interleaved(PlaneView<std::uint8_t>, int);
template ImageTarget ImageTarget::interleaved(PlaneView<std::uint16_t>, int);
template ImageTarget ImageTarget::interleaved(PlaneView<float>, int);

}  // namespace dapple
