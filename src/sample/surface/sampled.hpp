// A set with what those who choose the radius need to know.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/surface.hpp"

namespace dapple::surface {

struct Sampled {
  SurfacePoints points;
  std::vector<std::int32_t> window;  // in which each point was settled
  std::int64_t without_area = 0;     // faces

  std::size_t size() const { return points.size(); }
};
Sampled sample_radius(const Mesh& mesh, const SurfaceRadius& radius, const SurfaceOptions& options,
                      Context& context);
// Throws Error(usage, input) for radii that are none, or not those of the mesh.
void require_radius(const Mesh& mesh, const SurfaceRadius& radius);

// How many squares of r the surface has: a maximal set has about even_packing points for each.
double squares_of(const Mesh& mesh, const SurfaceRadius& radius, Context& context);

// Of all faces, in square units of the mesh.
double area_of(const Mesh& mesh);

// Edges that two faces walk the same way; a face that is there twice has three.
std::int64_t edges_against(const Mesh& mesh);
// Warnings of such, and of faces without area.
void say_what_is_wound_against(const Mesh& mesh, const SurfaceOptions& options, Context& context);
void say_what_is_left_out(std::int64_t faces, Context& context);

}  // namespace dapple::surface
