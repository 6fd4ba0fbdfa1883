// Reads meshes as PLY (Turk 1994): elements vertex and face. Skips other elements.
#include "io/ply.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <utility>

#include "dapple/error.hpp"
#include "io/meshes/format.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

constexpr double nan = std::numeric_limits<double>::quiet_NaN();

bool is_color(std::string_view name) {
  return name == "red" || name == "green" || name == "blue" || name == "alpha";
}

// Returns the value of full intensity for colors of that type.
float full_color(PlyType type) {
  if (type == PlyType::u8) return 255;
  return type == PlyType::u16 ? 65535 : 1;
}

// Columns of vertices other than position and normal, by property index.
class VertexColumns {
 public:
  explicit VertexColumns(const PlyElement& element) : at_(element.properties.size(), -1) {
    for (std::size_t i = 0; i < at_.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      constexpr std::array<std::string_view, 6> geometry{"x", "y", "z", "nx", "ny", "nz"};
      const bool known =
          std::find(geometry.begin(), geometry.end(), property.name) != geometry.end();
      if (property.list || known) continue;
      at_[i] = static_cast<int>(columns_.size());
      columns_.push_back({std::string(property.name), {}});
      full_.push_back(is_color(property.name) ? full_color(property.type) : 1);
    }
  }
  std::size_t count() const { return columns_.size(); }
  void reserve(std::size_t rows) {
    for (Mesh::Column& column : columns_) column.values.reserve(rows);
  }
  void add(std::size_t property, double value) {
    if (at_[property] < 0) return;
    const auto c = static_cast<std::size_t>(at_[property]);
    columns_[c].values.push_back(static_cast<float>(value) / full_[c]);
  }
  std::vector<Mesh::Column> take() { return std::move(columns_); }

 private:
  std::vector<int> at_;  // column of each property; -1: none
  std::vector<Mesh::Column> columns_;
  std::vector<float> full_;
};

void read_vertices(PlyFile& file, const PlyElement& element, const Context& context,
                   const MeshNotes& notes, Mesh& mesh) {
  std::array<int, 3> axes{element.find("x"), element.find("y"), element.find("z")};
  if (axes[0] < 0 || axes[1] < 0 || axes[2] < 0) {
    throw Error(ErrorKind::input, "its vertices have no properties x, y and z");
  }
  file.require_room(element);
  VertexColumns columns(element);
  require_mesh(static_cast<double>(element.count), 0, context,
               {static_cast<double>(columns.count()), false});
  mesh.vertices.reserve(static_cast<std::size_t>(element.count));
  columns.reserve(static_cast<std::size_t>(element.count));
  Vec3 vertex;
  PlyVisitor visitor;
  visitor.number = [&](std::size_t property, double value) {
    const auto at = static_cast<int>(property);
    if (at == axes[0]) vertex.x = value;
    if (at == axes[1]) vertex.y = value;
    if (at == axes[2]) vertex.z = value;
    columns.add(property, value);
  };
  visitor.text = [&](std::size_t property, std::string_view text) {
    const auto value = take_number(text);
    visitor.number(property, value && text.empty() ? *value : nan);
  };
  visitor.end_of_row = [&] {
    notes.check();
    mesh.vertices.push_back(vertex);
  };
  file.read(element, visitor);
  mesh.columns = columns.take();
}

// Texture coordinates of vertices, under the names that different writers use.
struct VertexPlaces {
  const Mesh::Column* u = nullptr;
  const Mesh::Column* v = nullptr;

  explicit VertexPlaces(const Mesh& mesh) {
    constexpr std::array<std::array<std::string_view, 2>, 4> names{
        {{"s", "t"}, {"u", "v"}, {"texture_u", "texture_v"}, {"texture_s", "texture_t"}}};
    for (const auto& [first, second] : names) {
      if (u != nullptr && v != nullptr) return;
      u = mesh.column(first);
      v = mesh.column(second);
    }
  }
  bool known() const { return u != nullptr && v != nullptr; }
  Vec2 operator()(std::int32_t vertex) const {
    const auto i = static_cast<std::size_t>(vertex);
    return {u->values[i], v->values[i]};
  }
};

