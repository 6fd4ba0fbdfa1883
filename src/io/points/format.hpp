// Helpers of the readers and writers of point files: columns by name, numbers as text, and the
// checks that every set passes before it leaves a reader.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"
#include "io/points/placement.hpp"

namespace dapple {

// Returns the extension in lower case, without a dot.
std::string plain_extension(std::string_view extension);

// Columns of a PointSet. Other columns of a file are skipped.
enum class Column { x, y, radius, class_id, rank, id, size, rotation, z, w, other };

// Returns the column with this name in files, in any case: x, y, r (or radius), class, rank, id,
// size, rotation, z, w.
Column column_of(std::string_view name);
std::string_view name_of(Column column);

// Calls body(column, values) for each column that the set has beyond x, y, r, z and w, in the order
// of files.
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

// Appends a value to a column. The text form reads a radius straight to float, so that the shortest
// text of a float reads back as the same float. Both return false and change nothing if the value
// does not fit the column.
bool store(PointSet& points, Column column, std::string_view text);
bool store(PointSet& points, Column column, double value);

// Throws Error(limit) if `count` exceeds the range of an index or the memory limit. The size of the
// file must have confirmed `count`.
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

// Completes a set as readers return it. A missing column r becomes 0. If the file names no domain,
// it is the flat bounding box from the origin, rounded up to whole numbers. Points whose z are all
// 0, or go below, lie in a plane. A column w is kept only if the file gives the extent along it.
// Throws Error(input) if the result cannot be a point set.
PointSet finished(PointSet points, bool has_domain);
// Sets the depth: what the file says, or as much as the points need. If the points do not lie in a
// volume, the depth is 0, and z is cleared or, if it goes below 0, becomes their height.
void guess_depth(PointSet& points);

// Appends the shortest decimal that reads back as the same value.
template <class Number>
void append(std::string& text, Number value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

// Returns the bits of a number of one to eight stored bytes.
std::uint64_t bits_of(std::string_view bytes, bool big_endian);

// Reads a finite decimal number at the front of `text` and moves past it; a leading + is allowed.
std::optional<double> take_number(std::string_view& text);

// Decodes by the extension, or by content if it is empty. `place`: domain of a sidecar, or null.
PointSet decode_placed(std::string_view bytes, std::string_view extension, const Limits& limits,
                       const Placement* place);
// Read and write one format each. The writers expect a valid set; the readers know nothing of file
// names. Formats that cannot hold a domain use `place`, if given.
PointSet decode_csv(std::string_view bytes, const Limits& limits, const Placement* place);
PointSet decode_ply(std::string_view bytes, const Limits& limits);
PointSet decode_json(std::string_view bytes, const Limits& limits);
PointSet decode_npy(std::string_view bytes, const Limits& limits, const Placement* place);
PointSet decode_svg(std::string_view bytes, const Limits& limits);
std::string encode_csv(const PointSet& points);
std::string encode_ply(const PointSet& points);
std::string encode_json(const PointSet& points);
std::string encode_npy(const PointSet& points);

}  // namespace dapple
