// Helpers for readers and writers of point files: columns by name, numbers as text, and the checks
// that every set passes before its reader returns it.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/text/number_text.hpp"
#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "io/points/placement.hpp"

namespace dapple {

// Returns the extension in lower case, without a dot.
std::string plain_extension(std::string_view extension);

// Columns of a PointSet. `other` stands for columns of a file that are skipped.
enum class Column { x, y, radius, class_id, rank, id, size, rotation, z, w, other };

// Returns the column with this name in files, in upper or lower case: x, y, r (or radius), class,
// rank, id, size, rotation, z, w.
Column column_of(std::string_view name);
std::string_view name_of(Column column);

// Calls body(column, values) for each existing column other than x, y, r, z and w, in file order.
template <class Body>
void for_each_extra(const PointSet& points, Body body) {
  const auto extra = [&](Column column, const auto& values) {
    if (!values.empty()) body(column, values);
  };
  extra(Column::class_id, points.class_id);
  extra(Column::rank, points.rank);
  extra(Column::id, points.id);
  extra(Column::size, points.object_size);
  extra(Column::rotation, points.rotation);
}

// Appends a value to a column. The text form parses a radius directly as float, so that the
// shortest text of a float gives the same float. Both return false and change nothing if the value
// does not fit the column.
bool store(PointSet& points, Column column, std::string_view text);
bool store(PointSet& points, Column column, double value);

// Throws Error(limit) if `count` exceeds the range of an index or the memory limit. Check `count`
// against the size of the file first.
void require_points(double count, const Limits& limits);
// Checks the count as require_points() does, and reserves memory.
void reserve(PointSet& points, double count, const Limits& limits);

// Sets the domain of a set that has no points yet.
inline void put(PointSet& points, const Placement& place) {
  points.domain = place.domain;
  points.depth = place.depth;
  points.extent = place.extent;
  points.origin = place.origin;
}

// Completes a set for its reader. A missing column r becomes 0. Without a domain in the file, the
// domain is the flat bounding box from the origin, rounded up to whole numbers. Points lie in a
// plane if all z are 0 or any is below 0. Keeps a column w only if the file gives the extent along
// w. Throws Error(input) if the result is not a valid point set.
PointSet finished(PointSet points, bool has_domain);
// Sets the depth: the value in the file, or more if the points need it. Without a volume the depth
// is 0, and z is cleared or, if any z is below 0, moved to `height`.
void guess_depth(PointSet& points);

// Appends the shortest decimal that reads back as the same value.
template <class Number>
void append(std::string& text, Number value) {
  char buffer[32];
  text.append(buffer, write_number(buffer, buffer + sizeof buffer, value).ptr);
}

// Returns the bits of a number of one to eight stored bytes.
std::uint64_t bits_of(std::string_view bytes, bool big_endian);

// Reads a finite decimal number at the front of `text` and moves past it; a leading + is allowed.
std::optional<double> take_number(std::string_view& text);

// Decodes by the extension, or by content if it is empty. `place`: domain of a sidecar, or null.
PointSet decode_placed(std::string_view bytes, std::string_view extension, const Limits& limits,
                       const Placement* place);
// Read and write one format each. Writers expect a valid set; readers do not know file names.
// Formats that cannot hold a domain use `place`, if given.
PointSet decode_csv(std::string_view bytes, const Limits& limits, const Placement* place);
// Reads points of a scanner as decode_csv() does, but takes columns without names for x, y and z.
PointSet decode_cloud(std::string_view bytes, const Limits& limits);
PointSet decode_ply(std::string_view bytes, const Limits& limits);
PointSet decode_json(std::string_view bytes, const Limits& limits);
PointSet decode_npy(std::string_view bytes, const Limits& limits, const Placement* place);
PointSet decode_svg(std::string_view bytes, const Limits& limits);
std::string encode_csv(const PointSet& points);
std::string encode_ply(const PointSet& points);
std::string encode_json(const PointSet& points);
std::string encode_npy(const PointSet& points);

}  // namespace dapple
