#include "relax/dot_boxes.hpp"

#include <algorithm>

#include "core/bounding_tree.hpp"

namespace dapple {
namespace {

constexpr std::size_t children = 8;

}  // namespace

FixedBox FixedBox::reflected(const FixedMirror& mirror) const {
  // A reflection is its own inverse.
  const std::int32_t xa = mirror.sign_x * x0 + mirror.shift_x;
  const std::int32_t xb = mirror.sign_x * x1 + mirror.shift_x;
  const std::int32_t ya = mirror.sign_y * y0 + mirror.shift_y;
  const std::int32_t yb = mirror.sign_y * y1 + mirror.shift_y;
  return {std::min(xa, xb), std::min(ya, yb), std::max(xa, xb), std::max(ya, yb)};
}

void DotBoxes::update(const FixedPlaces& places) {
  levels_ = box_levels<FixedBox>(dots_, block_dots, children, [&](std::size_t i) {
    return FixedBox{places.x[i], places.y[i], places.x[i], places.y[i]};
  });
}

void DotBoxes::find_in(std::size_t level, std::size_t node, const FixedBox& box,
                       std::vector<std::int32_t>& found) const {
  if (!levels_[level][node].meets(box)) return;
  if (level == 0) {
    found.push_back(static_cast<std::int32_t>(node));
    return;
  }
  const std::size_t last = std::min(levels_[level - 1].size(), (node + 1) * children);
  for (std::size_t c = node * children; c < last; ++c) find_in(level - 1, c, box, found);
}

void DotBoxes::find(const FixedBox& box, std::vector<std::int32_t>& found) const {
  if (dots_ > 0) find_in(levels_.size() - 1, 0, box, found);
}

}  // namespace dapple
