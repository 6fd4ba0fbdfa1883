// Reads and writes points as a NumPy array (NEP 1). Written: N x 3 float64 of x, y, r in C order, N
// x 4 with z after them, N x 5 with z and w; the sidecar holds the domain. Read: N x 2 to N x 5 of
// any integer or float type, byte order, C or Fortran order, header versions 1 to 3. Also reads N x
// 7 for points on a mesh and ignores the normals after z.
#include "io/npy.hpp"

#include <algorithm>
#include <bit>
#include <filesystem>
#include <fstream>
#include <vector>

#include "dapple/error.hpp"
#include "dapple/limits.hpp"
#include "dapple/point_files.hpp"
#include "io/images/formats.hpp"
#include "io/points/format.hpp"

namespace dapple {
namespace {

[[noreturn]] void fail(const std::string& why) {
  throw Error(ErrorKind::input, why);
}

}  // namespace

Points decode_npy(std::string_view bytes, const Limits& limits, const Placement* place) {
  const NpyHeader header = npy_header_of(bytes);
  const std::vector<std::uint64_t>& sides = header.shape;
  constexpr std::uint64_t with_normals = 7;
  if (sides.size() != 2 || sides[1] < 2 || (sides[1] > 5 && sides[1] != with_normals)) {
    fail("the array has shape " + header.shape_text() +
         "; expected (N, 2) to (N, 5): x, y, r, z and w, or (N, 7): x, y, r, z and normals");
  }
  const std::uint64_t rows = sides[0];
  const std::string_view body = bytes.substr(header.start);
  if (body.size() / (header.item_bytes * sides[1]) < rows) {
    fail("ends before the " + std::to_string(rows) + " rows that its header promises");
  }
  Points points;
  if (place != nullptr) put(points, *place);
  reserve(points, static_cast<double>(rows), limits);
  constexpr Column columns[] = {Column::x, Column::y, Column::radius, Column::z, Column::w};
  if (limits.decoding.whole_rows && sides[1] == with_normals) {
    points.others = {{"nx"}, {"ny"}, {"nz"}};
  }
  for (std::uint64_t row = 0; row < rows; ++row) {
    for (std::uint64_t column = 0; column < sides[1]; ++column) {
      const std::uint64_t index =
          header.fortran_order ? column * rows + row : row * sides[1] + column;
      if (sides[1] == with_normals && column > 3) {
        if (points.others.empty()) break;
        points.others[static_cast<std::size_t>(column - 4)].values.push_back(
            header.item(body, index));
        continue;
      }
      if (store(points, columns[column], header.item(body, index))) continue;
      fail("row " + std::to_string(row + 1) + ": its " + std::string(name_of(columns[column])) +
           " is not a number that can be used");
    }
  }
  return finished(std::move(points), place != nullptr, limits.decoding.whole_rows);
}

std::string encode_npy(const Points& points) {
  std::vector<NamedColumn> columns = columns_of(points);
  std::erase_if(columns, [](const NamedColumn& column) {
    constexpr std::string_view held = " x y r z w nx ny nz ";
    if (column.values.index() == 4 && texts_of(column) != nullptr) return true;
    return held.find(" " + std::string(column.name) + " ") == std::string_view::npos;
  });
  std::string bytes = npy_header(
      "<f8", "(" + std::to_string(points.size()) + ", " + std::to_string(columns.size()) + ")");
  bytes.reserve(bytes.size() + points.size() * 8 * columns.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    for (const NamedColumn& column : columns) {
      with_value(column, i,
                 [&](auto value) { append_little_endian(bytes, static_cast<double>(value)); });
    }
  }
  return bytes;
}

bool is_array_of_points(const std::string& path) {
  std::ifstream file(std::filesystem::path(path), std::ios::binary);
  std::string bytes(npy_header_bytes, '\0');
  file.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
  bytes.resize(static_cast<std::size_t>(file.gcount()));
  try {
    return npy_header_of(bytes).is_points();
  } catch (const Error&) {
    return true;
  }
}

}  // namespace dapple
