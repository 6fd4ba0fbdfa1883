// Proves classes with maps from the points alone: distances of pairs, and coverage by bounds.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "sample/certify/proved.hpp"
#include "sample/class_maps/throwing.hpp"
#include "sample/engine/cells.hpp"

namespace dapple::class_maps {
namespace {

// Views the squares of a root for engine::has_hole().
class RootProof {
 public:
  struct Cell {
    Square square;
    Box box;
    Bounds r;
  };

  RootProof(const Classes& classes, std::size_t class_id, double wider)
      : classes_(classes), class_id_(class_id), wider_(wider), each_(classes.count()) {}

  void select(const Cell& cell, const Found& from, Found& around) const {
    around.clear();
    for (const NearPoint& point : from) {
      const double limit = wider_ * std::max(cell.r.most, point.other);
      if (square_distance(cell.box, point) <= limit * limit) around.push_back(point);
    }
  }
  bool is_covered(const Cell& cell, const Found& around) const {
    classes_.least_toward(class_id_, cell.box, cell.r.least, each_.data());
    return covers(classes_, class_id_, each_.data(), around, cell.box, wider_);
  }
  Vec2 middle_place(const Cell& cell) const { return middle_of(cell.box); }
  bool is_free_in_middle(const Cell& cell, const Found& around) const {
    const Vec2 middle = middle_of(cell.box);
    if (!std::isfinite(classes_.radius(class_id_, middle))) return false;
    classes_.toward(class_id_, middle, each_.data());
    return !holds_off(classes_, class_id_, each_.data(), around, middle, wider_);
  }
  bool is_below_tolerance(const Cell& cell) const {
    return std::max(cell.box.width(), cell.box.height()) < smallest_proved_part * cell.r.least;
  }
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) const {
    for (int child = 0; child < 4; ++child) {
      Cell part{cell.square.child(child), {}, {}};
      if (classes_.allows(class_id_, part.square, part.box, part.r) && body(part)) return true;
    }
    return false;
  }

 private:
  const Classes& classes_;
  std::size_t class_id_;
  double wider_;
  mutable Toward each_;
};

class Proof {
 public:
  Proof(const Classes& classes, const Near& obstacles, const Points& points, double tolerance)
      : classes_(classes),
        obstacles_(obstacles),
        points_(points),
        wider_(1 + tolerance),
        near_(classes, false) {
    std::vector<double> each(classes.count());
    for (std::size_t i = 0; i < points.size(); ++i) {
      const auto class_id = static_cast<std::size_t>(points.class_id[i]);
      radius_.push_back(classes.radius(class_id, points[i]));
      // A point at a place where its class is not allowed covers nothing.
      if (std::isfinite(radius_.back())) {
        classes.toward(class_id, points[i], each.data());
      } else {
        ++misplaced_;
        std::fill(each.begin(), each.end(), 0.0);
      }
      near_.add(points[i], points.class_id[i], each.data());
    }
    near_.put_in_order();
  }

  Certificate run(Context& context) {
    struct Item {
      std::size_t class_id;
      Square square;
    };
    std::vector<Item> items;
    for (std::size_t c = 0; c < classes_.count(); ++c) {
      for (const Square& square : classes_.roots(c)) items.push_back({c, square});
    }
    struct Buffers {
      Found found;
      engine::ByDepth<Found> lists;
    };
    Certificate all = prove_each<Buffers>(points_.size(), context,
                                          [&](std::size_t i, Buffers& buffers, Certificate& into) {
                                            pairs_of(i, buffers.found, into);
                                          });
    add_part(all, prove_each<Buffers>(items.size(), context,
                                      [&](std::size_t k, Buffers& buffers, Certificate& into) {
                                        prove_root(items[k].class_id, items[k].square,
                                                   buffers.found, buffers.lists, into);
                                      }));
    all.violations += misplaced_;
    return all;
  }

 private:
  // Checks a point against later points and obstacles. A pair with several near images on a narrow
  // torus counts once.
  void pairs_of(std::size_t i, Found& found, Certificate& into) const {
    if (!std::isfinite(radius_[i])) return;
    const auto class_id = static_cast<std::size_t>(points_.class_id[i]);
    const Vec2 at = points_[i];
    const Box box{at.x, at.y, at.x, at.y};
    found.clear();
    near_.gather(class_id, box, radius_[i], found);
    const std::size_t own = found.size();
    obstacles_.gather(class_id, box, radius_[i], found);
    std::vector<std::uint32_t> counted;
    for (std::size_t k = 0; k < found.size(); ++k) {
      const NearPoint& other = found[k];
      if (k < own && other.number <= i) continue;
      const double limit = classes_.limit(class_id, near_.each(i), other.kind, other.other);
      const double x = other.x - at.x;
      const double y = other.y - at.y;
      const double far = std::sqrt(x * x + y * y) / limit;
      into.closest = std::min(into.closest, far);
      if (far >= 1) continue;
      const std::uint32_t number = other.number + (k < own ? 0 : 0x80000000u);
      if (std::find(counted.begin(), counted.end(), number) != counted.end()) continue;
      counted.push_back(number);
      ++into.violations;
    }
  }

  void prove_root(std::size_t class_id, const Square& square, Found& found,
                  engine::ByDepth<Found>& lists, Certificate& into) const {
    const Box box = classes_.box(square);
    found.clear();
    const double most = classes_.bounds(class_id, box).most * wider_;
    near_.gather(class_id, box, most, found);
    obstacles_.gather(class_id, box, most, found);
    const RootProof view(classes_, class_id, wider_);
    RootProof::Cell cell{square, {}, {}};
    Vec2 hole;
    if (!classes_.allows(class_id, square, cell.box, cell.r)) return;
    if (!engine::has_hole(view, cell, found, hole, lists)) return;
    if (into.holes++ > 0) return;
    into.hole_class = static_cast<int>(class_id);
    into.hole_place = hole;
  }

  const Classes& classes_;
  const Near& obstacles_;
  const Points& points_;
  double wider_;  // factor on all distances: 1 + tolerance
  Near near_;
  std::vector<double> radius_;
  std::int64_t misplaced_ = 0;
};

}  // namespace

Certificate prove(const Classes& classes, const Near& obstacles, const Points& points,
                  double tolerance, Context& context) {
  require_number("the tolerance of a proof", tolerance, 2e-5);
  const auto stage = context.stage("certify");
  return Proof(classes, obstacles, points, tolerance).run(context);
}

}  // namespace dapple::class_maps
