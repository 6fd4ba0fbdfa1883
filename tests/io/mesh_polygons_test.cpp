// Faces of more than three corners: their triangles fill them and nothing else, by the shoelace
// formula and by rays, which know nothing of ears.
#include <algorithm>
#include <cmath>
#include <gtest/gtest.h>
#include <numbers>
#include <string>
#include <vector>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "dapple/units.hpp"
#include "meshes.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

using Polygon = std::vector<Vec2>;

double shoelace(const Polygon& polygon) {
  double twice = 0;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[(i + 1) % polygon.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return 0.5 * twice;
}

double distance_to_border(const Polygon& polygon, Vec2 p) {
  double least = 1e300;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 along = polygon[(i + 1) % polygon.size()] - a;
    const Vec2 to = p - a;
    const double all = along.x * along.x + along.y * along.y;
    const double share = all > 0 ? (to.x * along.x + to.y * along.y) / all : 0;
    const double s = std::clamp(share, 0.0, 1.0);
    least = std::min(least, std::hypot(to.x - s * along.x, to.y - s * along.y));
  }
  return least;
}

bool is_inside(const Polygon& polygon, Vec2 p) {
  bool inside = false;
  for (std::size_t i = 0; i < polygon.size(); ++i) {
    const Vec2 a = polygon[i];
    const Vec2 b = polygon[(i + 1) % polygon.size()];
    if ((a.y > p.y) == (b.y > p.y)) continue;
    inside = inside != (p.x < a.x + (p.y - a.y) / (b.y - a.y) * (b.x - a.x));
  }
  return inside;
}

// Axes of a plane somewhere in space.
struct Plane3 {
  Vec3 origin, u, v;
  Vec3 operator()(Vec2 p) const { return origin + u * p.x + v * p.y; }
  Vec2 operator()(const Vec3& p) const { return {dot(p - origin, u), dot(p - origin, v)}; }
};
Plane3 random_plane(Random& random) {
  const auto unit = [](const Vec3& a) { return a * (1 / length(a)); };
  const auto any = [&] {
    return unit({random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5});
  };
  const Vec3 u = any();
  const Vec3 v = unit(cross(u, any()));
  return {any() * 3, u, v};
}

std::string vertices_of(const Polygon& polygon, const Plane3& plane, const char* word) {
  std::string text;
  for (const Vec2 p : polygon) {
    const Vec3 at = plane(p);
    text += word + shortest(at.x) + " " + shortest(at.y) + " " + shortest(at.z) + "\n";
  }
  return text;
}
std::string as_obj(const Polygon& polygon, const Plane3& plane) {
  std::string text = vertices_of(polygon, plane, "v ") + "f";
  for (std::size_t i = 0; i < polygon.size(); ++i) text += " " + std::to_string(i + 1);
  return text + "\n";
}
std::string as_ply(const Polygon& polygon, const Plane3& plane) {
  const std::string count = std::to_string(polygon.size());
  std::string text = "ply\nformat ascii 1.0\nelement vertex " + count +
                     "\nproperty double x\nproperty double y\nproperty double z\nelement face 1\n"
                     "property list ushort int vertex_indices\nend_header\n" +
                     vertices_of(polygon, plane, "") + count;
  for (std::size_t i = 0; i < polygon.size(); ++i) text += " " + std::to_string(i);
  return text + "\n";
}

Polygon turned(Polygon polygon, std::size_t first, bool back) {
  std::rotate(polygon.begin(), polygon.begin() + static_cast<std::ptrdiff_t>(first), polygon.end());
  if (back) std::reverse(polygon.begin(), polygon.end());
  return polygon;
}

void expect_filled(const Mesh& mesh, const Polygon& polygon, const Plane3& plane) {
  ASSERT_EQ(mesh.triangles.size(), polygon.size() - 2);
  double area = 0;
  double facing = 0;
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    area += 0.5 * length(across(mesh, t));
    facing += 0.5 * dot(across(mesh, t), cross(plane.u, plane.v));
  }
  EXPECT_NEAR(area, std::abs(shoelace(polygon)), 1e-9);
  EXPECT_NEAR(facing, shoelace(polygon), 1e-9);  // the front stays the front
  RandomPlaces places(mesh);
  for (int i = 0; i < 50; ++i) {
    const Vec2 p = plane(places.next().at);
    EXPECT_TRUE(is_inside(polygon, p) || distance_to_border(polygon, p) < 1e-9)
        << p.x << ", " << p.y;
  }
}

