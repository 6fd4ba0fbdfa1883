// Points on a mesh as scenes: instances that stand where the points are, upright on the surface.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/point_files.hpp"
#include "dapple/sample.hpp"
#include "io/scenes/instances.hpp"
#include "meshes.hpp"
#include "old_names.hpp"
#include "sample/orientation.hpp"

namespace dapple {
namespace {

// What a turn makes of a direction: v + 2 q x (q x v + w v).
Vec3 turned(const std::array<float, 4>& turn, const Vec3& v) {
  const Vec3 q{turn[0], turn[1], turn[2]};
  return v + cross(q, cross(q, v) + v * static_cast<double>(turn[3])) * 2;
}

TEST(Turns, BringUpToTheNormalAndSpinRoundIt) {
  Random random(4, Stream::tests);
  std::vector<Vec3> normals{{0, 1, 0}, {0, -1, 0}, {1, 0, 0}, {0, 0, -1}, {1e-7, -1, 0}};
  for (int i = 0; i < 200; ++i) {
    const Vec3 n{random.uniform() - 0.5, random.uniform() - 0.5, random.uniform() - 0.5};
    normals.push_back(n * (1 / length(n)));
  }
  for (const Vec3& n : normals) {
    const std::array<float, 4> still = turn_to(n, 0);
    EXPECT_LT(length(turned(still, {0, 1, 0}) - n), 1e-6);
    EXPECT_NEAR(std::hypot(still[0], still[2], still[3]), 1, 1e-6);
    const std::array<float, 4> spun = turn_to(n, 90);
    EXPECT_LT(length(turned(spun, {0, 1, 0}) - n), 1e-6);
    // What was x without a spin is a quarter further round.
    const Vec3 x = turned(still, {1, 0, 0});
    EXPECT_LT(length(turned(spun, {1, 0, 0}) - cross(n, x)), 1e-6);
  }
}

Points some_points() {
  Context context;
  Points points = sample_surface(torus(40, 20), 0.2, {}, context);
  for (double& x : points.x) x += 1e6;  // far away, where floats are coarse
  points.metadata.emplace_back("dapple:recipe", "a \"recipe\"\nof two lines");
  return points;
}

TEST(ObjectsOnMeshes, StandAsAsked) {
  Context context;
  ScatterOptions objects;
  objects.rotation = "0:360";
  objects.size = {{1, Unit::px}, {2, Unit::px}};
  Points along = some_points();
  scatter(along, objects, Align::normal, 1, 2, context);
  Points upright = some_points();
  scatter(upright, objects, Align::up, 1, 2, context);
  ASSERT_EQ(along.turn[3].size(), along.size());
  EXPECT_EQ(along.rotation, upright.rotation);
  const auto turn_of = [](const Points& points, std::size_t i) {
    return std::array{points.turn[0][i], points.turn[1][i], points.turn[2][i], points.turn[3][i]};
  };
  for (std::size_t i = 0; i < along.size(); ++i) {
    EXPECT_LT(length(turned(turn_of(along, i), {0, 1, 0}) - normal(along, i)), 1e-5);
    EXPECT_LT(length(turned(turn_of(upright, i), {0, 1, 0}) - Vec3{0, 1, 0}), 1e-6);
    const double degrees = static_cast<double>(upright.rotation[i]);
    const Vec3 x = turned(turn_of(upright, i), {1, 0, 0});
    EXPECT_NEAR(x.x, std::cos(degrees / 57.29577951308232), 1e-5);
    EXPECT_NEAR(x.z, -std::sin(degrees / 57.29577951308232), 1e-5);
    EXPECT_GE(along.object_size[i], 1);
    EXPECT_LT(along.object_size[i], 2);
  }
  // Scenes take both: w comes first in those of USD.
  const std::string usd = encode_points(upright, "usda");
  float w = 0, x = 0, y = 0, z = 0;
  const char* turn = usd.c_str() + usd.find("quath[] orientations = [");
  ASSERT_EQ(std::sscanf(turn, "quath[] orientations = [(%f, %f, %f, %f)", &w, &x, &y, &z), 4);
  EXPECT_EQ(x, 0);
  EXPECT_EQ(z, 0);
  EXPECT_FLOAT_EQ(y, upright.turn[1][0]);
  EXPECT_FLOAT_EQ(w, upright.turn[3][0]);
  EXPECT_FLOAT_EQ(instances_of(upright).size[3], upright.object_size[3]);
  EXPECT_EQ(instances_of(along).turn[3], turn_of(along, 3));
  // Without a word on how they stand they turn round the normal.
  Points plain = some_points();
  objects.size = {};
  scatter(plain, objects, Align::none, 0, 0, context);
  EXPECT_TRUE(plain.turn[0].empty());
  EXPECT_EQ(instances_of(plain).turn[3], turn_of(along, 3));
}

struct Glb {
  nlohmann::json document;
  std::string numbers;

