// Reads and writes PNG files by libpng, which is always loaded. Loading OpenImageIO takes 0.2 s,
// longer than reading or writing most PNG files.
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

// Opens a PNG file. Returns no reader and no error if Exif or XMP data may turn the picture; then
// the image module reads the file.
ModuleError open_png(const InputFile& file, std::unique_ptr<ImageReader>& reader,
                     ImageHeader& header);

// Opens a PNG file in memory, also if Exif or XMP data may turn it.
ModuleError open_png_bytes(std::string bytes, std::unique_ptr<ImageReader>& reader,
                           ImageHeader& header);
// Returns a reader of the frames of an animated PNG, or `still`, which reads the picture for
// programs without animation. Keeps a reference to the file.
std::unique_ptr<ImageReader> with_frames(const InputFile& file, std::unique_ptr<ImageReader> still,
                                         ImageHeader& header);

// Encode like the functions of the module. Images of 8 bits with a palette become indexed files if
// these can hold them.
ModuleError encode_png(const Image& image, const ImageEncoding& how, std::string& bytes,
                       const ImageProgress& progress);
ModuleError encode_png_rows(const ImageRows& rows, const ImageEncoding& how, int descriptor,
                            const ImageProgress& progress);

// ---- shared helpers -----------------------------------------------------------------------------

// Appends the lowest `count` bytes of a number, most significant byte first.
void put_big_endian(std::string& bytes, std::uint32_t number, int count);
// Appends a chunk with its length and checksum.
void put_png_chunk(std::string& bytes, std::string_view name, std::string_view data);

// The chunks before the pixels.
struct PngHeader {
  int width = 0;
  int height = 0;
  int bits = 8;
  int color_type = PNG_COLOR_TYPE_GRAY;
  bool srgb = true;                // false: values are linear
  ColorStatement color = {};       // wins over `srgb`, if one was chosen
  std::vector<png_color> palette;  // of indexed colors
  std::vector<png_byte> alpha;     // of the first colors
  Metadata texts;
  double dots_per_inch = 0;  // 0: not stated
  int level = 6;             // of deflate
  int filters = 0;           // of rows, as libpng numbers them; 0: libpng chooses
};

// Takes bytes. Returns 0 or the error code of the system.
using PngSink = std::function<int(std::string_view bytes)>;
// Returns row y: one byte per value, or two in native byte order; null stops the writer.
using PngRow = std::function<const png_byte*(int y)>;

ModuleError write_png(const PngHeader& header, const PngRow& row, const PngSink& sink);

// Filters and packs the pixels of a small file in one step.
class PngPacking {
 public:
  // Returns true for files up to a megabyte whose pixels are whole bytes.
  static bool takes(const PngHeader& header);
  explicit PngPacking(const PngHeader& header);
  // Adds the next row, as PngRow returns it.
  void add(const png_byte* row);
  // Returns the data of a chunk IDAT; call it after all rows were added.
  const std::vector<png_byte>& packed();

 private:
  const PngHeader& header_;
  std::size_t step_;  // bytes per pixel
  std::size_t size_;  // bytes per row
  int filters_;
  std::vector<png_byte> row_, above_;  // preceded by a pixel of zeros
  std::vector<png_byte> trial_, best_;
  std::vector<png_byte> filtered_, packed_;
};

// ---- PNG files of few colors: indexed with a palette, or gray of 1, 2 or 4 bits -----------------

// Encodes an image of 8 bits that has a palette. Colors keep the order of the palette; other colors
// (such as those with an alpha) follow. Returns false and writes nothing if an indexed or gray file
// cannot hold the image: over 256 colors, or channels other than Y, R G B or R G B A. Gray must
// have 2, 4 or 16 even levels, and stays gray.
bool encode_indexed_png(const Image& image, const PngSink& sink, const ImageProgress& progress,
                        ModuleError& error);

}  // namespace dapple
