// Chooses the reader of a mesh and defines the helpers of all formats.
#include "io/meshes/format.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>

#include "core/plural_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "dapple/units.hpp"
#include "io/meshes/polygon.hpp"
#include "io/points/format.hpp"
#include "io/utf8.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple {
namespace {

struct MeshFormat {
  std::string_view extension;
  Mesh (*decode)(std::string_view bytes, const Context& context, MeshNotes& notes);
};
constexpr std::array formats{
    MeshFormat{"ply", decode_ply_mesh},   MeshFormat{"stl", decode_stl_mesh},
    MeshFormat{"obj", decode_obj_mesh},   MeshFormat{"glb", decode_gltf_mesh},
    MeshFormat{"gltf", decode_gltf_mesh}, MeshFormat{"off", decode_off_mesh}};

const MeshFormat* find_format(std::string_view extension) {
  const std::string plain = plain_extension(extension);
  for (const MeshFormat& format : formats) {
    if (format.extension == plain) return &format;
  }
  return nullptr;
}

Mesh decode(std::string_view bytes, std::string_view extension, const Context& context,
            MeshNotes& notes) {
  const MeshFormat* format = find_format(extension);
  if (format == nullptr) {
    throw Error(ErrorKind::usage,
                "'." + plain_extension(extension) +
                    "' is not a mesh format; use .ply .stl .obj .glb .gltf or .off");
  }
  std::string memory;
  Mesh mesh = format->decode(utf8_of_text(bytes, memory), context, notes);
  surface::require_usable(mesh);
  notes.require_area(mesh);
  return mesh;
}

// Lists the first names and the number of the others.
std::string listed(const std::vector<std::string>& names) {
  constexpr std::size_t most = 5;
  std::string text;
  for (std::size_t i = 0; i < std::min(most, names.size()); ++i) {
    text += (i > 0 ? ", " : "") + names[i];
  }
  if (names.size() > most) text += " and " + std::to_string(names.size() - most) + " more";
  return text;
}

}  // namespace

bool is_mesh_format(std::string_view extension) {
  return find_format(extension) != nullptr;
}

void require_mesh(double vertices, double triangles, const Context& context,
                  const MeshExtras& extras) {
  constexpr double most = std::numeric_limits<std::int32_t>::max();
  if (vertices > most || triangles > most) {
    throw Error(ErrorKind::limit, "has " + shortest(vertices) + " vertices and " +
                                      shortest(triangles) +
                                      " triangles, more than the limit of 2147483647");
  }
  const double a_vertex = sizeof(Vec3) + extras.columns * sizeof(float);
  const double a_triangle = 4 * sizeof(std::int32_t) + (extras.uv ? 3 * sizeof(Vec2) : 0);
  context.require_memory(vertices * a_vertex + triangles * a_triangle,
                         "a mesh of " + shortest(triangles) + " triangles");
}

void MeshNotes::check() const {
  context_.check();
}

void MeshNotes::begin_object(std::string_view name, const Mesh& mesh) {
  if (!objects_.empty() && objects_.back().first == mesh.triangles.size()) objects_.pop_back();
  objects_.push_back(
      {name.empty() ? "an object without a name" : std::string(name.substr(0, longest_name)),
       mesh.triangles.size()});
}

void MeshNotes::add_face(Mesh& mesh, std::span<const std::int32_t> corners, std::int32_t face,
                         std::span<const Vec2> uv) {
  context_.check();
  const PolygonKind kind = cut_polygon(mesh.vertices, corners, cut_);
  if (kind == PolygonKind::too_long) {
    throw Error(ErrorKind::input,
                "face " + std::to_string(face + 1) + " has " + std::to_string(corners.size()) +
                    " corners and is not convex; at most " + std::to_string(most_corners_to_cut) +
                    " corners can be cut into triangles; triangulate the mesh in its program");
  }
  bent_ += kind == PolygonKind::bent ? 1 : 0;
  crossing_ += kind == PolygonKind::crossing ? 1 : 0;
  for (const auto& [a, b, c] : cut_) {
    mesh.triangles.push_back({corners[a], corners[b], corners[c]});
    mesh.face.push_back(face);
    if (uv.size() == corners.size()) mesh.uv.push_back({uv[a], uv[b], uv[c]});
  }
}

// Returns the names of the objects whose triangles have no area.
std::vector<std::string> MeshNotes::without_area(const Mesh& mesh) const {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < objects_.size(); ++i) {
    std::size_t t = objects_[i].first;
    const std::size_t end = i + 1 < objects_.size() ? objects_[i + 1].first : mesh.triangles.size();
    while (t < end && !surface::has_area(mesh, t)) ++t;
    if (t == end && objects_[i].first < end) names.push_back(objects_[i].name);
  }
  return names;
}

void MeshNotes::require_area(const Mesh& mesh) const {
  try {
    validate(mesh);
  } catch (const Error& error) {
    const std::vector<std::string> names = without_area(mesh);
    if (names.size() < 2) throw;
    throw Error(error.kind(), "none of its " + std::to_string(names.size()) + " objects (" +
                                  listed(names) +
                                  ") has a face with an area, so no points can be placed");
  }
}

void MeshNotes::warn_of(const Mesh& mesh, const std::string& path, Context& context) const {
  const std::vector<std::string> names = without_area(mesh);
  if (!names.empty()) {
    context.warn(path + ": no face of " + listed(names) + " has an area, so it gets no points");
  }
  if (bent_ > 0) {
    context.warn(path + ": " +
                 counted(bent_, " face of more than three corners is",
                         " faces of more than three corners are") +
                 " not flat; another program may cut them into other triangles; triangulate the "
                 "mesh there to be sure");
  }
  if (crossing_ > 0) {
    context.warn(path + ": " +
                 counted(crossing_, " face crosses itself", " faces cross themselves") +
                 "; the triangles that replace them (a fan from the first corner) do not match "
                 "the outline; triangulate the mesh in its program");
  }
}

void drop_partial_uv(Mesh& mesh) {
  if (mesh.uv.size() != mesh.triangles.size()) mesh.uv = {};
}

Mesh decode_mesh(std::string_view bytes, std::string_view extension, const Limits& limits) {
  Context context;
  context.limits = limits;
  MeshNotes notes(context);
  return decode(bytes, extension, context, notes);
}

Mesh read_mesh(const std::string& path, Context& context) {
  const std::string extension = std::filesystem::path(path).extension().string();
  if (!is_mesh_format(extension)) {
    throw Error(ErrorKind::usage, "is not a mesh file: use .ply, .stl, .obj, .glb, .gltf or .off",
                path);
  }
  const std::string bytes = read_file(path, memory_limit(context.limits), context);
  try {
    MeshNotes notes(context);
    Mesh mesh = decode(bytes, extension, context, notes);
    notes.warn_of(mesh, path, context);
    return mesh;
  } catch (const Error& error) {
    throw Error(error.kind(), error.what(), path);
  }
}

}  // namespace dapple
