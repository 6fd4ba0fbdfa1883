#include "sample/sphere/latlong_radius.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/modulo.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"

namespace dapple::sphere {
namespace {

constexpr double aspect = 2;
constexpr double off_aspect = 0.01;

void require_aspect(int width, int height) {
  const double wanted = aspect * height;
  if (std::abs(width - wanted) <= off_aspect * wanted) return;
  throw Error(ErrorKind::usage,
              Problem{"sphere", "needs a latitude-longitude map, twice as wide as high, not " +
                                    std::to_string(width) + "x" + std::to_string(height)});
}

}  // namespace

LatLongRadius::LatLongRadius(const SurfaceRadius& radius, double sphere, Context& context) {
  require_above_0("the scale of radii on a sphere", radius.scale);
  if (radius.slope) require_above_0("the slope of radii on a sphere", *radius.slope);
  if (!radius.texture || !radius.corners.empty() || !radius.classes.empty()) {
    throw Error(ErrorKind::usage, "radii on a sphere must come from a map only");
  }
  if (radius.rule == ConflictRule::candidate) {
    throw Error(ErrorKind::usage,
                "the rule candidate works only in the plane: on a sphere use mean, min or max");
  }
  const Plane<float>& map = radius.texture->radius_map();
  width_ = map.width();
  height_ = map.height();
  require_aspect(width_, height_);
  context.require_memory(10 * static_cast<double>(map.size()), "a map on a sphere");
  grid_ = Plane<float>(width_, height_ + 2);
  const double largest = radius.largest > 0 ? radius.largest : static_cast<double>(HUGE_VALF);
  for (int y = 0; y < height_; ++y) {
    for (int x = 0; x < width_; ++x) {
      const double given = std::min(static_cast<double>(map(x, y)), largest);
      const auto r = static_cast<float>(given * (radius.scale / sphere));
      if (!(r > 0 && std::isfinite(r))) {
        throw Error(ErrorKind::usage,
                    "radii on a sphere must be above 0 and finite, but are not at pixel (" +
                        std::to_string(x) + ", " + std::to_string(y) + ")");
      }
      grid_(x, y + 1) = r;
    }
  }
  even_poles();
  if (radius.slope) limit(*radius.slope, context);
  pyramid_ = RadiusPyramid(grid_, context);
  const RadiusBounds all = pyramid_.over(0, 0, width_ - 1, height_ + 1);
  least_ = all.min;
  most_ = all.max;
  for (int y = 0; y < height_; ++y) {
    double of_row = 0;
    for (int x = 0; x < width_; ++x) {
      const auto r = static_cast<double>(grid_(x, y + 1));
      of_row += 1 / (r * r);
    }
    // The height of the belt between the borders of the row.
    const double belt =
        portable_cosine(0.5 * y / height_) - portable_cosine(0.5 * (y + 1) / height_);
    squares_ += of_row * belt * full_circle / width_;
  }
}

void LatLongRadius::even_poles() {
  for (const auto& [pole, beside] : {std::pair{0, 1}, std::pair{height_ + 1, height_}}) {
    double sum = 0;
    for (int x = 0; x < width_; ++x) sum += static_cast<double>(grid_(x, beside));
    std::fill_n(grid_.row(pole), width_, static_cast<float>(sum / width_));
  }
}

double LatLongRadius::rows_of(double quarter_turns) const {
  const double pixels = 0.5 * quarter_turns * height_;
  return pixels < 0.5 ? 2 * pixels : pixels + 0.5;
}

double LatLongRadius::latitudes(double row) const {
  return (row < 1 ? 0.5 * row : row - 0.5) / height_ / 2;
}

double LatLongRadius::depth_of(double row) const {
  const double half = portable_sine(0.5 * latitudes(row));
  return 2 * half * half;
}

double LatLongRadius::turns_of(double column) const {
  return (column + 0.5) / width_ - 0.5;
}

LatLongRadius::Spot LatLongRadius::spot(bool south, double depth, double turns) const {
  return {rows_of(latitude_of(std::sqrt(depth * (2 - depth)), 1 - depth)),
          (turns + 0.5) * width_ - 0.5, south};
}

double LatLongRadius::at(const Spot& spot) const {
  const double row = std::clamp(spot.row, 0.0, static_cast<double>(height_ + 1));
  const int above = std::min(static_cast<int>(row), height_);
  const double down = row - above;
  const double whole = std::floor(spot.column);
  const double across = spot.column - whole;
  const int left = modulo(static_cast<int>(whole), width_);
  const int right = left + 1 < width_ ? left + 1 : 0;
  const auto along = [&](int from_pole) {
    const float* values = grid_.row(spot.south ? height_ + 1 - from_pole : from_pole);
    const auto r = static_cast<double>(values[left]);
    return r + across * (static_cast<double>(values[right]) - r);
  };
  const double upper = along(above);
  return upper + down * (along(above + 1) - upper);
}

double LatLongRadius::at(const Vec3& place) const {
  const double turns = portable_angle(place.y, place.x) / full_circle;
  return at(Spot{rows_of(latitude_of(place)), (turns + 0.5) * width_ - 0.5, place.z < 0});
}

RadiusBounds LatLongRadius::over(const Spot& first, const Spot& last) const {
  const auto west = static_cast<int>(std::floor(first.column));
  const auto east = static_cast<int>(std::ceil(last.column));
  const int to_pole = last.south ? height_ + 1 : 0;
  if (last.row < 1) {
    // This close to the pole, r differs from its value there by less than the next row does.
    const RadiusBounds beside = over(std::abs(to_pole - 1), std::abs(to_pole - 1), west, east);
    const auto pole = static_cast<double>(grid_(0, to_pole));
    const double low = last.row * std::min(0.0, beside.min - pole);
    const double high = last.row * std::max(0.0, beside.max - pole);
    return {pole + low, pole + high};
  }
  const int near = std::abs(to_pole - static_cast<int>(std::floor(first.row)));
  const int far = std::abs(to_pole - std::min(static_cast<int>(std::ceil(last.row)), height_ + 1));
  return over(std::min(near, far), std::max(near, far), west, east);
}

RadiusBounds LatLongRadius::over(int top, int bottom, int west, int east) const {
  if (east - west >= width_ - 1) return pyramid_.over(0, top, width_ - 1, bottom);
  const int left = modulo(west, width_);
  const int right = modulo(east, width_);
  if (left <= right) return pyramid_.over(left, top, right, bottom);
  const RadiusBounds one = pyramid_.over(left, top, width_ - 1, bottom);
  const RadiusBounds two = pyramid_.over(0, top, right, bottom);
  return {std::min(one.min, two.min), std::max(one.max, two.max)};
}

// Limits r along chords between neighbors of the grid. Other chords go as far to the side as the
// next row is away. Sweeps rows down and up until nothing changes, as field/slope.cpp does.
void LatLongRadius::limit(double slope, Context& context) {
  constexpr int rows_a_check = 64;
  for (bool changed = true; changed;) {
    changed = false;
    for (int row = 0; row <= height_ + 1; ++row) {
      if (row % rows_a_check == 0) context.check();
      changed |= lower(row, row - 1, slope);
    }
    for (int row = height_ + 1; row >= 0; --row) {
      if (row % rows_a_check == 0) context.check();
      changed |= lower(row, row + 1, slope);
    }
  }
}

bool LatLongRadius::lower(int row, int before, double slope) {
  const auto colatitude = [&](int of) {  // in turns
    return std::clamp((of - 0.5) / height_, 0.0, 1.0) / 2;
  };
  const double sine = portable_sine(colatitude(row));
  float* own = grid_.row(row);
  bool changed = false;
  const auto take = [&](int x, float most) {
    if (!(most < own[x])) return;
    own[x] = most;
    changed = true;
  };
  if (before >= 0 && before <= height_ + 1) {
    const float* from = grid_.row(before);
    const double high = std::abs(colatitude(before) - colatitude(row));
    const double other_sine = portable_sine(colatitude(before));
    const double wide = 0.5 * (sine + other_sine) / width_;
    const int aside = static_cast<int>(std::clamp(std::round(high / wide), 1.0, 0.5 * width_));
    const double straight = 2 * portable_sine(high / 2);
    const double side = portable_sine(0.5 * aside / width_);
    const double slanted = std::sqrt(straight * straight + 4 * sine * other_sine * side * side);
    const auto rise = static_cast<float>(slope * straight);
    const auto aslant = static_cast<float>(slope * slanted);
    for (int x = 0; x < width_; ++x) {
      take(x, from[x] + rise);
      take(x, std::min(from[modulo(x - aside, width_)], from[modulo(x + aside, width_)]) + aslant);
    }
  }
  // Goes around the row both ways, from its least value.
  const auto step = static_cast<float>(slope * 2 * sine * portable_sine(0.5 / width_));
  const int start = static_cast<int>(std::min_element(own, own + width_) - own);
  for (const int way : {1, -1}) {
    float last = own[start];
    for (int i = 1; i < width_; ++i) {
      const int x = modulo(start + way * i, width_);
      take(x, last + step);
      last = own[x];
    }
  }
  return changed;
}

MappedPart::MappedPart(const LatLongRadius& radii, const Cell& cell) : shape(cell) {
  const LatLongRadius::Spot first = radii.spot(cell.south, cell.low, cell.west);
  const LatLongRadius::Spot last = radii.spot(cell.south, cell.high, cell.east);
  r_middle =
      radii.at(radii.spot(cell.south, 0.5 * (cell.low + cell.high), 0.5 * (cell.west + cell.east)));
  // line() tells if a line of the map lies between both ends; lines() counts the lines.
  const auto line = [](double from, double to) { return std::floor(from) + 1 < to; };
  const auto lines = [](double from, double to) { return std::ceil(to) - std::floor(from) - 1; };
  if (lines(first.row, last.row) > 1 || lines(first.column, last.column) > 1) {
    const RadiusBounds bounds = radii.over(first, last);
    least = bounds.min;
    most = bounds.max;
    return;
  }
  std::array<std::array<double, 2>, 3> rows{{{first.row, cell.low}}};  // in the map, in the cell
  std::array<std::array<double, 2>, 3> columns{{{first.column, cell.west}}};
  std::size_t row_count = 1, column_count = 1;
  if (line(first.row, last.row)) {
    const double row = std::floor(first.row) + 1;
    rows[row_count++] = {row, radii.depth_of(row)};
  }
  if (line(first.column, last.column)) {
    const double column = std::floor(first.column) + 1;
    columns[column_count++] = {column, radii.turns_of(column)};
  }
  rows[row_count++] = {last.row, cell.high};
  columns[column_count++] = {last.column, cell.east};
  least = most = r_middle;
  for (std::size_t j = 0; j < column_count; ++j) {
    const auto [column, turns] = columns[j];
    const Vec2 way = direction(turns);
    for (std::size_t i = 0; i < row_count; ++i) {
      const auto [row, depth] = rows[i];
      const double r = radii.at(LatLongRadius::Spot{row, column, cell.south});
      nodes[count++] = {place_on(cell.south, depth, way), r};
      least = std::min(least, r);
      most = std::max(most, r);
    }
  }
  const double high = radii.latitudes(last.row) - radii.latitudes(first.row);
  const double wide = cell.east - cell.west;
  bend = full_circle * full_circle * (high * high + wide * wide) / 32;
}

}  // namespace dapple::sphere
