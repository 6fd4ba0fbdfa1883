#include "sample/sphere/cells.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <unordered_set>

#include "core/deterministic_math.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"

namespace dapple::sphere {
namespace {

constexpr double turn = 2 * std::numbers::pi;
constexpr double root_edge = 2;         // in radii
constexpr double most_bands = 1 << 14;  // in each half
constexpr double bytes_a_root = 1500;

double square_of(const Vec3& v) {
  return dot(v, v);
}

double cross_of(const Vec2& a, const Vec2& b) {
  return a.x * b.y - a.y * b.x;
}

}  // namespace

double latitude_of(double rho, double height) {
  const double quarter = turn / 4;
  if (rho < 0.7) return portable_asin(rho) / quarter;
  return 1 - portable_asin(std::min(1.0, height)) / quarter;
}

double latitude_of(const Vec3& place) {
  const double rho = std::min(1.0, std::sqrt(place.x * place.x + place.y * place.y));
  return latitude_of(rho, std::abs(place.z));
}

Vec3 place_on(bool south, double depth, const Vec2& way) {
  const double rho = std::sqrt(depth * (2 - depth));
  return {rho * way.x, rho * way.y, south ? depth - 1 : 1 - depth};
}

double area_of(const Cell& cell) {
  return (cell.high - cell.low) * turn * (cell.east - cell.west);
}

Shape::Shape(const Cell& of) : south(of.south), low(of.low), high(of.high) {
  ways = {direction(of.west), direction(of.east)};
  for (std::size_t i = 0; i < 4; ++i) {
    corners[i] = place_on(of.south, i % 2 == 0 ? of.low : of.high, ways[i / 2]);
  }
  middle = place_on(of.south, 0.5 * (of.low + of.high), direction(0.5 * (of.west + of.east)));
  double square = 0;
  for (const Vec3& corner : corners) square = std::max(square, square_of(corner - middle));
  reach = std::sqrt(square);
}

bool Shape::is_in_ball(const Vec3& at, double square) const {
  for (const Vec3& corner : corners) {
    if (!(square_of(corner - at) < square)) return false;
  }
  // Tests the farthest place of a meridian, a quarter turn away or more, if it is in the cell.
  const auto is_in_along = [&](const Vec2& way) {
    const double along = way.x * at.x + way.y * at.y;
    if (along >= 0) return true;
    const double size = std::sqrt(at.z * at.z + along * along);
    const double depth = south ? 1 - at.z / size : 1 + at.z / size;
    if (depth <= low || depth >= high) return true;
    return 2 + 2 * size < square;
  };
  for (const Vec2& way : ways) {
    if (!is_in_along(way)) return false;
  }
  // Tests the meridian across the pole.
  const double rho = std::sqrt(at.x * at.x + at.y * at.y);
  if (rho == 0) return true;
  const Vec2 across{-at.x / rho, -at.y / rho};
  if (cross_of(ways[0], across) < 0 || cross_of(across, ways[1]) < 0) return true;
  return square_of(place_on(south, low, across) - at) < square &&
         square_of(place_on(south, high, across) - at) < square && is_in_along(across);
}

std::array<Cell, 2> halves_of(const Cell& cell, const Shape& shape) {
  std::array<Cell, 2> halves{cell, cell};
  const double along = square_of(shape.corners[1] - shape.corners[0]);
  const double round = std::max(square_of(shape.corners[2] - shape.corners[0]),
                                square_of(shape.corners[3] - shape.corners[1]));
  if (along > round) {
    halves[0].high = halves[1].low = 0.5 * (cell.low + cell.high);
  } else {
    halves[0].east = halves[1].west = 0.5 * (cell.west + cell.east);
  }
  for (std::size_t i = 0; i < 2; ++i) halves[i].key = hash(cell.key, i);
  return halves;
}

Roots::Roots(double radius, Context& context) {
  const double edge = root_edge * radius;
  const double bands = std::clamp(std::floor(turn / 4 / edge), 1.0, most_bands);
  context.require_memory(bytes_a_root * (4 + 2 * turn / (edge * edge)), "sampling a sphere");
  bands_a_half_ = static_cast<std::size_t>(bands);
  const auto depth_of = [&](std::size_t band) {
    const double half = portable_sine(static_cast<double>(band) / bands / 8);
    return 2 * half * half;
  };
  for (std::size_t b = 0; b < 2 * bands_a_half_; ++b) {
    const bool south = b >= bands_a_half_;
    const std::size_t from_pole = south ? 2 * bands_a_half_ - 1 - b : b;
    Cell cell;
    cell.south = south;
    cell.low = depth_of(from_pole);
    cell.high = from_pole + 1 == bands_a_half_ ? 1 : depth_of(from_pole + 1);
    const double round = turn * std::sqrt(cell.high * (2 - cell.high));
    const auto count = static_cast<std::size_t>(std::max(3.0, std::ceil(round / edge)));
    bands_.push_back({cells_.size(), count, south});
    for (std::size_t i = 0; i < count; ++i) {
      cell.west = static_cast<double>(i) / static_cast<double>(count);
      cell.east = static_cast<double>(i + 1) / static_cast<double>(count);
      cell.key = hash(b, i);
      cells_.push_back(cell);
    }
  }
  find_near(radius);
}

std::size_t Roots::holding(const Vec3& place) const {
  const double at = latitude_of(place) * static_cast<double>(bands_a_half_);
  const std::size_t from_pole =
      std::min(static_cast<std::size_t>(std::max(at, 0.0)), bands_a_half_ - 1);
  const Band& band = bands_[place.z < 0 ? 2 * bands_a_half_ - 1 - from_pole : from_pole];
  double turns = portable_angle(place.y, place.x) / turn;
  if (turns < 0) turns += 1;
  const auto i = static_cast<std::size_t>(turns * static_cast<double>(band.count));
  return band.first + std::min(i, band.count - 1);
}

// Goes from cell to adjacent cell, since a ball cuts one connected piece out of the sphere.
std::vector<std::uint32_t> Roots::within(const Vec3& place, double reach) const {
  const Vec3 on_sphere = place * (1 / length(place));
  std::vector<std::uint32_t> found{static_cast<std::uint32_t>(holding(on_sphere))};
  std::unordered_set<std::uint32_t> seen(found.begin(), found.end());
  for (std::size_t next = 0; next < found.size(); ++next) {
    for (const std::uint32_t cell : near(found[next])) {
      if (!seen.insert(cell).second) continue;
      if (length(middle_[cell] - place) < 1.001 * (reach_[cell] + reach)) found.push_back(cell);
    }
  }
  std::sort(found.begin(), found.end());
  return found;
}

void Roots::find_near(double radius) {
  for (const Cell& cell : cells_) {
    const Shape shape(cell);
    middle_.push_back(shape.middle);
    reach_.push_back(shape.reach);
  }
  const auto is_near = [&](std::size_t a, std::size_t b) {
    return length(middle_[a] - middle_[b]) < 1.001 * (reach_[a] + reach_[b] + radius);
  };
  for (std::size_t b = 0; b < bands_.size(); ++b) {
    for (std::size_t i = 0; i < bands_[b].count; ++i) {
      const std::size_t own = bands_[b].first + i;
      const double at = (static_cast<double>(i) + 0.5) / static_cast<double>(bands_[b].count);
      // Bands are higher than a radius, so only adjacent bands can be near.
      const std::size_t first = b < 1 ? 0 : b - 1;
      const std::size_t end = std::min(bands_.size(), b + 2);
      for (std::size_t other = first; other < end; ++other) {
        const Band& band = bands_[other];
        const double depth = std::min(cells_[own].low, cells_[band.first].low);
        const double rho = std::sqrt(depth * (2 - depth));
        // Cells farther to either side than this are not near.
        const double wide = 0.4 * (radius + 2.2 * (reach_[own] + reach_[band.first]));
        const double turns = rho > 0 ? wide / rho : 1;
        const auto count = static_cast<std::int64_t>(band.count);
        auto left = static_cast<std::int64_t>(0);
        auto right = count - 1;
        if (turns < 0.3) {
          const double n = static_cast<double>(count);
          left = static_cast<std::int64_t>(std::floor((at - turns) * n)) - 1;
          right = std::min(static_cast<std::int64_t>(std::floor((at + turns) * n)) + 1,
                           left + count - 1);
        }
        for (std::int64_t k = left; k <= right; ++k) {
          const auto cell = band.first + static_cast<std::size_t>((k + 2 * count) % count);
          if (is_near(own, cell)) near_.add(static_cast<std::uint32_t>(cell));
        }
      }
      near_.end_list();
    }
  }
}

}  // namespace dapple::sphere
