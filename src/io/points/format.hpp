// Helpers for readers and writers of point files: columns by name, numbers as text, and the checks
// that every set passes before its reader returns it.
#pragma once

#include <bit>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <variant>
#include <vector>

#include "core/text/number_text.hpp"
#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "io/images/formats.hpp"

namespace dapple {

// The area that the coordinates of points refer to.
struct Placement {
  Domain domain;
  double depth = 0;  // of a volume; 0 if flat
  Vec2 origin;
  double extent = 0;  // along w; 0 if there is none
};

// Returns the extension in lower case, without a dot.
std::string plain_extension(std::string_view extension);

// Columns of a Points. `other` stands for columns of a file that are skipped.
enum class Column { x, y, radius, class_id, rank, id, size, rotation, z, w, other };

// Returns the column with this name in files, in upper or lower case: x, y, r (or radius), class,
// rank, id, size, rotation, z, w.
Column column_of(std::string_view name);
std::string_view name_of(Column column);

// A column as files hold it; std::monostate stands for zeros.
struct NamedColumn {
  std::string_view name;
  std::variant<std::monostate, const std::vector<double>*, const std::vector<float>*,
               const std::vector<std::int32_t>*, const OtherColumn*>
      values;
};
// Returns x, y and r, then the other columns that the set has, in the order of CSV files.
std::vector<NamedColumn> columns_of(const Points& points);
// Returns the texts of a column of texts, otherwise nullptr.
const std::vector<std::string>* texts_of(const NamedColumn& column);
// Returns true for x, y, z and w.
bool is_coordinate(const NamedColumn& column);

// Calls body(value) with the value in a row, in its own type.
template <class Body>
void with_value(const NamedColumn& column, std::size_t row, const Body& body) {
  if (const auto* const* doubles = std::get_if<1>(&column.values)) return body((**doubles)[row]);
  if (const auto* const* floats = std::get_if<2>(&column.values)) return body((**floats)[row]);
  if (const auto* const* integers = std::get_if<3>(&column.values)) return body((**integers)[row]);
  if (const auto* const* other = std::get_if<4>(&column.values)) {
    if ((*other)->type == "float") return body(static_cast<float>((*other)->values[row]));
    return body((*other)->values[row]);
  }
  body(0.0);
}

// Returns the area to which the coordinates refer: the domain, or the bounds in x and y of points
// on a surface, for readers of planar sets.
Placement placement_of(const Points& points);

// Appends a value to a column. The text form parses a radius directly as float, so that the
// shortest text of a float gives the same float. Both return false and change nothing if the value
// does not fit the column.
bool store(Points& points, Column column, std::string_view text);
bool store(Points& points, Column column, double value);

// Appends a value to a column of Points::others. A column with a text that is no number becomes one
// of texts.
void store(OtherColumn& other, std::string_view text);

// Throws Error(limit) if `count` exceeds the range of an index or the memory limit. Check `count`
// against the size of the file first.
void require_points(double count, const Limits& limits);
// Checks the count as require_points() does, and reserves memory.
void reserve(Points& points, double count, const Limits& limits);

// Sets the domain of a set that has no points yet.
inline void put(Points& points, const Placement& place) {
  points.domain = place.domain;
  points.depth = place.depth;
  points.extent = place.extent;
  points.origin = place.origin;
}

// Completes a set for its reader. A missing column r becomes 0. Without a domain in the file, the
// domain is the flat bounding box from the origin, rounded up to whole numbers. Points lie in a
// plane if all z are 0 or any is below 0. Keeps a column w only if the file gives the extent along
// w. `whole_rows`: coordinates below 0 make a cloud. Throws Error(input) if the result is not a
// valid point set.
Points finished(Points points, bool has_domain, bool whole_rows);
// Sets the depth: the value in the file, or more if the points need it. Without a volume the depth
// is 0, and z is cleared or, if any z is below 0, moved to `height`.
void guess_depth(Points& points);

// Appends the shortest decimal that reads back as the same value.
template <class Number>
void append(std::string& text, Number value) {
  char buffer[32];
  text.append(buffer, write_number(buffer, buffer + sizeof buffer, value).ptr);
}

template <class Value>
void append_little_endian(std::string& bytes, Value value) {
  using Bits = std::conditional_t<sizeof(Value) == 8, std::uint64_t, std::uint32_t>;
  put(bytes, std::bit_cast<Bits>(value), sizeof(Value));
}

// Returns the bits of a number of one to eight stored bytes.
std::uint64_t bits_of(std::string_view bytes, bool big_endian);

// Reads a finite decimal number at the front of `text` and moves past it; a leading + is allowed.
std::optional<double> take_number(std::string_view& text);

// Decodes by the extension, or by content if it is empty. `place`: domain of a sidecar, or null.
Points decode_placed(std::string_view bytes, std::string_view extension, const Limits& limits,
                     const Placement* place);
// Read and write one format each. Writers expect a valid set; readers do not know file names.
// Formats that cannot hold a domain use `place`, if given.
Points decode_csv(std::string_view bytes, const Limits& limits, const Placement* place);
// Reads points of a scanner as decode_csv() does, but takes columns without names for x, y and z.
Points decode_cloud(std::string_view bytes, const Limits& limits);
Points decode_ply(std::string_view bytes, const Limits& limits);
Points decode_json(std::string_view bytes, const Limits& limits);
Points decode_npy(std::string_view bytes, const Limits& limits, const Placement* place);
Points decode_svg(std::string_view bytes, const Limits& limits);
std::string encode_csv(const Points& points);
std::string encode_ply(const Points& points, const Placement& place);
std::string encode_json(const Points& points, const Placement& place);
std::string encode_npy(const Points& points);

}  // namespace dapple
