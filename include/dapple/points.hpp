// Declares point sets and the search for neighbors in them.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/units.hpp"

namespace dapple {

struct Radii;  // dapple/radii.hpp
struct Space;  // dapple/space.hpp

// A column of numbers or texts that a file has and Dapple has no use for, such as a color.
struct OtherColumn {
  std::string name = {};
  std::string type = "double";  // as in PLY files: char uchar short ushort int uint float double
  std::vector<double> values = {};
  std::vector<std::string> texts = {};  // instead of `values`; CSV and JSON files hold them
};

// Points of any space. Structure of arrays; every non-empty column has size() values. Order is part
// of the value. Lengths are in pixels, or in the unit of `space`.
struct Points {
  Domain domain = {};          // of a plane or a box
  std::vector<double> x = {};  // inside the domain
  std::vector<double> y = {};
  std::vector<double> z = {};  // optional: in a volume, from 0 to depth; on or in a `space`
  double depth = 0;            // of the volume
  // Optional: the column `z` of a file with values below 0, as for a mesh, not a volume.
  std::vector<double> height = {};
  std::vector<double> w = {};  // optional: in four dimensions, for points with a z; column `w`
  double extent = 0;           // of the box along w
  // r at the point: the distance by which it conflicts with others, not a drawn size.
  std::vector<float> radius = {};
  std::vector<std::int32_t> class_id =
      {};  // optional: class (ink, layer) from 0; column `class` in files
  std::vector<std::int32_t> region = {};  // optional: number of its region, from 0
  std::vector<std::int32_t> rank =
      {};  // optional: place in a progressive order, a permutation from 0
  std::vector<std::int32_t> id = {};     // optional: number of a dot, the same in every frame
  std::vector<float> object_size = {};   // optional: size of an object on the point; column `size`
  std::vector<float> rotation = {};      // optional: of that object, degrees; column `rotation`
  std::vector<OtherColumn> others = {};  // only of whole rows; only thin() keeps them
  std::vector<std::pair<std::string, std::string>> metadata = {};  // provenance, such as the recipe
  // Sentences on what the file asks for and its reader does not honor; read_points() warns of them.
  std::vector<std::string> notes = {};
  Vec2 origin = {};  // the place of the domain's corner in a larger plane

  // The surface, solid or sphere that holds the points; nullptr: a plane or a box, which `domain`,
  // `depth` and `extent` describe.
  std::shared_ptr<const Space> space = {};
  // The radii at which the points were sampled, for certify(); nullptr: unknown, as in files.
  std::shared_ptr<const Radii> radii = {};
  // The fixed points around which the others lie; the first `fixed` points of the set are these.
  std::shared_ptr<const Points> around = {};
  std::size_t fixed = 0;
  std::optional<double> meters_per_unit = {};  // as Mesh has it

  // The place on a surface: the unit normal of the face, Mesh::face of the triangle or else the
  // number of the triangle, and the weights of its second and third corner. Points on a sphere have
  // only a normal, and points in a solid have none of these.
  std::vector<float> nx = {};
  std::vector<float> ny = {};
  std::vector<float> nz = {};
  std::vector<std::int32_t> face = {};
  std::vector<std::int32_t> triangle = {};
  std::vector<float> u = {};
  std::vector<float> v = {};
  // Quaternions x, y, z, w that turn an object whose up is y; they include its rotation.
  std::array<std::vector<float>, 4> turn = {};

  std::size_t size() const { return x.size(); }
  bool empty() const { return x.empty(); }
  Vec2 operator[](std::size_t i) const { return {x[i], y[i]}; }
  void add(Vec2 p, float r) {
    x.push_back(p.x);
    y.push_back(p.y);
    radius.push_back(r);
  }
  // Adds point i of `other` with every column that `other` has.
  void append(const Points& other, std::size_t i);
};

// The metadata key for the names of classes, in order of their numbers, between commas.
inline constexpr std::string_view class_names_key = "class-names";
// Returns the name of a class in this metadata, or `class N` if it has none.
std::string name_of_class(const Points& points, std::int32_t class_id);

// Throws Error(input) that names the first point outside the domain or not finite, or a column of
// the wrong length.
void validate(const Points& points);

struct Neighbor {
  std::int32_t index;
  double distance;
};

// Searches neighbors in a fixed set, exactly at any density ratio, and on the torus if the domain
// wraps. Building is O(N log N), a query O(log N + found) for any distribution. The set must
// outlive the index. Queries are const and safe from many threads. Results are in order of
// (distance, index).
class PointIndex {
 public:
  explicit PointIndex(const Points& points);
  ~PointIndex();
  PointIndex(PointIndex&&) noexcept;
  PointIndex& operator=(PointIndex&&) noexcept;

  // Finds every point at distance <= radius, each once, by its nearest image. Clears `found` first.
  void within(Vec2 center, double radius, std::vector<Neighbor>& found) const;
  // Finds the k nearest points, or fewer if the set has fewer. `exclude` leaves out one point (-1:
  // none).
  void nearest(Vec2 center, int k, std::vector<Neighbor>& found, std::int32_t exclude = -1) const;
  // Returns the k nearest other points of every point, k indices each, nearest first; -1 fills the
  // rest. Nearby points share the search, so this is several times faster than single queries.
  std::vector<std::int32_t> nearest_of_all(int k, Context& context) const;

 private:
  struct Tree;
  std::unique_ptr<Tree> tree_;
};

// The size of the picture that the points were made for. auto: the size in their file; without one,
// their coordinates are pixels if they fit, otherwise pixels of their bounding box. none: their
// coordinates are pixels, even if the file gives a size.
struct PointsSize {
  enum class Rule { automatic, none, size };
  Rule rule = Rule::automatic;
  Size size = {};  // pixels

  friend bool operator==(const PointsSize&, const PointsSize&) = default;
};
std::string to_text(const PointsSize& size);
void from_text(std::string_view text, PointsSize& size);

// Returns the points with a domain that covers a picture of `width` x `height` pixels. Warns if the
// domain has another size, so that points are scaled. Throws Error(input) for points outside it.
Points placed(const Points& points, const PointsSize& size, int width, int height,
              Context& context);

}  // namespace dapple
