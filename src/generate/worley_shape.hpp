// The cells of the sites as polygons.
#pragma once

#include <cmath>
#include <span>
#include <vector>

#include "dapple/context.hpp"
#include "generate/worley_grid.hpp"

namespace dapple {

// The Voronoi cell of one site after another, on the torus or within the frame of the image.
// Relative to the site, in pixels.
class VoronoiCell {
 public:
  static constexpr std::int32_t frame = -1;

  // A corner, and the border from there to the next: the site beyond it and its number, or the
  // site's mirror image and `frame`.
  struct Corner {
    Vec2 at;
    Vec2 other;
    std::int32_t id;
    bool final;  // known to be no other site's
  };

  explicit VoronoiCell(const SiteGrid& grid) : grid_(grid), first_look_(1.5 * grid.spacing()) {}
  // Cuts out the cell of this site, in about a microsecond where sites lie evenly; thousands of
  // sites on one circle are slow. Borders shorter than 1e-6 px are none. The frame is moved out by
  // `margin`.
  void cut_out(std::int32_t id, double margin = 0);

  Vec2 site() const { return site_; }
  std::span<const Corner> corners() const { return corners_; }
  // To the farthest corner.
  double farthest() const { return std::sqrt(farthest2_); }
  // Whether a site of a lower number lies at the same place.
  bool is_double() const { return double_; }

 private:
  struct Near {
    double d2;
    Vec2 at;
    std::int32_t id;
  };
  void start(std::int32_t id, double margin);
  double visit(double from, double to, std::size_t& left);
  void visit_corners();
  // False where it cuts nothing off.
  bool clip(const Near& other);

  const SiteGrid& grid_;
  double first_look_;  // sites so near are visited first
  std::int32_t id_ = 0;
  Vec2 site_;
  double farthest2_ = 0;  // squared
  bool double_ = false;
  std::vector<Corner> corners_, kept_;
  std::vector<double> over_;
  std::vector<Near> near_;
};

// What is known of a cell, for sites at the same place the same. Lengths in pixels.
struct CellShape {
  float perimeter;          // with what lies on the frame
  float radius;             // of the largest disc round the site that stays in the cell
  float reach;              // of the smallest disc round the site that holds the cell
  std::int32_t neighbours;  // borders with other cells; on the torus also with images of its own
};

struct CellShapes {
  std::vector<CellShape> of;  // by site
  // Where three or more cells meet, about once each.
  PointSet corners;
};
CellShapes cell_shapes(const SiteGrid& grid, Context& context);

}  // namespace dapple
