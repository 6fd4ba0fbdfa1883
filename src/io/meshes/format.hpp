// Helpers shared by the readers of meshes.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"

namespace dapple {

struct MeshExtras {
  double columns = 0;  // numbers per vertex, beside its position
  bool uv = false;
};
// Throws Error(limit) if the counts exceed the range of an index or the memory limit. Check the
// counts against the size of the file first.
void require_mesh(double vertices, double triangles, const Context& context,
                  const MeshExtras& extras = {});

// Longest name of an object in messages.
constexpr std::size_t longest_name = 40;

// Facts about a mesh, which its reader collects for messages.
class MeshNotes {
 public:
  explicit MeshNotes(const Context& context) : context_(context) {}

  // Throws Error(cancelled) after a cancel. Readers call it for each vertex.
  void check() const;
  // Assigns the following triangles to this object, until the next begin_object().
  void begin_object(std::string_view name, const Mesh& mesh);
  // Adds a face with three or more corners as triangles. `uv` is per corner, or empty. Checks for
  // a cancel.
  void add_face(Mesh& mesh, std::span<const std::int32_t> corners, std::int32_t face,
                std::span<const Vec2> uv = {});
  // Throws Error(input) if no triangle has an area; the message names the objects of the file.
  void require_area(const Mesh& mesh) const;
  void warn_of(const Mesh& mesh, const std::string& path, Context& context) const;

 private:
  struct Object {
    std::string name;
    std::size_t first;  // its first triangle
  };
  std::vector<std::string> without_area(const Mesh& mesh) const;

  const Context& context_;
  std::vector<Object> objects_;
  std::vector<std::array<std::uint32_t, 3>> cut_;  // triangles of one face
  std::int64_t bent_ = 0;                          // number of bent faces
  std::int64_t crossing_ = 0;
};
// Drops texture coordinates unless all triangles have them.
void drop_partial_uv(Mesh& mesh);

Mesh decode_off_mesh(std::string_view bytes, const Context& context, MeshNotes& notes);
Mesh decode_ply_mesh(std::string_view bytes, const Context& context, MeshNotes& notes);
Mesh decode_stl_mesh(std::string_view bytes, const Context& context, MeshNotes& notes);
Mesh decode_gltf_mesh(std::string_view bytes, const Context& context, MeshNotes& notes);
Mesh decode_obj_mesh(std::string_view bytes, const Context& context, MeshNotes& notes);

}  // namespace dapple
