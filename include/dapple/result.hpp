// What an operation makes, for whoever writes files of it or measures it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/field.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/surface.hpp"

namespace dapple {

// What a report of a result measures (dapple/analyze.hpp).
enum class Measured { nothing, points, stippling, mask };

struct DrawingMade {
  Drawing drawing;
  int raster_width = 0;  // of the drawing as an image, pixels; 0: 96 dpi
  int raster_height = 0;
  Plane<float> darkness = {};  // what the points stand for, 0..1 per pixel; for reports
  // The same of the picture before its preparation, where that changed it: empty otherwise.
  Plane<float> unprepared = {};
  Interpolation interpolation = Interpolation::smooth;  // of that darkness
  std::int64_t lost = 0;  // points of the picture before, in a sequence, that did not last
  double ink = 1;         // that is drawn, as a share of what the darkness asked for
  bool on_paper = false;  // of a size that was asked for
};

// An output that is some channels of an image.
struct ImagePart {
  std::string name;
  std::size_t channels = 1;         // after those of the parts before it
  PixelType type = PixelType::u16;  // as integers, where the values are not colors
};

struct ImageMade {
  Image image;
  // What 8 and 16 bit files hold instead, where the values are not 0..1 (distances in pixels):
  // float formats (exr, float tif, npy) are written from `image`, all others from what this makes
  // of it, when it is asked for; of single parts, too.
  std::function<Image(const Image& image)> display = nullptr;
  // The ranks of a mask, a plane per channel, slices as in the image: what files of ranks hold.
  std::vector<Plane<std::int32_t>> ranks = {};
  bool arrays_hold_ranks = false;  // .npy and .raw: in place of the values
  // The outputs that the channels are, in their order, where each may be a file of its own.
  std::vector<ImagePart> parts = {};
};

// A large image that is made while it is written, where Job::by_rows allows it. Of no use after
// the job.
struct RowsMade {
  ImageRows rows;
  std::function<ImageRows()> display = nullptr;  // as that of an image
};

// Points on a surface, or in the solid that it encloses; the mesh is for its picture.
struct SurfaceMade {
  SurfacePoints points;
  std::shared_ptr<const Mesh> mesh;
  SurfaceOptions options;
  SurfaceRadius radius;
  bool inside = false;
  double sphere = 0;  // its radius, where they are on one
};

struct Result {
  std::optional<PointSet> points = std::nullopt;  // also a drawing's dots, a texture's sites
  std::variant<std::monostate, DrawingMade, ImageMade, RowsMade, SurfaceMade> picture = {};

  // The picture where it is of this kind, else nullptr.
  const DrawingMade* drawing() const { return std::get_if<DrawingMade>(&picture); }
  const ImageMade* image() const { return std::get_if<ImageMade>(&picture); }
  const RowsMade* rows() const { return std::get_if<RowsMade>(&picture); }
  const SurfaceMade* surface() const { return std::get_if<SurfaceMade>(&picture); }
  // Of points in the plane, in a volume, on a surface or in a solid.
  std::optional<std::size_t> count() const {
    if (surface() != nullptr) return surface()->points.size();
    return points ? std::optional(points->size()) : std::nullopt;
  }
};

}  // namespace dapple
