// Stippling: an image as dots of ink (tone D = n pi a^2: the ink of all dots is the darkness asked
// for).
#pragma once

#include "dapple/drawing.hpp"
#include "dapple/sample.hpp"

namespace dapple {

enum class StippleMethod { poisson };
enum class DotOrder { travel, hilbert, none };
std::span<const std::string_view> option_names(StippleMethod);
std::span<const std::string_view> option_names(DotOrder);
std::span<const std::string_view> option_names(DotShape);

struct StippleOptions {
  StippleMethod method = StippleMethod::poisson;
  std::int64_t dots = 0;  // 0: from the dot size; without one either, 10,000
  LengthRange dot_size;   // diameter, or MIN:MAX by tone; empty: from the number of dots
  Size paper;             // empty: the image at `dpi`
  Length margin{0, Unit::mm};
  double dpi = 96;  // pixels an inch of the image where no paper is given, and of raster outputs
  Length pen{0, Unit::mm};  // width of the pen's line; 0: filled dots
  std::string ink = "black";
  std::string background = "white";
  DotOrder order = DotOrder::travel;
  DotShape shape = DotShape::disc;
  bool no_overlap = false;  // shrink dots that would touch their neighbours
};
void describe(StippleOptions& options, OptionList& list);

struct Stippling {
  Drawing drawing;  // mm on the paper
  PointSet dots;    // pixels of the image; radius = the dot's own drawn radius in pixels
};

// `image` is the picture; `field` says how darkness is read from it.
Stippling stipple(const Image& image, const FieldOptions& field, const StippleOptions& options,
                  Context& context);

// An order of the points that keeps pen travel short; a permutation. Hilbert (1891) curve, improved
// by Or-opt and 2-opt with neighbour lists for `travel`.
std::vector<std::int32_t> drawing_order(const PointSet& points, DotOrder order, Context& context);

}  // namespace dapple
