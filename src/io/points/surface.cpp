// Writes points on a surface. The columns of a planar set come first, then z, the normal, weights
// of the second and third corner of the triangle, and the face. The columns of objects come last.
// Points in a solid have neither normals nor triangles; points on a sphere have no triangles.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <variant>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/point_files.hpp"
#include "dapple/units.hpp"
#include "io/images/formats.hpp"
#include "io/points/format.hpp"
#include "io/points/placement.hpp"
#include "io/points/ply_text.hpp"
#include "io/scenes/instances.hpp"
#include "io/text_keys.hpp"

namespace dapple {
namespace {

using Values = std::variant<const std::vector<double>*, const std::vector<float>*,
                            const std::vector<std::int32_t>*>;
struct NamedColumn {
  std::string_view name;
  Values values;
};

std::vector<NamedColumn> columns_of(const SurfacePoints& points) {
  std::vector<NamedColumn> columns{
      {"x", &points.x}, {"y", &points.y}, {"r", &points.r}, {"z", &points.z}};
  const auto own = [&](std::string_view name, const auto& values) {
    if (values.size() == points.size()) columns.push_back({name, &values});
  };
  own("nx", points.nx);
  own("ny", points.ny);
  own("nz", points.nz);
  own("u", points.u);
  own("v", points.v);
  own("face", points.face);
  const auto extra = [&](std::string_view name, const auto& values) {
    if (!values.empty()) columns.push_back({name, &values});
  };
  extra("class", points.class_id);
  extra("rank", points.rank);
  extra("size", points.object_size);
  extra("rotation", points.rotation);
  constexpr std::array<std::string_view, 4> turn{"qx", "qy", "qz", "qw"};
  for (std::size_t k = 0; k < turn.size(); ++k) extra(turn[k], points.turn[k]);
  return columns;
}

// Calls body(value) with the value in a row, in its original type.
template <class Body>
void with_value(const NamedColumn& column, std::size_t row, const Body& body) {
  std::visit([&](const auto* values) { body((*values)[row]); }, column.values);
}

void extend(const std::vector<double>& values, double& low, double& size) {
  if (values.empty()) return;
  low = *std::min_element(values.begin(), values.end());
  const double high = *std::max_element(values.begin(), values.end());
  size = std::nextafter(high - low, std::numeric_limits<double>::infinity());
}

}  // namespace

Placement placement_of(const SurfacePoints& points) {
  Placement extent;
  extend(points.x, extent.origin.x, extent.domain.width);
  extend(points.y, extent.origin.y, extent.domain.height);
  extent.domain.wrap = false;
  return extent;
}

namespace {

std::string encode_csv(const SurfacePoints& points) {
  const auto columns = columns_of(points);
  std::string text;
  for (const NamedColumn& column : columns) {
    if (!text.empty()) text += ',';
    text += column.name;
  }
  text += '\n';
  text.reserve(text.size() + points.size() * 140);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const NamedColumn& column : columns) {
      with_value(column, i, [&](auto value) { append(text, value); });
      text += ',';
    }
    text.back() = '\n';
  }
  return text;
}

std::string encode_ply(const SurfacePoints& points) {
  const auto columns = columns_of(points);
  const Placement extent = placement_of(points);
  std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment dapple.domain " +
                      shortest(extent.domain.width) + " " + shortest(extent.domain.height) +
                      " flat\ncomment dapple.origin " + shortest(extent.origin.x) + " " +
                      shortest(extent.origin.y) + "\n" + ply_comments(points.metadata) +
                      "element vertex " + std::to_string(points.size()) + "\n";
  constexpr std::array<std::string_view, 3> types{"double", "float", "int"};
  for (const NamedColumn& column : columns) {
    bytes += "property " + std::string(types[column.values.index()]) + " " +
             std::string(column.name == "r" ? "radius" : column.name) + "\n";
  }
  bytes += "end_header\n";
  bytes.reserve(bytes.size() + points.size() * 52);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const NamedColumn& column : columns) {
      with_value(column, i, [&](auto value) { append_little_endian(bytes, value); });
    }
  }
  return bytes;
}

std::string encode_json(const SurfacePoints& points) {
  const auto columns = columns_of(points);
  const Placement extent = placement_of(points);
  std::string text = "{\n\"domain\": {\"x\": " + shortest(extent.origin.x) +
                     ", \"y\": " + shortest(extent.origin.y) +
                     ", \"width\": " + shortest(extent.domain.width) +
                     ", \"height\": " + shortest(extent.domain.height) + ", \"wrap\": false},\n";
  text += "\"metadata\": {";
  for (const auto& [key, value] : points.metadata) {
    if (!text.ends_with('{')) text += ", ";
    text += json_quoted(key) + ": " + json_quoted(value);
  }
  text += "},\n\"columns\": {";
  for (const NamedColumn& column : columns) {
    text += (text.ends_with('{') ? "\n\"" : ",\n\"") + std::string(column.name) + "\": [";
    for (std::size_t i = 0; i < points.size(); ++i) {
      if (i > 0) text += ',';
      with_value(column, i, [&](auto value) { append(text, value); });
    }
    text += ']';
  }
  return text + "\n}}\n";
}

std::string encode_npy(const SurfacePoints& points) {
  // The array holds doubles: x, y, r and z, then the normal if the points have one.
  const std::size_t array_columns = points.nx.size() == points.size() ? 7 : 4;
  const auto columns = columns_of(points);
  std::string bytes = npy_header(
      "<f8", "(" + std::to_string(points.size()) + ", " + std::to_string(array_columns) + ")");
  bytes.reserve(bytes.size() + points.size() * 8 * array_columns);
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (std::size_t c = 0; c < array_columns; ++c) {
      with_value(columns[c], i,
                 [&](auto value) { append_little_endian(bytes, static_cast<double>(value)); });
    }
  }
  return bytes;
}

}  // namespace

std::string encode_points(const SurfacePoints& points, std::string_view extension) {
  const std::string plain = plain_extension(extension);
  if (plain == "ply") return encode_ply(points);
  if (plain == "json") return encode_json(points);
  if (plain == "npy") return encode_npy(points);
  if (plain == "glb") return encode_glb(points);
  if (plain == "usda") return encode_usda(points);
  if (plain.empty() || is_point_format(plain)) return encode_csv(points);
  throw Error(ErrorKind::usage,
              "points on a surface cannot be written as '." + plain +
                  "'; use .csv .ply .json .npy .glb or .usda, or .png for a picture");
}

}  // namespace dapple
