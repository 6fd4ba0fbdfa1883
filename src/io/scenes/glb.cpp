// glTF 2.0 (Khronos) in one file: a cone, and EXT_mesh_gpu_instancing with its place, turn and size
// on each point. Readers that do not know the extension show one cone.
#include <algorithm>
#include <bit>
#include <cstdint>
#include <nlohmann/json.hpp>

#include "dapple/version.hpp"
#include "io/scenes/instances.hpp"

namespace dapple {
namespace {

using Json = nlohmann::ordered_json;

constexpr int float_type = 5126;
constexpr int short_type = 5123;
constexpr int vertices_target = 34962;
constexpr int triangles_target = 34963;

void put(std::string& bytes, std::uint32_t value, int size) {
  for (int i = 0; i < size; ++i) bytes += static_cast<char>(value >> (8 * i) & 255);
}

// The numbers, one part after the other, and what says where each is.
class Buffer {
 public:
  // Numbers the accessor of such columns.
  template <std::size_t N>
  std::size_t add(const std::vector<std::array<float, N>>& rows, int target = 0) {
    Json accessor{{"bufferView", start(rows.size() * N * sizeof(float), target)},
                  {"componentType", float_type},
                  {"count", rows.size()},
                  {"type", N == 4 ? "VEC4" : "VEC3"}};
    for (const auto& row : rows) {
      for (const float value : row) put(bytes_, std::bit_cast<std::uint32_t>(value), 4);
    }
    if (target == vertices_target) add_bounds(rows, accessor);
    accessors_.push_back(std::move(accessor));
    return accessors_.size() - 1;
  }
  std::size_t add(const std::vector<std::uint16_t>& corners) {
    accessors_.push_back(
        {{"bufferView", start(corners.size() * sizeof(std::uint16_t), triangles_target)},
         {"componentType", short_type},
         {"count", corners.size()},
         {"type", "SCALAR"}});
    for (const std::uint16_t corner : corners) put(bytes_, corner, 2);
    bytes_.resize((bytes_.size() + 3) / 4 * 4);
    return accessors_.size() - 1;
  }
  const std::string& bytes() const { return bytes_; }
  void describe(Json& document) const {
    document["accessors"] = accessors_;
    document["bufferViews"] = views_;
    document["buffers"] = Json::array({{{"byteLength", bytes_.size()}}});
  }

 private:
  std::size_t start(std::size_t size, int target) {
    Json view{{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", size}};
    if (target != 0) view["target"] = target;
    views_.push_back(std::move(view));
    return views_.size() - 1;
  }
  template <std::size_t N>
  static void add_bounds(const std::vector<std::array<float, N>>& rows, Json& accessor) {
    std::array<float, N> low = rows.front();
    std::array<float, N> high = low;
    for (const auto& row : rows) {
      for (std::size_t a = 0; a < N; ++a) {
        low[a] = std::min(low[a], row[a]);
        high[a] = std::max(high[a], row[a]);
      }
    }
    accessor["min"] = low;
    accessor["max"] = high;
  }

  std::string bytes_;
  Json accessors_ = Json::array();
  Json views_ = Json::array();
};

// Two chunks: the document, filled up with blanks, and the numbers.
std::string file_of(const Json& document, const std::string& numbers) {
  std::string text = document.dump();
  text.resize((text.size() + 3) / 4 * 4, ' ');
  std::string bytes = "glTF";
  put(bytes, 2, 4);
  put(bytes, static_cast<std::uint32_t>(12 + 8 + text.size() + 8 + numbers.size()), 4);
  put(bytes, static_cast<std::uint32_t>(text.size()), 4);
  bytes += "JSON" + text;
  put(bytes, static_cast<std::uint32_t>(numbers.size()), 4);
  bytes += "BIN";
  bytes += '\0';
  return bytes + numbers;
}

}  // namespace

std::string encode_glb(const SurfacePoints& points) {
  const Instances instances = instances_of(points);
  const Cone cone = make_cone();
  std::vector<std::array<float, 3>> scale;
  scale.reserve(instances.size.size());
  for (const float size : instances.size) scale.push_back({size, size, size});
  Buffer buffer;
  Json primitive = Json::object();
  primitive["attributes"]["POSITION"] = buffer.add(cone.corners, vertices_target);
  primitive["attributes"]["NORMAL"] = buffer.add(cone.normals, vertices_target);
  primitive["indices"] = buffer.add(cone.triangles);
  Json attributes = Json::object();
  attributes["TRANSLATION"] = buffer.add(instances.place);
  attributes["ROTATION"] = buffer.add(instances.turn);
  attributes["SCALE"] = buffer.add(scale);
  const Vec3& m = instances.middle;
  Json document = Json::object();
  document["asset"] = {{"version", "2.0"}, {"generator", "Dapple " DAPPLE_VERSION}};
  for (const auto& [key, value] : points.metadata) document["asset"]["extras"][key] = value;
  document["extensionsUsed"] = {"EXT_mesh_gpu_instancing"};
  document["scene"] = 0;
  document["scenes"] = Json::array({{{"nodes", {0}}}});
  document["nodes"] =
      Json::array({{{"name", "points"},
                    {"mesh", 0},
                    {"translation", {m.x, m.y, m.z}},
                    {"extensions", {{"EXT_mesh_gpu_instancing", {{"attributes", attributes}}}}}}});
  document["meshes"] = Json::array({{{"name", "cone"}, {"primitives", Json::array({primitive})}}});
  buffer.describe(document);
  return file_of(document, buffer.bytes());
}

}  // namespace dapple
