// Cuts out the cells of the sites as polygons.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

// The Voronoi cell of one site at a time, on the torus or within the frame of the image. For lifted
// sites it is the power cell, which may be empty or lie beside its site. Coordinates are relative
// to the site, in pixels.
class VoronoiCell {
 public:
  static constexpr std::int32_t frame = -1;

  // A corner, and the border from it to the next corner. `other` and `id` are the site beyond the
  // border, or the cell's own mirrored site and `frame`.
  struct Corner {
    Vec2 at;
    Vec2 other;
    std::int32_t id;
    bool final;  // no other site is nearer to the corner
  };
  // The half plane nearer to the site than to another site: dot(other, x) < half.
  struct Border {
    Vec2 other;
    double half;
    double distance(Vec2 x) const { return (half - dot(other, x)) / length(other); }
  };

  explicit VoronoiCell(const SiteGrid& grid) : grid_(grid), first_look_(1.5 * grid.spacing()) {}
  // Cuts out the cell of site `id`, in about a microsecond if sites lie evenly; thousands of sites
  // on one circle are slow. Drops borders shorter than 1e-6 px. Moves the frame out by `margin`.
  void cut_out(std::int32_t id, double margin = 0);
  // Cuts out the same cell with the frame moved out. Every border that is the nearest to a place in
  // the former cell is then present.
  void move_frame_out();

  Vec2 site() const { return site_; }
  std::span<const Corner> corners() const { return corners_; }
  bool empty() const { return corners_.empty(); }
  Border border(const Corner& corner) const;
  // Returns the distance to the farthest corner.
  double farthest() const { return std::sqrt(farthest2_); }
  // Returns true if a site of a lower id lies at the same place with the same lift.
  bool is_double() const { return double_; }

 private:
  struct Near {
    double d2;
    Vec2 at;
    std::int32_t id;
  };
  // Sites beyond this distance cannot cut the cell.
  double reach() const { return farthest() + std::sqrt(farthest2_ + lift_); }
  double half(double d2, std::int32_t id) const { return 0.5 * (d2 + grid_.lift(id) - lift_); }
  void start(std::int32_t id, double margin);
  double visit(double from, double to, std::size_t& left);
  void visit_corners();
  void meet_at_site(std::int32_t other);
  // Returns false if the cut removes nothing.
  bool clip(const Near& other);

  const SiteGrid& grid_;
  double first_look_;  // sites within this distance are visited first
  std::int32_t id_ = 0;
  Vec2 site_;
  double lift_ = 0;
  double farthest2_ = 0;  // squared
  bool double_ = false;
  std::vector<Corner> corners_, kept_;
  std::vector<double> over_;
  std::vector<Near> near_;
};

// The figures of a cell, equal for sites at the same place. Lengths in pixels.
struct CellShape {
  float perimeter;         // includes the parts on the frame
  float radius;            // of the largest disc around the site that stays in the cell
  float reach;             // of the smallest disc around the site that holds the cell
  std::int32_t neighbors;  // borders with other cells; on the torus also with own images
};

struct CellShapes {
  std::vector<CellShape> of;  // by site
  // The places where three or more cells meet, about once each.
  Points corners;
};
CellShapes cell_shapes(const SiteGrid& grid, Context& context);

// The borders of all cells, relative to their sites, and the site beyond each border. Flat domains
// also have the borders beyond the frame that are the nearest to a place.
struct CellBorders {
  struct Border {
    VoronoiCell::Border line;
    std::int32_t id;
  };
  std::vector<std::size_t> starts;
  std::vector<Border> all;

  std::span<const Border> at(std::int32_t id) const {
    const auto i = static_cast<std::size_t>(id);
    return std::span(all).subspan(starts[i], starts[i + 1] - starts[i]);
  }
};
CellBorders cell_borders(const SiteGrid& grid, Context& context);

// Returns planes that show values of cells: each pixel is the mean of its cells, weighted by their
// exact areas in the pixel. With an inset, only parts of cells at least that far from their borders
// count, and the rest is 0. Calls value(id, channel) from many threads.
std::vector<Plane<float>> shared_out(
    const SiteGrid& grid, double inset, std::size_t channels,
    const std::function<float(std::int32_t id, std::size_t channel)>& value, Context& context);

}  // namespace dapple::cells
