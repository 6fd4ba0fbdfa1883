// The faces of a mesh as paths cross them: joined where their edges lie at the same places.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::paths {

// A place of a face as one of its edges sees it: along the edge, and off it.
struct Seen {
  double x, y;
};

// Faces are Triangles::all; side k of a face is the edge opposite its corner k. Lengths in the unit
// of the frame. Nothing depends on the order of faces and vertices in the mesh.
struct Net {
  struct Edge {
    std::array<std::int32_t, 2> ends;  // vertices, the lesser first: from there it is measured
    double length;
    std::uint32_t first, end;  // of `ways`
  };
  struct Face {
    std::array<std::int32_t, 3> corner;  // vertices
    std::array<std::int32_t, 3> edge;    // of each side
    std::array<Seen, 3> opposite;        // the corner opposite, as the side sees it
  };
  struct Way {  // into a face by one of its sides
    std::int32_t face, side;
  };
  // A face at a vertex, with the angles between which it lies round it.
  struct Blade {
    std::int32_t face, corner;
    std::int32_t first;  // the corner that lies at `angle`; the third one is `width` further on
    double angle, width;
  };
  // The faces round a vertex at which shortest paths may turn: one of the border, one with more
  // than a full circle round it, or one where faces do not follow each other (no angles then).
  struct Fan {
    std::uint32_t first, end;  // of `blades`
    double whole = 0;          // all of its angles
    bool closed = false;
    bool ordered = false;
  };
  static constexpr std::int32_t straight = -1;  // no fan: shortest paths do not turn there

  std::vector<Vec3> places;  // of vertices
  std::vector<Face> faces;
  std::vector<Edge> edges;
  std::vector<Way> ways;          // of all edges
  std::vector<std::int32_t> fan;  // of each vertex, or `straight`
  std::vector<Fan> fans;
  std::vector<Blade> blades;
  std::vector<std::int32_t> part;  // of each face: no path leads from one to another

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
  // A place of a face as its side sees it; never beyond the edge.
  Seen seen(std::int32_t face, std::size_t side, const Vec3& place) const;
};

// Of the triangles of a mesh. Throws Error(limit) where memory cannot hold it.
Net make_net(const Mesh& mesh, const surface::Triangles& triangles, const surface::Frame& frame,
             Context& context);

// Edges of one face that others nearly meet, as far as floats can tell in a mesh so wide: no path
// goes on there. Of many that lie in a heap not all are looked at. (cracks.cpp)
std::int64_t count_cracks(const Net& net, double extent);

}  // namespace dapple::paths
