#include "sample/geodesic/face_adjacency.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/lists.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"

namespace dapple::geodesic {
namespace {

// Angles above a full circle by less than this count as a full circle: flat places in floats. Paths
// that end beside the shadow of such a vertex are too long only by the square of the angle.
constexpr double no_angle = 1e-6;

// Numbers the vertices of a mesh by place.
std::vector<std::int32_t> number_places(const Mesh& mesh, const surface::Frame& frame,
                                        std::vector<Vec3>& places, const Context& context) {
  std::vector<std::uint32_t> order(mesh.vertices.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = i;
  const auto key = [&](std::uint32_t i) {
    const Vec3& p = mesh.vertices[i];
    return std::tuple(p.x + 0.0, p.y + 0.0, p.z + 0.0);  // -0 is 0
  };
  std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
    context.check();
    return key(a) < key(b);
  });
  std::vector<std::int32_t> number(order.size());
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i == 0 || key(order[i]) != key(order[i - 1])) {
      places.push_back((mesh.vertices[order[i]] - frame.origin) * (1 / frame.radius));
    }
    number[order[i]] = static_cast<std::int32_t>(places.size()) - 1;
  }
  return number;
}

// Faces around one edge. Points on all of them are near each other, so work grows with the cube.
constexpr std::size_t most_faces_at_an_edge = 256;

void require_few_faces(const Net& net) {
  for (const Net::Edge& edge : net.edges) {
    const std::size_t faces = edge.end - edge.first;
    if (faces <= most_faces_at_an_edge) continue;
    throw Error(
        ErrorKind::limit,
        Problem{"metric",
                std::to_string(faces) +
                    " faces of the mesh share one edge, but `metric` surface allows at most " +
                    std::to_string(most_faces_at_an_edge) +
                    ": remove the repeated faces, or use `metric` euclidean"});
  }
}

void join_edges(Net& net, const Context& context) {
  struct Use {
    std::int32_t low, high, face, side;
  };
  std::vector<Use> uses;
  uses.reserve(3 * net.faces.size());
  for (std::size_t f = 0; f < net.faces.size(); ++f) {
    const auto& corner = net.faces[f].corner;
    for (std::size_t k = 0; k < 3; ++k) {
      const auto [low, high] = std::minmax({corner[(k + 1) % 3], corner[(k + 2) % 3]});
      uses.push_back({low, high, static_cast<std::int32_t>(f), static_cast<std::int32_t>(k)});
    }
  }
  std::sort(uses.begin(), uses.end(), [&](const Use& a, const Use& b) {
    context.check();
    return std::tie(a.low, a.high, a.face, a.side) < std::tie(b.low, b.high, b.face, b.side);
  });
  net.ways.reserve(uses.size());
  for (const Use& use : uses) {
    context.check();
    if (net.edges.empty() || net.edges.back().ends != std::array{use.low, use.high}) {
      const auto at = static_cast<std::uint32_t>(net.ways.size());
      const Vec3 along = net.places[static_cast<std::size_t>(use.high)] -
                         net.places[static_cast<std::size_t>(use.low)];
      net.edges.push_back({{use.low, use.high}, length(along), at, at});
    }
    ++net.edges.back().end;
    net.ways.push_back({use.face, use.side});
    net.faces[static_cast<std::size_t>(use.face)].edge[static_cast<std::size_t>(use.side)] =
        static_cast<std::int32_t>(net.edges.size()) - 1;
  }
  require_few_faces(net);
  for (std::size_t f = 0; f < net.faces.size(); ++f) {
    context.check();
    Net::Face& face = net.faces[f];
    for (std::size_t k = 0; k < 3; ++k) {
      face.opposite[k] = net.seen(static_cast<std::int32_t>(f), k,
                                  net.places[static_cast<std::size_t>(face.corner[k])]);
    }
  }
}

