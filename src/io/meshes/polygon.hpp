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
  crossing,  // it crosses itself, so triangles of its corners cannot fill it
  too_long,  // too many corners for ear cutting, and a fan does not fill it
};

// Largest number of corners for ear cutting, whose time grows with the square.
constexpr std::size_t most_corners_to_cut = 4096;

// Cuts a face into triangles of corner numbers from 0. Uses a fan from the first corner if it fills
// the face, as in convex faces; otherwise cuts off ears. A face that crosses itself or has too many
// corners also becomes a fan.
PolygonKind cut_polygon(const std::vector<Vec3>& vertices, std::span<const std::int32_t> corners,
                        std::vector<std::array<std::uint32_t, 3>>& triangles);

}  // namespace dapple
