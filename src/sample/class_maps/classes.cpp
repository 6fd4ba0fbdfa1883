#include "sample/class_maps/classes.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "dapple/sample.hpp"

namespace dapple::class_maps {

// Takes cells of the finest raster, which make up the cells of the other rasters. Maps of one size
// are read on 1, 2, 4, ... cells per pixel.
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
  // The cell of a field with one radius may be long and thin.
  if (cell.x != cell.y) {
    double& longer = cell.x > cell.y ? cell.x : cell.y;
    longer /= std::max(1.0, std::round(longer / std::min(cell.x, cell.y)));
  }
  Vec2 whole = cell;
  while (whole.x < all.width || whole.y < all.height) {
    whole.x *= 2;
    whole.y *= 2;
  }
  for (std::size_t level = 0; level < side_.size(); ++level) {
    side_[level] = {std::ldexp(whole.x, -static_cast<int>(level)),
                    std::ldexp(whole.y, -static_cast<int>(level))};
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

// Computes the matrix of Wei at a place. Two classes keep the distance that all points of the
// classes not finer than both would keep as one class. Fineness counts over the whole domain, or
// distances would jump along the lines at which maps cross.
void Classes::toward(std::size_t class_id, const double* radii, double* each) const {
  double density = 0;
  std::size_t next = 0;
  std::array<double, 64> together{};
  for (; next < count(); ++next) {
    const double r = radii[order_[next]];
    density += 1 / (r * r);
    together[next] = density;
  }
  for (std::size_t c = 0; c < count(); ++c) {
    each[c] = 1 / std::sqrt(together[std::max(upto_[class_id], upto_[c]) - 1]);
  }
  each[class_id] = radii[class_id];
}

void Classes::toward(std::size_t class_id, Vec2 at, double* each) const {
  if (distance_ != ClassDistance::density) {
    std::fill_n(each, count(), radius(class_id, at));
    return;
  }
  std::array<double, 64> radii{};
  for (std::size_t c = 0; c < count(); ++c) radii[c] = radius(c, at);
  toward(class_id, radii.data(), each);
}

void Classes::least_toward(std::size_t class_id, const Box& box, double least, double* each) const {
  if (distance_ != ClassDistance::density) {
    std::fill_n(each, count(), least);
    return;
  }
  std::array<double, 64> radii{};
  for (std::size_t c = 0; c < count(); ++c) radii[c] = c == class_id ? least : bounds(c, box).least;
  toward(class_id, radii.data(), each);
}

std::vector<Square> Classes::roots(std::size_t class_id) const {
  std::vector<Square> found;
  std::vector<Square> open{{0, 0, 0, class_id}};
  while (!open.empty()) {
    const Square square = open.back();
    open.pop_back();
    const Box of = box(square);
    if (!(of.width() > 0 && of.height() > 0)) continue;
    const Bounds r = bounds(class_id, of);
    if (!r.allows()) continue;
    if (std::max(of.width(), of.height()) <= most_root_edge * r.least) {
      found.push_back(square);
    } else {
      for (int n = 4; n-- > 0;) open.push_back(square.child(n));
    }
  }
  return found;
}

}  // namespace dapple::class_maps
