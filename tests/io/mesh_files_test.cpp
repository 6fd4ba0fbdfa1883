// Readers of meshes: what each format may hold, and what is refused with its place.
#include <algorithm>
#include <bit>
#include <fstream>
#include <gtest/gtest.h>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "old_names.hpp"
#include "subprocess.hpp"

namespace dapple {
namespace {

Mesh mesh_of_text(std::string_view bytes, std::string_view extension) {
  return decode_mesh(bytes, extension, Limits{});
}

std::string mesh_message(std::string_view bytes, std::string_view extension) {
  try {
    mesh_of_text(bytes, extension);
  } catch (const Error& error) {
    return error.what();
  }
  return "";
}

using Triangles = std::vector<std::array<std::int32_t, 3>>;

template <class Value>
void put(std::string& bytes, Value value, bool big = false) {
  auto raw = std::bit_cast<std::array<char, sizeof(Value)>>(value);
  if (big) std::reverse(raw.begin(), raw.end());
  bytes.append(raw.data(), raw.size());
}

TEST(MeshFiles, PlyOfPolygonsAsText) {
  const Mesh mesh = mesh_of_text(
      "ply\nformat ascii 1.0\ncomment a box without a lid\nelement vertex 5\nproperty float x\n"
      "property uchar red\nproperty double y\nproperty float z\nelement face 2\n"
      "property list uchar int vertex_indices\nproperty int group\nend_header\n"
      "0 7 0 0\n1 7 0 0\n1 7 1 0\n0 7 1 0\n0.5 7 0.5 2e0\n4 0 1 2 3 9\n3 0 1 4 9\n",
      "ply");
  ASSERT_EQ(mesh.vertices.size(), 5u);
  EXPECT_EQ(mesh.vertices[4], (Vec3{0.5, 0.5, 2}));
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {0, 1, 4}}));
  EXPECT_EQ(mesh.face, (std::vector<std::int32_t>{0, 0, 1}));
}

TEST(MeshFiles, PlyOfBytesOfEitherOrder) {
  for (const bool big : {false, true}) {
    std::string bytes = std::string("ply\nformat binary_") + (big ? "big" : "little") +
                        "_endian 1.0\nelement other 1\nproperty short a\nelement vertex 3\n"
                        "property double x\nproperty double y\nproperty double z\n"
                        "element face 1\nproperty list uint ushort vertex_index\nend_header\n";
    put<std::int16_t>(bytes, 5, big);
    for (const double value : {0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0, -3.0}) {
      put(bytes, value, big);
    }
    put<std::uint32_t>(bytes, 3, big);
    for (std::uint16_t corner = 0; corner < 3; ++corner) put(bytes, corner, big);
    const Mesh mesh = mesh_of_text(bytes, ".PLY");
    EXPECT_EQ(mesh.vertices[2], (Vec3{0, 1, -3}));
    EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}}));
  }
}

TEST(MeshFiles, PlyKeepsNumbersOfVerticesAndPlacesInATexture) {
  const std::string start =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
      "property float y\nproperty float z\nproperty float nx\n";
  const Mesh values = mesh_of_text(
      start +
          "property uchar red\nproperty ushort blue\nproperty double heat\nproperty float u\n"
          "property float v\nelement face 1\nproperty list uchar int vertex_indices\n"
          "end_header\n0 0 0 1 255 0 -3 0 0.5\n1 0 0 1 51 65535 1e3 1 0.5\n"
          "0 1 0 1 0 0 0 0 0.25\n3 0 2 1\n",
      "ply");
  ASSERT_EQ(values.columns.size(), 5u);
  EXPECT_EQ(values.column("red")->values, (std::vector<float>{1, 0.2f, 0}));
  EXPECT_EQ(values.column("blue")->values, (std::vector<float>{0, 1, 0}));
  EXPECT_EQ(values.column("heat")->values, (std::vector<float>{-3, 1000, 0}));
  EXPECT_EQ(values.column("nx"), nullptr);
  ASSERT_EQ(values.uv.size(), 1u);
  EXPECT_EQ(values.uv[0][0], (Vec2{0, 0.5}));
  EXPECT_EQ(values.uv[0][1], (Vec2{0, 0.25}));
  const Mesh wedges = mesh_of_text(start +
                                       "element face 1\nproperty list uchar float texcoord\n"
                                       "property list uchar int vertex_indices\nend_header\n"
                                       "0 0 0 1\n1 0 0 1\n0 1 0 1\n6 0 0 1 0 0.5 0.25 3 0 1 2\n",
                                   "ply");
  ASSERT_EQ(wedges.uv.size(), 1u);
  EXPECT_EQ(wedges.uv[0][2], (Vec2{0.5, 0.25}));
}

