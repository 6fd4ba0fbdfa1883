// Probes the headers of single formats, for the table in header_probe.cpp. The fewest bytes of a
// picture belong to a uniform one. Per byte, deflate packs 1032 bytes, LZW about 2700, run-length
// codes 64, Huffman codes of JPEG four blocks of 64 pixels. Packings without a bound (arithmetic
// codes, Zstandard, WebP) get 65536 pixels per byte, far beyond any photo.
#pragma once

#include <cmath>
#include <limits>
#include <string>

#include "io/images/read/input_file.hpp"

namespace dapple {

struct HeaderProbe {
  std::string format;  // OpenImageIO's name; "": not known
  double width = 0;    // 0: the header does not say
  double height = 0;
  double channels = 1;     // least number
  double least_bytes = 0;  // fewest bytes of a file of this size in pixels
  // Pixels have a fourth byte that the header does not call alpha. Many writers leave it 0.
  bool undeclared_alpha = false;
};

inline constexpr double pixels_of_any_byte = 65536;
inline constexpr double more_than_any = std::numeric_limits<double>::infinity();

inline double number(const InputFile& file, std::uint64_t at, std::size_t count,
                     bool highest_first) {
  return static_cast<double>(file.number(at, count, highest_first));
}
inline double rounded_up(double count, double step) {
  return std::ceil(count / step);
}

HeaderProbe probe_png(const InputFile& file);
HeaderProbe probe_jpeg(const InputFile& file);
HeaderProbe probe_netpbm(const InputFile& file);
HeaderProbe probe_gif(const InputFile& file);
HeaderProbe probe_heif(const InputFile& file);
HeaderProbe probe_bmp(const InputFile& file);
HeaderProbe probe_targa(const InputFile& file);
HeaderProbe probe_webp(const InputFile& file);
HeaderProbe probe_hdr(const InputFile& file);
HeaderProbe probe_psd(const InputFile& file);
HeaderProbe probe_tiff(const InputFile& file);
HeaderProbe probe_exr(const InputFile& file);

// Returns true if the file may be a Targa file; Targa has no fixed first bytes.
bool is_targa(const InputFile& file);

// Count pages or pictures like count_pages().
int tiff_pages(const InputFile& file, int most);
int gif_pictures(const InputFile& file, int most);
int webp_frames(const InputFile& file, int most);
// Returns the frames that an animated PNG announces, at most 2^20, or 0.
int png_frames(const InputFile& file);

}  // namespace dapple
