// A counting sort of the sites into bins of about two sites; bins of a row lie one after the other.
#include "generate/worley_grid.hpp"

#include <algorithm>
#include <cmath>

namespace dapple {
namespace {

// Rounded to 2^-16 px, inside the period where there is one.
double placed(double position, double extent, double pixels, bool wrap) {
  const double rounded =
      static_cast<double>(std::llrint(position / extent * pixels * 65536)) / 65536;
  return wrap && rounded >= pixels ? 0 : rounded;
}

int bins_along(double extent, double bin) {
  return static_cast<int>(std::clamp(std::floor(extent / bin), 1.0, 32768.0));
}

}  // namespace

SiteGrid::SiteGrid(const PointSet& sites, int width, int height)
    : domain_{static_cast<double>(width), static_cast<double>(height), sites.domain.wrap} {
  const std::size_t n = sites.size();
  spacing_ = std::sqrt(domain_.area() / static_cast<double>(std::max<std::size_t>(n, 1)));
  const double bin = std::max(1.4 * spacing_, 1.0);
  columns_ = bins_along(domain_.width, bin);
  rows_ = bins_along(domain_.height, bin);
  columns_a_pixel_ = columns_ / domain_.width;
  rows_a_pixel_ = rows_ / domain_.height;

  positions_.resize(n);
  std::vector<std::uint32_t> bins(n);
  starts_.assign(static_cast<std::size_t>(columns_) * static_cast<std::size_t>(rows_) + 1, 0);
  for (std::size_t i = 0; i < n; ++i) {
    const Vec2 p{placed(sites.x[i], sites.domain.width, domain_.width, domain_.wrap),
                 placed(sites.y[i], sites.domain.height, domain_.height, domain_.wrap)};
    positions_[i] = p;
    distinct_ = distinct_ || p != positions_[0];
    bins[i] = static_cast<std::uint32_t>(row(p.y) * columns_ + column(p.x));
    ++starts_[bins[i] + 1];
  }
  for (std::size_t b = 1; b < starts_.size(); ++b) starts_[b] += starts_[b - 1];
  std::vector<std::uint32_t> next(starts_.begin(), starts_.end() - 1);
  sites_.resize(n);
  for (std::size_t i = 0; i < n; ++i) {
    sites_[next[bins[i]]++] = {positions_[i].x, positions_[i].y, static_cast<std::int32_t>(i)};
  }
}

void SiteGrid::gather(const Box& window, Vec2 origin, std::vector<Site>& found) const {
  found.clear();
  each_run(window, [&](std::span<const Site> sites, Vec2 away) {
    // Every site is written, and stays where it is inside: which are cannot be foreseen.
    std::size_t count = found.size();
    found.resize(count + sites.size());
    for (const Site& site : sites) {
      const Vec2 p{site.x + away.x, site.y + away.y};
      found[count] = {p.x - origin.x, p.y - origin.y, site.id};
      count += window.contains(p) ? 1 : 0;
    }
    found.resize(count);
  });
}

}  // namespace dapple
