// Shared by the readers and writers of point files: columns by name, numbers as text, and the
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

// In lower case, without a dot.
std::string plain_extension(std::string_view extension);

// Columns that a PointSet has. Files may hold others: they are skipped.
enum class Column { x, y, radius, klass, rank, id, size, rotation, z, w, other };

// By the name that files give it: x, y, r (or radius), class, rank, id, size, rotation,
// z, w; in any case.
Column column_of(std::string_view name);
std::string_view name_of(Column column);

// body(column, values) for those columns beyond x, y, r, z and w that the set has, as files list
// them.
template <class Body>
void for_each_extra(const PointSet& points, Body body) {
  const auto extra = [&](Column column, const auto& values) {
    if (!values.empty()) body(column, values);
  };
  extra(Column::klass, points.klass);
  extra(Column::rank, points.rank);
  extra(Column::id, points.id);
  extra(Column::size, points.object_size);
  extra(Column::rotation, points.rotation);
}

// Appends a value to a column. The text form reads a radius straight to float, so that the shortest
// text of a float comes back as that float. Both return false for what is not a number of that
// column, and then change nothing.
bool store(PointSet& points, Column column, std::string_view text);
bool store(PointSet& points, Column column, double value);

// Throws Error(limit) where `count` is more than an index can count or than memory may hold. Called
// with a count that the size of the file has confirmed.
void require_points(double count, const Limits& limits);
// Checks the count as require_points() does, and makes room.
void reserve(PointSet& points, double count, const Limits& limits);

// Gives the set that domain, before any point.
inline void put(PointSet& points, const Placement& place) {
  points.domain = place.domain;
  points.depth = place.depth;
  points.extent = place.extent;
  points.origin = place.origin;
}

// The set as readers return it: a missing column r becomes 0; where the file said nothing about
// its domain, that is the bounding box from the origin, rounded up to whole numbers, flat. Points
// whose z are all 0, or go below, lie in a plane; a column w is a coordinate where the file says
// how large their space is along it, and else is left out. Throws Error(input) for what cannot be
// a point set.
PointSet finished(PointSet points, bool has_domain);
// The part of it about z: a volume as deep as it says, or as its points need; none where these do
// not lie in one.
void guess_depth(PointSet& points);

// The shortest decimal that reads back as the same value.
template <class Number>
void append(std::string& text, Number value) {
  char buffer[32];
  text.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

// A number of one to eight bytes, as stored.
std::uint64_t bits_of(std::string_view bytes, bool big_endian);

// A finite decimal number at the front of `text`, which is moved past it; a leading + is allowed.
std::optional<double> take_number(std::string_view& text);

// By the extension, or by content; with the domain of a sidecar, or none.
PointSet decode_placed(std::string_view bytes, std::string_view extension, const Limits& limits,
                       const Placement* place);
// Each format. The writers expect a valid set; the readers know nothing of file names.
// What has no room for its domain takes the one that is given, if any.
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
