// Which format a mesh has, and what all formats share.
#include "io/meshes/format.hpp"

#include <array>
#include <filesystem>
#include <limits>

#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/mesh_files.hpp"
#include "dapple/units.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

struct MeshFormat {
  std::string_view extension;
  Mesh (*decode)(std::string_view bytes, const Limits& limits);
};
constexpr std::array formats{MeshFormat{"ply", decode_ply_mesh}, MeshFormat{"stl", decode_stl_mesh},
                             MeshFormat{"obj", decode_obj_mesh},
                             MeshFormat{"glb", decode_gltf_mesh},
                             MeshFormat{"gltf", decode_gltf_mesh}};

const MeshFormat* find_format(std::string_view extension) {
  const std::string plain = plain_extension(extension);
  for (const MeshFormat& format : formats) {
    if (format.extension == plain) return &format;
  }
  return nullptr;
}

}  // namespace

bool is_mesh_format(std::string_view extension) {
  return find_format(extension) != nullptr;
}

void require_mesh(double vertices, double triangles, const Limits& limits,
                  const MeshExtras& extras) {
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  if (vertices > most || triangles > most) {
    throw Error(ErrorKind::limit, "has " + shortest(vertices) + " vertices and " +
                                      shortest(triangles) +
                                      " triangles, more than the 2147483647 that can be used");
  }
  Context context;
  context.limits = limits;
  const double a_vertex = sizeof(Vec3) + extras.columns * sizeof(float);
  const double a_triangle = 4 * sizeof(std::int32_t) + (extras.uv ? 3 * sizeof(Vec2) : 0);
  context.require_memory(vertices * a_vertex + triangles * a_triangle,
                         "a mesh of " + shortest(triangles) + " triangles");
}

void add_face(Mesh& mesh, std::span<const std::int32_t> corners, std::int32_t face,
              std::span<const Vec2> uv) {
  for (std::size_t i = 2; i < corners.size(); ++i) {
    mesh.triangles.push_back({corners[0], corners[i - 1], corners[i]});
    mesh.face.push_back(face);
    if (uv.size() == corners.size()) mesh.uv.push_back({uv[0], uv[i - 1], uv[i]});
  }
}

void drop_partial_uv(Mesh& mesh) {
  if (mesh.uv.size() != mesh.triangles.size()) mesh.uv = {};
}

Mesh decode_mesh(std::string_view bytes, std::string_view extension, const Limits& limits) {
  const MeshFormat* format = find_format(extension);
  if (format == nullptr) {
    throw Error(ErrorKind::usage, "no mesh: '." + plain_extension(extension) +
                                      "' is none of .ply .stl .obj .glb .gltf");
  }
  Mesh mesh = format->decode(bytes, limits);
  validate(mesh);
  return mesh;
}

Mesh read_mesh(const std::string& path, const Context& context) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (!is_mesh_format(extension)) {
    throw Error(ErrorKind::usage, "a mesh is read from .ply, .stl, .obj, .glb or .gltf", path);
  }
  const std::string bytes = read_file(path, memory_limit(context.limits), context);
  try {
    return decode_mesh(bytes, extension, context.limits);
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), path);
  }
}

}  // namespace dapple
