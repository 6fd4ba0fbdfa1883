// Sites in bins, so that the sites of any window are a few runs of memory.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/points.hpp"

namespace dapple {

// A site, or one of its images on the torus, in pixels.
struct Site {
  double x;
  double y;
  std::int32_t id;
};

// Positions are scaled to the image and rounded to 2^-16 px: differences of any two are then exact
// in double, and exact in float below 256 px, so no result depends on where a tile or the seam
// lies.
class SiteGrid {
 public:
  SiteGrid(const PointSet& sites, int width, int height);

  const Domain& domain() const { return domain_; }
  std::size_t size() const { return sites_.size(); }
  double spacing() const { return spacing_; }  // of as many sites on a square lattice
  // Whether two sites lie at different places.
  bool distinct() const { return distinct_; }
  Vec2 position(std::int32_t id) const { return positions_[static_cast<std::size_t>(id)]; }
  // Every site inside the window, into `found` (cleared first), relative to `origin`. The window
  // may reach past the domain: on the torus every image inside it is listed.
  void gather(const Box& window, Vec2 origin, std::vector<Site>& found) const;

 private:
  int column(double x) const;
  int row(double y) const;

  Domain domain_;  // pixels of the image
  double spacing_ = 0;
  bool distinct_ = false;
  int columns_ = 1;
  int rows_ = 1;
  std::vector<std::uint32_t> starts_;  // of each bin in sites_, row by row, and the end
  std::vector<Site> sites_;            // bin by bin
  std::vector<Vec2> positions_;        // by id
};

}  // namespace dapple
