#include "sample/class_maps/box_tree.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

namespace dapple::class_maps {

BoxTree::BoxTree(std::vector<Bounds<3>> boxes) : boxes_(std::move(boxes)), items_(boxes_.size()) {
  if (boxes_.empty()) return;
  std::iota(items_.begin(), items_.end(), 0u);
  nodes_.emplace_back();
  lay_out(0, 0, static_cast<std::uint32_t>(items_.size()));
}

bool BoxTree::meets(const Bounds<3>& a, const Bounds<3>& b) {
  for (std::size_t i = 0; i < 3; ++i) {
    if (a.low[i] > b.high[i] || b.low[i] > a.high[i]) return false;
  }
  return true;
}

// Halves the items by the middles of their boxes, across the longest side.
void BoxTree::lay_out(std::uint32_t node, std::uint32_t first, std::uint32_t end) {
  constexpr std::uint32_t items_a_leaf = 4;
  Bounds<3> all = boxes_[items_[first]];
  for (std::uint32_t i = first; i < end; ++i) {
    const Bounds<3>& of = boxes_[items_[i]];
    for (std::size_t a = 0; a < 3; ++a) {
      all.low[a] = std::min(all.low[a], of.low[a]);
      all.high[a] = std::max(all.high[a], of.high[a]);
    }
  }
  nodes_[node].box = all;
  if (end - first <= items_a_leaf) {
    nodes_[node].first = first;
    nodes_[node].end = end;
    return;
  }
  const auto side = [&](std::size_t a) { return all.high[a] - all.low[a]; };
  const std::size_t axis = side(0) >= side(1) && side(0) >= side(2) ? 0
                           : side(1) >= side(2)                     ? 1
                                                                    : 2;
  const std::uint32_t middle = first + (end - first) / 2;
  const auto at = [&](std::uint32_t i) { return items_.begin() + static_cast<std::ptrdiff_t>(i); };
  const auto place = [&](std::uint32_t i) { return boxes_[i].low[axis] + boxes_[i].high[axis]; };
  std::nth_element(at(first), at(middle), at(end), [&](std::uint32_t a, std::uint32_t b) {
    return place(a) != place(b) ? place(a) < place(b) : a < b;
  });
  const auto halves = static_cast<std::uint32_t>(nodes_.size());
  nodes_[node].halves = halves;
  nodes_.resize(nodes_.size() + 2);
  lay_out(halves, first, middle);
  lay_out(halves + 1, middle, end);
}

}  // namespace dapple::class_maps
