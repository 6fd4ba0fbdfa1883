// Draws the net of Voronoi cells around points: `style voronoi`.
//
// Cells are large in light places and small in dark places. The length of the borders per area
// grows as the root of the number of points per area (1.86 times it for hexagons), so the number of
// points grows as the square of the tone while lines hardly overlap.
#include "generate/styles/point_net.hpp"

namespace dapple::styles {

Marks draw_voronoi(const Request& request) {
  return paths_along(voronoi_net(request.points, request.context), request);
}

}  // namespace dapple::styles