TEST(MeshFiles, ObjKeepsColorsAndPlacesInATexture) {
  const std::string vertices =
      "v 0 0 0 1 0.5 0\nv 1 0 0 0 0 0\nv 1 1 0 0 0 1\nv 0 1 0 0.25 0 0\nvt 0 0\nvt 1 0\n"
      "vt 1 1 0\n";
  const Mesh mesh = mesh_of_text(vertices + "f 1/1/7 2/2 3/-1 4/1\n", "obj");
  ASSERT_EQ(mesh.uv.size(), 2u);
  EXPECT_EQ(mesh.uv[1][1], (Vec2{1, 1}));
  EXPECT_EQ(mesh.uv[1][2], (Vec2{0, 0}));
  EXPECT_EQ(mesh.column("green")->values, (std::vector<float>{0.5f, 0, 0, 0}));
  // Of use where all faces have them.
  EXPECT_TRUE(mesh_of_text(vertices + "f 1/1 2/2 3/3\nf 1//1 2//1 3//1\n", "obj").uv.empty());
  EXPECT_TRUE(mesh_of_text("v 0 0 0 1 1 1\nv 1 0 0\nv 0 1 0\nf 1 2 3\n", "obj").columns.empty());
  EXPECT_NE(mesh_message(vertices + "f 1/1 2/4 3/3\n", "obj")
                .find("so far the file has 3 texture coordinates"),
            std::string::npos);
  EXPECT_NE(mesh_message("vt 1\n", "obj").find("line 1: expected vt U V"), std::string::npos);
  EXPECT_NE(
      mesh_message(vertices + "vt 1e9 0\nf 1/1 2/4 3/3\n", "obj").find("has texture coordinates"),
      std::string::npos);
}

std::string binary_stl(std::string header) {
  header.resize(80, ' ');
  put<std::uint32_t>(header, 1);
  for (const float value : {0.f, 0.f, 1.f, 0.f, 0.f, 0.f, 2.f, 0.f, 0.f, 0.f, 2.f, 0.5f}) {
    put(header, value);
  }
  return header + std::string(2, '\0');
}

TEST(MeshFiles, StlAsBytesAndAsText) {
  const std::string text =
      "solid part\n facet normal 0 0 1\n  outer loop\n   vertex 0 0 0\n   vertex 2 0 0\n"
      "   vertex 0 2 5e-1\n  endloop\n endfacet\nendsolid part\n";
  // Some writers begin binary files as text does.
  for (const std::string& bytes : {binary_stl("made by hand"), binary_stl("solid part"), text}) {
    const Mesh mesh = mesh_of_text(bytes, "stl");
    ASSERT_EQ(mesh.triangles, (Triangles{{0, 1, 2}}));
    EXPECT_EQ(mesh.vertices[1], (Vec3{2, 0, 0}));
    EXPECT_EQ(mesh.vertices[2], (Vec3{0, 2, 0.5}));
    EXPECT_FALSE(mesh.meters_per_unit);
  }
}

TEST(MeshFiles, TextsInOtherForms) {
  const std::string facet =
      "SOLID PART\n FACET NORMAL 0 0 1\n  OUTER LOOP\n   VERTEX 0 0 0\n   VERTEX 2 0 0\n"
      "   VERTEX 0 2 5E-1\n  ENDLOOP\n ENDFACET\nENDSOLID PART\n";
  EXPECT_EQ(mesh_of_text(facet, "stl").triangles.size(), 1u);
  const std::string obj = "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n";
  EXPECT_EQ(mesh_of_text("\xef\xbb\xbf" + obj, "obj").vertices.size(), 3u);
}

