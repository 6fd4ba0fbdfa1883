// The cells of the sites as polygons.
#pragma once

#include <cmath>
#include <functional>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

// The Voronoi cell of one site after another, on the torus or within the frame of the image; of
// lifted sites the power cell, which may be empty or lie beside its site. Relative to the site, in
// pixels.
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
  // The half plane nearer to the site than to another: dot(other, x) < half.
  struct Border {
    Vec2 other;
    double half;
    double distance(Vec2 x) const { return (half - dot(other, x)) / length(other); }
  };

  explicit VoronoiCell(const SiteGrid& grid) : grid_(grid), first_look_(1.5 * grid.spacing()) {}
  // Cuts out the cell of this site, in about a microsecond where sites lie evenly; thousands of
  // sites on one circle are slow. Borders shorter than 1e-6 px are none. The frame is moved out by
  // `margin`.
  void cut_out(std::int32_t id, double margin = 0);
  // Cuts the same cell out with the frame so far out that no border is missing which is the nearest
  // one of a place in the cell as it was.
  void move_frame_out();

  Vec2 site() const { return site_; }
  std::span<const Corner> corners() const { return corners_; }
  bool empty() const { return corners_.empty(); }
  Border border(const Corner& corner) const;
  // To the farthest corner.
  double farthest() const { return std::sqrt(farthest2_); }
  // Whether a site of a lower number lies at the same place, with the same lift.
  bool is_double() const { return double_; }

 private:
  struct Near {
    double d2;
    Vec2 at;
    std::int32_t id;
  };
  // Sites beyond this cannot cut the cell any more.
  double reach() const { return farthest() + std::sqrt(farthest2_ + lift_); }
  double half(double d2, std::int32_t id) const { return 0.5 * (d2 + grid_.lift(id) - lift_); }
  void start(std::int32_t id, double margin);
  double visit(double from, double to, std::size_t& left);
  void visit_corners();
  void meet_at_site(std::int32_t other);
  // False where it cuts nothing off.
  bool clip(const Near& other);

  const SiteGrid& grid_;
  double first_look_;  // sites so near are visited first
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
  float perimeter;         // with what lies on the frame
  float radius;            // of the largest disc round the site that stays in the cell
  float reach;             // of the smallest disc round the site that holds the cell
  std::int32_t neighbors;  // borders with other cells; on the torus also with images of its own
};

struct CellShapes {
  std::vector<CellShape> of;  // by site
  // The places where three or more cells meet, about once each.
  PointSet corners;
};
CellShapes cell_shapes(const SiteGrid& grid, Context& context);

// The borders of all cells, relative to their sites, and the site beyond each; of flat domains also
// those beyond the frame that are the nearest ones of a place.
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

// Planes of what pixels show of values of cells, by the exact shares that cells have of each, 1
// wide and 1 high. With an inset, of the parts of cells that are so far from their borders; the
// rest shows 0. value(id, channel) is called from many threads.
std::vector<Plane<float>> shared_out(
    const SiteGrid& grid, double inset, std::size_t channels,
    const std::function<float(std::int32_t id, std::size_t channel)>& value, Context& context);

}  // namespace dapple::cells
