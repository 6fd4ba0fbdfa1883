// Faces of more than three corners, as triangles.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/mesh.hpp"

namespace dapple {

enum class PolygonKind {
  flat,
  bent,      // its corners lie off its plane by more than a tenth of its length
  crossing,  // it crosses itself, so that no triangles of its corners fill it
  too_long,  // it has more corners than are cut off, and a fan does not fill it
};

// The work grows with the square of it.
constexpr std::size_t most_corners_to_cut = 4096;

// The triangles of a face, by the numbers of its corners from 0: a fan from the first where that
// fills the face, as it does each convex one, and ears where it does not. A face that crosses
// itself, or is too long, is a fan too.
PolygonKind cut_polygon(const std::vector<Vec3>& vertices, std::span<const std::int32_t> corners,
                        std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace dapple
