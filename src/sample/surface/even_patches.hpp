// Plans the pieces of a mesh with one radius before they are made. Most pieces are whole triangles.
// Each is made in its final position, so that none is moved.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/radix_sort.hpp"
#include "dapple/forward.hpp"
#include "sample/surface/patches.hpp"

namespace dapple::surface {

struct EvenPieces {
  // The key of a piece and the cube that contains its center.
  struct Entry {
    std::uint64_t key = 0;
    std::uint64_t cube = none;

    static constexpr std::uint64_t none = ~std::uint64_t{0};
    bool is_none() const { return cube == none; }
    std::array<std::int32_t, 3> at() const;
  };

  const Mesh& mesh;
  Frame frame;
  // One entry per triangle of the mesh, none if it has no area or is cut; then one per part.
  std::vector<Entry> all;
  std::vector<Piece> parts;
  std::vector<std::array<float, 3>> normals;  // one per triangle of the mesh
  std::int64_t without_area = 0;
  double squares = 0;  // total area, in square radii

  EvenPieces(const Mesh& of, const Frame& seen_from, Context& context);
  Piece piece(const HashedNumber& of) const;

 private:
  struct Group;
  void look_at(std::size_t i, Group& group);
};

}  // namespace dapple::surface
