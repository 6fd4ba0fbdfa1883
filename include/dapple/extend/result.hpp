// Declares the results of operations, for code that writes files of them or measures them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/field.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// The kind of report that measures a result (dapple/analyze.hpp).
enum class Measured { nothing, points, stippling, mask };

struct DrawingMade {
  Drawing drawing;
  int raster_width = 0;  // size of the drawing as an image, pixels; 0: 96 dpi
  int raster_height = 0;
  Plane<float> darkness = {};  // the darkness to draw, 0..1 per pixel; for reports
  // The darkness before the picture was prepared, if that changed it; otherwise empty.
  Plane<float> unprepared = {};
  Interpolation interpolation = Interpolation::smooth;  // of the darkness
  std::int64_t lost = 0;   // in a sequence: dots of the previous picture that did not last
  double ink = 1;          // the ink drawn, as a share of the ink that the darkness needs
  bool on_paper = false;   // true if a size on paper was requested
  double dpi_of_file = 0;  // pixels per inch of the picture's file, if they set the size
  PaperPlace place = {};   // of the points, which are in pixels of the picture
};

// An output that is some channels of an image.
struct ImagePart {
  std::string name;
  std::size_t channels = 1;         // they follow the channels of the previous part
  PixelType type = PixelType::u16;  // as integers, for values that are not colors
};

struct ImageMade {
  Image image;
  // Makes the image for 8 and 16 bit files if the values are not 0..1 (distances in pixels). Float
  // formats (exr, float tif, npy) are written from `image`, all others from the result of this
  // function. It is called at need, also for single parts.
  std::function<Image(const Image& image)> display = nullptr;
  // The ranks of a mask, for files of ranks: a plane per channel, with slices as in the image.
  std::vector<Plane<std::int32_t>> ranks = {};
  bool arrays_hold_ranks = false;  // .npy and .raw hold ranks, not values
  int bits = 0;  // arrays hold packed indices of so many bits per pixel; 0: values
  // The outputs of the channels, in their order, if each may be a file of its own.
  std::vector<ImagePart> parts = {};
  std::string about = {};  // what the values are, for source code
};

// A large image that is made while it is written, if Job::by_rows allows it. Invalid after the job
// ends.
struct RowsMade {
  ImageRows rows;
  std::function<ImageRows()> display = nullptr;  // as ImageMade::display
};

struct Result {
  // Points of any space, also the dots of a drawing and the sites of a texture.
  std::optional<Points> points = std::nullopt;
  std::variant<std::monostate, DrawingMade, ImageMade, RowsMade> picture = {};

  // Each returns the picture if it is of this kind, otherwise nullptr.
  const DrawingMade* drawing() const { return std::get_if<DrawingMade>(&picture); }
  const ImageMade* image() const { return std::get_if<ImageMade>(&picture); }
  const RowsMade* rows() const { return std::get_if<RowsMade>(&picture); }
  // Returns points on a surface, in a solid or on a sphere, otherwise nullptr.
  const Points* in_space() const { return points && points->space != nullptr ? &*points : nullptr; }
  std::optional<std::size_t> count() const {
    return points ? std::optional(points->size()) : std::nullopt;
  }
};

}  // namespace dapple
