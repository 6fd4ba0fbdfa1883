// Packs scanlines of OpenEXR by zip (OpenEXR file layout; ZIP_COMPRESSION), on all threads.
#pragma once

#include <string>
#include <vector>

#include "io/images/formats.hpp"

namespace dapple {

// Returns true if the packer below writes the same as OpenImageIO: zip, no tiles, parts or levels,
// and no colors to multiply by alpha.
bool packs_exr(const Image& image, const ImageEncoding& how);

class ExrPacker {
 public:
  // Prepares an image of `height` rows, of which `row` holds the first. Throws Error(output).
  ExrPacker(const Image& row, int height, const ImageEncoding& how);

  // Returns the start of a file: the header and space for the table of chunks.
  std::string begin() const;
  // Packs rows [from, to) of an image as the file's rows from `first` on. `first` is a multiple of
  // rows_together.
  std::string pack(const Image& image, int from, int to, int first, int threads);
  // Returns the table of chunks; table_at() is its place in the file.
  std::string table() const;
  std::size_t table_at() const { return header_.size(); }

  static constexpr int rows_together = 16;

 private:
  void read_channels();
  std::string chunk(const Image& image, int from, int to, int first) const;

  std::string header_;
  std::vector<std::string> names_;     // of channels, in the order of the image
  std::vector<std::size_t> order_;     // channel indices, in the order of the file
  std::vector<std::uint64_t> places_;  // of the chunks so far
  std::size_t chunks_;
  std::uint64_t end_;
};

// Encode the whole file, or write it into an open file, as ImageModule::encode_rows does.
std::string encode_exr(const Image& image, const ImageEncoding& how, const Context& context);
ModuleError encode_exr_rows(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                            const ImageProgress& progress);

}  // namespace dapple
