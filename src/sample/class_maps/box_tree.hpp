// Finds boxes that meet a box, and items near a place, by a tree of boxes.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/class_maps/classes.hpp"

namespace dapple::class_maps {

class BoxTree {
 public:
  BoxTree() = default;
  // Takes a box around each item.
  explicit BoxTree(std::vector<Bounds<3>> boxes);

  // Returns true if test(item) is true for an item whose box meets `box`.
  template <class Test>
  bool any(const Bounds<3>& box, const Test& test, std::uint32_t node = 0) const {
    if (nodes_.empty() || !meets(nodes_[node].box, box)) return false;
    const Node& of = nodes_[node];
    if (of.halves != 0) return any(box, test, of.halves) || any(box, test, of.halves + 1);
    for (std::uint32_t i = of.first; i < of.end; ++i) {
      if (meets(boxes_[items_[i]], box) && test(items_[i])) return true;
    }
    return false;
  }
  // Calls visit(item) for each item whose box is at most sqrt(least) away. visit() lowers `least`,
  // a squared distance, if it finds a nearer item.
  template <class Visit>
  void find_nearest(const Coordinates<3>& at, double& least, const Visit& visit,
                    std::uint32_t node = 0) const {
    if (nodes_.empty() || square_gap(at, nodes_[node].box) > least) return;
    const Node& of = nodes_[node];
    if (of.halves != 0) {
      const bool second =
          square_gap(at, nodes_[of.halves + 1].box) < square_gap(at, nodes_[of.halves].box);
      find_nearest(at, least, visit, of.halves + (second ? 1 : 0));
      find_nearest(at, least, visit, of.halves + (second ? 0 : 1));
      return;
    }
    for (std::uint32_t i = of.first; i < of.end; ++i) {
      if (square_gap(at, boxes_[items_[i]]) <= least) visit(items_[i]);
    }
  }

 private:
  // Its halves are adjacent. A leaf has items instead.
  struct Node {
    Bounds<3> box;
    std::uint32_t first = 0, end = 0;
    std::uint32_t halves = 0;
  };
  static bool meets(const Bounds<3>& a, const Bounds<3>& b);
  void lay_out(std::uint32_t node, std::uint32_t first, std::uint32_t end);

  std::vector<Bounds<3>> boxes_;
  std::vector<std::uint32_t> items_;
  std::vector<Node> nodes_;
};

}  // namespace dapple::class_maps
