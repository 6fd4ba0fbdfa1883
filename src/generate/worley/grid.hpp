// Keeps sites in bins, so that the sites of any window are a few runs of memory.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple::cells {

// A site, or an image of a site on the torus, in pixels.
struct Site {
  double x;
  double y;
  std::int32_t id;
};
static_assert(sizeof(Site) == 3 * sizeof(double));  // vectors load groups of three

// A list that grows without initializing entries that are written next anyway.
using SiteList = std::vector<Site, ValueAllocator<Site>>;

// Positions are scaled to the image and rounded to 2^-16 px. Differences of two positions are then
// exact in double, and exact in float below 256 px. So no result depends on where a tile or the
// seam lies.
//
// Sites may be lifted out of the plane: a site with a lift is sqrt(d^2 + lift) away from a place at
// distance d. Cells are then cells of a power diagram (Aurenhammer 1987) with the weights -lift, or
// sections through cells of space.
class SiteGrid {
 public:
  // `lifts`: one per site, in square pixels, at least 0; empty if no site is lifted.
  SiteGrid(const Points& sites, int width, int height, Context& context,
           std::vector<double> lifts = {});

  const Domain& domain() const { return domain_; }
  std::size_t size() const { return sites_.size(); }
  double spacing() const { return spacing_; }  // of a square lattice of as many sites
  // Returns true if two sites lie at different places.
  bool distinct() const { return distinct_; }
  Vec2 position(std::int32_t id) const {
    const Site& site = sites_[place_[static_cast<std::size_t>(id)]];
    return {site.x, site.y};
  }
  bool is_lifted() const { return !lifts_.empty(); }
  double lift(std::int32_t id) const {
    return lifts_.empty() ? 0 : lifts_[static_cast<std::size_t>(id)];
  }
  // Returns the sites bin by bin, so that near sites follow each other.
  std::span<const Site> sites() const { return sites_; }
  // Collects every site inside the window into `found` (cleared first), relative to `origin`. The
  // window may reach past the domain: on the torus `found` holds every image inside the window.
  void gather(const Box& window, Vec2 origin, SiteList& found) const;
  // Returns true if one image of the domain holds all sites of the window. The window then has one
  // run per row of bins, from the top.
  bool in_one_image(const Box& window) const {
    return !domain_.wrap || (window.x0 >= 0 && window.y0 >= 0 && window.x1 < domain_.width &&
                             window.y1 < domain_.height);
  }
  double rows_a_pixel() const { return rows_a_pixel_; }
  // Returns the y at which the row of bins that holds `y` begins.
  double top_of_row(double y) const { return row(y) / rows_a_pixel_; }
  // Calls visit(sites, away) for runs that hold all sites of the window, and more sites. The images
  // lie `away`, whole periods, from these sites.
  template <class Visit>
  void each_run(const Box& window, const Visit& visit) const {
    each_image(window, [&](Vec2 away) {
      const int last_row = row(window.y1 - away.y);
      for (int r = row(window.y0 - away.y); r <= last_row; ++r) {
        visit(run_of(r, window.x0 - away.x, window.x1 - away.x), away);
      }
    });
  }
  // Returns how many sites each_run() visits, at least the number in the window.
  std::size_t count_around(const Box& window) const {
    std::size_t count = 0;
    each_run(window, [&](std::span<const Site> sites, Vec2) { count += sites.size(); });
    return count;
  }
  // Works like each_run() for a disc, without the corners of its box.
  template <class Visit>
  void each_run_in_disc(Vec2 center, double radius, const Visit& visit) const {
    const Box window{center.x - radius, center.y - radius, center.x + radius, center.y + radius};
    each_image(window, [&](Vec2 away) {
      const Vec2 at = center - away;
      const int last_row = row(at.y + radius);
      for (int r = row(at.y - radius); r <= last_row; ++r) {
        // Distance from the center to the row, 0 inside it. Rows at the rim hold all beyond.
        const double above = r > 0 ? r / rows_a_pixel_ - at.y : -radius;
        const double below = r + 1 < rows_ ? at.y - (r + 1) / rows_a_pixel_ : -radius;
        const double dy = std::max({above, below, 0.0});
        const double half = std::sqrt(std::max(radius * radius - dy * dy, 0.0)) + 1e-6;
        visit(run_of(r, at.x - half, at.x + half), away);
      }
    });
  }

 private:
  void sort(const Points& sites, double bin, Context& context);
  double mean_crowd() const;
  // Calls visit(away) for all images of the domain that the window reaches.
  template <class Visit>
  void each_image(const Box& window, const Visit& visit) const {
    if (in_one_image(window)) return visit(Vec2{});
    const auto period_of = [](double at, double period) {
      return std::floor(at / period) * period;
    };
    const double last_x = period_of(window.x1, domain_.width);
    const double last_y = period_of(window.y1, domain_.height);
    for (double y = period_of(window.y0, domain_.height); y <= last_y; y += domain_.height) {
      for (double x = period_of(window.x0, domain_.width); x <= last_x; x += domain_.width) {
        visit(Vec2{x, y});
      }
    }
  }
  // Returns the sites of a row of bins in the columns from x0 to x1.
  std::span<const Site> run_of(int row, double x0, double x1) const {
    const std::size_t line = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns_);
    const std::uint32_t begin = starts_[line + static_cast<std::size_t>(column(x0))];
    const std::uint32_t end = starts_[line + static_cast<std::size_t>(column(x1)) + 1];
    return std::span(sites_).subspan(begin, end - begin);
  }
  int column(double x) const {
    return static_cast<int>(std::clamp(x * columns_a_pixel_, 0.0, columns_ - 1.0));
  }
  int row(double y) const {
    return static_cast<int>(std::clamp(y * rows_a_pixel_, 0.0, rows_ - 1.0));
  }

  Domain domain_;  // pixels of the image
  double spacing_ = 0;
  bool distinct_ = false;
  int columns_ = 1;
  int rows_ = 1;
  double columns_a_pixel_ = 1;
  double rows_a_pixel_ = 1;
  std::vector<std::uint32_t> starts_;  // start of each bin in sites_, row by row, and the end
  SiteList sites_;                     // bin by bin, by id in each bin
  std::vector<std::uint32_t, ValueAllocator<std::uint32_t>> place_;  // index in sites_, by id
  std::vector<double> lifts_;                                        // by id; empty: no lifts
};

}  // namespace dapple::cells
