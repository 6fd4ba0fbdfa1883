// Headers of NumPy's array files (NEP 1), versions 1 to 3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

struct NpyHeader {
  char kind = 'f';  // f float, i signed, u unsigned
  std::size_t item_bytes = 8;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t start = 0;  // of the values in the file

  std::string shape_text() const;  // such as (1000, 3)
  // A value of those that follow the header.
  double item(std::string_view values, std::uint64_t index) const;
  // Whether its shape is that of points: two or three columns, or up to five or seven of doubles.
  bool is_points() const;
};

// The most bytes that a header takes.
inline constexpr std::size_t npy_header_bytes = 65536 + 12;
// From the bytes at the front of a file. Throws Error(input).
NpyHeader npy_header_of(std::string_view bytes);

}  // namespace dapple
