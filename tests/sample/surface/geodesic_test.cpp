// Distances along meshes, against those known by unrolling, round the tip of a cone, and over edges
// cut into many parts.
#include <cmath>
#include <gtest/gtest.h>
#include <limits>
#include <queue>
#include <vector>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "meshes.hpp"
#include "sample/geodesic/disc.hpp"

namespace dapple {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double circle = 6.283185307179586;

// A mesh with paths, in its own unit.
struct Paths {
  Mesh mesh;
  Context context;
  surface::Frame frame;
  surface::Triangles triangles;
  geodesic::Net net;
  std::vector<std::int32_t> of;  // the face of each triangle of the mesh

  explicit Paths(Mesh of_mesh)
      : mesh(std::move(of_mesh)),
        frame(surface::frame_of(mesh, 1)),
        triangles(surface::canonical_triangles(mesh, frame, context)),
        net(geodesic::make_net(mesh, triangles, frame, context)),
        of(mesh.triangles.size(), -1) {
    for (std::size_t f = 0; f < triangles.all.size(); ++f) {
      of[static_cast<std::size_t>(triangles.all[f].index)] = static_cast<std::int32_t>(f);
    }
  }
  struct Place {
    std::int32_t face;
    Vec3 at;
  };
  Place place(std::size_t triangle, double s, double t) const {
    const Vec3 a = corner(mesh, triangle, 0);
    return {of[triangle],
            a + (corner(mesh, triangle, 1) - a) * s + (corner(mesh, triangle, 2) - a) * t};
  }
  Place random_place(Random& random) const {
    for (;;) {
      const std::size_t t = random.below(static_cast<std::uint32_t>(mesh.triangles.size()));
      double s = random.uniform();
      double w = random.uniform();
      if (s + w > 1) {
        s = 1 - s;
        w = 1 - w;
      }
      if (of[t] >= 0) return place(t, s, w);
    }
  }
  geodesic::Disc disc(const Place& from, double reach) const {
    return geodesic::PathFinder(net).disc(from.face, from.at - frame.origin, reach, false);
  }
  double distance(const geodesic::Disc& disc, const Place& to) const {
    return disc.distance(to.face, geodesic::seen_by_sides(net, to.face, to.at - frame.origin));
  }
};

// Every distance below `reach` is `known`, and none is found that is not.
template <class Known>
void expect_known(const Paths& paths, double reach, const Known& known, int sources = 40) {
  Random random(3, Stream::tests);
  int near = 0;
  for (int i = 0; i < sources; ++i) {
    const Paths::Place from = paths.random_place(random);
    const geodesic::Disc disc = paths.disc(from, reach);
    for (int k = 0; k < 40; ++k) {
      const Paths::Place to = paths.random_place(random);
      const double expected = known(from, to);
      const double found = paths.distance(disc, to);
      if (expected < reach) {
        EXPECT_NEAR(found, expected, 1e-8) << i << " " << k;
        ++near;
      } else {
        EXPECT_GT(found, reach - 1e-8);
      }
    }
  }
  EXPECT_GT(near, sources);
}

TEST(Paths, OnAFlatSquareAreStraightHoweverItIsCut) {
  for (const auto& [n, shake] : {std::pair{1, 0.0}, {20, 0.0}, {20, 0.2}}) {
    expect_known(Paths(square(n, shake)), 0.3,
                 [](const auto& a, const auto& b) { return length(a.at - b.at); });
  }
}

// A tube of many sides, unrolled.
TEST(Paths, RoundATubeAreThoseOfTheRectangle) {
  constexpr int sides = 7;
  Builder b;
  for (int i = 0; i < sides; ++i) {
    const double a = circle * i / sides;
    for (int j = 0; j <= 5; ++j)
      b.vertex(std::cos(a), std::sin(a), 0.5 * j + 0.1 * (i % 2) * (j % 5 != 0));
  }
  for (int i = 0; i < sides; ++i) {
    for (int j = 0; j < 5; ++j) {
      const int k = (i + 1) % sides;
      b.quad(6 * i + j, 6 * k + j, 6 * k + j + 1, 6 * i + j + 1);
    }
  }
  const double side = 2 * std::sin(circle / sides / 2);
  const auto along = [&](const Vec3& p) {
    double a = std::atan2(p.y, p.x);
    if (a < 0) a += circle;
    const auto i = static_cast<int>(a / circle * sides);
    const double s = circle * i / sides;
    return i * side + std::hypot(p.x - std::cos(s), p.y - std::sin(s));
  };
  expect_known(Paths(b.mesh), 4, [&](const auto& p, const auto& q) {
    double x = std::abs(along(p.at) - along(q.at));
    x = std::min(x, sides * side - x);
    return std::hypot(x, p.at.z - q.at.z);
  });
}

// Round one vertex lengths are those of a cone of all angles there: straight ones where they see
// each other within half a circle, else by the tip.
void expect_cone(int blades, bool closed, double wave, double reach) {
  Builder b;
  b.vertex(0, 0, 0);
  std::vector<double> start{0};
  for (int i = 0; i < blades; ++i) {
    const double a = circle * i / blades;
    const double z = wave * (i % 2 == 0 ? 1 : -1);
    b.vertex(std::cos(a), std::sin(a), z);
  }
  const int faces = closed ? blades : blades - 1;
  for (int i = 0; i < faces; ++i) b.triangle(0, 1 + i, 1 + (i + 1) % blades);
  const Paths paths(b.mesh);
  const auto angle = [](const Vec3& p, const Vec3& q) {
    return std::atan2(length(cross(p, q)), dot(p, q));
  };
  for (std::size_t t = 0; t < b.mesh.triangles.size(); ++t) {
    start.push_back(start.back() + angle(corner(b.mesh, t, 1), corner(b.mesh, t, 2)));
  }
  const auto round = [&](const Paths::Place& p) {
    for (std::size_t t = 0; t < b.mesh.triangles.size(); ++t) {
      if (paths.of[t] == p.face) return start[t] + angle(corner(b.mesh, t, 1), p.at);
    }
    return 0.0;
  };
  expect_known(paths, reach, [&](const auto& p, const auto& q) {
    double turn = std::abs(round(p) - round(q));
    if (closed) turn = std::min(turn, start.back() - turn);
    const double one = length(p.at);
    const double two = length(q.at);
    if (turn >= circle / 2) return one + two;
    return std::sqrt(one * one + two * two - 2 * one * two * std::cos(turn));
  });
}

TEST(Paths, RoundAVertexAreThoseOfACone) {
  expect_cone(12, true, 0, 0.8);  // flat
  expect_cone(4, true, 0, 0.5);
  expect_cone(12, true, 0.6, 0.8);  // a saddle
  expect_cone(12, true, 2, 0.8);
  expect_cone(11, false, 0, 0.5);  // a notch in the border
  expect_cone(11, false, 1, 0.5);
}

TEST(Paths, OnACubeAreThoseOfItsUnfoldings) {
  // Round the corner at the origin there are three quarters of a circle.
  const auto round = [](const Vec3& p) {
    constexpr double flat = 1e-12;
    if (p.z < flat) return std::pair(std::atan2(p.y, p.x), std::hypot(p.x, p.y));
    if (p.x < flat) return std::pair(circle / 4 + std::atan2(p.z, p.y), std::hypot(p.y, p.z));
    return std::pair(circle / 2 + std::atan2(p.x, p.z), std::hypot(p.z, p.x));
  };
  const Paths paths(cube());
  Random random(5, Stream::tests);
  int near = 0;
  while (near < 500) {
    const Paths::Place from = paths.random_place(random);
    const Paths::Place to = paths.random_place(random);
    const auto [a, p] = round(from.at);
    const auto [b, q] = round(to.at);
    if (p + q > 0.9 || std::min({from.at.x, from.at.y, from.at.z}) > 1e-12 ||
        std::min({to.at.x, to.at.y, to.at.z}) > 1e-12) {
      continue;
    }
    ++near;
    const double turn = std::min(std::abs(a - b), 0.75 * circle - std::abs(a - b));
    const double expected = std::sqrt(p * p + q * q - 2 * p * q * std::cos(turn));
    EXPECT_NEAR(paths.distance(paths.disc(from, 1), to), expected, 1e-8);
  }
}

// Lengths over places on edges, `parts` apart a part of each: never shorter than paths that may
// cross edges anywhere, and longer by a part of an edge for each that they cross at the most.
class OverEdges {
 public:
  OverEdges(const Paths& paths, int parts) : paths_(paths), parts_(parts) {
    const geodesic::Net& net = paths.net;
    inner_ = net.places.size();
    nodes_ = inner_ + net.edges.size() * static_cast<std::size_t>(parts - 1);
    near_.resize(nodes_);
    for (std::size_t f = 0; f < net.faces.size(); ++f) {
      const std::vector<std::size_t> on = on_face(f);
      for (const std::size_t a : on) {
        for (const std::size_t b : on) {
          if (a != b) near_[a].push_back({b, length(at(a) - at(b))});
        }
      }
    }
  }
  // From a place to all nodes.
  std::vector<double> lengths(const Paths::Place& from) const {
    std::vector<double> best(nodes_, infinity);
    using Entry = std::pair<double, std::size_t>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> open;
    const Vec3 place = from.at - paths_.frame.origin;
    for (const std::size_t n : on_face(static_cast<std::size_t>(from.face))) {
      best[n] = length(place - at(n));
      open.push({best[n], n});
    }
    while (!open.empty()) {
      const auto [d, n] = open.top();
      open.pop();
      if (d > best[n]) continue;
      for (const auto& [other, step] : near_[n]) {
        if (d + step >= best[other]) continue;
        best[other] = d + step;
        open.push({best[other], other});
      }
    }
    return best;
  }
  double to(const std::vector<double>& lengths, const Paths::Place& from,
            const Paths::Place& to) const {
    const Vec3 place = to.at - paths_.frame.origin;
    double least = from.face == to.face ? length(to.at - from.at) : infinity;
    for (const std::size_t n : on_face(static_cast<std::size_t>(to.face))) {
      least = std::min(least, lengths[n] + length(place - at(n)));
    }
    return least;
  }

