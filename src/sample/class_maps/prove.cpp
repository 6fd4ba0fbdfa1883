// Proves classes with maps from the points alone: distances of pairs, and coverage by bounds.
#include <algorithm>
#include <cmath>

#include "core/constants.hpp"
#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "sample/certify/proved.hpp"
#include "sample/class_maps/throwing.hpp"

namespace dapple::class_maps {
namespace {

constexpr std::size_t group_size = 64;

class Proof {
 public:
  Proof(const Classes& classes, const Near& obstacles, const PointSet& points, double tolerance)
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

  ClassCertificate run(Context& context) {
    struct Item {
      std::size_t class_id;
      Square square;
    };
    std::vector<Item> items;
    for (std::size_t c = 0; c < classes_.count(); ++c) {
      for (const Square& square : classes_.roots(c)) items.push_back({c, square});
    }
    const std::size_t of_points = (points_.size() + group_size - 1) / group_size;
    const std::size_t of_items = (items.size() + group_size - 1) / group_size;
    std::vector<ClassCertificate> parts(of_points + of_items);
    for (ClassCertificate& part : parts) part.closest = std::numeric_limits<double>::infinity();
    parallel_for(context, parts.size(), [&](std::size_t g) {
      Found found;
      if (g < of_points) {
        const std::size_t end = std::min(points_.size(), (g + 1) * group_size);
        for (std::size_t i = g * group_size; i < end; ++i) pairs_of(i, found, parts[g]);
        return;
      }
      const std::size_t first = (g - of_points) * group_size;
      for (std::size_t k = first; k < std::min(items.size(), first + group_size); ++k) {
        prove_root(items[k].class_id, items[k].square, found, parts[g]);
      }
    });
    ClassCertificate all;
    all.closest = std::numeric_limits<double>::infinity();
    all.violations = misplaced_;
    for (const ClassCertificate& part : parts) add_part(all, part);
    return all;
  }

 private:
  // Checks a point against later points and obstacles. A pair with several near images on a narrow
  // torus counts once.
  void pairs_of(std::size_t i, Found& found, ClassCertificate& into) const {
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
                  ClassCertificate& into) const {
    const Box box = classes_.box(square);
    found.clear();
    const double most = classes_.bounds(class_id, box).most * wider_;
    near_.gather(class_id, box, most, found);
    obstacles_.gather(class_id, box, most, found);
    Vec2 hole;
    if (!has_hole(class_id, square, found, hole)) return;
    if (into.holes++ > 0) return;
    into.hole_class = static_cast<int>(class_id);
    into.hole_place = hole;
  }

  // Returns true at the first free place: following the border of a hole could take forever.
  bool has_hole(std::size_t class_id, const Square& square, const Found& found, Vec2& place) const {
    const Box box = classes_.box(square);
    if (!(box.width() > 0 && box.height() > 0)) return false;
    const Bounds r = classes_.bounds(class_id, box);
    if (!r.allows()) return false;
    std::vector<double> each(classes_.count());
    classes_.least_toward(class_id, box, r.least, each.data());
    if (covers(classes_, class_id, each.data(), found, box, wider_)) return false;
    const Vec2 middle{0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)};
    if (std::isfinite(classes_.radius(class_id, middle))) {
      classes_.toward(class_id, middle, each.data());
      if (!holds_off(classes_, class_id, each.data(), found, middle, wider_)) {
        place = middle;
        return true;
      }
    }
    if (std::max(box.width(), box.height()) < smallest_proved_part * r.least) return false;
    Found within;
    for (const NearPoint& point : found) {
      const double x = std::max({0.0, box.x0 - point.x, point.x - box.x1});
      const double y = std::max({0.0, box.y0 - point.y, point.y - box.y1});
      const double limit = wider_ * std::max(r.most, point.other);
      if (x * x + y * y <= limit * limit) within.push_back(point);
    }
    for (int n = 0; n < 4; ++n) {
      if (has_hole(class_id, square.child(n), within, place)) return true;
    }
    return false;
  }

  const Classes& classes_;
  const Near& obstacles_;
  const PointSet& points_;
  double wider_;  // factor on all distances: 1 + tolerance
  Near near_;
  std::vector<double> radius_;
  std::int64_t misplaced_ = 0;
};

}  // namespace

ClassCertificate prove(const Classes& classes, const Near& obstacles, const PointSet& points,
                       double tolerance, Context& context) {
  require_number("the tolerance of a proof", tolerance, 2e-5);
  const auto stage = context.stage("certify");
  return Proof(classes, obstacles, points, tolerance).run(context);
}

}  // namespace dapple::class_maps
