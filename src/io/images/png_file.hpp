// Reads and writes PNG files by libpng, which is always loaded. OpenImageIO takes 0.2 s to load,
// longer than reading or writing most PNG files takes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <png.h>
#include <string>
#include <vector>

#include "io/images/module.hpp"
#include "io/images/read/input_file.hpp"

namespace dapple {

// Opens a PNG file. Returns no reader and no error if its Exif or XMP data say how to turn it; then
// the image module reads the file.
ModuleError open_png(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header);

// Encode as the module's functions do for other formats. Images of 8 bits that name their palette
// become indexed files if these can hold them.
ModuleError encode_png(const Image& image, const ImageEncoding& how, std::string& bytes,
                       const ImageProgress& progress);
ModuleError encode_png_rows(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                            const ImageProgress& progress);

// ---- helpers shared by writers ------------------------------------------------------------------

// The chunks before the pixels.
struct PngHeader {
  int width = 0;
  int height = 0;
  int bits = 8;
  int color_type = PNG_COLOR_TYPE_GRAY;
  bool srgb = true;                // otherwise values are linear
  std::vector<png_color> palette;  // of indexed colors
  std::vector<png_byte> alpha;     // of the first of these colors
  Metadata texts;
  int level = 6;    // of deflate
  int filters = 0;  // of rows, as libpng numbers them; 0: libpng chooses
};

// Takes bytes. Returns 0 or the error code of the system.
using PngSink = std::function<int(std::string_view bytes)>;
// Returns row y: a byte per value, or two in the order of this machine; null asks to stop.
using PngRow = std::function<const png_byte*(int y)>;

ModuleError write_png(const PngHeader& header, const PngRow& row, const PngSink& sink);

// Filters and packs the pixels of a small file at once.
class PngPacking {
 public:
  // Returns true for files up to a megabyte with pixels of whole bytes.
  static bool takes(const PngHeader& header);
  explicit PngPacking(const PngHeader& header);
  // Adds the next row, as PngRow returns it.
  void add(const png_byte* row);
  // Returns the data of a chunk IDAT, after all rows were added.
  const std::vector<png_byte>& packed();

 private:
  const PngHeader& header_;
  std::size_t step_;  // per pixel
  std::size_t size_;  // per row
  int filters_;
  std::vector<png_byte> row_, above_;  // with a pixel of zeros before them
  std::vector<png_byte> trial_, best_;
  std::vector<png_byte> filtered_, packed_;
};

// ---- PNG files of few colors: indexed with a palette, or gray of 1, 2 or 4 bits -----------------

// Encodes an image of 8 bits that names its palette. Colors have the order of the palette; other
// colors (such as those with an alpha) follow. Returns false and writes nothing if a smaller file
// of this kind cannot hold the image: more than 256 colors, or other channels than Y, R G B or R G
// B A. Gray must have 2, 4 or 16 even levels, and stays gray.
bool encode_indexed_png(const Image& image, const PngSink& sink, const ImageProgress& progress,
                        ModuleError& error);

}  // namespace dapple
