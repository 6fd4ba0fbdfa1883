#include "relax/dot_boxes.hpp"

#include <algorithm>

namespace dapple {
namespace {

constexpr std::size_t children = 8;

}  // namespace

void FixedBox::take_in(const FixedBox& other) {
  x0 = std::min(x0, other.x0);
  y0 = std::min(y0, other.y0);
  x1 = std::max(x1, other.x1);
  y1 = std::max(y1, other.y1);
}

FixedBox FixedBox::reflected(const FixedMirror& mirror) const {
  // A reflection is its own inverse.
  const std::int32_t xa = mirror.sign_x * x0 + mirror.shift_x;
  const std::int32_t xb = mirror.sign_x * x1 + mirror.shift_x;
  const std::int32_t ya = mirror.sign_y * y0 + mirror.shift_y;
  const std::int32_t yb = mirror.sign_y * y1 + mirror.shift_y;
  return {std::min(xa, xb), std::min(ya, yb), std::max(xa, xb), std::max(ya, yb)};
}

DotBoxes::DotBoxes(std::size_t dots) : dots_(dots) {
  std::size_t nodes = (dots + block_dots - 1) / block_dots;
  levels_.emplace_back(nodes);
  while (nodes > children) {
    nodes = (nodes + children - 1) / children;
    levels_.emplace_back(nodes);
  }
}

void DotBoxes::update(const FixedPlaces& places) {
  for (std::size_t b = 0; b < levels_.front().size(); ++b) {
    const std::size_t first = b * block_dots;
    FixedBox box{places.x[first], places.y[first], places.x[first], places.y[first]};
    for (std::size_t i = first; i < std::min(dots_, first + block_dots); ++i) {
      box.take_in({places.x[i], places.y[i], places.x[i], places.y[i]});
    }
    levels_.front()[b] = box;
  }
  for (std::size_t l = 1; l < levels_.size(); ++l) {
    const std::vector<FixedBox>& below = levels_[l - 1];
    for (std::size_t n = 0; n < levels_[l].size(); ++n) {
      FixedBox box = below[n * children];
      for (std::size_t c = n * children; c < std::min(below.size(), (n + 1) * children); ++c) {
        box.take_in(below[c]);
      }
      levels_[l][n] = box;
    }
  }
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
  const std::size_t top = levels_.size() - 1;
  for (std::size_t n = 0; n < levels_[top].size(); ++n) find_in(top, n, box, found);
}

}  // namespace dapple
