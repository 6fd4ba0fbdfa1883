// Reads Netpbm's formats PBM, PGM and PPM, as text or bytes, and PFM, the variant for floats. This
// little code saves the 0.2 s of loading OpenImageIO.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "io/images/module.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {

// The header of a Netpbm file.
struct NetpbmHeader {
  char kind = 0;  // '1' .. '6', 'F' and 'f'
  int width = 0;
  int height = 0;
  double most = 1;          // the value that stands for 1; for floats, the scale
  std::uint64_t start = 0;  // of the values
  std::string problem;      // "" if the header is valid

  bool is_float() const { return kind == 'F' || kind == 'f'; }
  bool is_text() const { return kind >= '1' && kind <= '3'; }
  bool is_bits() const { return kind == '1' || kind == '4'; }
  int channels() const { return kind == '3' || kind == '6' || kind == 'F' ? 3 : 1; }
  std::size_t value_bytes() const { return is_float() ? 4 : most > 255 ? 2 : 1; }
  std::size_t row_bytes() const {
    const auto values = static_cast<std::size_t>(width) * static_cast<std::size_t>(channels());
    return kind == '4' ? (values + 7) / 8 : values * value_bytes();
  }
  // Returns the fewest bytes that a file with this header can have.
  double least_bytes() const {
    // In text, each value has a digit; values are separated by a space except in bitmaps.
    const double values = 1.0 * width * height * channels();
    const double text = kind == '1' ? values : 2 * values - 1;
    return static_cast<double>(start) +
           (is_text() ? text : static_cast<double>(row_bytes()) * height);
  }
};

// Returns true if the first bytes of a file belong to Netpbm.
bool is_netpbm(std::string_view start);
NetpbmHeader netpbm_header(const InputFile& file);
// Opens a Netpbm file.
ModuleError open_netpbm(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                        ImageHeader& header);

}  // namespace dapple
