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

int SiteGrid::column(double x) const {
  return static_cast<int>(
      std::clamp(x / domain_.width * columns_, 0.0, static_cast<double>(columns_ - 1)));
}

int SiteGrid::row(double y) const {
  return static_cast<int>(
      std::clamp(y / domain_.height * rows_, 0.0, static_cast<double>(rows_ - 1)));
}

void SiteGrid::gather(const Box& window, Vec2 origin, std::vector<Site>& found) const {
  found.clear();
  const auto first_period = [&](double a, double period) {
    return domain_.wrap ? std::floor(a / period) * period : 0.0;
  };
  const auto last_period = [&](double b, double period) {
    return domain_.wrap ? std::floor(b / period) * period : 0.0;
  };
  const double last_x = last_period(window.x1, domain_.width);
  const double last_y = last_period(window.y1, domain_.height);
  for (double oy = first_period(window.y0, domain_.height); oy <= last_y; oy += domain_.height) {
    const int last_row = row(window.y1 - oy);
    for (int r = row(window.y0 - oy); r <= last_row; ++r) {
      for (double ox = first_period(window.x0, domain_.width); ox <= last_x; ox += domain_.width) {
        const std::size_t line = static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_);
        const std::size_t begin = line + static_cast<std::size_t>(column(window.x0 - ox));
        const std::size_t end = line + static_cast<std::size_t>(column(window.x1 - ox)) + 1;
        for (std::uint32_t i = starts_[begin]; i < starts_[end]; ++i) {
          const Vec2 p{sites_[i].x + ox, sites_[i].y + oy};
          if (!window.contains(p)) continue;
          found.push_back({p.x - origin.x, p.y - origin.y, sites_[i].id});
        }
      }
    }
  }
}

}  // namespace dapple
