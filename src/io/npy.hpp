// Reads headers of NumPy array files (NEP 1), versions 1 to 3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

struct NpyHeader {
  char kind = 'f';  // f float, i signed, u unsigned, b truth value
  std::size_t item_bytes = 8;
  bool big_endian = false;
  bool fortran_order = false;
  std::vector<std::uint64_t> shape;
  std::size_t start = 0;  // offset of the values in the file

  std::string shape_text() const;  // such as (1000, 3)
  // Returns value `index`; `values` are the bytes after the header.
  double item(std::string_view values, std::uint64_t index) const;
  // Returns true for shapes of points: 2 or 3 columns, or 4, 5 or 7 columns of doubles.
  bool is_points() const;
};

// Largest size of a header in bytes.
inline constexpr std::size_t npy_header_bytes = 65536 + 12;
// Reads the header at the front of a file. Throws Error(input).
NpyHeader npy_header_of(std::string_view bytes);

}  // namespace dapple
