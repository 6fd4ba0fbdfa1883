// Defines the ground of classes in the solid that a closed mesh encloses.
#pragma once

#include <cstdint>
#include <vector>

#include "sample/box_space/solid.hpp"
#include "sample/class_maps/box_tree.hpp"
#include "sample/class_maps/grid_ground.hpp"
#include "sample/spaces.hpp"

namespace dapple::class_maps {

// Places and radii are in voxels of the fields (spaces::VoxelsInSolid).
class SolidGround : public GridGround<3> {
 public:
  // A block that faces may cross; a block without faces lies in the solid.
  struct Cell : Block<3> {
    bool crossed = true;
  };

  // Keeps references to the solid of the mesh and to the fields. Throws Error(usage) for fields
  // that wrap.
  SolidGround(const Mesh& mesh, const box_space::Solid& solid, std::span<const VolumeField> fields,
              Context& context);

  double integral(std::size_t class_id) const { return integrals_[class_id]; }
  double radius(std::size_t class_id, const At& at) const;
  bool holds(const At& at) const { return solid_.holds(in_mesh(at)); }
  std::vector<Cell> wholes() const { return {Cell{}}; }
  template <class Body>
  bool any_part(const Cell& cell, const Body& body) const {
    if (is_finest(cell)) return false;
    for (int bits = 0; bits < 8; ++bits) {
      Cell part{cell.part(bits), cell.crossed};
      if (cell.crossed) {
        const Region of = region(part);
        part.crossed = is_crossed(of);
        if (!part.crossed && !holds(middle(part, of))) continue;
      }
      if (body(part)) return true;
    }
    return false;
  }

  static constexpr bool has_domain = false;
  double volume() const { return solid_.volume(); }
  double unit() const { return voxels_.step; }
  At seen(const Vec3& place) const {
    const Vec3 at = voxels_.seen(place);
    return {at.x, at.y, at.z};
  }
  Place place(const Place& at) const { return voxels_.place(at.xyz()); }
  void add_to(Points& points, const At& at) const {
    const Vec3 place = in_mesh(at);
    GridGround<3>::add_to(points, {place.x, place.y, place.z});
  }

 private:
  Vec3 in_mesh(const At& at) const { return voxels_.place({at[0], at[1], at[2]}); }
  bool is_crossed(const Region& region) const;
  void measure(Context& context);

  const box_space::Solid& solid_;
  spaces::VoxelsInSolid voxels_;
  std::vector<double> integrals_;
  BoxTree faces_;  // in the coordinates of the solid
};

}  // namespace dapple::class_maps
