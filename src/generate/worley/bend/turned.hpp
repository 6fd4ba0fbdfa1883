// Measures, searches and places cells whose length lies at an angle to the picture.
#pragma once

#include <functional>
#include <vector>

#include "dapple/worley.hpp"
#include "generate/worley/cells.hpp"
#include "generate/worley/grid.hpp"

namespace dapple::cells {

// A frame in which cells are round: the directions along and across them, multiplied so that cells
// are as long as wide and no length gets shorter.
struct CellFrame {
  Vec2 along{1, 0};
  Vec2 across{0, 1};

  CellFrame() = default;
  CellFrame(double stretch, double angle);
  // Returns the frame of a raster with `steps` pixels per pixel of the picture, by axis.
  static CellFrame of_steps(Vec2 steps);

  Vec2 operator()(Vec2 way) const { return {dot(along, way), dot(across, way)}; }
  Vec2 back(Vec2 way) const;
  double area() const { return along.x * across.y - along.y * across.x; }
};

// Returns true if an angle in degrees turns cells, which look alike from both ends.
bool turns(double angle);
// Returns true if the angle changes the cells: they are stretched or the metric is not Euclidean.
bool is_turned(const WorleyOptions& options);
// Returns true if distances are resampled from a raster on which cells are measured.
bool is_bent(const WorleyOptions& options);

// Finds the nearest sites of turned cells. The frame's raster holds the whole picture as a slanted
// rectangle. On the torus a flat search takes all images of sites within a margin of the raster; it
// is complete if no site that it finds is farther than the margin.
class Turned {
 public:
  Turned(const WorleyOptions& options, int width, int height);

  int columns() const { return columns_; }
  int rows() const { return rows_; }
  // Returns the ratio of a distance on the raster to the distance across the cells.
  double scale() const { return scale_; }
  const CellFrame& frame() const { return frame_; }

  struct Found {
    Cells cells;                // of the picture
    Plane<std::int32_t> image;  // nearest image of a site per pixel, if query.nearest
    std::vector<Vec2> images;   // places of images, in pixels of the picture, also beyond it
  };
  // Changes F1 by sites up to `reach` farther than the nearest site; both are in raster pixels.
  struct Change {
    double reach = 0;
    std::function<void(const SiteGrid& round, Cells& cells)> make;
  };
  Found search(const SiteGrid& sites, const CellQuery& query, const Change& change,
               Context& context) const;

 private:
  struct Images {
    Points round;  // on the raster and around it
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

// Places sites for cells of a stretch at an angle, on a torus of the picture's size, from which
// flat pictures are cut. Places `count` darts of any radius or, if `count` is 0, as many as fit of
// `radius`, which is measured across the cells.
Points turned_darts(const Domain& domain, const CellFrame& frame, std::int64_t count, double radius,
                    Context& context);
// Places a lattice of rows: count and angle are as near to the options as whole periods allow.
Points turned_lattice(const Domain& domain, const SiteOptions& options, std::int64_t count,
                      Context& context);

}  // namespace dapple::cells
