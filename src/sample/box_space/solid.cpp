#include "sample/box_space/solid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <tuple>

#include "core/parallel.hpp"
#include "core/plural_text.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/surface/triangles.hpp"

namespace dapple::box_space {
namespace {

// A face with the sorted keys of its corners, and whether sorting turned it over.
struct Keyed {
  std::array<std::uint64_t, 3> corner;
  bool turned;
  std::uint32_t triangle;
};

// Returns the faces without those that have two equal corners, which enclose nothing.
std::vector<Keyed> keyed_faces(const Mesh& mesh, const Context& context) {
  std::vector<std::uint64_t> vertices;
  vertices.reserve(mesh.vertices.size());
  for (const Vec3& p : mesh.vertices) vertices.push_back(surface::add_to_key(0, p));
  std::vector<Keyed> faces;
  faces.reserve(mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    context.check();
    Keyed face{{}, false, static_cast<std::uint32_t>(t)};
    auto& corner = face.corner;
    for (std::size_t i = 0; i < 3; ++i) {
      corner[i] = vertices[static_cast<std::size_t>(mesh.triangles[t][i])];
    }
    const auto order = [&](std::size_t i, std::size_t j) {
      if (corner[i] <= corner[j]) return;
      std::swap(corner[i], corner[j]);
      face.turned = !face.turned;
    };
    order(0, 1);
    order(1, 2);
    order(0, 1);
    if (corner[0] != corner[1] && corner[1] != corner[2]) faces.push_back(face);
  }
  std::sort(faces.begin(), faces.end(), [&](const Keyed& a, const Keyed& b) {
    context.check();
    return std::tie(a.corner, a.turned, a.triangle) < std::tie(b.corner, b.turned, b.triangle);
  });
  return faces;
}

// Keeps one of repeated faces, and none of two back to back, which enclose nothing between them.
void leave_out_repeated(std::vector<Keyed>& faces) {
  std::size_t kept = 0;
  for (std::size_t i = 0; i < faces.size();) {
    std::size_t end = i;
    while (end < faces.size() && faces[end].corner == faces[i].corner) ++end;
    if (faces[i].turned == faces[end - 1].turned) faces[kept++] = faces[i];
    i = end;
  }
  faces.resize(kept);
}

std::string text_of(const Vec3& p) {
  return shortest(p.x) + " " + shortest(p.y) + " " + shortest(p.z);
}

void require_closed(const Mesh& mesh, const std::vector<Keyed>& faces, const Context& context) {
  std::vector<std::uint64_t> edges;
  edges.reserve(3 * faces.size());
  const auto key_of = [](const Keyed& face, std::size_t i) {
    return hash(face.corner[i == 2 ? 1 : 0], face.corner[i == 0 ? 1 : 2]);
  };
  for (const Keyed& face : faces) {
    for (std::size_t i = 0; i < 3; ++i) edges.push_back(key_of(face, i));
  }
  std::sort(edges.begin(), edges.end(), [&](std::uint64_t a, std::uint64_t b) {
    context.check();
    return a < b;
  });
  std::int64_t open = 0;
  std::uint64_t first = 0;
  for (std::size_t i = 0; i < edges.size();) {
    std::size_t end = i;
    while (end < edges.size() && edges[end] == edges[i]) ++end;
    if ((end - i) % 2 == 1 && open++ == 0) first = edges[i];
    i = end;
  }
  if (open == 0) return;
  for (const Keyed& face : faces) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (key_of(face, i) != first) continue;
      std::vector<Vec3> ends;
      for (const std::int32_t corner : mesh.triangles[face.triangle]) {
        const Vec3& p = mesh.vertices[static_cast<std::size_t>(corner)];
        const std::uint64_t key = surface::add_to_key(0, p);
        if (key == face.corner[i == 2 ? 1 : 0] || key == face.corner[i == 0 ? 1 : 2]) {
          ends.push_back(p);
        }
      }
      std::sort(ends.begin(), ends.end(), [](const Vec3& a, const Vec3& b) {
        return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
      });
      throw Error(ErrorKind::input,
                  "is not closed, so it has no inside: " + counted(open, " edge is", " edges are") +
                      " open, such as the one from " + text_of(ends.front()) + " to " +
                      text_of(ends.back()) +
                      "; fill its holes and merge vertices at the same place, or use `on` for "
                      "points on its surface");
    }
  }
}

