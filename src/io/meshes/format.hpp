// Shared by the readers of meshes.
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

// Throws Error(limit) where so many are more than an index can count or than memory may hold.
// Called with counts that the size of the file has confirmed.
struct MeshExtras {
  double columns = 0;  // numbers of each vertex beside its place
  bool uv = false;
};
void require_mesh(double vertices, double triangles, const Limits& limits,
                  const MeshExtras& extras = {});

// Of an object, as messages say it.
constexpr std::size_t longest_name = 40;

// What a reader finds out beside the mesh.
class MeshNotes {
 public:
  // All triangles from here on are of that one, until another begins.
  void begin_object(std::string_view name, const Mesh& mesh);
  // Adds a face of three corners or more as triangles; `uv`: of each corner, or none.
  void add_face(Mesh& mesh, std::span<const std::int32_t> corners, std::int32_t face,
                std::span<const Vec2> uv = {});
  // Throws Error(input) where no triangle has an area, naming what the file holds.
  void require_area(const Mesh& mesh) const;
  void warn_of(const Mesh& mesh, const std::string& path, Context& context) const;

 private:
  struct Object {
    std::string name;
    std::size_t first;  // triangle
  };
  std::vector<std::string> without_area(const Mesh& mesh) const;

  std::vector<Object> objects_;
  std::vector<std::array<std::uint32_t, 3>> cut_;  // of one face
  std::int64_t bent_ = 0;                          // faces
  std::int64_t crossing_ = 0;
};
// Places in a texture are of use where all triangles have them.
void drop_partial_uv(Mesh& mesh);

Mesh decode_ply_mesh(std::string_view bytes, const Limits& limits, MeshNotes& notes);
Mesh decode_stl_mesh(std::string_view bytes, const Limits& limits, MeshNotes& notes);
Mesh decode_gltf_mesh(std::string_view bytes, const Limits& limits, MeshNotes& notes);
Mesh decode_obj_mesh(std::string_view bytes, const Limits& limits, MeshNotes& notes);

}  // namespace dapple
