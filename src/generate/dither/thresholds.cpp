// Makes thresholds from masks of any kind.
#include <algorithm>
#include <array>
#include <cmath>
#include <string>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "generate/dither/parts.hpp"
#include "generate/dither/strip_slices.hpp"

namespace dapple::dithering {
namespace {

// Converts values to thresholds. A value v of a file stands for the middle of its step, with 8 bits
// (v + 0.5) / 256. So black never passes, white always does, and the mean is not shifted.
Plane<float> thresholds_of(const Plane<float>& values, PixelType type) {
  const double steps = type == PixelType::u8 ? 256 : type == PixelType::u16 ? 65536 : 0;
  Plane<float> thresholds(values.width(), values.height());
  for (int y = 0; y < values.height(); ++y) {
    for (int x = 0; x < values.width(); ++x) {
      double v = values(x, y);
      if (!std::isfinite(v)) {
        throw Error(ErrorKind::input, "the mask's pixel at " + std::to_string(x) + "," +
                                          std::to_string(y) + " is not a finite number");
      }
      if (steps > 0) v = (std::round(v * (steps - 1)) + 0.5) / steps;
      // A threshold below 1 lets white pass everywhere.
      thresholds(x, y) = static_cast<float>(std::clamp(v, 0.0, 1 - 0x1p-24));
    }
  }
  return thresholds;
}

// Warns if a mask's values are not spread evenly, which makes tones wrong.
void warn_if_uneven(const Plane<float>& thresholds, Context& context) {
  std::array<std::size_t, 16> bins{};
  for (const float t : thresholds.values()) ++bins[static_cast<std::size_t>(t * 16)];
  double below = 0;
  double worst = 0;
  for (std::size_t i = 0; i < bins.size(); ++i) {
    below += static_cast<double>(bins[i]) / static_cast<double>(thresholds.size());
    worst = std::max(worst, std::abs(below - static_cast<double>(i + 1) / 16));
  }
  if (worst > 0.04 + 1 / static_cast<double>(thresholds.size())) {
    context.warn("the mask's values are not evenly distributed, so tones are off by up to " +
                 std::to_string(static_cast<int>(std::lround(100 * worst))) + " %");
  }
}

constexpr int most_frames = 16;  // of a made mask, which repeats

// Makes a mask for the picture. For frames, it is blue noise in each frame and, at each pixel, in
// time.
Image make_own(const DitherOptions& options, int channels, int frames, Context& context) {
  MaskOptions mask;
  mask.size = options.size;
  mask.bits = MaskBits::f32;
  if (options.method == DitherMethod::bayer) {
    mask.method = MaskMethod::bayer;
  } else {
    mask.channels = channels;
  }
  if (mask.size.depth > 1 && (frames == 1 || options.method != DitherMethod::mask)) {
    throw Error(ErrorKind::usage,
                Problem{"size", "has a depth, but the picture has no frames: leave the depth out"});
  }
  if (frames > 1 && options.method == DitherMethod::mask) {
    mask.kind = MaskKind::spatiotemporal;
    mask.filter_time = {MaskFilter::Shape::none};  // pictures are seen one by one, or stopped
    if (mask.size.depth <= 1) mask.size.depth = std::min(frames, most_frames);
  }
  return make_mask(mask, context);
}

}  // namespace

Thresholds::Row Thresholds::row(int frame, int y) const {
  const int height = values_->height() / slices_;
  const int slice = frame % slices_;
  return {values_->row(slice * height + (y + shift_y_) % height), shift_x_ % period()};
}

Thresholds Thresholds::shifted(double x, double y) const {
  Thresholds copy = *this;
  const int height = values_->height() / slices_;
  copy.shift_x_ = static_cast<int>(period() * x);
  copy.shift_y_ = static_cast<int>(height * y);
  return copy;
}

std::vector<Thresholds> make_thresholds(const DitherOptions& options, int channels, int frames,
                                        Context& context) {
  const bool locked = options.channels == DitherChannels::locked;
  const auto wanted = static_cast<std::size_t>(channels);
  Image made;
  const Image* mask = options.mask.image.get();
  if (mask == nullptr) {
    made = make_own(options, locked ? 1 : channels, frames, context);
    mask = &made;
  }
  if (options.slices > 1) {
    made = slices_of_strip(*mask, options.slices, options.mask.path);
    mask = &made;
  }
  if (mask->channels.empty() || mask->channels.front().empty()) {
    throw Error(ErrorKind::input, "the mask is empty", options.mask.path);
  }
  const std::size_t own = !locked && mask->channels.size() >= wanted ? wanted : 1;
  std::vector<Thresholds> thresholds;
  for (std::size_t c = 0; c < own; ++c) {
    auto plane = std::make_shared<Plane<float>>(thresholds_of(mask->channels[c], mask->type));
    warn_if_uneven(*plane, context);
    thresholds.emplace_back(std::move(plane), mask->slices);
  }
  // Blue noise has no correlation with itself at a distance, so shifted copies act as independent
  // masks. Bayer's pattern repeats itself at every scale, so it is not shifted.
  const bool still = locked || options.method == DitherMethod::bayer;
  for (std::size_t c = own; c < wanted; ++c) {
    const double part = still ? 0 : 0.381966 * static_cast<double>(c);
    thresholds.push_back(thresholds[0].shifted(part, part > 0 ? 1 - part : 0));
  }
  return thresholds;
}

}  // namespace dapple::dithering