// Returns true if the line from (x, y) along x crosses the edge, seen along z. The test starts at
// the end with lower y, so all faces of the edge get the same result.
bool crosses_edge(const Vec3& a, const Vec3& b, double x, double y) {
  if ((a.y > y) == (b.y > y)) return false;
  const Vec3& low = a.y < b.y ? a : b;
  const Vec3& high = a.y < b.y ? b : a;
  return (high.x - low.x) * (y - low.y) - (x - low.x) * (high.y - low.y) > 0;
}

bool is_over(const std::array<Vec3, 3>& face, double x, double y) {
  return (crosses_edge(face[0], face[1], x, y) != crosses_edge(face[1], face[2], x, y)) !=
         crosses_edge(face[0], face[2], x, y);
}

// Returns the height at which the line along z meets a face that it crosses.
double height_of(const std::array<Vec3, 3>& face, double x, double y) {
  const auto [low, high] = std::minmax({face[0].z, face[1].z, face[2].z});
  const Vec3 n = cross(face[1] - face[0], face[2] - face[0]);
  if (n.z == 0) return low;
  const double z = face[0].z - (n.x * (x - face[0].x) + n.y * (y - face[0].y)) / n.z;
  return std::isfinite(z) ? std::clamp(z, low, high) : low;
}

constexpr int measured_columns = 512;  // along each side

}  // namespace

Solid::Solid(const Mesh& mesh, Context& context) {
  context.require_memory(300 * static_cast<double>(mesh.triangles.size()), "the solid");
  std::vector<Keyed> keyed = keyed_faces(mesh, context);
  leave_out_repeated(keyed);
  require_closed(mesh, keyed, context);
  if (keyed.empty())
    throw Error(ErrorKind::input, "encloses nothing: it has no faces with an area");
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Vec3 high{-infinity, -infinity, -infinity};
  low_ = {infinity, infinity, infinity};
  std::vector<double> areas;
  faces_.reserve(keyed.size());
  for (const Keyed& from : keyed) {
    context.check();
    Face face;
    for (std::size_t i = 0; i < 3; ++i) {
      const auto corner = static_cast<std::size_t>(mesh.triangles[from.triangle][i]);
      const Vec3& p = face[i] = mesh.vertices[corner];
      low_ = {std::min(low_.x, p.x), std::min(low_.y, p.y), std::min(low_.z, p.z)};
      high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
    }
    std::sort(face.begin(), face.end(), [](const Vec3& a, const Vec3& b) {
      return std::tie(a.x, a.y, a.z) < std::tie(b.x, b.y, b.z);
    });
    areas.push_back(0.5 * length(cross(face[1] - face[0], face[2] - face[0])));
    faces_.push_back(face);
  }
  area_ = std::accumulate(areas.begin(), areas.end(), 0.0);
  side_ = {high.x - low_.x, high.y - low_.y, high.z - low_.z};
  for (const Vec3& p : {low_, high}) {
    farthest_ = std::max({farthest_, std::abs(p.x), std::abs(p.y), std::abs(p.z)});
  }
  if (*std::min_element(side_.begin(), side_.end()) > 0) {
    lay_out_columns(context);
    volume_ = measured_volume(context);
  }
  if (!(volume_ > 0)) throw Error(ErrorKind::input, "encloses nothing: it is flat");
}

std::size_t Solid::column_of(double x, double y) const {
  const auto along = [](double at, double side, std::size_t count) {
    const double n = at / side * static_cast<double>(count);
    return static_cast<std::size_t>(std::clamp(n, 0.0, static_cast<double>(count - 1)));
  };
  return along(x - low_.x, side_[0], columns_[0]) +
         columns_[0] * along(y - low_.y, side_[1], columns_[1]);
}

void Solid::lay_out_columns(const Context& context) {
  // The grid has about as many columns as faces, but fewer if long faces would each be in many.
  double wide = 0;
  double high = 0;
  double both = 0;
  for (std::uint32_t f = 0; f < faces_.size(); ++f) {
    const SolidBox box = bounds(f);
    const double w = 2 * box.half[0] / side_[0];
    const double h = 2 * box.half[1] / side_[1];
    wide += w;
    high += h;
    both += w * h;
  }
  const auto count = static_cast<double>(faces_.size());
  double side = std::clamp(std::ceil(std::sqrt(count)), 1.0, 2048.0);
  while (side > 1 && count + (wide + high) * side + both * side * side > 12 * count) side /= 2;
  columns_.fill(static_cast<std::size_t>(std::max(1.0, side)));
  const auto for_columns = [&](const Face& face, const auto& body) {
    context.check();
    const auto [left, right] = std::minmax({face[0].x, face[1].x, face[2].x});
    const auto [low, top] = std::minmax({face[0].y, face[1].y, face[2].y});
    const std::size_t first = column_of(left, low);
    const std::size_t across = column_of(right, low) - first;
    const std::size_t end = column_of(left, top);
    for (std::size_t row = first; row <= end; row += columns_[0]) {
      for (std::size_t column = row; column <= row + across; ++column) body(column);
    }
  };
  over_ = {columns_[0] * columns_[1], [&](const auto& add) {
             for (std::uint32_t f = 0; f < faces_.size(); ++f) {
               for_columns(faces_[f], [&](std::size_t column) { add(column, f); });
             }
           }};
}

