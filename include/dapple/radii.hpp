// Declares the radii that points of a space keep.
#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "dapple/extend/option_words.hpp"
#include "dapple/field.hpp"
#include "dapple/sample_options.hpp"
#include "dapple/volume_field.hpp"

namespace dapple {

// r(x) on the surface of a mesh, linear on triangles or on parts of them, or on a sphere.
struct SurfaceRadius {
  SurfaceRadius() = default;
  SurfaceRadius(double everywhere) : even(everywhere) {}

  double even = 0;  // r everywhere, if neither corners nor texture is given
  // r at the corners of each triangle of the mesh, linear between them.
  std::vector<std::array<float, 3>> corners = {};
  // r by places of a texture, Mesh::uv. The field allows points everywhere; a torus is best, since
  // textures repeat. r is at most `largest`. It is read at the corners of parts of triangles, and
  // is linear on each. Parts are halved until r differs by less than 2 % on them or they are
  // smaller than r / 2.
  //
  // On a sphere: a lat-long map. Its columns go once around the z axis, with the middle at the x
  // axis and east to the right. Its rows go from the north to the south pole. r is in the unit of
  // the sphere, above 0, and bilinear between the centers of pixels; a pole has the mean of the row
  // beside it. The map is twice as wide as high, within 1 %.
  std::optional<DensityField> texture = {};
  double largest = 0;  // in the unit of the texture's radii
  // r(x) <= r(y) + slope |x - y| along the edges of these triangles or parts, or along chords of
  // the grid of a map on a sphere; none: r as given.
  std::optional<double> slope = 1.0;
  double scale = 1;     // of corners, texture and classes
  ConflictRule rule{};  // mean, min or max; sample() sets it
  // Distances of several classes: points of classes i and j are at least [i][j] apart. Symmetric,
  // above 0, and at most the larger of the radii [i][i] and [j][j] of the classes. A maximal set
  // then leaves no place for a point of any class.
  std::vector<std::vector<double>> classes = {};
  // So many of the classes are placed, and the others are of fixed points; 0: all are placed.
  std::size_t placed_classes = 0;
  // Darts of each class, per square of its radius, before the darts of the next class begin. In the
  // end darts of all classes continue together. Empty: none.
  std::vector<double> head_start = {};
};

// The distance between points of two classes. density: as if all classes that are not finer than
// the finer of the two were one, so that all points together are even (Wei 2010). mean: discs of
// diameter r never overlap, whatever their classes. min, max: of the two radii.
enum class ClassDistance { density, mean, min, max };
constexpr auto option_names(ClassDistance) {
  return words_to<ClassDistance::max>("density", "mean", "min", "max");
}

// Classes of one radius each. Classes have their shares within 2 % if their distances leave room
// for it; otherwise a warning reports it.
struct ClassRadii {
  std::vector<double> radii = {};  // of each class, above 0
  // Shares of all points; empty: in proportion to 1 / r^2, in a box of three dimensions 1 / r^3.
  std::vector<double> shares = {};
  ClassDistance distance = ClassDistance::density;
};

// Classes with radii by place, a field each (Wei 2010). Two points of one class are at least the
// mean of their radii apart. For points of different classes, `distance` combines the two radii,
// each at its own place. `density` replaces each radius by that of a joint density at its place: of
// all classes that are not finer than both. The whole space decides which class is finer. The
// points are then at least the mean of these radii apart.
template <class Field>
struct ClassesOf {
  std::vector<Field> fields = {};  // of one domain
  // Shares of all points; empty: as the integrals of 1 / r^2, in a box 1 / r^3.
  std::vector<double> shares = {};
  ClassDistance distance = ClassDistance::density;
  double scale = 1;  // of the radii of all fields, after their slopes
};
using ClassFields = ClassesOf<DensityField>;     // in a plane
using ClassVolumes = ClassesOf<VolumeField>;     // in a box of three dimensions, in a solid
using ClassSurfaces = ClassesOf<SurfaceRadius>;  // on a surface, on a sphere

// The radii of points: one radius, or radii by place or class.
struct Radii {
  using Source = std::variant<double, DensityField, VolumeField, SurfaceRadius, ClassRadii,
                              ClassFields, ClassVolumes, ClassSurfaces>;

  template <class T>
  requires std::is_constructible_v<Source, T> Radii(T&& of, ConflictRule by = {})
      : source(std::forward<T>(of)), rule(by) {}

  Source source;
  ConflictRule rule;  // for points of different radii; sample() sets it

  template <class T>
  const T* get() const {
    return std::get_if<T>(&source);
  }
  // Returns the number of classes that the radii distinguish; 0: none.
  std::size_t class_count() const {
    return std::visit(
        [](const auto& of) -> std::size_t {
          if constexpr (requires { of.radii; }) {
            return of.radii.size();
          } else if constexpr (requires { of.fields; }) {
            return of.fields.size();
          } else {
            return 0;
          }
        },
        source);
  }
};

}  // namespace dapple
