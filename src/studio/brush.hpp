// Replays brush strokes over a photo and computes a weight from them.
//
// Two layers of the same size have one byte per pixel: the weight, as `--weight` reads it, and a
// shield against later strokes. The page and the weight file hold the same bytes.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/json.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple::studio {

// more and fewer move the weight halfway to twice as many dots or to none. protect shields the
// current weight. erase restores the state before all strokes, including protection.
enum class BrushTool { more, fewer, protect, erase };
constexpr auto option_names(BrushTool) {
  return words_to<BrushTool::erase>("more", "fewer", "protect", "erase");
}

struct Stroke {
  BrushTool tool = BrushTool::more;
  double size = 0.1;         // diameter, as a share of the photo's longer side
  double softness = 0.5;     // share of the radius over which the brush fades
  std::vector<Vec2> points;  // on the path, as shares of the photo's width and height
};
using Strokes = std::vector<std::shared_ptr<const Stroke>>;

// Parses a stroke of the page and appends its points to those of `before`. Throws Error(usage) if
// it is invalid, Error(limit) if it has too many points.
Stroke stroke_of(const app::Json& message, const Stroke* before);

struct BrushLayers {
  Plane<std::uint8_t> weight;
  Plane<std::uint8_t> shield;  // 255: strokes have no effect
};

constexpr std::uint8_t neutral_weight = 128;  // gray 0.5

// Returns layers without strokes for a photo of this size. They begin with `weight` unless it is
// nullptr. For large photos they are smaller, with the same aspect ratio. Throws like read_mask().
BrushLayers unbrushed(int width, int height, const Image* weight);
// Adds one stroke; it counts once where it crosses itself. `base` is the weight that erasing
// restores. After a cancel, the layers are unchanged.
void apply(const Stroke& stroke, const Plane<std::uint8_t>& base, BrushLayers& layers,
           const Context& context);

// Returns the weight for --weight. Writing and reading it again is lossless.
Image image_of(const Plane<std::uint8_t>& weight);

// Replays strokes incrementally: if the last stroke grows, only that stroke is replayed.
class Brush {
 public:
  // Starts again from these layers.
  void begin(BrushLayers base);
  const BrushLayers& replayed(const Strokes& strokes, const Context& context);

 private:
  BrushLayers base_;
  BrushLayers before_;  // with `done_` applied
  BrushLayers all_;
  Strokes done_;
};

}  // namespace dapple::studio
