#include "sample/surface/obstacles.hpp"

#include <algorithm>
#include <limits>

namespace dapple::surface {

// The nearest place is inside the triangle or on one of its edges.
Weights nearest_in(const Vec3& a, const Vec3& e1, const Vec3& e2, const Vec3& p) {
  const EdgeProducts of(e1, e2, p - a);
  const Weights inside = of.foot();
  if (inside.s >= 0 && inside.t >= 0 && inside.s + inside.t <= 1) return inside;
  const auto along = [](double dot_edge, double edge2) {
    return edge2 > 0 ? std::clamp(dot_edge / edge2, 0.0, 1.0) : 0.0;
  };
  const double third2 = of.d11 - 2 * of.d12 + of.d22;
  const double t = along(of.p2 - of.p1 + of.d11 - of.d12, third2);
  Weights best{along(of.p1, of.d11), 0};
  double least = std::numeric_limits<double>::infinity();
  for (const Weights& at : {best, Weights{0, along(of.p2, of.d22)}, Weights{1 - t, t}}) {
    const Vec3 away = a + e1 * at.s + e2 * at.t - p;
    const double distance = dot(away, away);
    if (!(distance < least)) continue;
    least = distance;
    best = at;
  }
  return best;
}

double unit_with(const Mesh& mesh, const SurfaceRadius& radius, std::span<const float> of_points) {
  double least = least_radius(mesh, radius);
  if (is_one(radius)) return least;
  for (const float r : of_points) {
    if (r > 0) least = std::min(least, static_cast<double>(r));
  }
  return least;
}

OnSurface locate(const Cells& cells, const Tiles& tiles) {
  const std::size_t count = cells.points.size();
  OnSurface found;
  found.triangle.assign(count, OnSurface::nowhere);
  found.place.resize(count);
  found.radius.resize(count);
  std::vector<double> least(count, std::numeric_limits<double>::infinity());
  Places near, round;
  for (const Tile& tile : tiles.tiles) {
    cells.gather_around(tile, std::numeric_limits<std::int32_t>::min(), 1, near);
    if (near.count == 0) continue;
    for (std::uint32_t n = tile.first; n < tile.end; ++n) {
      const Piece& piece = tiles.pieces[n];
      for (std::size_t k = 0; k < near.count; ++k) {
        const auto i = static_cast<std::size_t>(near.number[k]);
        const Vec3 p = cells.place_of_point(i);
        const Weights weights = nearest_in(piece.a, piece.e1, piece.e2, p);
        const Vec3 place = place_of(piece, weights);
        const double distance = dot(place - p, place - p);
        // If two triangles meet at the place, the choice does not depend on their order.
        if (distance > least[i] || (distance == least[i] && piece.triangle > found.triangle[i])) {
          continue;
        }
        least[i] = distance;
        found.triangle[i] = piece.triangle;
        found.place[i] = place;
        found.radius[i] = piece.radius(weights.s, weights.t);
      }
    }
  }
  return found;
}

void Obstacles::gather(const Tile& tile, Places& into) const {
  Places near;
  cells.gather_around(tile, std::numeric_limits<std::int32_t>::min(), near_radius, near);
  into.make_room(near.count);
  for (std::size_t k = 0; k < near.count; ++k) {
    into.add(near.place(k), near.limit()[k], triangle[static_cast<std::size_t>(near.number[k])]);
  }
}

}  // namespace dapple::surface
