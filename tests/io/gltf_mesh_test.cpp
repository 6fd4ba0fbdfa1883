// Meshes as glTF: what nodes do to them, every way to list triangles, and what is refused.
#include <cmath>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "io/gltf_buffer.hpp"
#include "io/images/formats.hpp"

namespace dapple {
namespace {

using Json = nlohmann::ordered_json;
using Triangles = std::vector<std::array<std::int32_t, 3>>;

std::string glb(const Json& document, const std::string& numbers) {
  std::string text = document.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string bytes = "glTF";
  put(bytes, 2, 4);
  put(bytes, 28 + text.size() + numbers.size(), 4);
  put(bytes, text.size(), 4);
  bytes += "JSON" + text;
  put(bytes, numbers.size(), 4);
  return bytes + "BIN" + '\0' + numbers;
}

// A unit square of four corners, whose texture lies on it as it is, in one node.
struct File {
  GltfBuffer buffer;
  Json document{{"asset", {{"version", "2.0"}}}};

  File() {
    using Use = GltfBuffer::Use;
    Json primitive = Json::object();
    const std::vector<std::array<float, 3>> corners{{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}};
    primitive["attributes"]["POSITION"] = buffer.add(corners, Use::vertices, true);
    const std::vector<std::array<float, 2>> uv{{0, 1}, {1, 1}, {1, 0}, {0, 0}};
    primitive["attributes"]["TEXCOORD_0"] = buffer.add(uv, Use::vertices);
    primitive["indices"] = buffer.add({0, 1, 2, 0, 2, 3});
    document["meshes"] = Json::array({{{"primitives", Json::array({primitive})}}});
    document["nodes"] = Json::array({{{"mesh", 0}}});
    document["scenes"] = Json::array({{{"nodes", {0}}}});
    buffer.describe(document);
  }
  Json& primitive() { return document["meshes"][0]["primitives"][0]; }
  std::string bytes() const { return glb(document, buffer.bytes()); }
  Mesh mesh() const { return decode_mesh(bytes(), "glb", Limits{}); }
  std::string refused() const {
    try {
      mesh();
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::input);
      return error.what();
    }
    return "was read";
  }
};

TEST(GltfMesh, HoldsTrianglesAndPlacesInATexture) {
  const Mesh mesh = File().mesh();
  EXPECT_EQ(mesh.triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  EXPECT_EQ(mesh.face, (std::vector<std::int32_t>{0, 1}));
  EXPECT_EQ(mesh.meters_per_unit, 1);
  ASSERT_EQ(mesh.uv.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t c = 0; c < 3; ++c) {
      const Vec3& at = mesh.vertices[static_cast<std::size_t>(mesh.triangles[t][c])];
      EXPECT_EQ(mesh.uv[t][c], (Vec2{at.x, at.y}));  // v counts up here, down there
    }
  }
}

TEST(GltfMesh, NodesMoveTurnAndMirror) {
  File file;
  // Turned by 90 degrees round z, then moved; and a child that is mirrored.
  file.document["nodes"] = {{{"mesh", 0},
                             {"rotation", {0, 0, std::sqrt(0.5), std::sqrt(0.5)}},
                             {"translation", {10, 0, 0}},
                             {"children", {1}}},
                            {{"mesh", 0}, {"scale", {-2, 1, 1}}}};
  const Mesh mesh = file.mesh();
  ASSERT_EQ(mesh.vertices.size(), 8u);
  const auto expect_at = [&](std::size_t i, const Vec3& p) {
    EXPECT_LT(length(mesh.vertices[i] - p), 1e-12) << i;
  };
  expect_at(1, {10, 1, 0});
  expect_at(3, {9, 0, 0});
  expect_at(5, {10, -2, 0});
  // All of them still look up z.
  for (const auto& t : mesh.triangles) {
    const auto at = [&](std::size_t c) { return mesh.vertices[static_cast<std::size_t>(t[c])]; };
    EXPECT_GT(cross(at(1) - at(0), at(2) - at(0)).z, 0);
  }
  file.document["nodes"] = {
      {{"mesh", 0}, {"matrix", {0, 1, 0, 0, -1, 0, 0, 0, 0, 0, 1, 0, 10, 0, 0, 1}}}};
  EXPECT_EQ(file.mesh().vertices[1], (Vec3{10, 1, 0}));
  // Without a scene all roots are one.
  file.document.erase("scenes");
  file.document["nodes"] = {{{"mesh", 0}}, {{"children", {0}}, {"translation", {0, 0, 5}}}};
  EXPECT_EQ(file.mesh().vertices[0], (Vec3{0, 0, 5}));
  EXPECT_EQ(file.mesh().vertices.size(), 4u);
}

TEST(GltfMesh, ScalesOfZeroAreToldAsSuch) {
  File file;
  file.document["nodes"] = {{{"mesh", 0}, {"scale", {0, 0, 0}}, {"translation", {1, 0, 0}}}};
  EXPECT_NE(file.refused().find("has no extent: all corners of its faces lie at 1, 0, 0; check for "
                                "a scale of 0"),
            std::string::npos)
      << file.refused();
  // As lines, each of which is told by the name of its node.
  file.document["nodes"] = {{{"mesh", 0}, {"scale", {1, 0, 0}}, {"name", "flag"}},
                            {{"mesh", 0}, {"scale", {0, 1, 0}}}};
  file.document["scenes"] = Json::array({{{"nodes", {0, 1}}}});
  EXPECT_NE(file.refused().find("none of its 2 objects (flag, node 1) has a face"),
            std::string::npos)
      << file.refused();
}

TEST(GltfMesh, TrianglesInRowsAndFans) {
  File file;
  file.primitive()["mode"] = 6;
  EXPECT_EQ(file.mesh().triangles.size(), 4u);
  EXPECT_EQ(file.mesh().triangles[3], (std::array<std::int32_t, 3>{0, 2, 3}));
  file.primitive().erase("indices");
  EXPECT_EQ(file.mesh().triangles, (Triangles{{0, 1, 2}, {0, 2, 3}}));
  file.primitive()["mode"] = 5;
  EXPECT_EQ(file.mesh().triangles, (Triangles{{0, 1, 2}, {1, 3, 2}}));
  file.primitive()["mode"] = 1;
  EXPECT_NE(file.refused().find("holds no triangles"), std::string::npos);
}

TEST(GltfMesh, ColorsAndNumbersOfVertices) {
  File file;
  const std::vector<std::array<float, 3>> colors{{0, 0.5f, 1}, {0, 0, 0}, {1, 1, 1}, {0, 0, 0}};
  file.primitive()["attributes"]["COLOR_0"] = file.buffer.add(colors, GltfBuffer::Use::vertices);
  // One column of rows of three stands in for numbers by their stride.
  const std::size_t heat = file.buffer.add(colors, GltfBuffer::Use::vertices);
  file.primitive()["attributes"]["_HEAT"] = heat;
  file.buffer.describe(file.document);
  file.document["accessors"][heat]["type"] = "SCALAR";
  file.document["accessors"][heat]["byteOffset"] = 4;
  file.document["bufferViews"][heat]["byteStride"] = 12;
  const Mesh mesh = file.mesh();
  ASSERT_NE(mesh.column("HEAT"), nullptr);
  EXPECT_EQ(mesh.column("HEAT")->values, (std::vector<float>{0.5f, 0, 1, 0}));
  ASSERT_NE(mesh.column("green"), nullptr);
  EXPECT_NEAR(mesh.column("green")->values[0], 0.7354f, 1e-4f);  // half of the light, as sRGB
  EXPECT_EQ(mesh.column("blue")->values[0], 1);
}

TEST(GltfMesh, NumbersMayStandInTheText) {
  const auto text = [](const std::string& uri) {
    Json document = File().document;
    document["buffers"][0]["uri"] = uri;
    return document.dump();
  };
  // The corners (0, 0, 0), (1, 0, 0), (0, 1, 0) as floats.
  File file;
  file.primitive() = {{"attributes", {{"POSITION", 0}}}};
  file.document["accessors"] = {
      {{"bufferView", 0}, {"componentType", 5126}, {"count", 3}, {"type", "VEC3"}}};
  file.document["bufferViews"] = {{{"buffer", 0}, {"byteLength", 36}}};
  file.document["buffers"] = {
      {{"byteLength", 36},
       {"uri",
        "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}}};
  const Mesh mesh = decode_mesh(file.document.dump(), "gltf", Limits{});
  EXPECT_EQ(mesh.vertices, (std::vector<Vec3>{{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}));
  for (const auto& [uri, expected] : {std::pair{"square.bin", "in another file, square.bin"},
                                      {"data:,;base64,a b", "not base64"},
                                      {"data:;base64,AAAA", "reaches beyond its buffer"}}) {
    try {
      decode_mesh(text(uri), "gltf", Limits{});
      ADD_FAILURE() << uri;
    } catch (const Error& error) {
      EXPECT_NE(std::string(error.what()).find(expected), std::string::npos) << error.what();
    }
  }
}

TEST(GltfMesh, RefusesWithTheReason) {
  struct Case {
    const char* expected;
    void (*change)(File& file);
  };
  const Case cases[] = {
      {"version 2", [](File& f) { f.document["asset"]["version"] = "1.0"; }},
      {"needs the extension KHR_draco_mesh_compression",
       [](File& f) { f.document["extensionsRequired"] = {"KHR_draco_mesh_compression"}; }},
      {"refers to number 9 of its accessors", [](File& f) { f.primitive()["indices"] = 9; }},
      {"refers to number 7 of its meshes", [](File& f) { f.document["nodes"][0]["mesh"] = 7; }},
      {"the number of a mesh must be", [](File& f) { f.document["nodes"][0]["mesh"] = -1; }},
      {"reaches beyond", [](File& f) { f.document["accessors"][0]["count"] = 1000; }},
      {"reaches beyond", [](File& f) { f.document["bufferViews"][0]["byteOffset"] = 1 << 30; }},
      {"reaches beyond", [](File& f) { f.document["bufferViews"][0]["byteStride"] = 2; }},
      {"a whole number of at least 0",
       [](File& f) { f.document["accessors"][0]["count"] = 18446744073709551615u; }},
      {"has a corner that does not exist; the mesh has 4",
       [](File& f) {
         f.primitive()["indices"] = 1;
         f.document["accessors"][1]["componentType"] = 5125;
       }},
      {"not whole numbers", [](File& f) { f.primitive()["indices"] = 1; }},
      {"sparse", [](File& f) { f.document["accessors"][0]["sparse"] = Json::object(); }},
      {"unknown type", [](File& f) { f.document["accessors"][0]["type"] = "MAT4"; }},
      {"node 0 twice in its tree", [](File& f) { f.document["nodes"][0]["children"] = {0}; }},
      {"the scale of a node",
       [](File& f) {
         f.document["nodes"][0]["scale"] = {1, 2};
       }},
      {"a value that is not a number",
       [](File& f) {
         f.document["nodes"][0]["scale"] = {1, 2, "x"};
       }},
      {"instances in node 0",
       [](File& f) {
         f.document["nodes"][0]["extensions"]["EXT_mesh_gpu_instancing"] = {{"a", 1}};
       }},
      {"holds no triangles",
       [](File& f) {
         f.document["nodes"] = {{{"name", "empty"}}};
       }},
      {"has no buffers", [](File& f) { f.document.erase("buffers"); }},
      {"not three numbers", [](File& f) { f.document["accessors"][0]["type"] = "VEC2"; }},
  };
  for (const Case& each : cases) {
    File file;
    each.change(file);
    EXPECT_NE(file.refused().find(each.expected), std::string::npos)
        << each.expected << ": " << file.refused();
  }
  const std::string whole = File().bytes();
  for (const std::size_t size : {4u, 11u, 30u, 200u}) {
    EXPECT_THROW(decode_mesh(whole.substr(0, size), "glb", Limits{}), Error) << size;
  }
  EXPECT_THROW(decode_mesh("[1, 2]", "gltf", Limits{}), Error);
  EXPECT_THROW(decode_mesh(std::string(100000, '['), "gltf", Limits{}), Error);
}

TEST(GltfMesh, LimitsAreMetBeforeRoomIsMade) {
  // One mesh in a great many nodes.
  File file;
  Json nodes = Json::array();
  Json all = Json::array();
  for (int i = 0; i < 2000; ++i) {
    nodes.push_back({{"mesh", 0}});
    all.push_back(i);
  }
  file.document["nodes"] = nodes;
  file.document["scenes"][0]["nodes"] = all;
  EXPECT_EQ(file.mesh().triangles.size(), 4000u);
  Limits little;
  little.max_memory = 1 << 16;
  EXPECT_THROW(decode_mesh(file.bytes(), "glb", little), Error);
}

std::string limit_of(const File& file, const Limits& limits = {}) {
  try {
    decode_mesh(file.bytes(), "glb", limits);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::limit);
    return error.what();
  }
  return "was read";
}

// A small file must not ask for billions of parts: nodes times primitives, parts times columns.
TEST(GltfMesh, ProductsOfNodesAndPrimitivesAreBounded) {
  File file;
  const Json primitive = file.primitive();
  Json& primitives = file.document["meshes"][0]["primitives"];
  while (primitives.size() < 2048) primitives.push_back(primitive);
  Json roots = Json::array();
  file.document["nodes"] = Json::array();
  for (int i = 0; i < 2048; ++i) {
    file.document["nodes"].push_back({{"mesh", 0}});
    roots.push_back(i);
  }
  file.document["scenes"][0]["nodes"] = roots;
  EXPECT_EQ(limit_of(file),
            "places 1050624 or more primitives by its nodes, but at most 1048576 are possible: "
            "join primitives or nodes");
  Limits little;
  little.max_memory = 16 << 20;
  EXPECT_NE(limit_of(file, little).find("a scene of "), std::string::npos);
}

TEST(GltfMesh, ColumnsOfVerticesAreBounded) {
  File file;
  Json& attributes = file.primitive()["attributes"];
  const Json position = attributes["POSITION"];
  for (int i = 0; i < 252; ++i) attributes["_N" + std::to_string(i)] = position;
  EXPECT_EQ(file.mesh().triangles.size(), 2u);
  attributes["_ONE_MORE"] = position;
  EXPECT_EQ(limit_of(file), "has 257 numbers per vertex, but at most 256 are possible");
}

}  // namespace
}  // namespace dapple
