// Cells whose length lies at an angle to the picture: where they are measured, searched and placed.
#pragma once

#include <functional>
#include <vector>

#include "dapple/worley.hpp"
#include "generate/worley/cells.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

// Where cells are round: ways of the picture along their length and across it, multiplied so that
// both count alike and none gets shorter.
struct CellFrame {
  Vec2 along{1, 0};
  Vec2 across{0, 1};

  CellFrame() = default;
  CellFrame(double stretch, double angle);
  // As many to a pixel on both axes.
  static CellFrame of_steps(Vec2 steps);

  Vec2 operator()(Vec2 way) const { return {dot(along, way), dot(across, way)}; }
  Vec2 back(Vec2 way) const;
  double area() const { return along.x * across.y - along.y * across.x; }
};

// Whether an angle in degrees turns cells, which look alike from both ends.
bool turns(double angle);
// Whether metric and stretch differ from those of an angle of 0.
bool is_turned(const WorleyOptions& options);
// Whether distances are resampled from a raster on which cells are measured.
bool is_bent(const WorleyOptions& options);

// Nearest sites of turned cells. The frame's raster holds the whole picture as a slanted rectangle;
// on the torus all images of the sites within a margin of the raster are sites of a flat search,
// which is complete where nothing that it finds is farther than the margin.
class Turned {
 public:
  Turned(const WorleyOptions& options, int width, int height);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  // What distances on the raster are of one across the cells.
  double scale() const { return scale_; }
  const CellFrame& frame() const { return frame_; }

  struct Found {
    Cells cells;                // of the picture
    Plane<std::int32_t> image;  // the image that is nearest, where the nearest sites are asked for
    std::vector<Vec2> images;   // their places, in pixels of the picture, also beyond it
  };
  // What F1 becomes, within `reach` of the nearest site; both are of the raster.
  struct Change {
    double reach = 0;
    std::function<void(const SiteGrid& round, Cells& cells)> make;
  };
  Found search(const SiteGrid& sites, const CellQuery& query, const Change& change,
               Context& context) const;

 private:
  struct Images {
    PointSet round;  // on the raster and round it
    std::vector<Vec2> places;
    std::vector<std::int32_t> id;
  };
  Images images_within(const SiteGrid& sites, double margin, Context& context) const;
  template <class T, class F>
  Plane<T> picture_of(const Plane<T>& raster, const F& value, Context& context) const;

  int width_, height_;
  CellFrame frame_;
  double scale_;
  Vec2 origin_;  // of the raster, in the frame
  int columns_, rows_;
};

// Sites in cells of a stretch at an angle, on a torus of the picture's size, which flat pictures
// are cut from. So many darts of any radius, or, for a count of 0, as many of the radius, across
// the cells, as find room.
PointSet turned_darts(const Domain& domain, const CellFrame& frame, std::int64_t count,
                      double radius, Context& context);
// A lattice of rows: as many sites and at as nearly the angle as whole periods of it allow.
PointSet turned_lattice(const Domain& domain, const SiteOptions& options, std::int64_t count,
                        Context& context);

}  // namespace dapple::cells
