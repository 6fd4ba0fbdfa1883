// Reads and writes points as PLY (Turk 1994).
//
// Written: binary little endian, double x y z (and w), float radius, then int class, rank and id,
// float size and rotation; comments hold the domain and the metadata. Read: the vertex element of
// any ascii or binary file, with properties of any type in any order. Elements before it are
// skipped; elements after it are ignored.
#include "io/ply.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/units.hpp"
#include "io/points/format.hpp"
#include "io/points/ply_text.hpp"

namespace dapple {
namespace {

// Escapes a text for one line: a comment cannot hold newlines, and a key cannot hold blanks.
std::string escaped(std::string_view text, bool key) {
  std::string line;
  for (const char c : text) {
    const auto special = std::string_view(key ? "\\\n\r " : "\\\n\r").find(c);
    if (special != std::string_view::npos) line += '\\';
    line += special == std::string_view::npos ? c : "\\nrs"[special];
  }
  return line;
}

std::string unescaped(std::string_view line) {
  std::string text;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] != '\\' || i + 1 == line.size()) {
      text += line[i];
      continue;
    }
    const char c = line[++i];
    text += c == 'n' ? '\n' : c == 'r' ? '\r' : c == 's' ? ' ' : c;
  }
  return text;
}

class PlyReader {
 public:
  PlyReader(std::string_view bytes, const Limits& limits) : file_(bytes), limits_(limits) {}

  PointSet read() {
    for (const auto& [number, comment] : file_.comments()) read_comment(number, comment);
    for (const PlyElement& element : file_.elements()) {
      if (element.name == "vertex") {
        read_vertices(element);
        return finished(std::move(points_), has_domain_);
      }
      file_.skip(element);
    }
    throw Error(ErrorKind::input, "holds no vertex element");
  }

 private:
  [[noreturn]] static void fail(std::size_t line, const std::string& why) {
    throw Error(ErrorKind::input, "line " + std::to_string(line) + ": " + why);
  }

  void read_comment(std::size_t number, std::string_view line) {
    const std::string_view word = take_word(line);
    if (word == "dapple.domain") {
      const auto width = whole_number(take_word(line));
      const auto height = whole_number(take_word(line));
      const std::string_view kind = take_word(line);
      if (!width || !height || !(*width >= 0) || !(*height >= 0) ||
          (kind != "wrap" && kind != "flat")) {
        fail(number, "expected `comment dapple.domain WIDTH HEIGHT flat|wrap`");
      }
      points_.domain = {*width, *height, kind == "wrap"};
      has_domain_ = true;
    } else if (word == "dapple.depth") {
      const auto depth = whole_number(take_word(line));
      if (!depth || !(*depth >= 0)) fail(number, "expected `comment dapple.depth DEPTH`");
      points_.depth = *depth;
    } else if (word == "dapple.extent") {
      const auto extent = whole_number(take_word(line));
      if (!extent || !(*extent >= 0)) fail(number, "expected `comment dapple.extent EXTENT`");
      points_.extent = *extent;
    } else if (word == "dapple.origin") {
      const auto x = whole_number(take_word(line));
      const auto y = whole_number(take_word(line));
      if (!x || !y) fail(number, "expected `comment dapple.origin X Y`");
      points_.origin = {*x, *y};
    } else if (word == "dapple.metadata") {
      std::string key = unescaped(take_word(line));
      if (line.starts_with(' ')) line.remove_prefix(1);
      points_.metadata.emplace_back(std::move(key), unescaped(line));
    }
  }

  // Reads a number that spans the whole text.
  static std::optional<double> whole_number(std::string_view text) {
    const auto value = take_number(text);
    return text.empty() ? value : std::nullopt;
  }

  static std::vector<Column> columns_of(const PlyElement& element) {
    std::vector<Column> columns;
    for (const PlyProperty& property : element.properties) {
      const Column column = property.list ? Column::other : column_of(property.name);
      if (column != Column::other &&
          std::find(columns.begin(), columns.end(), column) != columns.end()) {
        throw Error(ErrorKind::input,
                    "has property " + std::string(property.name.substr(0, 40)) + " twice");
      }
      columns.push_back(column);
    }
    for (const Column needed : {Column::x, Column::y}) {
      if (std::find(columns.begin(), columns.end(), needed) == columns.end()) {
        throw Error(ErrorKind::input, "its vertices have no properties x and y");
      }
    }
    return columns;
  }

  void read_vertices(const PlyElement& element) {
    const std::vector<Column> columns = columns_of(element);
    file_.require_room(element);
    reserve(points_, static_cast<double>(element.count), limits_);
    std::uint64_t row = 0;
    const auto put = [&](std::size_t property, const auto& value) {
      if (store(points_, columns[property], value)) return;
      throw Error(ErrorKind::input, "vertex " + std::to_string(row + 1) + ": its " +
                                        std::string(name_of(columns[property])) +
                                        " is not a number that can be used");
    };
    PlyVisitor visitor;
    visitor.text = put;
    visitor.number = put;
    visitor.end_of_row = [&] { ++row; };
    file_.read(element, visitor);
  }

  PlyFile file_;
  const Limits& limits_;
  PointSet points_;
  bool has_domain_ = false;
};

}  // namespace

PointSet decode_ply(std::string_view bytes, const Limits& limits) {
  return PlyReader(bytes, limits).read();
}

std::string ply_comments(const Metadata& metadata) {
  std::string text;
  for (const auto& [key, value] : metadata) {
    text += "comment dapple.metadata " + escaped(key, true) + " " + escaped(value, false) + "\n";
  }
  return text;
}

std::string encode_ply(const PointSet& points) {
  const Domain& domain = points.domain;
  std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment dapple.domain " +
                      shortest(domain.width) + " " + shortest(domain.height) +
                      (domain.wrap ? " wrap\n" : " flat\n");
  if (!points.z.empty()) bytes += "comment dapple.depth " + shortest(points.depth) + "\n";
  if (!points.w.empty()) bytes += "comment dapple.extent " + shortest(points.extent) + "\n";
  if (!(points.origin == Vec2{})) {
    bytes += "comment dapple.origin " + shortest(points.origin.x) + " " +
             shortest(points.origin.y) + "\n";
  }
  bytes += ply_comments(points.metadata) + "element vertex " + std::to_string(points.size()) +
           "\nproperty double x\nproperty double y\nproperty double z\n" +
           (points.w.empty() ? "" : "property double w\n") + "property float radius\n";
  for_each_extra(points, [&](Column column, const auto& values) {
    constexpr std::array types{"property float ", "property int "};
    bytes += types[std::is_integral_v<std::decay_t<decltype(values[0])>>];
    bytes += std::string(name_of(column)) + "\n";
  });
  bytes += "end_header\n";
  bytes.reserve(bytes.size() + points.size() * 36);
  for (std::size_t i = 0; i < points.size(); ++i) {
    append_little_endian(bytes, points.x[i]);
    append_little_endian(bytes, points.y[i]);
    append_little_endian(bytes, points.z.empty() ? 0.0 : points.z[i]);
    if (!points.w.empty()) append_little_endian(bytes, points.w[i]);
    append_little_endian(bytes, points.radius[i]);
    for_each_extra(points,
                   [&](Column, const auto& values) { append_little_endian(bytes, values[i]); });
  }
  return bytes;
}

}  // namespace dapple
