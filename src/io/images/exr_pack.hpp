// OpenEXR of scan lines packed by zip (OpenEXR file layout; ZIP_COMPRESSION), on all threads.
#pragma once

#include <string>
#include <vector>

#include "io/images/formats.hpp"

namespace dapple {

// True where the packer below writes what OpenImageIO would: no tiles, parts or levels, no color to
// multiply by alpha, and zip asked for.
bool packs_exr(const Image& image, const ImageEncoding& how);

class ExrPacker {
 public:
  // Of an image of so many rows, the first of which `row` is. Throws Error(output).
  ExrPacker(const Image& row, int height, const ImageEncoding& how);

  // What a file begins with: header, and room for the table.
  std::string begin() const;
  // Rows from..to of an image, which are those of the file from `first` on: a multiple of
  // rows_together.
  std::string pack(const Image& image, int from, int to, int first, int threads);
  // The table, and where it belongs.
  std::string table() const;
  std::size_t table_at() const { return header_.size(); }

  static constexpr int rows_together = 16;

 private:
  void read_channels();
  std::string chunk(const Image& image, int from, int to, int first) const;

  std::string header_;
  std::vector<std::string> names_;     // of the image
  std::vector<std::size_t> order_;     // its channels as the file has them
  std::vector<std::uint64_t> places_;  // of chunks so far
  std::size_t chunks_;
  std::uint64_t end_;
};

// The whole file; and into one that is open, as ImageModule::encode_rows.
std::string encode_exr(const Image& image, const ImageEncoding& how, const Context& context);
ModuleError encode_exr_rows(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                            const ImageProgress& progress);

}  // namespace dapple
