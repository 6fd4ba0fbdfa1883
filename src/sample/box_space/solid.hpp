// Represents the solid that a closed mesh encloses: tests places, and faces against boxes.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "core/lists.hpp"
#include "dapple/forward.hpp"
#include "dapple/mesh.hpp"
#include "sample/box_space/box.hpp"

namespace dapple::box_space {

// A box as its center and half sides, relative to the least corner of the solid.
struct SolidBox {
  VecD<3> middle, half;
};

// A place is inside if the line from it along z crosses an odd number of faces. All faces of an
// edge get the same answer for the edge. So the count is right for some nearby line, and rounding
// affects only places within its error of a face.
class Solid {
 public:
  // Throws Error(input) for a mesh that has open edges or encloses nothing.
  Solid(const Mesh& mesh, Context& context);

  const VecD<3>& side() const { return side_; }
  double area() const { return area_; }
  double volume() const { return volume_; }
  // Returns the largest absolute coordinate: coordinates far out are coarse.
  double farthest() const { return farthest_; }
  std::size_t faces() const { return faces_.size(); }

  // Convert between a place relative to the least corner and one in the coordinates of the mesh.
  Vec3 place(const VecD<3>& at) const { return low_ + Vec3{at[0], at[1], at[2]}; }
  VecD<3> seen(const Vec3& place) const {
    const Vec3 at = place - low_;
    return {at.x, at.y, at.z};
  }
  bool holds(const Vec3& place) const;
  bool holds(const VecD<3>& at) const { return holds(place(at)); }
  // Returns true if a face has a place in the box.
  bool crosses(std::uint32_t face, const SolidBox& box) const;
  // Returns the bounding box of a face.
  SolidBox bounds(std::uint32_t face) const;

 private:
  using Face = std::array<Vec3, 3>;  // sorted corners, so their order in the file does not matter

  void lay_out_columns(const Context& context);
  std::size_t column_of(double x, double y) const;
  double measured_volume(Context& context) const;

  std::vector<Face> faces_;
  Vec3 low_;
  VecD<3> side_{};
  double area_ = 0;
  double volume_ = 0;
  double farthest_ = 0;
  // Faces over each column of a grid. The columns have equal sides and stand along z.
  std::array<std::size_t, 2> columns_{1, 1};
  Lists<std::uint32_t, std::uint32_t> over_;
};

// Throws Error(input) for a solid so far out that its coordinates are too coarse for points this
// far apart.
void require_fine(const Solid& solid, double radius);

// Selects the faces of `from` that cross the box.
void select_faces(const Solid& solid, std::span<const std::uint32_t> from, const SolidBox& box,
                  std::vector<std::uint32_t>& found);

}  // namespace dapple::box_space
