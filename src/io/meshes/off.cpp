// Reads meshes as OFF (Geomview): the numbers of vertices, faces and edges, the vertices, then each
// face as its number of corners and their indices. COFF, NOFF and STOFF have more numbers per
// vertex. Colors are skipped.
#include <algorithm>
#include <cmath>
#include <vector>

#include "core/text/lower_case.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "io/meshes/format.hpp"
#include "io/meshes/words.hpp"

namespace dapple {
namespace {

std::size_t count_of(MeshWords& words) {
  const double count = words.next_number("expected the numbers of vertices, faces and edges");
  if (!(count >= 0) || count != std::floor(count)) {
    words.fail("a number of vertices or faces must be whole and not below 0");
  }
  return static_cast<std::size_t>(std::min(count, 1e15));
}

}  // namespace

Mesh decode_off_mesh(std::string_view bytes, const Context& context, MeshNotes& notes) {
  MeshWords words(bytes, '#');
  const std::string kind = lower_case(words.next());
  if (!kind.ends_with("off") || kind.find("4") != std::string::npos) {
    throw Error(ErrorKind::input, "begins neither with OFF nor with COFF, NOFF or STOFF");
  }
  const std::size_t vertices = count_of(words);
  const std::size_t faces = count_of(words);
  count_of(words);  // edges
  // A vertex takes at least six characters, a face eight, and each corner beyond makes a triangle.
  const auto size = static_cast<double>(bytes.size());
  if (6.0 * static_cast<double>(vertices) > size || 8.0 * static_cast<double>(faces) > size) {
    words.fail("the file is too short for the vertices and faces that it promises");
  }
  require_mesh(static_cast<double>(vertices), size / 2, context);
  Mesh mesh;
  mesh.vertices.resize(vertices);
  for (Vec3& vertex : mesh.vertices) {
    notes.check();
    for (double* value : {&vertex.x, &vertex.y, &vertex.z}) {
      *value = words.next_number("expected a vertex: X Y Z");
    }
    words.skip_line();
  }
  std::vector<std::int32_t> corners;
  for (std::size_t i = 0; i < faces; ++i) {
    const double count =
        words.next_number("expected a face: the number of corners and their indices");
    if (!(count >= 3 && count <= size)) words.fail("a face has " + shortest(count) + " corners");
    corners.clear();
    for (int c = 0; c < static_cast<int>(count); ++c) {
      const double index = words.next_number("expected the index of a corner");
      if (!(index >= 0 && index < static_cast<double>(vertices))) {
        words.fail("a face has corner " + shortest(index) + ", but the vertices are 0 to " +
                   std::to_string(vertices - 1));
      }
      corners.push_back(static_cast<std::int32_t>(index));
    }
    words.skip_line();
    notes.add_face(mesh, corners, static_cast<std::int32_t>(i));
  }
  return mesh;
}

}  // namespace dapple
