// The cells of the sites as polygons.
#pragma once

#include <vector>

#include "dapple/context.hpp"
#include "generate/worley_grid.hpp"

namespace dapple {

// The cell of a site: what is nearer to it than to any other, within the frame where there is no
// torus. Sites at the same place have the same cell. Lengths in pixels.
struct CellShape {
  float perimeter;  // with what lies on the frame
  float radius;     // of the largest disc round the site: half the way to its nearest neighbour
  float reach;      // of the smallest disc round the site that holds the cell
  std::int32_t neighbours;  // borders with other cells; on the torus also with images of its own
};

struct CellShapes {
  std::vector<CellShape> of;  // by site
  // Where three or more cells meet, about once each.
  PointSet corners;
};

// By clipping with bisectors, nearest sites first, until no farther one can reach the cell. Borders
// shorter than 1e-6 px are none. About a microsecond a site where sites lie evenly.
CellShapes cell_shapes(const SiteGrid& grid, Context& context);

}  // namespace dapple
