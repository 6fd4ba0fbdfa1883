// PNG files by libpng, which is there at once: OpenImageIO takes 0.2 s to load, longer than most of
// what is read from such files or written to them takes.
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

// Opens a PNG file. No reader, and no error: its Exif or XMP data says how to turn it, and the
// image module reads it.
ModuleError open_png(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header);

// Encodes as the module's functions do for other formats. Images of 8 bits that name their palette
// become indexed ones where that holds them.
ModuleError encode_png(const Image& image, const ImageEncoding& how, std::string& bytes,
                       const ImageProgress& progress);
ModuleError encode_png_rows(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                            const ImageProgress& progress);

// ---- what writers share -------------------------------------------------------------------------

// The chunks that stand before the pixels.
struct PngHeader {
  int width = 0;
  int height = 0;
  int bits = 8;
  int color_type = PNG_COLOR_TYPE_GRAY;
  bool srgb = true;                // else values are linear
  std::vector<png_color> palette;  // of indexed colors
  std::vector<png_byte> alpha;     // of the first of them
  Metadata texts;
  int level = 6;    // of deflate
  int filters = 0;  // of rows, as libpng numbers them; 0: its own choice
};

// Takes bytes; 0, or the error code of the system.
using PngSink = std::function<int(std::string_view bytes)>;
// The row y: a value per byte, or two in the order of this machine; null asks to stop.
using PngRow = std::function<const png_byte*(int y)>;

ModuleError write_png(const PngHeader& header, const PngRow& row, const PngSink& sink);

// The pixels of a small file, filtered and packed at once.
class PngPacking {
 public:
  // Up to a megabyte, of whole bytes.
  static bool takes(const PngHeader& header);
  explicit PngPacking(const PngHeader& header);
  // The next row, as PngRow gives it.
  void add(const png_byte* row);
  // The data of a chunk IDAT, once all rows are there.
  const std::vector<png_byte>& packed();

 private:
  const PngHeader& header_;
  std::size_t step_;  // bytes of a pixel
  std::size_t size_;  // bytes of a row
  int filters_;
  std::vector<png_byte> row_, above_;  // with a pixel of zeros before them
  std::vector<png_byte> trial_, best_;
  std::vector<png_byte> filtered_, packed_;
};

// ---- PNG files of few colors: indexed with a palette, or gray of 1, 2 or 4 bits -----------------

// Encodes an image of 8 bits that names its palette, colors in the palette's order, others that
// occur (colors with an alpha of their own) after them. False, with nothing written, where a
// smaller file of this kind cannot hold it: more than 256 colors, other channels than Y or R G B
// or R G B A. Gray stays gray: of 2, 4 or 16 even levels, else it is no case for this.
bool encode_indexed_png(const Image& image, const PngSink& sink, const ImageProgress& progress,
                        ModuleError& error);

}  // namespace dapple
