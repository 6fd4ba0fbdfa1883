// Lists the columns of a point set once, in the order of point files.
#pragma once

#include <cstddef>
#include <string_view>

#include "dapple/points.hpp"

namespace dapple {

// Calls body(name, of) for each column; of(points) is the column of a set.
template <class Body>
void for_each_column(const Body& body) {
  body(
      "x", [](auto& points) -> auto& { return points.x; });
  body(
      "y", [](auto& points) -> auto& { return points.y; });
  body(
      "r", [](auto& points) -> auto& { return points.radius; });
  body(
      "z", [](auto& points) -> auto& { return points.z; });
  body(
      "w", [](auto& points) -> auto& { return points.w; });
  body(
      "nx", [](auto& points) -> auto& { return points.nx; });
  body(
      "ny", [](auto& points) -> auto& { return points.ny; });
  body(
      "nz", [](auto& points) -> auto& { return points.nz; });
  body(
      "u", [](auto& points) -> auto& { return points.u; });
  body(
      "v", [](auto& points) -> auto& { return points.v; });
  body(
      "face", [](auto& points) -> auto& { return points.face; });
  body(
      "class", [](auto& points) -> auto& { return points.class_id; });
  body(
      "region", [](auto& points) -> auto& { return points.region; });
  body(
      "rank", [](auto& points) -> auto& { return points.rank; });
  body(
      "id", [](auto& points) -> auto& { return points.id; });
  body(
      "size", [](auto& points) -> auto& { return points.object_size; });
  body(
      "rotation", [](auto& points) -> auto& { return points.rotation; });
  body(
      "qx", [](auto& points) -> auto& { return points.turn[0]; });
  body(
      "qy", [](auto& points) -> auto& { return points.turn[1]; });
  body(
      "qz", [](auto& points) -> auto& { return points.turn[2]; });
  body(
      "qw", [](auto& points) -> auto& { return points.turn[3]; });
}

// Calls body(name, of) for each column of a file, and for the two that no file holds under their
// own name: the index of the triangle, and the heights, which files call z.
template <class Body>
void for_each_stored_column(const Body& body) {
  for_each_column(body);
  body(
      "triangle", [](auto& points) -> auto& { return points.triangle; });
  body(
      "z", [](auto& points) -> auto& { return points.height; });
}

}  // namespace dapple
