// Writes glTF 2.0 (Khronos) in one file: a cone, and EXT_mesh_gpu_instancing with place, rotation
// and size of each point. Readers without the extension show one cone.
#include <cstdint>

#include "dapple/version.hpp"
#include "io/gltf_buffer.hpp"
#include "io/images/formats.hpp"
#include "io/scenes/instances.hpp"

namespace dapple {
namespace {

using Json = GltfBuffer::Json;

// Joins two chunks: the document, padded with blanks, and the numbers.
std::string file_of(const Json& document, const std::string& numbers) {
  std::string text = document.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string bytes = "glTF";
  put(bytes, 2, 4);
  put(bytes, 12 + 8 + text.size() + 8 + numbers.size(), 4);
  put(bytes, text.size(), 4);
  bytes += "JSON" + text;
  put(bytes, numbers.size(), 4);
  bytes += "BIN";
  bytes += '\0';
  return bytes + numbers;
}

// Returns the rows of the points of one class.
template <class Row>
std::vector<Row> rows_of(const std::vector<Row>& rows, const Points& points,
                         std::int32_t class_id) {
  if (points.class_id.empty()) return rows;
  std::vector<Row> found;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (points.class_id[i] == class_id) found.push_back(rows[i]);
  }
  return found;
}

}  // namespace

std::string encode_glb(const Points& points) {
  const Instances instances = instances_of(points);
  const Cone cone = make_cone();
  std::vector<std::array<float, 3>> scale;
  scale.reserve(instances.size.size());
  for (const float size : instances.size) scale.push_back({size, size, size});
  using Use = GltfBuffer::Use;
  GltfBuffer buffer;
  Json primitive = Json::object();
  primitive["attributes"]["POSITION"] = buffer.add(cone.corners, Use::vertices, true);
  primitive["attributes"]["NORMAL"] = buffer.add(cone.normals, Use::vertices, true);
  primitive["indices"] = buffer.add(cone.triangles);
  const double unit = points.meters_per_unit.value_or(1);
  const Vec3 m = instances.middle * unit;
  // Each class with points has a node, so that each can get its own mesh.
  Json nodes = Json::array();
  Json of_scene = Json::array();
  for (std::int32_t c = 0; c < count_of_classes(points); ++c) {
    const auto place = rows_of(instances.place, points, c);
    if (place.empty() && !points.class_id.empty()) continue;
    Json attributes = Json::object();
    attributes["TRANSLATION"] = buffer.add(place, Use::other);
    attributes["ROTATION"] = buffer.add(rows_of(instances.turn, points, c), Use::other);
    attributes["SCALE"] = buffer.add(rows_of(scale, points, c), Use::other);
    of_scene.push_back(nodes.size());
    nodes.push_back({{"name", points.class_id.empty() ? "points" : "class " + std::to_string(c)},
                     {"mesh", 0},
                     {"translation", {m.x, m.y, m.z}},
                     {"extensions", {{"EXT_mesh_gpu_instancing", {{"attributes", attributes}}}}}});
    if (unit != 1) nodes.back()["scale"] = {unit, unit, unit};  // glTF is in meters
  }
  Json document = Json::object();
  document["asset"] = {{"version", "2.0"}, {"generator", "Dapple " DAPPLE_VERSION}};
  for (const auto& [key, value] : points.metadata) document["asset"]["extras"][key] = value;
  document["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
  document["scene"] = 0;
  document["scenes"] = Json::array({{{"nodes", of_scene}}});
  document["nodes"] = nodes;
  document["meshes"] = Json::array({{{"name", "cone"}, {"primitives", Json::array({primitive})}}});
  buffer.describe(document);
  return file_of(document, buffer.bytes());
}

}  // namespace dapple