// As both formats, from several corners, either way round.
void expect_filled_however(const Polygon& polygon, Random& random) {
  const std::size_t n = polygon.size();
  for (std::size_t first = 0; first < n; first += std::max<std::size_t>(1, n / 4)) {
    for (const bool back : {false, true}) {
      const Polygon face = turned(polygon, first, back);
      for (const Plane3& plane : {Plane3{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}},
                                  Plane3{{1, 2, 3}, {0, 0, 1}, {1, 0, 0}}, random_plane(random)}) {
        expect_filled(decode_mesh(as_obj(face, plane), "obj", Limits{}), face, plane);
        expect_filled(decode_mesh(as_ply(face, plane), "ply", Limits{}), face, plane);
        if (::testing::Test::HasFailure()) {
          FAIL() << "of " << n << " corners from " << first << (back ? ", back" : "");
        }
      }
    }
  }
}

TEST(MeshPolygons, AreFilledAndNothingElseIs) {
  Random random(3, Stream::tests);
  const std::vector<Polygon> known{
      {{0, 0}, {10, 0}, {10, 10}, {5, 1}, {0, 10}},                              // an M
      {{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}},                          // an L
      {{0, 0}, {1, 0}, {2, 0}, {2, 1}, {2, 2}, {1, 1}, {1, 2}, {0, 2}, {0, 1}},  // in a line
      {{0, 0}, {4, 0}, {2, 0.5}, {4, 1}},                                        // an arrow
      // A hole, by a bridge that is there twice.
      {{0, 0}, {4, 0}, {4, 4}, {0, 4}, {0, 0}, {1, 1}, {1, 3}, {3, 3}, {3, 1}, {1, 1}},
      // Corners that touch an edge, and each other.
      {{0, 0}, {4, 0}, {4, 2}, {2, 0}, {0, 2}},
      {{0, 0}, {2, 1}, {4, 0}, {4, 2}, {2, 1}, {0, 2}}};
  for (const Polygon& polygon : known) expect_filled_however(polygon, random);
  for (int i = 0; i < 30; ++i) {  // seen from a place within
    Polygon star;
    const int n = 4 + static_cast<int>(random.below(40));
    for (int k = 0; k < n; ++k) {
      const double angle = 2 * std::numbers::pi * (k + 0.4 * random.uniform()) / n;
      const double r = 0.1 + random.uniform();
      star.push_back({r * std::cos(angle), r * std::sin(angle)});
    }
    expect_filled_however(star, random);
  }
  for (const int n : {5, 40, 150}) {  // a comb, and a spiral
    Polygon comb{{0, -1}, {static_cast<double>(n), -1}};
    for (int k = 0; k <= n; ++k) comb.push_back({static_cast<double>(n - k), k % 2 == 0 ? 1.0 : 0});
    expect_filled_however(comb, random);
    Polygon spiral, inner;
    for (int k = 0; k <= n; ++k) {
      const double angle = 0.3 * k;
      const double r = 1 + 0.1 * k;
      spiral.push_back({r * std::cos(angle), r * std::sin(angle)});
      inner.push_back({(r - 0.5) * std::cos(angle), (r - 0.5) * std::sin(angle)});
    }
    spiral.insert(spiral.end(), inner.rbegin(), inner.rend());
    expect_filled_however(spiral, random);
  }
}

// Those that a fan fills stay one, so that points on them stay what they are.
TEST(MeshPolygons, ConvexOnesAreFansFromTheFirst) {
  const auto triangles = [](const std::string& vertices, const std::string& face) {
    return decode_mesh(vertices + "f " + face + "\n", "obj", Limits{}).triangles;
  };
  using Triangles = std::vector<std::array<std::int32_t, 3>>;
  const std::string square = "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n";
  EXPECT_EQ(triangles(square, "3 4 5 1 2"), (Triangles{{2, 3, 4}, {2, 4, 0}, {2, 0, 1}}));
  EXPECT_EQ(triangles(square, "1 2 3 4 5"), (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
  // Rounded: a corner that goes in by a ten-millionth is on the line.
  const std::string rounded = "v 0 0 0\nv 1 1e-7 0\nv 2 0 0\nv 2 2 0\nv 0 2 0\n";
  EXPECT_EQ(triangles(rounded, "1 2 3 4 5"), (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 3, 4}}));
}

