// Reads images whose file holds all values one after the other, uncompressed.
#pragma once

#include <memory>
#include <vector>

#include "io/images/module.hpp"
#include "io/images/read/format_probes.hpp"
#include "io/images/read/input_file.hpp"
#include "io/npy.hpp"

namespace dapple {

// Layout of values by slices, rows, pixels and channels.
struct ArrayLayout {
  NpyHeader array;  // type of the values, and their place in the file
  std::uint64_t slices = 1, height = 0, width = 0, channels = 1;
  std::vector<std::size_t> order = {};  // places of stored channels in the image; empty: in order
  bool ranks = false;                   // numbers of a mask, read as thresholds
  Encoding encoding = Encoding::linear;
  Metadata texts = {};
  std::string problem = {};  // "" if the array is an image

  std::uint64_t values() const { return slices * height * width; }  // of a channel
  bool is_light_level() const { return array.kind == 'u' && array.item_bytes <= 2; }
};

HeaderProbe probe_array(const ArrayLayout& layout, const std::string& format);
// Opens an array of a layout without a problem.
ModuleError open_array(const InputFile& file, ArrayLayout layout, const std::string& format,
                       std::unique_ptr<ImageReader>& reader, ImageHeader& header);

}  // namespace dapple
