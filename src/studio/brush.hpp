// The brush: strokes over a photo, and the weight that they are replayed into.
//
// Two layers as large as each other, a byte a pixel: the weight, as `--weight` reads it, and how
// far a place is protected from the strokes that come later. Bytes are all there is of them: a file
// of the weight holds what the page shows.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "app/json.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"

namespace dapple::studio {

// more, fewer: half of what is left to twice as many dots, or to none. protect: as it is from here
// on. erase: as it was before all strokes, protection too.
enum class BrushTool { more, fewer, protect, erase };
constexpr auto option_names(BrushTool) {
  return words_to<BrushTool::erase>("more", "fewer", "protect", "erase");
}

struct Stroke {
  BrushTool tool = BrushTool::more;
  double size = 0.1;         // diameter, as a share of the photo's longer side
  double softness = 0.5;     // share of the radius over which it fades
  std::vector<Vec2> points;  // along its way, as shares of the photo's width and height
};
using Strokes = std::vector<std::shared_ptr<const Stroke>>;

// A stroke of the page, its points behind those that `before` had. Throws Error(usage) for what is
// none, Error(limit) for one without end.
Stroke stroke_of(const app::Json& message, const Stroke* before);

struct BrushLayers {
  Plane<std::uint8_t> weight;
  Plane<std::uint8_t> shield;  // 255: strokes change nothing
};

constexpr std::uint8_t neutral_weight = 128;  // gray .5

// Without a stroke: for a photo of that size, and on a weight that there is already (nullptr:
// none). Of large photos they are smaller, and of the same shape. Throws as read_mask() does.
BrushLayers unbrushed(int width, int height, const Image* weight);
// Adds one stroke; where it crosses itself it counts once. `base`: what erasing leaves.
void apply(const Stroke& stroke, const Plane<std::uint8_t>& base, BrushLayers& layers);

// The weight as --weight takes it; a file of it read again is the same to the bit.
Image image_of(const Plane<std::uint8_t>& weight);

// Layers that follow the hand: a stroke that grows is replayed alone.
class Brush {
 public:
  // Begins anew on these.
  void begin(BrushLayers base);
  const BrushLayers& replayed(const Strokes& strokes);

 private:
  BrushLayers base_;
  BrushLayers before_;  // with `done_`
  BrushLayers all_;
  Strokes done_;
};

}  // namespace dapple::studio
