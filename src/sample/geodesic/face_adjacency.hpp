// Joins faces of a mesh, so that paths can cross them, if their edges lie at the same places.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::geodesic {

// A place of a face relative to one of its edges: along the edge, and off it.
struct Seen {
  double x, y;
};

// The faces are Triangles::all; side k of a face is the edge opposite its corner k. Lengths are in
// the unit of the frame. The order of faces and vertices in the mesh does not matter.
struct Net {
  struct Edge {
    std::array<std::int32_t, 2> ends;  // vertices; the edge is measured from the first, lesser one
    double length;
    std::uint32_t first, end;  // range in `ways`
  };
  struct Face {
    std::array<std::int32_t, 3> corner;  // vertices
    std::array<std::int32_t, 3> edge;    // edge of each side
    std::array<Seen, 3> opposite;        // the opposite corner, relative to each side
  };
  struct Way {  // an entry into a face through one of its sides
    std::int32_t face, side;
  };
  // A face at a vertex, and the angles between which it lies around the vertex.
  struct Blade {
    std::int32_t face, corner;
    std::int32_t first;  // the vertex at `angle`; the third vertex is `width` further on
    double angle, width;
  };
  // The faces around a vertex at which shortest paths may turn: one on the border, one with more
  // than a full circle, or one whose faces form no single row (then without angles).
  struct Fan {
    std::uint32_t first, end;  // range in `blades`
    double whole = 0;          // sum of its angles
    bool closed = false;
    bool ordered = false;
  };
  static constexpr std::int32_t straight = -1;  // no fan: shortest paths do not turn there

  std::vector<Vec3> places;  // places of the vertices
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Way> ways;          // ways of all edges, edge by edge
  std::vector<std::int32_t> fan;  // index in `fans` for each vertex, or `straight`
  std::vector<Fan> fans;
  std::vector<Blade> blades;
  std::vector<std::int32_t> part;  // part of each face; no path joins two parts

  std::span<const Way> ways_of(const Edge& edge) const {
    return std::span(ways).subspan(edge.first, edge.end - edge.first);
  }
  const Edge& edge_of(const Face& face, std::size_t side) const {
    return edges[static_cast<std::size_t>(face.edge[side])];
  }
  std::int32_t part_of(std::int32_t of_face) const {
    return part[static_cast<std::size_t>(of_face)];
  }
  Vec3 middle_of(std::int32_t of_face) const;
  // Returns a place of a face relative to a side of the face; y is never negative.
  Seen seen(std::int32_t face, std::size_t side, const Vec3& place) const;
};

// Joins the triangles of a mesh. Throws Error(limit) if memory is too small.
Net make_net(const Mesh& mesh, const surface::Triangles& triangles, const surface::Frame& frame,
             Context& context);

// Counts edges of one face that other faces nearly meet, within the rounding of floats in a mesh
// this wide. No path crosses them. In a heap of edges not all are tested. (open_edges.cpp)
std::int64_t count_cracks(const Net& net, double extent);

}  // namespace dapple::geodesic