bool Solid::holds(const Vec3& p) const {
  bool inside = false;
  for (const std::uint32_t f : over_.of(column_of(p.x, p.y))) {
    const Face& face = faces_[f];
    if (is_over(face, p.x, p.y) && height_of(face, p.x, p.y) > p.z) inside = !inside;
  }
  return inside;
}

// Sums the lengths inside the solid of lines through the centers of a grid.
double Solid::measured_volume(Context& context) const {
  std::vector<double> rows(measured_columns);
  parallel_for(context, rows.size(), [&](std::size_t row) {
    std::vector<double> heights;
    const double y = low_.y + (static_cast<double>(row) + 0.5) / measured_columns * side_[1];
    for (int i = 0; i < measured_columns; ++i) {
      const double x = low_.x + (i + 0.5) / measured_columns * side_[0];
      heights.clear();
      for (const std::uint32_t f : over_.of(column_of(x, y))) {
        const Face& face = faces_[f];
        if (is_over(face, x, y)) heights.push_back(height_of(face, x, y));
      }
      std::sort(heights.begin(), heights.end());
      for (std::size_t k = 0; k + 1 < heights.size(); k += 2) {
        rows[row] += heights[k + 1] - heights[k];
      }
    }
  });
  const double length = std::accumulate(rows.begin(), rows.end(), 0.0);
  return length * (side_[0] / measured_columns) * (side_[1] / measured_columns);
}

SolidBox Solid::bounds(std::uint32_t f) const {
  const Face& face = faces_[f];
  Vec3 low = face[0];
  Vec3 high = face[0];
  for (const Vec3& p : face) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  const Vec3 half = (high - low) * 0.5;
  return {seen((low + high) * 0.5), {half.x, half.y, half.z}};
}

// Returns true if no axis separates the face and the box (Akenine-Moeller 2001).
bool Solid::crosses(std::uint32_t f, const SolidBox& box) const {
  const Vec3 middle = place(box.middle);
  const Vec3 half{box.half[0], box.half[1], box.half[2]};
  std::array<Vec3, 3> p;
  for (std::size_t i = 0; i < 3; ++i) p[i] = faces_[f][i] - middle;
  const auto outside = [](double a, double b, double c, double reach) {
    return std::min({a, b, c}) > reach || std::max({a, b, c}) < -reach;
  };
  if (outside(p[0].x, p[1].x, p[2].x, half.x) || outside(p[0].y, p[1].y, p[2].y, half.y) ||
      outside(p[0].z, p[1].z, p[2].z, half.z)) {
    return false;
  }
  const auto separates = [&](const Vec3& axis) {
    const double reach =
        half.x * std::abs(axis.x) + half.y * std::abs(axis.y) + half.z * std::abs(axis.z);
    return outside(dot(p[0], axis), dot(p[1], axis), dot(p[2], axis), reach);
  };
  const std::array<Vec3, 3> edges{p[1] - p[0], p[2] - p[1], p[0] - p[2]};
  if (separates(cross(edges[0], edges[1]))) return false;
  for (const Vec3& e : edges) {
    if (separates({0, -e.z, e.y}) || separates({e.z, 0, -e.x}) || separates({-e.y, e.x, 0})) {
      return false;
    }
  }
  return true;
}

void require_fine(const Solid& solid, double radius) {
  // Coordinates on so coarse a grid would break the distances.
  constexpr double finest = 1e-9;
  if (solid.farthest() * 2.3e-16 < finest * radius) return;
  throw Error(ErrorKind::input, "lies too far from the origin for points " + shortest(radius) +
                                    " apart: its coordinates reach " + shortest(solid.farthest()) +
                                    "; move it to the origin");
}

void select_faces(const Solid& solid, std::span<const std::uint32_t> from, const SolidBox& box,
                  std::vector<std::uint32_t>& found) {
  found.clear();
  for (const std::uint32_t face : from) {
    if (solid.crosses(face, box)) found.push_back(face);
  }
}

}  // namespace dapple::box_space
