#include "sample/darts/traced_darts.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"

namespace dapple {
namespace {

// Cells whose diagonal is a radius. A cell holds at most one point, and points that can refuse a
// dart are at most two cells away (Bridson 2007).
class Cells {
 public:
  Cells(const Domain& domain, double radius)
      : radius_(radius),
        side_(radius / std::numbers::sqrt2),
        columns_(cells(domain.width)),
        rows_(cells(domain.height)),
        point_(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_), -1) {}

  // Returns the nearest point that is nearer than the radius; -1: none.
  std::int32_t refuses(Vec2 p) const {
    const int column = cell(p.x);
    const int row = cell(p.y);
    std::int32_t nearest = -1;
    double least = radius_ * radius_;
    for (int y = std::max(0, row - 2); y <= std::min(rows_ - 1, row + 2); ++y) {
      for (int x = std::max(0, column - 2); x <= std::min(columns_ - 1, column + 2); ++x) {
        const std::int32_t other = point_[at(x, y)];
        if (other < 0) continue;
        const double distance = length_squared(points_[static_cast<std::size_t>(other)] - p);
        if (distance >= least) continue;
        least = distance;
        nearest = other;
      }
    }
    return nearest;
  }

  void add(Vec2 p) {
    point_[at(cell(p.x), cell(p.y))] = static_cast<std::int32_t>(points_.size());
    points_.push_back(p);
  }

 private:
  int cells(double length) const { return static_cast<int>(length / side_) + 1; }
  int cell(double v) const { return static_cast<int>(v / side_); }
  std::size_t at(int x, int y) const {
    return static_cast<std::size_t>(y) * static_cast<std::size_t>(columns_) +
           static_cast<std::size_t>(x);
  }

  double radius_, side_;
  int columns_, rows_;
  std::vector<std::int32_t> point_;
  std::vector<Vec2> points_;
};

}  // namespace

std::vector<Trial> darts_one_by_one(const Domain& domain, double radius, int tries,
                                    const std::optional<Vec2>& first, Context& context) {
  require_above_0("the radius of darts", radius);
  if (tries < 1) throw Error(ErrorKind::usage, Problem{"tries", "must be 1 or more"});
  if (first && !domain.contains(*first)) {
    throw Error(ErrorKind::usage, Problem{"start", "is outside the domain"});
  }
  context.require_memory(domain.area() / (radius * radius) * 100, "throwing darts at this radius");
  Cells cells(domain, radius);
  Random random(context.seed, stream_of("darts one by one"));
  std::vector<Trial> steps;
  for (int refused = 0; refused < tries;) {
    const double u = random.uniform();
    const double v = random.uniform();
    const Vec2 p = steps.empty() && first ? *first : Vec2{u * domain.width, v * domain.height};
    const std::int32_t by = cells.refuses(p);
    steps.push_back({p, by, by < 0});
    refused = by < 0 ? 0 : refused + 1;
    if (by < 0) cells.add(p);
    if (steps.size() % 4096 == 0) context.check();
  }
  return steps;
}

}  // namespace dapple
