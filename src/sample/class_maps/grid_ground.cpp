#include "sample/class_maps/grid_ground.hpp"

namespace dapple::class_maps {
namespace {

RadiusBounds bounds_of(const DensityField& field, const Bounds<2>& of) {
  return field.radius_bounds({of.low[0], of.low[1], of.high[0], of.high[1]});
}
RadiusBounds bounds_of(const VolumeField& field, const Bounds<3>& of) {
  return field.bounds({of.low[0], of.low[1], of.low[2]}, {of.high[0], of.high[1], of.high[2]});
}

Coordinates<2> sides_of(const DensityField& field) {
  return {field.domain().width, field.domain().height};
}
Coordinates<3> sides_of(const VolumeField& field) {
  return field.side();
}

bool wraps(const DensityField& field) {
  return field.domain().wrap;
}
bool wraps(const VolumeField& field) {
  return field.wrap();
}

// Returns the sides of cells of the finest raster, which make up the cells of the other rasters.
// Maps of one size are read on 1, 2, 4, ... cells per pixel.
Coordinates<2> finest_cell(std::span<const DensityField> fields, const Coordinates<2>& sides) {
  Coordinates<2> cell = sides;
  for (const DensityField& field : fields) {
    cell[0] = std::min(cell[0], sides[0] / field.radius_map().width());
    cell[1] = std::min(cell[1], sides[1] / field.radius_map().height());
  }
  // The cell of a field with one radius may be long and thin.
  if (cell[0] != cell[1]) {
    double& longer = cell[0] > cell[1] ? cell[0] : cell[1];
    longer /= std::max(1.0, std::round(longer / std::min(cell[0], cell[1])));
  }
  return cell;
}
Coordinates<3> finest_cell(std::span<const VolumeField>, const Coordinates<3>&) {
  return {1, 1, 1};
}

}  // namespace

template <std::size_t D>
GridGround<D>::GridGround(std::span<const Field> fields)
    : fields_(fields), sides_(sides_of(fields.front())), wrap_(wraps(fields.front())) {
  least_ = std::numeric_limits<double>::infinity();
  for (const Field& field : fields) {
    least_ = std::min(least_, bounds_of(field, Bounds<D>{{}, sides_}).min);
  }
  At whole = finest_cell(fields, sides_);
  const auto is_whole = [&] {
    for (std::size_t a = 0; a < D; ++a) {
      if (whole[a] < sides_[a]) return false;
    }
    return true;
  };
  while (!is_whole()) {
    for (double& side : whole) side *= 2;
  }
  for (std::size_t level = 0; level < side_.size(); ++level) {
    for (std::size_t a = 0; a < D; ++a) {
      side_[level][a] = std::ldexp(whole[a], -static_cast<int>(level));
    }
  }
}

template <std::size_t D>
double GridGround<D>::radius(std::size_t class_id, const At& at) const {
  if constexpr (D == 2) {
    return fields_[class_id].radius({at[0], at[1]});
  } else {
    return fields_[class_id].radius({at[0], at[1], at[2]});
  }
}

template <std::size_t D>
RadiusBounds GridGround<D>::bounds(std::size_t class_id, const Cell&, const Region& region) const {
  for (std::size_t a = 0; a < D; ++a) {
    if (!(region.high[a] - region.low[a] > 0)) return {std::numeric_limits<double>::infinity(), 0};
  }
  return bounds_of(fields_[class_id], region);
}

template <std::size_t D>
double GridGround<D>::distance(const At& a, const At& b) const {
  double sum = 0;
  for (std::size_t i = 0; i < D; ++i) {
    double along = std::abs(a[i] - b[i]);
    if (wrap_) along = std::min(along, sides_[i] - along);
    sum += along * along;
  }
  return std::sqrt(sum);
}

template class GridGround<2>;
template class GridGround<3>;

}  // namespace dapple::class_maps
