// Images in files: reading, writing, what each format holds, and names of sets of files.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "dapple/files.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// ---- reading ------------------------------------------------------------------------------------

// PNG, JPEG, TIFF, OpenEXR, Radiance HDR, Netpbm, PFM, WebP, Targa, BMP and GIF, told apart by
// their content; other formats where the limits allow them by name. Orientation applied; sizes
// checked against limits and the length of the file on the header, before anything is allocated.
// Untagged 8 and 16 bit files are sRGB, floats linear. Throws Error(input), Error(limit),
// Error(cancelled).
Image read_image(const std::string& path, const Context& context);
Image read_image(const std::string& path, const Limits& limits);
// All frames, as slices: those of an animated GIF, the pages of a TIFF or the parts of an OpenEXR
// file where they are alike (else the first alone), a strip of slices below each other that says
// how many in its text `dapple:slices`, or numbered files where the name holds {frame}. Throws as
// read_image() does, and Error(input) for numbered files that are missing or differ in size.
Image read_frames(const std::string& path, const Context& context);
// Only the metadata (text keys) of an image of any size, or of a drawing as .svg, .pdf or .gcode.
// Throws as read_image() does; of the limits, what they say of decoding holds.
std::vector<std::pair<std::string, std::string>> read_metadata(const std::string& path,
                                                               const Context& context);

// What OpenImageIO reads beside the common formats, by libraries that meet few files of strangers.
std::span<const std::string_view> other_formats();

// ---- formats ------------------------------------------------------------------------------------

// Extensions of images that can be written, the common ones first.
std::span<const std::string_view> image_formats();
// How many channels of data such a file holds at most.
int channels_held(std::string_view extension);
// How such a file holds an image of several slices: as parts or pages of their own, or as a strip
// of slices below each other; and whether it can say how many they are.
enum class SlicesHeld { apart, strip, unnamed_strip };
SlicesHeld slices_held(std::string_view extension);
// True where such a file holds an image of this type as floats, so values need not be 0..1.
bool holds_any_value(std::string_view extension, PixelType type);
// True where such a file holds data of this type as they are.
bool holds_type(std::string_view extension, PixelType type);
// Bytes of memory that the libraries take which write such a file, images and .pdf alike, beside
// what they write.
double memory_of_writer(std::string_view extension);
// What arrays of numbers hold besides or instead of an image's values.
struct ImageExtras {
  std::span<const Plane<std::int32_t>>
      ranks;              // a plane per channel: what .npy and .raw hold, if any
  std::string name = {};  // of the array in source code
};
// How the values of a .npy or .raw file of this image are laid out: type, byte order and shape.
std::string array_layout(const Image& image, const ImageExtras& extras);

// ---- writing ------------------------------------------------------------------------------------

// The bytes of an image file; the format is chosen by `extension` ("png", "tif", "exr", "jpg",
// ...). Large images take seconds: the context follows and stops it.
std::string encode_image(Image image, std::string_view extension, const Context& context,
                         const ImageExtras& extras = {});
std::string encode_image(Image image, std::string_view extension);
// True for formats that are written row by row, and regular files that write_image() can be told to
// write: no pipes, no standard output.
bool takes_rows(const std::string& path, std::string_view extension);
// Adds to a group, as its fill() does, the bytes that encode_image() makes of the whole image, of
// which no more than some rows are held.
bool write_image(FileGroup& files, const std::string& path, const ImageRows& rows,
                 std::string_view extension, const Context& context);
// The same as a group of one.
bool write_image(const std::string& path, const ImageRows& rows, std::string_view extension,
                 Overwrite overwrite, const Context& context);

// ---- names of files that belong together --------------------------------------------------------

// The files of a name with {frame}, in the order of the numbers that stand there, none missing
// between the first and the last; of any other name that name alone. Throws Error(input).
std::vector<std::string> frame_files(const std::string& path);
// True for names with {frame}; and such a name for frame `index` of `count`, counted from 0, with
// as many digits as the last has, and at least four.
bool has_frame_number(std::string_view path);
std::string frame_name(const std::string& path, int index, int count);
// A name with the number of a frame as C writes it, such as %04d, as a name with {frame}; any other
// as it is.
std::string with_frame_part(const std::string& path);
// The digits at {frame} in the name of one of its files; and a name with them.
std::string frame_digits(const std::string& path, const std::string& file);
std::string frame_name(const std::string& path, const std::string& digits);

// True for names with <UDIM>; and such a name for the tile in column u and row v from the bottom:
// 1001 + u + 10 v, as programs that paint on such sets number them.
bool has_udim(std::string_view path);
std::string udim_name(const std::string& path, int u, int v);

}  // namespace dapple
