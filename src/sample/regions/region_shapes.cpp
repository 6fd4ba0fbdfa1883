#include "sample/regions/region_shapes.hpp"

#include <algorithm>
#include <cmath>

namespace dapple {
namespace {

constexpr std::size_t most_bands = 1024;  // of a region

void cover(Box& box, Vec2 p) {
  box = {std::min(box.x0, p.x), std::min(box.y0, p.y), std::max(box.x1, p.x),
         std::max(box.y1, p.y)};
}

}  // namespace

bool RegionEdge::touches(const Box& box) const {
  if (from.y > box.y1 || to.y < box.y0) return false;
  if (std::min(from.x, to.x) > box.x1 || std::max(from.x, to.x) < box.x0) return false;
  const Vec2 d = to - from;
  const Vec2 c = Vec2{0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)} - from;
  const double w = std::abs(d.y) * (0.5 * box.width());
  const double h = std::abs(d.x) * (0.5 * box.height());
  return std::abs(d.x * c.y - d.y * c.x) <= (w + h) * (1 + 1e-9);
}

RegionShapes::RegionShapes(const Regions& regions) : first_band_{0} {
  std::vector<std::size_t> first{0};
  for (const Region& region : regions.all) {
    Box box{INFINITY, INFINITY, -INFINITY, -INFINITY};
    double perimeter = 0;
    for (const std::vector<Vec2>& ring : region.rings) {
      for (std::size_t i = 0; i < ring.size(); ++i) {
        const Vec2 a = ring[i];
        const Vec2 b = ring[i + 1 == ring.size() ? 0 : i + 1];
        cover(box, a);
        perimeter += length(b - a);
        edges_.push_back(a.y <= b.y ? RegionEdge{a, b} : RegionEdge{b, a});
      }
    }
    const std::size_t edges = edges_.size() - first.back();
    const std::size_t bands = std::clamp<std::size_t>(edges / 2, 1, most_bands);
    const double height = box.height();
    bands_per_unit_.push_back(height > 0 ? static_cast<double>(bands) / height : 0);
    boxes_.push_back(box);
    perimeters_.push_back(perimeter);
    first.push_back(edges_.size());
    first_band_.push_back(first_band_.back() + bands);
  }
  bands_ = Lists<std::uint32_t>(first_band_.back(), [&](const auto& add) {
    for (std::size_t k = 0; k < size(); ++k) {
      for (std::size_t e = first[k]; e < first[k + 1]; ++e) {
        const std::size_t last = band_of(k, edges_[e].to.y);
        for (std::size_t b = band_of(k, edges_[e].from.y); b <= last; ++b) {
          add(b, static_cast<std::uint32_t>(e));
        }
      }
    }
  });
}

std::size_t RegionShapes::band_of(std::size_t region, double y) const {
  const auto most = static_cast<double>(first_band_[region + 1] - first_band_[region] - 1);
  const double band = (y - boxes_[region].y0) * bands_per_unit_[region];
  return first_band_[region] + static_cast<std::size_t>(std::clamp(band, 0.0, most));
}

bool RegionShapes::contains(std::size_t region, Vec2 p) const {
  bool inside = false;
  for (const std::uint32_t e : bands_.of(band_of(region, p.y))) {
    const auto& [a, b] = edges_[e];
    if (!(a.y <= p.y && p.y < b.y)) continue;
    if (a.x + (p.y - a.y) * ((b.x - a.x) / (b.y - a.y)) <= p.x) inside = !inside;
  }
  return inside;
}

bool RegionShapes::is_outside(std::size_t region, const Box& box) const {
  bool touched = false;
  for_edges(region, box, [&](std::uint32_t e) { touched = touched || edges_[e].touches(box); });
  return !touched && !contains(region, {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)});
}

double RegionShapes::area(std::size_t region, int rows) const {
  const Box& box = boxes_[region];
  const double step = box.height() / rows;
  std::vector<double> crossings;
  double length = 0;
  for (int j = 0; j < rows; ++j) {
    const double y = box.y0 + (j + 0.5) * step;
    crossings.clear();
    for (const std::uint32_t e : bands_.of(band_of(region, y))) {
      const auto& [a, b] = edges_[e];
      if (a.y <= y && y < b.y) crossings.push_back(a.x + (y - a.y) * ((b.x - a.x) / (b.y - a.y)));
    }
    std::sort(crossings.begin(), crossings.end());
    for (std::size_t i = 0; i + 1 < crossings.size(); i += 2) {
      length += crossings[i + 1] - crossings[i];
    }
  }
  return length * step;
}

}  // namespace dapple