TEST(MeshPolygons, PlacesInATextureGoWithTheirCorners) {
  const Mesh mesh = decode_mesh(
      "v 4 1 0\nv 0 0 0\nv 4 0 0\nv 2 0.5 0\nvt 0.4 0.1\nvt 0 0\nvt 0.4 0\nvt 0.2 0.05\n"
      "f 1/1 2/2 3/3 4/4\n",
      "obj", Limits{});
  ASSERT_EQ(mesh.uv.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      EXPECT_NEAR(mesh.uv[t][c].x, corner(mesh, t, c).x / 10, 1e-12);
      EXPECT_NEAR(mesh.uv[t][c].y, corner(mesh, t, c).y / 10, 1e-12);
    }
  }
}

std::vector<std::string> warnings_of(const std::string& obj) {
  const test::TemporaryFolder folder;
  folder.write("a.obj", obj);
  Context context;
  read_mesh(folder / "a.obj", context);
  std::vector<std::string> said = context.warnings();
  for (std::string& text : said) {
    EXPECT_TRUE(text.starts_with((folder / "a.obj").string() + ": ")) << text;
    text.erase(0, (folder / "a.obj").string().size() + 2);
  }
  return said;
}

TEST(MeshPolygons, ThoseThatAreNotFlatOrCrossThemselvesAreCounted) {
  const std::string corners = "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\nv 0 1 0.2\nv 0 1 0.8\n";
  EXPECT_TRUE(warnings_of(corners + "f 1 2 3 4\nf 1 2 3 5\n").empty());
  auto said = warnings_of(corners + "f 1 2 3 6\nf 1 2 3 4\nf 6 3 2 1\n");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("2 faces of more than three corners are not flat")) << said[0];
  // As an 8, with lobes that are alike or are not, and a star of five.
  const std::string star =
      "v 0 1 0\nv 0.59 -0.81 0\nv -0.95 0.31 0\nv 0.95 0.31 0\nv -0.59 -0.81 0\n";
  said = warnings_of(corners + "v 0 3 0\n" + star + "f 1 2 4 3\nf 1 2 7 3\nf 8 9 10 11 12\n");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("3 faces cross themselves")) << said[0];
  EXPECT_EQ(decode_mesh(corners + "f 1 2 4 3\n", "obj", Limits{}).triangles,
            (std::vector<std::array<std::int32_t, 3>>{{0, 1, 3}, {0, 3, 2}}));
  // Twice round its first corner, from which all others are seen in order.
  std::string twice = "v 0 0 0\n";
  for (int k = 0; k < 9; ++k) {
    const double angle = 4 * std::numbers::pi * k / 9;
    twice += "v " + shortest((1 + 0.1 * k) * std::cos(angle)) + " " +
             shortest((1 + 0.1 * k) * std::sin(angle)) + " 0\n";
  }
  said = warnings_of(twice + "f 1 2 3 4 5 6 7 8 9 10\n");
  ASSERT_EQ(said.size(), 1u);
  EXPECT_TRUE(said[0].starts_with("1 face crosses itself")) << said[0];
  // A line is a face without area, of which samplers tell.
  EXPECT_TRUE(warnings_of(corners + "v 2 0 0\nv 3 0 0\nf 1 2 7 8\nf 1 2 3\n").empty());
}

TEST(MeshPolygons, OfTooManyCornersOnlyThoseAreReadThatAFanFills) {
  Polygon round;
  constexpr int n = 5000;
  for (int k = 0; k < n; ++k) {
    const double angle = 2 * std::numbers::pi * k / n;
    round.push_back({std::cos(angle), std::sin(angle)});
  }
  const Plane3 plane{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  EXPECT_EQ(decode_mesh(as_obj(round, plane), "obj", Limits{}).triangles.size(), n - 2u);
  round[2500] = {0.9, 0.1};
  for (const char* format : {"obj", "ply"}) {
    const bool obj = std::string(format) == "obj";
    try {
      decode_mesh(obj ? as_obj(round, plane) : as_ply(round, plane), format, Limits{});
      FAIL();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      EXPECT_TRUE(std::string(error.what())
                      .starts_with("face 1 has 5000 corners and is not convex; at most 4096"))
          << error.what();
    }
  }
}

}  // namespace
}  // namespace dapple
