// Cuts faces of more than three corners into triangles.
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
  too_long,  // it has too many corners to be cut off, and a fan does not fill it
};

// Largest number of corners to cut off; the work grows with its square.
constexpr std::size_t most_corners_to_cut = 4096;

// Cuts a face into triangles of corner numbers from 0. A fan from the first corner is used if it
// fills the face, as it does for convex faces; otherwise ears are cut off. A face that crosses
// itself, or is too long, becomes a fan too.
PolygonKind cut_polygon(const std::vector<Vec3>& vertices, std::span<const std::int32_t> corners,
                        std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace dapple