bool holds_corners(const PlyProperty& property) {
  return property.list && (property.name == "vertex_indices" || property.name == "vertex_index");
}

// Reads the faces of an element row by row.
class FaceReader {
 public:
  FaceReader(const PlyElement& element, const Context& context, MeshNotes& notes, Mesh& mesh)
      : context_(context), notes_(notes), mesh_(mesh), places_(mesh) {
    corners_at_ = element.properties.size();
    places_at_ = corners_at_;
    for (std::size_t i = 0; i < element.properties.size(); ++i) {
      const PlyProperty& property = element.properties[i];
      if (holds_corners(property)) corners_at_ = i;
      if (property.list && property.name == "texcoord") places_at_ = i;
    }
    if (corners_at_ == element.properties.size()) {
      throw Error(ErrorKind::input, "its faces have no list property vertex_indices");
    }
    has_uv_ = places_.known() || places_at_ < element.properties.size();
    require(static_cast<double>(element.count));
  }

  void add_list(std::size_t property, const std::vector<double>& values) {
    if (property == corners_at_) read_corners(values);
    if (property == places_at_) {
      uv_.clear();
      for (std::size_t i = 0; i + 1 < values.size(); i += 2) {
        uv_.push_back({values[i], values[i + 1]});
      }
    }
  }

  void end_row() {
    if (places_.known()) {
      uv_.clear();
      for (const std::int32_t corner : corners_) uv_.push_back(places_(corner));
    }
    notes_.add_face(mesh_, corners_, face_++, uv_);
    if (mesh_.triangles.size() < room_) return;
    room_ *= 2;
    require(static_cast<double>(room_));
  }

 private:
  void require(double triangles) const {
    require_mesh(static_cast<double>(mesh_.vertices.size()), triangles, context_,
                 {static_cast<double>(mesh_.columns.size()), has_uv_});
  }

  void read_corners(const std::vector<double>& values) {
    corners_.clear();
    for (const double value : values) {
      if (!(value >= 0) || value >= static_cast<double>(mesh_.vertices.size()) ||
          value != std::floor(value)) {
        throw Error(ErrorKind::input, "face " + std::to_string(face_ + 1) +
                                          " has a corner that does not exist; the file has " +
                                          std::to_string(mesh_.vertices.size()) + " vertices");
      }
      corners_.push_back(static_cast<std::int32_t>(value));
    }
  }

  const Context& context_;
  MeshNotes& notes_;
  Mesh& mesh_;
  VertexPlaces places_;
  std::size_t corners_at_, places_at_;
  bool has_uv_ = false;
  std::vector<std::int32_t> corners_;
  std::vector<Vec2> uv_;  // of these corners
  std::int32_t face_ = 0;
  std::size_t room_ = 1 << 20;  // triangles whose memory was checked
};

void read_faces(PlyFile& file, const PlyElement& element, const Context& context, MeshNotes& notes,
                Mesh& mesh) {
  FaceReader reader(element, context, notes, mesh);
  file.require_room(element);
  PlyVisitor visitor;
  visitor.list = [&](std::size_t property, const std::vector<double>& values) {
    reader.add_list(property, values);
  };
  visitor.end_of_row = [&] { reader.end_row(); };
  file.read(element, visitor);
  drop_partial_uv(mesh);
}

}  // namespace

Mesh decode_ply_mesh(std::string_view bytes, const Context& context, MeshNotes& notes) {
  PlyFile file(bytes);
  Mesh mesh;
  bool has_vertices = false;
  for (const PlyElement& element : file.elements()) {
    if (element.name == "vertex" && !has_vertices) {
      read_vertices(file, element, context, notes, mesh);
      has_vertices = true;
    } else if (element.name == "face" && has_vertices) {
      read_faces(file, element, context, notes, mesh);
      return mesh;
    } else {
      file.skip(element);
    }
  }
  throw Error(ErrorKind::input,
              "has no faces after its vertices; it may be a point file, not a mesh");
}

}  // namespace dapple
