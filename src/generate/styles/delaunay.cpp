// Draws a net of triangles between points, by Delaunay (1934): `style delaunay`.
//
// Points are joined if their Voronoi cells touch inside the picture, so that no long thin triangles
// line its border.
#include "generate/styles/point_net.hpp"

namespace dapple::styles {

Marks draw_delaunay(const Request& request) {
  return paths_along(delaunay_net(request.points, request.context), request);
}

}  // namespace dapple::styles
