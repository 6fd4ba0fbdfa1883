#include "sample/mixed/classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace dapple::mixed {

// The finest raster of all, whose cells those of the others are made of: maps of one size are read
// on 1, 2, 4, ... cells a pixel.
Classes::Classes(std::span<const DensityField> fields, ClassDistance distance,
                 ConflictRule kept_rule, double scale)
    : fields_(fields), distance_(distance), kept_rule_(kept_rule), scale_(scale) {
  const Domain& all = domain();
  Vec2 cell{all.width, all.height};
  std::vector<double> points;
  least_ = std::numeric_limits<double>::infinity();
  for (std::size_t c = 0; c < count(); ++c) {
    const Plane<float>& map = fields[c].radius_map();
    cell.x = std::min(cell.x, all.width / map.width());
    cell.y = std::min(cell.y, all.height / map.height());
    points.push_back(fields[c].integral());
    least_ = std::min(least_, bounds(c, {0, 0, all.width, all.height}).least);
  }
  // Of fields of one radius a cell may be long and thin.
  if (cell.x != cell.y) {
    double& longer = cell.x > cell.y ? cell.x : cell.y;
    longer /= std::max(1.0, std::round(longer / std::min(cell.x, cell.y)));
  }
  whole_ = cell;
  while (whole_.x < all.width || whole_.y < all.height) {
    whole_.x *= 2;
    whole_.y *= 2;
  }
  order_.resize(count());
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::stable_sort(order_.begin(), order_.end(),
                   [&](std::size_t a, std::size_t b) { return points[a] < points[b]; });
  for (std::size_t c = 0; c < count(); ++c) {
    upto_.push_back(
        static_cast<std::size_t>(std::count_if(points.begin(), points.end(), [&](double other) {
          return other <= points[c] * (1 + 1e-9);
        })));
  }
}

double Classes::integral() const {
  double sum = 0;
  for (const DensityField& field : fields_) sum += field.integral();
  return sum / (scale_ * scale_);
}

// Wei's matrix at a place: points of two classes are as far apart there as all points of classes
// that are not finer than both would be if they were one. What is finer is so on the whole, as
// distances would jump where maps cross otherwise.
void Classes::toward(std::size_t klass, const double* radii, double* each) const {
  double density = 0;
  std::size_t next = 0;
  std::array<double, 64> together{};
  for (; next < count(); ++next) {
    const double r = radii[order_[next]];
    density += 1 / (r * r);
    together[next] = density;
  }
  for (std::size_t c = 0; c < count(); ++c) {
    each[c] = 1 / std::sqrt(together[std::max(upto_[klass], upto_[c]) - 1]);
  }
  each[klass] = radii[klass];
}

void Classes::toward(std::size_t klass, Vec2 at, double* each) const {
  if (distance_ != ClassDistance::density) {
    std::fill_n(each, count(), radius(klass, at));
    return;
  }
  std::array<double, 64> radii{};
  for (std::size_t c = 0; c < count(); ++c) radii[c] = radius(c, at);
  toward(klass, radii.data(), each);
}

void Classes::least_toward(std::size_t klass, const Box& box, double least, double* each) const {
  if (distance_ != ClassDistance::density) {
    std::fill_n(each, count(), least);
    return;
  }
  std::array<double, 64> radii{};
  for (std::size_t c = 0; c < count(); ++c) radii[c] = c == klass ? least : bounds(c, box).least;
  toward(klass, radii.data(), each);
}

double Classes::limit(std::size_t klass, const double* each, int kind, double other) const {
  if (kind >= of_its_own()) {
    const double own = each[klass];
    return kind == of_its_own() ? conflict_distance(kept_rule_, own, other) : own;
  }
  const double own = each[kind];
  if (static_cast<std::size_t>(kind) == klass) return 0.5 * (own + other);
  switch (distance_) {
    case ClassDistance::min:
      return std::min(own, other);
    case ClassDistance::max:
      return std::max(own, other);
    case ClassDistance::density:
    case ClassDistance::mean:
      break;
  }
  return 0.5 * (own + other);
}

double Classes::reach(double most, double other) const {
  return distance_ == ClassDistance::max ? std::max(most, other) : 0.5 * (most + other);
}

Box Classes::box(const Square& square) const {
  const double x = std::ldexp(whole_.x, -square.level);
  const double y = std::ldexp(whole_.y, -square.level);
  const Domain& all = domain();
  return {std::min(all.width, static_cast<double>(square.x) * x),
          std::min(all.height, static_cast<double>(square.y) * y),
          std::min(all.width, static_cast<double>(square.x + 1) * x),
          std::min(all.height, static_cast<double>(square.y + 1) * y)};
}

std::vector<Square> Classes::roots(std::size_t klass) const {
  std::vector<Square> found;
  std::vector<Square> open{{0, 0, 0, klass}};
  while (!open.empty()) {
    const Square square = open.back();
    open.pop_back();
    const Box of = box(square);
    if (!(of.width() > 0 && of.height() > 0)) continue;
    const Bounds r = bounds(klass, of);
    if (!r.allows()) continue;
    if (std::max(of.width(), of.height()) <= most_root_edge * r.least) {
      found.push_back(square);
    } else {
      for (int n = 4; n-- > 0;) open.push_back(square.child(n));
    }
  }
  return found;
}

}  // namespace dapple::mixed