TEST(MeshFiles, OffOfPolygons) {
  const Mesh mesh = mesh_of_text(
      "COFF # with colors\n4 2 0\n\n0 0 0 255 0 0 255\n1 0 0 0 0 0 255\n"
      "1 1 0 0 0 0 255\n0 1 .5 0 0 0 255\n4 0 1 2 3 0.5 0.5 0.5\n3 0 1 3\n",
      "off");
  EXPECT_EQ(mesh.vertices[3], (Vec3{0, 1, 0.5}));
  EXPECT_EQ(mesh.face, (std::vector<std::int32_t>{0, 0, 1}));
  const std::vector<std::pair<std::string, std::string>> wrong{
      {"PLY\n", "begins neither with OFF"},
      {"OFF\n3 1\n", "expected the numbers of vertices, faces and edges"},
      {"OFF\n1000 1 0\n0 0 0\n", "too short for the vertices and faces"},
      {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 x 0\n3 0 1 2\n", "line 5: expected a vertex"},
      {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 3\n",
       "a face has corner 3, but the vertices are 0 to 2"},
      {"OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n2 0 1 1\n", "a face has 2 corners"},
  };
  for (const auto& [bytes, expected] : wrong) {
    EXPECT_NE(mesh_message(bytes, "off").find(expected), std::string::npos)
        << mesh_message(bytes, "off");
  }
}

TEST(MeshFiles, ObjOfSeveralObjects) {
  const Mesh mesh = mesh_of_text(
      "# two objects\nmtllib a.mtl\no first\nv 0 0 0\nv 1 0 0 0.5\nv 1 1 0\r\nv 0 1 0\n"
      "vt 0 0\nvn 0 0 1\nusemtl red\nf 1/1/1 2/1/1 3//1 4\no second\nv 0 0 1\n"
      "f -1 1 \\\n 2 # the last vertex first\n",
      "obj");
  EXPECT_EQ(mesh.vertices.size(), 5u);
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}, {4, 0, 1}}));
  EXPECT_EQ(mesh.face, (std::vector<std::int32_t>{0, 0, 1}));
}

TEST(MeshFiles, RefuseWithThePlace) {
  const std::string ply =
      "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\n"
      "property float y\nproperty float z\n";
  const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n";
  const std::string faces = "element face 1\nproperty list uchar int vertex_indices\nend_header\n";
  const std::vector<std::array<std::string, 3>> cases{
      {"ply", "ply\nformat ascii 1.0\nend_header\n", "has no faces"},
      {"ply", ply + "end_header\n" + vertices, "has no faces after its vertices"},
      {"ply", ply + faces + vertices + "3 0 1 3\n",
       "face 1 has a corner that does not exist; the file has 3"},
      {"ply", ply + faces + vertices + "3 0 1 0.5\n", "face 1 has a corner"},
      {"ply", ply + faces + vertices + "9 0 1\n", "ends before the 1"},
      {"ply", ply + faces + "0 0 0\nnan 0 0\n0 1 0\n3 0 1 2\n", "vertex 2 is at"},
      {"ply", ply + faces + vertices + "2 0 1\n", "holds no triangles"},
      {"stl", "", "neither with solid"},
      {"stl", binary_stl("cut").substr(0, 100), "ends before the 1 triangles"},
      {"stl", "solid\nfacet\nvertex 0 0 0\nvertex 1 1 x\n", "line 4: expected three numbers"},
      {"stl", "solid\nfacet\nvertex 0 0 0\nendfacet\n", "line 4: a facet has 1 corners"},
      {"stl", "solid\nendsolid\n", "holds no triangles"},
      {"obj", "v 0 0\n", "line 1: expected v X Y Z"},
      {"obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 4\n", "line 4: a face has corner '4'"},
      {"obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 0\n", "corner '0'"},
      {"obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 -4\n", "corner '-4'"},
      {"obj", "v 0 0 0\nf 1 1\n", "line 2: a face has 2 corners"},
      {"obj", "v 0 0 0\nv 1e300 0 0\nv 0 1 0\nf 1 2 3\n", "vertex 2 is at"},
      {"3mf", "OFF\n", "use .ply .stl .obj"},
  };
  for (const auto& [extension, bytes, expected] : cases) {
    EXPECT_NE(mesh_message(bytes, extension).find(expected), std::string::npos)
        << bytes << " gives: " << mesh_message(bytes, extension);
  }
}

