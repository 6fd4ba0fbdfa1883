// Finds faces that are wound against their neighbors. Their normals point to the other side, so
// that points on them ignore the points around them.
#include "sample/surface/winding.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "core/plural_text.hpp"
#include "core/radix_sort.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "sample/surface/tiles.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::surface {
namespace {

struct Side {
  std::uint64_t edge;
  std::uint32_t triangle;
  bool back;  // runs from the end with the larger hash
};

// Returns the triangles with an area, each once. Two that coincide but face apart are both kept.
std::vector<std::uint32_t> different(const Mesh& mesh, const Context& context) {
  std::vector<HashedNumber> order;
  order.reserve(mesh.triangles.size());
  for (std::size_t i = 0; i < mesh.triangles.size(); ++i) {
    context.check();
    if (has_area(mesh, i)) order.push_back({key_of(mesh, i), static_cast<std::uint32_t>(i)});
  }
  sort_by_hash(order);
  const auto same = [](const HashedNumber& a, const HashedNumber& b) { return a.key == b.key; };
  order.erase(std::unique(order.begin(), order.end(), same), order.end());
  std::vector<std::uint32_t> triangles;
  triangles.reserve(order.size());
  for (const HashedNumber& each : order) triangles.push_back(each.number);
  return triangles;
}

// Returns the sides sorted by edge. Places identify an edge, as faces need not share corners.
std::vector<Side> sides_of(const Mesh& mesh, const std::vector<std::uint32_t>& triangles,
                           const Context& context) {
  std::vector<std::uint64_t> vertices;
  vertices.reserve(mesh.vertices.size());
  for (const Vec3& p : mesh.vertices) vertices.push_back(add_to_key(0, p));
  std::vector<Side> sides;
  sides.reserve(3 * triangles.size());
  for (const std::uint32_t t : triangles) {
    context.check();
    const auto& triangle = mesh.triangles[t];
    for (std::size_t i = 0; i < 3; ++i) {
      const std::uint64_t from = vertices[static_cast<std::size_t>(triangle[i])];
      const std::uint64_t to = vertices[static_cast<std::size_t>(triangle[(i + 1) % 3])];
      sides.push_back({hash(std::min(from, to), std::max(from, to)), t, from > to});
    }
  }
  sort_by_hash(sides, [](const Side& side) { return side.edge; });
  return sides;
}

// Parts of triangles that edges join. Each triangle faces as the first of its part, or against it.
class Parts {
 public:
  explicit Parts(std::size_t triangles) : parent_(triangles), turned_(triangles) {
    std::iota(parent_.begin(), parent_.end(), std::uint32_t{0});
  }

  // Returns false if both are joined already, with the opposite orientation.
  bool join(std::uint32_t a, std::uint32_t b, bool against) {
    const auto [part_a, turned_a] = find(a);
    const auto [part_b, turned_b] = find(b);
    const bool turned = (turned_a != turned_b) != against;
    if (part_a == part_b) return !turned;
    parent_[std::max(part_a, part_b)] = std::min(part_a, part_b);
    turned_[std::max(part_a, part_b)] = turned;
    return true;
  }

  std::pair<std::uint32_t, bool> find(std::uint32_t t) {
    std::uint32_t part = t;
    bool turned = false;
    while (parent_[part] != part) {
      turned = turned != turned_[part];
      part = parent_[part];
    }
    const bool all = turned;
    while (parent_[t] != part && t != part) {
      const std::uint32_t next = parent_[t];
      const bool of_next = turned != turned_[t];
      parent_[t] = part;
      turned_[t] = turned;
      turned = of_next;
      t = next;
    }
    return {part, all};
  }

