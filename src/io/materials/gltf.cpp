// Writes glTF 2.0 (Khronos): a plane of two triangles with a metal-roughness material. The file
// contains the numbers of the plane as base64.
#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/version.hpp"
#include "io/gltf_buffer.hpp"
#include "io/materials/formats.hpp"

namespace dapple {
namespace {

using Json = GltfBuffer::Json;

std::string base64(const std::string& bytes) {
  constexpr std::string_view digits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t bits = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      bits = bits << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    }
    for (std::size_t k = 0; k < 4; ++k) {
      text += i + k > bytes.size() ? '=' : digits[bits >> (18 - 6 * k) & 63];
    }
  }
  return text;
}

// Encodes the name of a resource; only letters, digits and -_.~ stay unchanged.
std::string uri_of(const std::string& file) {
  constexpr std::string_view hex = "0123456789ABCDEF";
  std::string text;
  for (const char c : file) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-_.~").find(c) != std::string_view::npos;
    const auto byte = static_cast<unsigned char>(c);
    text += plain ? std::string(1, c) : std::string{'%', hex[byte >> 4], hex[byte & 15]};
  }
  return text;
}

// Makes a plane in x and y, 1 wide. Rows of pictures and v of texture coordinates run down.
Json make_plane(const Material& material, Json& gltf) {
  const float x = 0.5f;
  const float y = 0.5f * static_cast<float>(material.height) / static_cast<float>(material.width);
  using Use = GltfBuffer::Use;
  using Row2 = std::array<float, 2>;
  using Row3 = std::array<float, 3>;
  using Row4 = std::array<float, 4>;
  GltfBuffer buffer;
  buffer.add(std::vector<Row3>{{-x, y, 0}, {x, y, 0}, {-x, -y, 0}, {x, -y, 0}}, Use::vertices,
             true);
  buffer.add(std::vector<Row3>(4, {0, 0, 1}), Use::vertices);
  buffer.add(std::vector<Row4>(4, {1, 0, 0, 1}), Use::vertices);
  buffer.add(std::vector<Row2>{{0, 0}, {1, 0}, {0, 1}, {1, 1}}, Use::vertices);
  buffer.add(std::vector<std::uint16_t>{0, 2, 1, 1, 2, 3});
  buffer.describe(gltf, "data:application/octet-stream;base64," + base64(buffer.bytes()));
  return {{"name", material.name},
          {"primitives",
           {{{"attributes", {{"POSITION", 0}, {"NORMAL", 1}, {"TANGENT", 2}, {"TEXCOORD_0", 3}}},
             {"indices", 4},
             {"material", 0}}}}};
}

// The pictures that glTF can reference.
class Pictures {
 public:
  // Returns a reference to the picture of an output, or {} if there is none.
  Json add(const Material& material, std::string_view output) {
    const std::string file = material.file_of(output);
    if (file.empty()) return {};
    check_pictures("gltf", std::string_view(file).substr(file.rfind('.') + 1));
    images_.push_back({{"name", output}, {"uri", uri_of(file)}});
    textures_.push_back({{"sampler", 0}, {"source", images_.size() - 1}});
    return {{"index", textures_.size() - 1}};
  }
  void write(Json& gltf) const {
    if (images_.empty())
      throw Error(ErrorKind::usage,
                  "a glTF material needs at least one picture that glTF can show");
    gltf["images"] = images_;
    // Pictures repeat and are filtered smoothly.
    gltf["samplers"] = {
        {{"magFilter", 9729}, {"minFilter", 9987}, {"wrapS", 10497}, {"wrapT", 10497}}};
    gltf["textures"] = textures_;
  }

 private:
  Json images_ = Json::array();
  Json textures_ = Json::array();
};

Json make_material(const Material& material, Pictures& pictures) {
  Json surface{{"metallicFactor", 0}};
  if (Json color = pictures.add(material, "color"); !color.empty()) {
    surface["baseColorTexture"] = color;
  }
  // glTF reads roughness from green, which a gray picture has. Metal is blue, with factor 0.
  if (Json rough = pictures.add(material, "roughness"); !rough.empty()) {
    surface["metallicRoughnessTexture"] = rough;
  }
  Json made{{"name", material.name}, {"pbrMetallicRoughness", surface}};
  if (Json normal = pictures.add(material, "normal"); !normal.empty()) {
    made["normalTexture"] = normal;
  }
  if (Json occlusion = pictures.add(material, "occlusion"); !occlusion.empty()) {
    made["occlusionTexture"] = occlusion;
  }
  // glTF has no displacement: `extras` holds the data that a renderer needs for it.
  if (const std::string height = material.file_of("height");
      !height.empty() && material.full_height > 0) {
    made["extras"] = {{"height", uri_of(height)},
                      {"heightScale", material.full_height / material.width}};
  }
  return made;
}

}  // namespace

std::string encode_gltf(const Material& material) {
  Json gltf = Json::object();
  gltf["asset"] = {{"version", "2.0"}, {"generator", std::string("dapple ") + DAPPLE_VERSION}};
  gltf["scene"] = 0;
  gltf["scenes"] = {{{"nodes", {0}}}};
  gltf["nodes"] = {{{"mesh", 0}, {"name", material.name}}};
  gltf["meshes"] = Json::array();
  gltf["meshes"].push_back(make_plane(material, gltf));
  Pictures pictures;
  gltf["materials"] = Json::array();
  gltf["materials"].push_back(make_material(material, pictures));
  pictures.write(gltf);
  return gltf.dump(2, ' ', false, Json::error_handler_t::replace) + "\n";
}

}  // namespace dapple
