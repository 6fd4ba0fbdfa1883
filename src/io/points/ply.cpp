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
#include <cmath>
#include <optional>
#include <type_traits>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/units.hpp"
#include "io/points/format.hpp"

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

  Points read() {
    for (const auto& [number, comment] : file_.comments()) read_comment(number, comment);
    for (const PlyElement& element : file_.elements()) {
      if (element.name == "vertex") {
        read_vertices(element);
        return finished(std::move(points_), has_domain_, limits_.decoding.whole_rows);
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
    // The place in Points::others of each property that is kept as it is; otherwise -1.
    std::vector<int> other(columns.size(), -1);
    for (std::size_t i = 0; i < columns.size() && limits_.decoding.whole_rows; ++i) {
      const PlyProperty& property = element.properties[i];
      if (columns[i] != Column::other || property.list) continue;
      other[i] = static_cast<int>(points_.others.size());
      points_.others.push_back({std::string(property.name), std::string(name_of(property.type))});
    }
    const auto put = [&](std::size_t property, const auto& value) {
      if (other[property] >= 0) {
        OtherColumn& of = points_.others[static_cast<std::size_t>(other[property])];
        if constexpr (std::is_same_v<std::decay_t<decltype(value)>, double>) {
          of.values.push_back(value);
        } else {
          std::string_view rest = value;
          of.values.push_back(take_number(rest).value_or(std::nan("")));
        }
        return;
      }
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
  Points points_;
  bool has_domain_ = false;
};

}  // namespace

Points decode_ply(std::string_view bytes, const Limits& limits) {
  return PlyReader(bytes, limits).read();
}

std::string encode_ply(const Points& points, const Placement& place) {
  const Domain& domain = place.domain;
  std::string bytes = "ply\nformat binary_little_endian 1.0\ncomment dapple.domain " +
                      shortest(domain.width) + " " + shortest(domain.height) +
                      (domain.wrap ? " wrap\n" : " flat\n");
  if (place.depth > 0) bytes += "comment dapple.depth " + shortest(place.depth) + "\n";
  if (place.extent > 0) bytes += "comment dapple.extent " + shortest(place.extent) + "\n";
  if (points.space != nullptr || !(place.origin == Vec2{})) {
    bytes +=
        "comment dapple.origin " + shortest(place.origin.x) + " " + shortest(place.origin.y) + "\n";
  }
  for (const auto& [key, value] : points.metadata) {
    bytes += "comment dapple.metadata " + escaped(key, true) + " " + escaped(value, false) + "\n";
  }
  bytes += "element vertex " + std::to_string(points.size()) + "\n";
  std::vector<NamedColumn> columns = dapple::columns_of(points);
  std::erase_if(columns, [](const NamedColumn& column) { return texts_of(column) != nullptr; });
  if (points.space == nullptr) {
    // Programs for meshes need a z, next to x and y.
    if (points.z.empty()) columns.insert(columns.begin() + 2, {"z", {}});
    std::stable_partition(columns.begin(), columns.end(), is_coordinate);
  }
  constexpr std::array<std::string_view, 4> types{"double", "double", "float", "int"};
  for (const NamedColumn& column : columns) {
    const auto* const* other = std::get_if<4>(&column.values);
    bytes += "property " +
             (other != nullptr ? (*other)->type : std::string(types[column.values.index()])) + " " +
             std::string(column.name == "r" ? "radius" : column.name) + "\n";
  }
  bytes += "end_header\n";
  bytes.reserve(bytes.size() + points.size() * 8 * columns.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const NamedColumn& column : columns) {
      const auto* const* other = std::get_if<4>(&column.values);
      const int size = other != nullptr ? ply_integer_bytes((*other)->type) : 0;
      if (size > 0) {
        const auto whole = static_cast<std::int64_t>((*other)->values[i]);
        dapple::put(bytes, static_cast<std::uint64_t>(whole), size);
        continue;
      }
      with_value(column, i, [&](auto value) { append_little_endian(bytes, value); });
    }
  }
  return bytes;
}

}  // namespace dapple