// Returns the angle of a face at a corner.
double angle_at(const Net& net, const Net::Face& face, std::size_t corner) {
  const Seen& o = face.opposite[corner];
  const double beyond = net.edge_of(face, corner).length - o.x;
  return portable_angle(o.y * (o.x + beyond), o.y * o.y - o.x * beyond);
}

// Puts the faces at one vertex into a row, if they form one.
class Walk {
 public:
  Walk(const Net& net, std::int32_t vertex, std::span<const Net::Way> at)
      : net_(net), vertex_(vertex), at_(at), passed_(at.size()) {}

  bool closed = false;
  std::vector<Net::Blade> blades;

  // Returns false if there are several rows, or edges of more than two faces.
  bool run() {
    std::size_t start = 0;
    std::int32_t from = -1;
    for (std::size_t i = 0; i < at_.size(); ++i) {
      for (const std::size_t side : sides(at_[i])) {
        const Net::Edge& edge = edge_of(at_[i], side);
        const std::uint32_t faces = edge.end - edge.first;
        if (faces > 2) return false;
        if (faces == 1 && from < 0) {
          start = i;
          from = other_end(edge);
        }
      }
    }
    closed = from < 0;
    Net::Way at = at_[start];
    if (closed) from = other_end(edge_of(at, sides(at)[0]));
    for (;;) {
      const auto place =
          std::lower_bound(at_.begin(), at_.end(), at.face,
                           [](const Net::Way& way, std::int32_t face) { return way.face < face; });
      const auto i = static_cast<std::size_t>(place - at_.begin());
      if (passed_[i]) break;  // the row is closed
      passed_[i] = true;
      add(at, from);
      const std::size_t out = other_end(edge_of(at, sides(at)[0])) == from ? 1 : 0;
      const Net::Edge& edge = edge_of(at, sides(at)[out]);
      from = other_end(edge);
      if (edge.end - edge.first == 1) break;
      for (const Net::Way& way : net_.ways_of(edge)) {
        if (way.face == at.face) continue;
        at = {way.face, corner_of(way.face)};
        break;
      }
    }
    return blades.size() == at_.size();
  }
  void add(const Net::Way& at, std::int32_t from) {
    const auto corner = static_cast<std::size_t>(at.side);
    blades.push_back({at.face, at.side, from, angle_, angle_at(net_, face_of(at), corner)});
    angle_ += blades.back().width;
  }
  double whole() const { return angle_; }

 private:
  const Net::Face& face_of(const Net::Way& at) const {
    return net_.faces[static_cast<std::size_t>(at.face)];
  }
  static std::array<std::size_t, 2> sides(const Net::Way& at) {
    const auto corner = static_cast<std::size_t>(at.side);
    return {(corner + 1) % 3, (corner + 2) % 3};
  }
  const Net::Edge& edge_of(const Net::Way& at, std::size_t side) const {
    return net_.edge_of(face_of(at), side);
  }
  std::int32_t other_end(const Net::Edge& edge) const {
    return edge.ends[0] == vertex_ ? edge.ends[1] : edge.ends[0];
  }
  std::int32_t corner_of(std::int32_t face) const {
    const auto& corner = net_.faces[static_cast<std::size_t>(face)].corner;
    return static_cast<std::int32_t>(std::find(corner.begin(), corner.end(), vertex_) -
                                     corner.begin());
  }

  const Net& net_;
  std::int32_t vertex_;
  std::span<const Net::Way> at_;  // sorted by face; side: the corner
  std::vector<bool> passed_;
  double angle_ = 0;
};

void add_fan(Net& net, std::int32_t vertex, std::span<const Net::Way> at) {
  Walk walk(net, vertex, at);
  const bool ordered = walk.run();
  if (ordered && walk.closed && walk.whole() <= full_circle + no_angle) return;
  if (!ordered) {
    walk.blades.clear();
    for (const Net::Way& way : at) {
      const auto& corner = net.faces[static_cast<std::size_t>(way.face)].corner;
      walk.add(way, corner[(static_cast<std::size_t>(way.side) + 1) % 3]);
    }
  }
  const auto first = static_cast<std::uint32_t>(net.blades.size());
  net.blades.insert(net.blades.end(), walk.blades.begin(), walk.blades.end());
  net.fan[static_cast<std::size_t>(vertex)] = static_cast<std::int32_t>(net.fans.size());
  net.fans.push_back(
      {first, static_cast<std::uint32_t>(net.blades.size()), walk.whole(), walk.closed, ordered});
}