 private:
  Vec3 at(std::size_t node) const {
    const geodesic::Net& net = paths_.net;
    if (node < inner_) return net.places[node];
    const auto parts = static_cast<std::size_t>(parts_ - 1);
    const auto& edge = net.edges[(node - inner_) / parts];
    const double w = static_cast<double>((node - inner_) % parts + 1) / parts_;
    return net.places[static_cast<std::size_t>(edge.ends[0])] * (1 - w) +
           net.places[static_cast<std::size_t>(edge.ends[1])] * w;
  }
  std::vector<std::size_t> on_face(std::size_t f) const {
    std::vector<std::size_t> on;
    const geodesic::Net::Face& face = paths_.net.faces[f];
    const auto parts = static_cast<std::size_t>(parts_ - 1);
    for (std::size_t k = 0; k < 3; ++k) {
      on.push_back(static_cast<std::size_t>(face.corner[k]));
      for (std::size_t n = 0; n < parts; ++n) {
        on.push_back(inner_ + static_cast<std::size_t>(face.edge[k]) * parts + n);
      }
    }
    return on;
  }

  const Paths& paths_;
  int parts_;
  std::size_t inner_, nodes_;
  std::vector<std::vector<std::pair<std::size_t, double>>> near_;
};

// Hills and hollows: half of the vertices turn paths.
Mesh rough(int n, double height) {
  Mesh mesh = square(n, 0.3);
  Random random(9, Stream::tests);
  for (Vec3& p : mesh.vertices) p.z = height * random.uniform();
  return mesh;
}

// With a hole, a fin on one of its edges, a sheet below that touches it in one vertex, and a part
// of its own.
Mesh odd() {
  Mesh mesh = rough(6, 0.15);
  mesh.triangles.erase(mesh.triangles.begin() + 28, mesh.triangles.begin() + 34);
  Builder b{mesh};
  const auto& t = mesh.triangles[10];
  const Vec3 tip = corner(mesh, 10, 0) + Vec3{0.1, 0, 0.4};
  b.triangle(t[0], t[1], b.vertex(tip.x, tip.y, tip.z));
  const Vec3 foot = corner(mesh, 44, 0);
  b.alone(foot, foot + Vec3{0.3, 0.1, -0.3}, foot + Vec3{0, 0.3, -0.2});
  b.alone({0, 0, 5}, {1, 0, 5}, {0, 1, 5});
  return b.mesh;
}

TEST(Paths, AreNoLongerThanThoseOverEdgesAndHardlyShorter) {
  constexpr int parts = 12;
  for (const Mesh& mesh : {rough(5, 0.3), rough(5, 0.05), odd(), torus(8, 5)}) {
    const Paths paths(mesh);
    const OverEdges edges(paths, parts);
    Random random(4, Stream::tests);
    double longest = 0;
    for (const auto& edge : paths.net.edges) longest = std::max(longest, edge.length);
    const double reach = 5 * longest;
    for (int i = 0; i < 8; ++i) {
      const Paths::Place from = paths.random_place(random);
      const geodesic::Disc disc = paths.disc(from, reach);
      const std::vector<double> lengths = edges.lengths(from);
      for (int k = 0; k < 40; ++k) {
        const Paths::Place to = paths.random_place(random);
        const double known = edges.to(lengths, from, to);
        const double found = paths.distance(disc, to);
        if (known < reach) {
          EXPECT_LE(found, known + 1e-8);
          // A path of length d crosses some 3 d / edge edges.
          EXPECT_GE(found, known - 0.06 * longest) << i << " " << k;
        } else if (known > reach + 0.06 * longest) {
          EXPECT_GT(found, reach - 1e-8);
        }
      }
    }
  }
}

}  // namespace
}  // namespace dapple
