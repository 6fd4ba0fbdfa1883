// Declares the shared parts of dithering: rows of wanted values, thresholds, and levels.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "dapple/dither.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::dithering {

// The picture to dither. Wanted values are in 0..1, in the space whose means must be right: linear
// light or encoded values.
class Picture {
 public:
  // Keeps a reference to the image. `gray`: the only channel is the luminance.
  Picture(const Image& image, bool gray, bool linear);

  int width() const { return image_.width(); }
  int height() const { return image_.height(); }  // of all slices
  int slices() const { return image_.slices; }
  int slice_height() const { return image_.slice_height(); }
  bool linear() const { return linear_; }
  int channels() const { return static_cast<int>(sources_.size() == 3 && !gray_ ? 3 : 1); }
  const Plane<float>* alpha() const { return alpha_; }

  // Returns the name of the channel that is read, in the form that prepared() takes.
  static std::string channel_of(const Image& image);

  // Reads row y of channel c. Throws Error(input) if a value is not finite.
  void read_row(int c, int y, float* to) const;
  // Reads a row as bytes, in sRGB or plain data. Returns false if any value is not a byte.
  bool read_bytes(int c, int y, std::uint8_t* to) const;

 private:
  void read_plane(std::size_t source, int y, float* to) const;
  [[noreturn]] void fail(std::size_t source, int y) const;

  const Image& image_;
  bool gray_;
  bool linear_;
  std::vector<std::size_t> sources_;  // channels of the image: R G B, or one
  const Plane<float>* alpha_ = nullptr;
  std::vector<float> stored_;  // every value of an 8-bit or 16-bit file
  std::vector<float> wanted_;  // wanted value for each of them
};

// The thresholds in 0..1 of a channel, repeated over the picture.
class Thresholds {
 public:
  Thresholds() = default;
  Thresholds(std::shared_ptr<const Plane<float>> values, int slices)
      : values_(std::move(values)), slices_(slices) {}

  int period() const { return values_->width(); }
  // Row y of a frame, and the position in it of the picture's first pixel.
  struct Row {
    const float* values;
    int start;
  };
  Row row(int frame, int y) const;
  // Returns a copy that is shifted by parts of its size.
  Thresholds shifted(double x, double y) const;

 private:
  std::shared_ptr<const Plane<float>> values_;  // slices one below the other
  int slices_ = 1;
  int shift_x_ = 0;
  int shift_y_ = 0;
};

// Calls body(x, count, thresholds) for each stretch of a row with consecutive thresholds.
template <class Body>
void along_row(const Thresholds::Row& row, int period, int width, Body&& body) {
  for (int x = 0, t = row.start; x < width; t = 0) {
    const int count = std::min(period - t, width - x);
    body(x, count, row.values + t);
    x += count;
  }
}

// Returns thresholds per channel. Warns of masks whose values are not evenly spread.
std::vector<Thresholds> make_thresholds(const DitherOptions& options, int channels, int frames,
                                        Context& context);

// The levels, evenly spaced in encoded values as they are written.
class Levels {
 public:
  // `linear`: wanted values are light.
  Levels(int count, bool linear);

  int count() const { return static_cast<int>(encoded_.size()); }
  float encoded(int level) const { return encoded_[static_cast<std::size_t>(level)]; }
  float wanted(int level) const { return wanted_[static_cast<std::size_t>(level)]; }
  // The level below a wanted value, except the last level, and the share of the next level. Their
  // mixture has the wanted value as its mean.
  struct Step {
    int low;
    float share;
  };
  Step step(float wanted) const;
  // Returns the value to mix at less than full strength. Outside the middle `strength` of the way
  // between two levels it is the nearer level.
  float drawn(float wanted, float strength) const;

 private:
  std::vector<float> encoded_, wanted_;
  std::vector<std::uint8_t> start_;  // first level of the search, by the root of the value
};

// Dithers each channel by its thresholds. Less strength moves thresholds toward one half, the
// border between two levels.
std::vector<Plane<float>> levels_by_mask(const Picture& picture, const DitherOptions& options,
                                         std::span<const Thresholds> thresholds, Context& context);
// Dithers each channel by error diffusion.
std::vector<Plane<float>> levels_by_diffusion(const Picture& picture, const DitherOptions& options,
                                              Context& context);
// Dithers a plane of coverage 0..1 to 0 and 1.
Plane<float> coverage_by_mask(const Plane<float>& coverage, int slices,
                              const Thresholds& thresholds, Context& context);
Plane<float> coverage_by_diffusion(const Plane<float>& coverage, int slices,
                                   const DitherOptions& options, Context& context);

using Colors = std::vector<std::array<std::uint8_t, 3>>;
// Returns what mixes the colors of a picture from those of a palette.
palette::Mixer make_mixer(const Picture& picture, const Colors& colors,
                          const DitherOptions& options);
std::vector<Plane<float>> palette_by_mask(const Picture& picture, const DitherOptions& options,
                                          const Colors& colors, const Thresholds& thresholds,
                                          Context& context);
std::vector<Plane<float>> palette_by_diffusion(const Picture& picture, const DitherOptions& options,
                                               const Colors& colors, Context& context);

// Returns a palette of at most `count` colors. If the picture has no more, it has all of them.
Colors find_colors(const Picture& picture, int count, Context& context);

}  // namespace dapple::dithering
