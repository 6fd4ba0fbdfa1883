// Meshes as PLY (Turk 1994): elements vertex and face; others are stepped over.
#include "io/ply.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "dapple/error.hpp"
#include "io/meshes/format.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

void read_vertices(PlyFile& file, const PlyElement& element, const Limits& limits, Mesh& mesh) {
  std::array<int, 3> axes{element.find("x"), element.find("y"), element.find("z")};
  if (axes[0] < 0 || axes[1] < 0 || axes[2] < 0) {
    throw Error(ErrorKind::input, "its vertices have no properties x, y and z");
  }
  file.require_room(element);
  require_mesh(static_cast<double>(element.count), 0, limits);
  mesh.vertices.reserve(static_cast<std::size_t>(element.count));
  Vec3 vertex;
  PlyVisitor visitor;
  visitor.number = [&](std::size_t property, double value) {
    const auto at = static_cast<int>(property);
    if (at == axes[0]) vertex.x = value;
    if (at == axes[1]) vertex.y = value;
    if (at == axes[2]) vertex.z = value;
  };
  visitor.text = [&](std::size_t property, std::string_view text) {
    const auto value = take_number(text);
    visitor.number(property, value && text.empty() ? *value : nan);
  };
  visitor.end_of_row = [&] { mesh.vertices.push_back(vertex); };
  file.read(element, visitor);
}

bool holds_corners(const PlyProperty& property) {
  return property.list && (property.name == "vertex_indices" || property.name == "vertex_index");
}

void read_faces(PlyFile& file, const PlyElement& element, const Limits& limits, Mesh& mesh) {
  std::size_t corners_at = element.properties.size();
  for (std::size_t i = 0; i < element.properties.size(); ++i) {
    if (holds_corners(element.properties[i])) corners_at = i;
  }
  if (corners_at == element.properties.size()) {
    throw Error(ErrorKind::input, "its faces have no list vertex_indices");
  }
  file.require_room(element);
  require_mesh(static_cast<double>(mesh.vertices.size()), static_cast<double>(element.count),
               limits);
  std::vector<std::int32_t> corners;
  std::int32_t face = 0;
  std::size_t room = 1 << 20;  // triangles that are known to have some
  PlyVisitor visitor;
  visitor.list = [&](std::size_t property, const std::vector<double>& values) {
    if (property != corners_at) return;
    corners.clear();
    for (const double value : values) {
      if (!(value >= 0) || value >= static_cast<double>(mesh.vertices.size()) ||
          value != std::floor(value)) {
        throw Error(ErrorKind::input, "face " + std::to_string(face + 1) +
                                          " has a corner that is none of its " +
                                          std::to_string(mesh.vertices.size()) + " vertices");
      }
      corners.push_back(static_cast<std::int32_t>(value));
    }
    add_face(mesh, corners, face);
    if (mesh.triangles.size() < room) return;
    room *= 2;
    require_mesh(static_cast<double>(mesh.vertices.size()), static_cast<double>(room), limits);
  };
  visitor.end_of_row = [&] { ++face; };
  file.read(element, visitor);
}

}  // namespace

Mesh decode_ply_mesh(std::string_view bytes, const Limits& limits) {
  PlyFile file(bytes);
  Mesh mesh;
  bool has_vertices = false;
  for (const PlyElement& element : file.elements()) {
    if (element.name == "vertex" && !has_vertices) {
      read_vertices(file, element, limits, mesh);
      has_vertices = true;
    } else if (element.name == "face" && has_vertices) {
      read_faces(file, element, limits, mesh);
      return mesh;
    } else {
      file.skip(element);
    }
  }
  throw Error(ErrorKind::input,
              "holds no faces after its vertices: a point file, perhaps, and no mesh");
}

}  // namespace dapple