 private:
  std::vector<std::uint32_t> parent_;
  std::vector<bool> turned_;  // true if the triangle is wound against its parent
};

// Returns how many faces of the file are on the smaller side of their part. Counts only parts with
// two sides; `one_sided` is indexed by part.
std::int64_t fewer_of(const Mesh& mesh, const std::vector<std::uint32_t>& triangles,
                      const std::vector<bool>& one_sided, Parts& parts, const Context& context) {
  std::vector<std::array<std::uint32_t, 2>> count(mesh.triangles.size());
  for (const std::uint32_t t : triangles) {
    context.check();
    const auto [part, turned] = parts.find(t);
    ++count[part][turned ? 1 : 0];
  }
  std::vector<std::int32_t> faces;
  for (const std::uint32_t t : triangles) {
    context.check();
    const auto [part, turned] = parts.find(t);
    const bool fewer_are_turned = count[part][1] <= count[part][0];
    if (one_sided[part] || turned != fewer_are_turned) continue;
    faces.push_back(mesh.face.empty() ? static_cast<std::int32_t>(t) : mesh.face[t]);
  }
  std::sort(faces.begin(), faces.end());
  return std::unique(faces.begin(), faces.end()) - faces.begin();
}

// Returns true if two faces run along the edge the same way and their normals differ too much. A
// wall on a floor is no fault. Two solids that touch are none either: as many faces run each way.
bool cannot_agree(const Mesh& mesh, const Side* first, const Side* end, double least_cosine) {
  constexpr std::ptrdiff_t most_to_look_at = 64;
  const auto back = std::count_if(first, end, [](const Side& side) { return side.back; });
  if (2 * back == end - first) return false;
  const auto normal = [&](const Side& side) {
    std::array<Vec3, 3> p;
    for (std::size_t i = 0; i < 3; ++i) {
      p[i] = mesh.vertices[static_cast<std::size_t>(mesh.triangles[side.triangle][i])];
    }
    const Vec3 across = cross(p[1] - p[0], p[2] - p[0]);
    return across * (1 / length(across));
  };
  end = std::min(end, first + most_to_look_at);
  for (const Side* a = first; a != end; ++a) {
    for (const Side* b = a + 1; b != end; ++b) {
      if (a->back == b->back && dot(normal(*a), normal(*b)) < least_cosine) return true;
    }
  }
  return false;
}

}  // namespace

Winding winding_of(const Mesh& mesh, double gate_degrees, const Context& context) {
  const std::vector<std::uint32_t> triangles = different(mesh, context);
  const std::vector<Side> sides = sides_of(mesh, triangles, context);
  const auto least_cosine = static_cast<double>(cosine_of_gate(gate_degrees));
  Winding winding;
  Parts parts(mesh.triangles.size());
  std::vector<std::uint32_t> twisted;
  const Side* const last = sides.data() + sides.size();
  for (const Side* first = sides.data(); first != last;) {
    context.check();
    const Side* end = first + 1;
    while (end != last && end->edge == first->edge) ++end;
    if (end - first == 2) {
      const bool against = first[0].back == first[1].back;
      if (!parts.join(first[0].triangle, first[1].triangle, against)) {
        twisted.push_back(first[0].triangle);
      }
    } else if (end - first > 2) {
      winding.of_many += cannot_agree(mesh, first, end, least_cosine) ? 1 : 0;
    }
    first = end;
  }
  std::vector<bool> one_sided(mesh.triangles.size());
  for (const std::uint32_t t : twisted) one_sided[parts.find(t).first] = true;
  winding.one_sided = std::count(one_sided.begin(), one_sided.end(), true);
  winding.faces = fewer_of(mesh, triangles, one_sided, parts, context);
  return winding;
}

void warn_once(const std::string& text, Context& context) {
  const std::vector<std::string>& said = context.warnings();
  if (std::find(said.begin(), said.end(), text) == said.end()) context.warn(text);
}

void warn_about_winding(const Mesh& mesh, const SurfaceOptions& options, Context& context) {
  if (options.normal_angle >= 180 || options.metric == SurfaceMetric::surface) return;
  const Winding found = winding_of(mesh, options.normal_angle, context);
  const auto say = [&](std::int64_t count, const char* one, const char* more,
                       const std::string& what) {
    if (count == 0) return;
    warn_once(
        counted(count, one, more) + what +
            "ignore normals with `gate 180`, or measure along the surface with `metric surface`",
        context);
  };
  say(found.faces, " face is wound against its neighbors",
      " faces are wound against their neighbors",
      ", so points ignore each other across the edges between them; make the normals of the mesh "
      "consistent, or ");
  say(found.one_sided, " part of the surface has", " parts of the surface have",
      " only one side, like a Moebius strip, so points ignore each other in places; ");
  say(found.of_many, " edge belongs", " edges belong",
      " to more than two faces with different normals, so points on these faces ignore each "
      "other; ");
}

}  // namespace dapple::surface