void add_fans(Net& net, const Context& context) {
  const Lists<Net::Way, std::uint32_t> at(net.places.size(), [&](const auto& add) {
    for (std::size_t f = 0; f < net.faces.size(); ++f) {
      for (std::int32_t k = 0; k < 3; ++k) {
        add(static_cast<std::size_t>(net.faces[f].corner[static_cast<std::size_t>(k)]),
            {static_cast<std::int32_t>(f), k});
      }
    }
  });
  net.fan.assign(net.places.size(), Net::straight);
  for (std::size_t v = 0; v < net.places.size(); ++v) {
    context.check();
    if (!at.of(v).empty()) add_fan(net, static_cast<std::int32_t>(v), at.of(v));
  }
}

// Numbers parts by their least vertex. Faces that share a vertex are in one part.
void find_parts(Net& net, const Context& context) {
  std::vector<std::int32_t> above(net.places.size());
  std::iota(above.begin(), above.end(), 0);
  const auto root = [&](std::int32_t v) {
    while (above[static_cast<std::size_t>(v)] != v) {
      auto& up = above[static_cast<std::size_t>(v)];
      up = above[static_cast<std::size_t>(up)];
      v = up;
    }
    return v;
  };
  for (const Net::Face& face : net.faces) {
    context.check();
    for (const std::size_t k : {1u, 2u}) {
      const auto [low, high] = std::minmax({root(face.corner[0]), root(face.corner[k])});
      above[static_cast<std::size_t>(high)] = low;
    }
  }
  net.part.reserve(net.faces.size());
  for (const Net::Face& face : net.faces) net.part.push_back(root(face.corner[0]));
}

}  // namespace

Vec3 Net::middle_of(std::int32_t of_face) const {
  Vec3 middle;
  for (const std::int32_t v : faces[static_cast<std::size_t>(of_face)].corner) {
    middle = middle + places[static_cast<std::size_t>(v)] * (1.0 / 3);
  }
  return middle;
}

Seen Net::seen(std::int32_t face, std::size_t side, const Vec3& place) const {
  const Edge& edge = edge_of(faces[static_cast<std::size_t>(face)], side);
  const Vec3& from = places[static_cast<std::size_t>(edge.ends[0])];
  const Vec3 along = (places[static_cast<std::size_t>(edge.ends[1])] - from) * (1 / edge.length);
  const Vec3 way = place - from;
  const double x = dot(way, along);
  return {x, length(way - along * x)};
}

Net make_net(const Mesh& mesh, const surface::Triangles& triangles, const surface::Frame& frame,
             Context& context) {
  constexpr double bytes_a_face = sizeof(Net::Face) + 1.5 * sizeof(Net::Edge) +
                                  3 * (sizeof(Net::Way) + 3 * sizeof(int)) + 0.5 * sizeof(Vec3) +
                                  3 * sizeof(Net::Blade);
  context.require_memory(bytes_a_face * static_cast<double>(triangles.all.size()),
                         "the network of mesh edges");
  Net net;
  const std::vector<std::int32_t> number = number_places(mesh, frame, net.places, context);
  net.faces.reserve(triangles.all.size());
  for (const surface::Triangle& t : triangles.all) {
    Net::Face face{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::int32_t vertex = mesh.triangles[static_cast<std::size_t>(t.index)][t.corner[k]];
      face.corner[k] = number[static_cast<std::size_t>(vertex)];
    }
    net.faces.push_back(face);
  }
  join_edges(net, context);
  add_fans(net, context);
  find_parts(net, context);
  return net;
}

}  // namespace dapple::geodesic
