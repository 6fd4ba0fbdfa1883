// Reads meshes as STL (3D Systems 1989), binary or ascii. Every triangle has its own corners.
#include <bit>
#include <cstring>
#include <optional>

#include "core/text/lower_case.hpp"
#include "dapple/error.hpp"
#include "io/meshes/format.hpp"
#include "io/meshes/words.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

constexpr std::size_t header_bytes = 84;
constexpr std::size_t triangle_bytes = 50;  // a normal, three corners, two bytes of attributes

void add_triangle(Mesh& mesh, const std::array<Vec3, 3>& corners) {
  const auto first = static_cast<std::int32_t>(mesh.vertices.size());
  mesh.vertices.insert(mesh.vertices.end(), corners.begin(), corners.end());
  mesh.triangles.push_back({first, first + 1, first + 2});
}

// Returns the number of triangles in a binary header.
std::uint64_t promised(std::string_view bytes) {
  return bits_of(bytes.substr(80, 4), false);
}

bool begins_as_text(std::string_view bytes) {
  return lower_case(bytes.substr(0, 5)) == "solid";
}

// Some writers begin binary files with `solid` too, so the file size decides.
bool is_binary(std::string_view bytes) {
  if (bytes.size() < header_bytes) return false;
  const bool fits = (bytes.size() - header_bytes) / triangle_bytes >= promised(bytes);
  return !begins_as_text(bytes) ||
         (fits && promised(bytes) > 0 && bytes.find("facet") == std::string_view::npos &&
          bytes.find("FACET") == std::string_view::npos);
}

Mesh decode_binary(std::string_view bytes, const Context& context, const MeshNotes& notes) {
  const std::uint64_t count = promised(bytes);
  if ((bytes.size() - header_bytes) / triangle_bytes < count) {
    throw Error(ErrorKind::input,
                "ends before the " + std::to_string(count) + " triangles that its header promises");
  }
  require_mesh(3 * static_cast<double>(count), static_cast<double>(count), context);
  Mesh mesh;
  mesh.vertices.reserve(3 * static_cast<std::size_t>(count));
  mesh.triangles.reserve(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < count; ++i) {
    notes.check();
    const std::string_view of = bytes.substr(header_bytes + i * triangle_bytes + 12, 36);
    std::array<Vec3, 3> corners;
    for (std::size_t c = 0; c < 3; ++c) {
      const auto value = [&](std::size_t axis) {
        const auto bits =
            static_cast<std::uint32_t>(bits_of(of.substr(12 * c + 4 * axis, 4), false));
        return static_cast<double>(std::bit_cast<float>(bits));
      };
      corners[c] = {value(0), value(1), value(2)};
    }
    add_triangle(mesh, corners);
  }
  return mesh;
}

Mesh decode_ascii(std::string_view bytes, const Context& context, const MeshNotes& notes) {
  // A facet takes at least 70 characters.
  const double most = static_cast<double>(bytes.size()) / 70;
  require_mesh(3 * most, most, context);
  Mesh mesh;
  MeshWords words(bytes);
  std::array<Vec3, 3> corners;
  std::size_t count = 0;
  for (std::string word = lower_case(words.next()); !word.empty();
       word = lower_case(words.next())) {
    notes.check();
    if (word == "facet") {
      count = 0;
    } else if (word == "vertex") {
      if (count == 3) words.fail("a facet has more than three corners");
      Vec3& corner = corners[count++];
      for (double* value : {&corner.x, &corner.y, &corner.z}) {
        *value = words.next_number("expected three numbers after vertex");
      }
    } else if (word == "endfacet") {
      if (count != 3)
        words.fail("a facet has " + std::to_string(count) + " corners instead of three");
      add_triangle(mesh, corners);
      count = 0;
    }
  }
  if (count != 0) words.fail("the file ends within a facet");
  return mesh;
}

}  // namespace

Mesh decode_stl_mesh(std::string_view bytes, const Context& context, MeshNotes& notes) {
  if (is_binary(bytes)) return decode_binary(bytes, context, notes);
  if (!begins_as_text(bytes)) {
    throw Error(ErrorKind::input, "begins neither with solid nor with the header of a binary STL");
  }
  return decode_ascii(bytes, context, notes);
}

}  // namespace dapple