// Which file it is, read_mesh() says.
TEST(MeshFiles, ExtentsAndAreasThatAreNoneAreOfTheFile) {
  const auto cube = [](const std::string& side) {
    return "v 0 0 0\nv " + side + " 0 0\nv 0 " + side + " 0\nf 1 2 3\n";
  };
  EXPECT_NE(mesh_message(cube("1e-300"), "obj").find("is 1e-300 wide, but must be at least 1e-30"),
            std::string::npos);
  EXPECT_NE(mesh_message(cube("9e-31"), "obj").find("is 9e-31 wide"), std::string::npos);
  EXPECT_EQ(mesh_of_text(cube("1e-30"), "obj").triangles.size(), 1u);
  EXPECT_NE(mesh_message("v 1 2 3\nv 1 2 3\nv 0 0 0\nf 1 2 1\n", "obj")
                .find("has no extent: all corners of its faces lie at 1, 2, 3"),
            std::string::npos);
  const std::string line = "v 0 0 0\nv 1 0 0\nv 2 0 0\n";
  EXPECT_EQ(mesh_message(line + "o alone\nf 1 2 3\n", "obj"),
            "has no face with an area, so there is nowhere to put points");
  EXPECT_EQ(mesh_message(line + "o\nf 1 2 3\no empty\ng b c\nf 1 2 2\nf 3 2 1\n", "obj"),
            "none of its 2 objects (an object without a name, b) has a face with an area, so no "
            "points can be placed");
}

TEST(MeshFiles, WarnOfObjectsThatGetNoPoints) {
  const test::TemporaryFolder folder;
  const std::string path = folder / "two.obj";
  std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 2 0 0\nv 0 1 0\no hair\nf 1 2 3\no skin\nf 1 2 4\n";
  Context context;
  EXPECT_EQ(read_mesh(path, context).triangles.size(), 2u);
  ASSERT_EQ(context.warnings().size(), 1u);
  EXPECT_EQ(context.warnings()[0], path + ": no face of hair has an area, so it gets no points");
  std::ofstream(path) << "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n";
  try {
    read_mesh(path, context);
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::input);
    EXPECT_EQ(error.file(), path);
  }
}

TEST(MeshFiles, LimitsOfMemoryAreMetBeforeRoomIsMade) {
  Limits little;
  little.max_memory = 1 << 20;
  const std::string obj(4 << 20, '#');
  EXPECT_THROW(decode_mesh(obj, "obj", little), Error);
}

TEST(SurfaceFiles, EveryFormatHoldsTheColumns) {
  const Mesh mesh = mesh_of_text("v 0 0 0\nv -8 0 1\nv 0 8 2\nf 1 2 3\n", "obj");
  Context context;
  Points points = sample_surface(mesh, 1, {}, context);
  points.metadata = {{"dapple:recipe", "line\nbreak"}};
  ASSERT_GT(points.size(), 20u);
  const std::string csv = encode_points(points, "csv");
  EXPECT_TRUE(csv.starts_with("x,y,r,z,nx,ny,nz,u,v,face\n")) << csv.substr(0, 60);
  EXPECT_EQ(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), points.size() + 1);
  // As readers of plane sets see them: from above, where they are.
  for (const char* format : {"ply", "json"}) {
    const Points seen = decode_points(encode_points(points, format), format, Limits{});
    ASSERT_EQ(seen.size(), points.size());
    EXPECT_EQ(seen.metadata, points.metadata);
    for (std::size_t i = 0; i < seen.size(); ++i) {
      EXPECT_NEAR(seen.x[i] + seen.origin.x, points.x[i], 1e-12);
      EXPECT_NEAR(seen.y[i] + seen.origin.y, points.y[i], 1e-12);
    }
  }
  const std::string npy = encode_points(points, ".npy");
  EXPECT_NE(npy.find("(" + std::to_string(points.size()) + ", 7)"), std::string::npos);
  EXPECT_EQ(npy.size() % 64, (points.size() * 56) % 64);
  EXPECT_THROW(encode_points(points, "svg"), Error);
}

}  // namespace
}  // namespace dapple