  explicit Glb(const std::string& bytes) {
    const auto word = [&](std::size_t at) {
      std::uint32_t value = 0;
      std::memcpy(&value, bytes.data() + at, 4);
      return value;
    };
    EXPECT_EQ(bytes.substr(0, 4), "glTF");
    EXPECT_EQ(word(4), 2u);
    EXPECT_EQ(word(8), bytes.size());
    const std::uint32_t text = word(12);
    EXPECT_EQ(text % 4, 0u);
    EXPECT_EQ(bytes.substr(16, 4), "JSON");
    document = nlohmann::json::parse(bytes.substr(20, text));
    EXPECT_EQ(word(20 + text) % 4, 0u);
    EXPECT_EQ(bytes.substr(24 + text, 4), std::string("BIN\0", 4));
    numbers = bytes.substr(28 + text);
    EXPECT_EQ(numbers.size(), word(20 + text));
    EXPECT_EQ(document["buffers"][0]["byteLength"], numbers.size());
  }
  // A row of an accessor of floats.
  std::vector<float> row(std::size_t accessor, std::size_t index) const {
    const auto& of = document["accessors"][accessor];
    const auto& view = document["bufferViews"][of["bufferView"].get<std::size_t>()];
    const std::size_t width = of["type"] == "VEC4" ? 4 : 3;
    EXPECT_EQ(of["componentType"], 5126);
    EXPECT_EQ(view["byteLength"], of["count"].get<std::size_t>() * width * 4);
    EXPECT_EQ(view["byteOffset"].get<std::size_t>() % 4, 0u);
    std::vector<float> values(width);
    std::memcpy(values.data(),
                numbers.data() + view["byteOffset"].get<std::size_t>() + index * width * 4,
                width * 4);
    return values;
  }
};

TEST(SceneFiles, SayHowLongTheirUnitIs) {
  Mesh mesh = torus(40, 20);
  mesh.meters_per_unit = 0.01;
  PointsOptions options;
  options.on.mesh = std::make_shared<const Mesh>(mesh);
  options.field.radius = {{3, Unit::mm}, {3, Unit::mm}};
  Context context;
  const Points points = make_surface_points(nullptr, options, context).points;
  EXPECT_EQ(test::one_radius(points), 0.3);
  EXPECT_NE(encode_points(points, "usda").find("metersPerUnit = 0.01\n"), std::string::npos);
  const Glb file(encode_points(points, "glb"));
  const auto& node = file.document["nodes"][0];
  EXPECT_EQ(node["scale"], (std::vector<double>{0.01, 0.01, 0.01}));
  const Instances instances = instances_of(points);
  EXPECT_EQ(node["translation"][2], instances.middle.z * 0.01);
  options.in = std::move(options.on);
  options.on = {};
  EXPECT_EQ(make_inside_points(options, context).meters_per_unit, 0.01);
  // Files without a word on it are taken to be in meters, as those of glTF are.
  const Points unknown = some_points();
  EXPECT_NE(encode_points(unknown, "usda").find("metersPerUnit = 1\n"), std::string::npos);
  EXPECT_FALSE(Glb(encode_points(unknown, "glb")).document["nodes"][0].contains("scale"));
  mesh.meters_per_unit = 0;
  EXPECT_THROW(validate(mesh), Error);
}

TEST(SceneFiles, GlbHoldsAnInstanceOnEachPoint) {
  const Points points = some_points();
  const Glb file(encode_points(points, "glb"));
  EXPECT_EQ(file.document["asset"]["version"], "2.0");
  EXPECT_EQ(file.document["asset"]["extras"]["dapple:recipe"], points.metadata[0].second);
  EXPECT_EQ(file.document["extensionsUsed"][0], "EXT_mesh_gpu_instancing");
  const auto& node = file.document["nodes"][0];
  const auto& attributes = node["extensions"]["EXT_mesh_gpu_instancing"]["attributes"];
  const auto accessor = [&](const char* name) { return attributes[name].get<std::size_t>(); };
  const auto& middle = node["translation"];
  for (const char* name : {"TRANSLATION", "ROTATION", "SCALE"}) {
    EXPECT_EQ(file.document["accessors"][accessor(name)]["count"], points.size());
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto at = file.row(accessor("TRANSLATION"), i);
    EXPECT_NEAR(middle[0].get<double>() + static_cast<double>(at[0]), points.x[i], 1e-6);
    EXPECT_NEAR(middle[2].get<double>() + static_cast<double>(at[2]), points.z[i], 1e-6);
    const auto turn = file.row(accessor("ROTATION"), i);
    const Vec3 up = turned({turn[0], turn[1], turn[2], turn[3]}, {0, 1, 0});
    EXPECT_LT(length(up - Vec3{points.nx[i], points.ny[i], points.nz[i]}), 1e-5);
    EXPECT_FLOAT_EQ(file.row(accessor("SCALE"), i)[1], 0.12f);
  }
  // The cone grows up from the point, with its faces outwards.
  const auto& primitive = file.document["meshes"][0]["primitives"][0];
  const auto corners = primitive["attributes"]["POSITION"].get<std::size_t>();
  EXPECT_EQ(file.document["accessors"][corners]["min"][1], 0);
  EXPECT_EQ(file.document["accessors"][corners]["max"][1], 1);
  const auto normal = file.row(primitive["attributes"]["NORMAL"].get<std::size_t>(), 0);
  const auto first = file.row(corners, 0);
  EXPECT_GT(first[0] * normal[0] + first[2] * normal[2], 0);
}

TEST(SceneFiles, UsdHoldsAnInstanceOnEachPoint) {
  const Points points = some_points();
  const std::string text = encode_points(points, "usda");
  EXPECT_TRUE(text.starts_with("#usda 1.0\n"));
  EXPECT_NE(text.find("string \"dapple:recipe\" = \"a \\\"recipe\\\"\\nof two lines\""),
            std::string::npos);
  const auto rows = [&](const std::string& name) {
    const std::size_t begin = text.find(name + " = [");
    EXPECT_NE(begin, std::string::npos) << name;
    const std::string values = text.substr(begin, text.find("]\n", begin) - begin);
    return std::count(values.begin(), values.end(), '(');
  };
  const auto count = static_cast<std::ptrdiff_t>(points.size());
  EXPECT_EQ(rows("point3f[] positions"), count);
  EXPECT_EQ(rows("quath[] orientations"), count);
  EXPECT_EQ(rows("float3[] scales"), count);
  // The real part comes first.
  float w = 0, x = 0, y = 0, z = 0;
  const char* turn = text.c_str() + text.find("quath[] orientations = [");
  ASSERT_EQ(std::sscanf(turn, "quath[] orientations = [(%f, %f, %f, %f)", &w, &x, &y, &z), 4);
  const auto asked = turn_to({points.nx[0], points.ny[0], points.nz[0]}, 0);
  EXPECT_FLOAT_EQ(x, asked[0]);
  EXPECT_EQ(y, 0);
  EXPECT_FLOAT_EQ(z, asked[2]);
  EXPECT_FLOAT_EQ(w, asked[3]);
  for (const char bracket : {'(', '[', '{'}) {
    const char closing = bracket == '(' ? ')' : bracket == '[' ? ']' : '}';
    EXPECT_EQ(std::count(text.begin(), text.end(), bracket),
              std::count(text.begin(), text.end(), closing));
  }
}

TEST(SceneFiles, TellOfTheirOrigin) {
  const Points points = some_points();
  for (const char* extension : {"glb", "usda"}) {
    const std::string bytes = encode_points(points, extension);
    EXPECT_EQ(scene_metadata(bytes), points.metadata) << extension;
    // Of files that end early, or are of something else: what is there, and no harm.
    for (std::size_t end = 0; end < std::min<std::size_t>(bytes.size(), 600); end += 7) {
      EXPECT_LE(scene_metadata(std::string_view(bytes).substr(0, end)).size(), 1u);
    }
  }
  EXPECT_TRUE(scene_metadata("solid").empty());
  EXPECT_TRUE(scene_metadata(std::string("glTF") + std::string(30, '\xff')).empty());
}

TEST(SceneFiles, AreOfPointsOnMeshes) {
  Points plane;
  plane.domain = {10, 10, false};
  plane.add({1, 1}, 1);
  EXPECT_THROW(encode_points(plane, "glb"), Error);
}

}  // namespace
}  // namespace dapple
