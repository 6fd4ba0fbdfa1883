// Voronoi cells one by one, each cut out of a box by half-planes (Sutherland and Hodgman 1974).
#include "generate/worley_shape.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"

namespace dapple {
namespace {

constexpr std::int32_t frame = -1;
// Corners so near to a bisector lie on it: sites on a circle would give borders of no length.
constexpr double on_line = 5e-7;

struct Corner {
  Vec2 at;            // relative to the site
  std::int32_t next;  // site beyond the border that follows, or frame
};

class Cell {
 public:
  Cell(const SiteGrid& grid, std::int32_t id) : grid_(grid), id_(id) {
    const Domain& domain = grid.domain();
    const Vec2 p = grid.position(id);
    if (domain.wrap) {
      // The bisectors with its own images.
      box(-0.5 * domain.width, -0.5 * domain.height, 0.5 * domain.width, 0.5 * domain.height, id);
    } else {
      box(-p.x, -p.y, domain.width - p.x, domain.height - p.y, frame);
    }
  }

  void cut_out() {
    const Vec2 p = grid_.position(id_);
    const auto squared = [](const Site& s) { return s.x * s.x + s.y * s.y; };
    const auto farther = [&](const Site& a, const Site& b) {
      return squared(a) != squared(b) ? squared(a) > squared(b) : a.id > b.id;
    };
    double done = 0;
    // Sites may lie much closer here than on the average: few are taken at first, and not sorted.
    for (double reach = 0.6 * grid_.spacing(); done < 2 * farthest(); reach *= 1.6) {
      grid_.gather({p.x - reach, p.y - reach, p.x + reach, p.y + reach}, p, near_);
      std::make_heap(near_.begin(), near_.end(), farther);
      for (auto end = near_.end(); end != near_.begin(); --end) {
        const Site& site = near_.front();
        const double distance = std::sqrt(squared(site));
        // The corners of the window reach farther, but not everywhere.
        if (distance > reach || distance > 2 * farthest()) break;
        if (distance > done) {
          nearest_ = std::min(nearest_, distance);
          clip({site.x, site.y}, distance, site.id);
        }
        std::pop_heap(near_.begin(), end, farther);
      }
      done = reach;
    }
  }

  CellShape shape() const {
    CellShape shape{};
    double perimeter = 0;
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      perimeter += length(corners_[(i + 1) % corners_.size()].at - corners_[i].at);
      shape.neighbours += corners_[i].next != frame ? 1 : 0;
    }
    shape.perimeter = static_cast<float>(perimeter);
    shape.reach = static_cast<float>(farthest());
    shape.radius = std::isfinite(nearest_) ? static_cast<float>(0.5 * nearest_) : shape.reach;
    return shape;
  }

  // Those whose other cells have higher ids: each corner is one cell's.
  void own_corners(std::vector<Vec2>& to) const {
    for (std::size_t i = 0; i < corners_.size(); ++i) {
      const std::int32_t before = corners_[(i + corners_.size() - 1) % corners_.size()].next;
      if (before >= id_ && corners_[i].next >= id_) {
        to.push_back(grid_.domain().wrapped(grid_.position(id_) + corners_[i].at));
      }
    }
  }

 private:
  void box(double x0, double y0, double x1, double y1, std::int32_t beyond) {
    corners_ = {{{x0, y0}, beyond}, {{x1, y0}, beyond}, {{x1, y1}, beyond}, {{x0, y1}, beyond}};
    if (beyond != frame) nearest_ = std::min(x1 - x0, y1 - y0);
  }

  double farthest() const {
    double most = 0;
    for (const Corner& corner : corners_) most = std::max(most, length_squared(corner.at));
    return std::sqrt(most);
  }

  // Leaves what is nearer to the site than to the other one.
  void clip(Vec2 other, double distance, std::int32_t beyond) {
    // How far a corner lies on the other's side.
    const auto over = [&](Vec2 v) {
      return (other.x * v.x + other.y * v.y) / distance - 0.5 * distance;
    };
    kept_.clear();
    const std::size_t n = corners_.size();
    for (std::size_t i = 0; i < n; ++i) {
      const Corner& a = corners_[i];
      const Corner& b = corners_[(i + 1) % n];
      const double at_a = over(a.at);
      const double at_b = over(b.at);
      const bool a_in = at_a <= on_line;
      const bool b_in = at_b <= on_line;
      const auto crossing = [&] {
        const double t = at_a / (at_a - at_b);
        return Vec2{a.at.x + t * (b.at.x - a.at.x), a.at.y + t * (b.at.y - a.at.y)};
      };
      if (a_in) kept_.push_back(a);
      if (a_in && !b_in) {
        // A corner on the line is where the new border starts.
        if (at_a >= -on_line) {
          kept_.back().next = beyond;
        } else {
          kept_.push_back({crossing(), beyond});
        }
      } else if (!a_in && b_in && at_b < -on_line) {
        kept_.push_back({crossing(), a.next});
      }
    }
    if (kept_.size() >= 3) corners_.swap(kept_);
  }

  const SiteGrid& grid_;
  std::int32_t id_;
  double nearest_ = std::numeric_limits<double>::infinity();
  std::vector<Corner> corners_, kept_;
  std::vector<Site> near_;
};

}  // namespace

CellShapes cell_shapes(const SiteGrid& grid, Context& context) {
  CellShapes shapes;
  shapes.corners.domain = grid.domain();
  shapes.of.resize(grid.size());
  // Runs of sites, whose corners are put together in order.
  constexpr std::size_t run = 256;
  std::vector<std::vector<Vec2>> corners((grid.size() + run - 1) / run);
  parallel_for(context, corners.size(), [&](std::size_t r) {
    const std::size_t end = std::min(grid.size(), (r + 1) * run);
    for (std::size_t i = r * run; i < end; ++i) {
      Cell cell(grid, static_cast<std::int32_t>(i));
      cell.cut_out();
      shapes.of[i] = cell.shape();
      cell.own_corners(corners[r]);
    }
  });
  for (const std::vector<Vec2>& part : corners) {
    for (const Vec2 p : part) shapes.corners.add(p, 1);
  }
  return shapes;
}

}  // namespace dapple
