// Reads and writes image files, states what each format holds, and names sets of files.
#pragma once

#include <cstddef>
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

// Reads PNG, JPEG, TIFF, OpenEXR, Radiance HDR, Netpbm, PFM, WebP, Targa, BMP and GIF, identified
// by their content. Reads other formats if the limits allow them by name. Applies the orientation.
// Checks the size in the header against the limits and the length of the file before it allocates
// anything. Untagged 8 and 16 bit files are sRGB, floats linear. Throws Error(input), Error(limit),
// Error(cancelled).
Image read_image(const std::string& path, const Context& context);
Image read_image(const std::string& path, const Limits& limits);
// Reads all frames, as slices: of an animated GIF, or pages of a TIFF or parts of an OpenEXR file
// if they are alike (otherwise only the first). A strip of slices below each other states their
// number in its text `dapple:slices`. A name with {frame} reads numbered files. Throws as
// read_image() does, and Error(input) for numbered files that are missing or differ in size.
Image read_frames(const std::string& path, const Context& context);
// Reads only the metadata (text keys) of an image of any size, or of a drawing as .svg, .pdf or
// .gcode. Throws as read_image() does; only the limits on decoding apply.
std::vector<std::pair<std::string, std::string>> read_metadata(const std::string& path,
                                                               const Context& context);

// Returns the formats that OpenImageIO reads beside the common ones. Their libraries rarely decode
// files of unknown origin.
std::span<const std::string_view> other_formats();

// ---- formats ------------------------------------------------------------------------------------

// Returns the extensions of writable images, the common ones first.
std::span<const std::string_view> image_formats();
// Returns the largest number of data channels that a file of this format holds.
int channels_held(std::string_view extension);
// How a file format holds the slices of an image: as separate parts or pages, or as a strip of
// slices below each other. An unnamed strip cannot state their number.
enum class SlicesHeld { apart, strip, unnamed_strip };
SlicesHeld slices_held(std::string_view extension);
// Returns true if the format holds an image of `type` as floats, so values may leave 0..1.
bool holds_any_value(std::string_view extension, PixelType type);
// Returns true if the format holds data of `type` unchanged.
bool holds_type(std::string_view extension, PixelType type);
// Returns the bytes of memory that the libraries take to write this format, including .pdf, in
// addition to their output.
double memory_of_writer(std::string_view extension);
// Data for files of numbers, beside the values of an image or instead of them.
struct ImageExtras {
  std::span<const Plane<std::int32_t>>
      ranks;              // one plane per channel; the contents of .npy and .raw
  std::string name = {};  // of the array in source code
  // Receives the number of pixels with a color outside of what the integers of the file hold.
  std::size_t* clipped = nullptr;
};
// Returns the layout of a .npy or .raw file of this image: type, byte order and shape.
std::string array_layout(const Image& image, const ImageExtras& extras);

// Returns the place of each pixel's color in the table of colors as rows of bytes, for arrays that
// the controller of a panel reads: an image of one channel of bytes. The table is the palette of
// the image, then other colors. The first pixel of a byte has its highest bits, and rows start with
// a byte. `bits`: per pixel, 1, 2, 4 or 8. Throws Error(usage) for more colors than these hold.
Image pack_indices(const Image& image, int bits);

// ---- writing ------------------------------------------------------------------------------------

// Returns the bytes of an image file in the format of `extension` ("png", "tif", "exr", "jpg",
// ...). Large images take seconds: the context reports progress and can stop it.
std::string encode_image(Image image, std::string_view extension, const Context& context,
                         const ImageExtras& extras = {});
std::string encode_image(Image image, std::string_view extension);
// Returns true if write_image() can write this format row by row to `path`. The path must be a
// regular file, not a pipe or standard output.
bool takes_rows(const std::string& path, std::string_view extension);
// Adds to a group, by its fill(), the bytes that encode_image() makes of the whole image. Holds
// only some rows in memory at a time.
bool write_image(FileGroup& files, const std::string& path, const ImageRows& rows,
                 std::string_view extension, const Context& context);
// As above, but writes one file.
bool write_image(const std::string& path, const ImageRows& rows, std::string_view extension,
                 Overwrite overwrite, const Context& context);

// ---- names of files that belong together --------------------------------------------------------

// Returns the files of a name with {frame}, ordered by their numbers, without gaps between the
// first and the last number. Any other name is returned as is. Throws Error(input).
std::vector<std::string> frame_files(const std::string& path);
// Returns true for a name with {frame}. frame_name() returns the name of frame `index` of `count`,
// from 0, with as many digits as the last frame has, and at least four.
bool has_frame_number(std::string_view path);
std::string frame_name(const std::string& path, int index, int count);
// Converts a frame number in C style, such as %04d, to {frame}; other names stay.
std::string with_frame_part(const std::string& path);
// Returns the digits at {frame} in `file`, a file of the name `path`. frame_name() inserts digits.
std::string frame_digits(const std::string& path, const std::string& file);
std::string frame_name(const std::string& path, const std::string& digits);

// Returns true for a name with <UDIM>. udim_name() returns the name of the tile in column u and row
// v from the bottom: 1001 + u + 10 v, the numbers of painting programs.
bool has_udim(std::string_view path);
std::string udim_name(const std::string& path, int u, int v);

// Pictures in one folder, and their meaning.
struct Material {
  struct Texture {
    std::string output;  // color, height, normal, roughness, occlusion; others are ignored
    std::string file;    // its name, in the folder of the material's file
  };
  std::string name = {};
  int width = 1;  // of the pictures, pixels
  int height = 1;
  double full_height = 0;  // pixels that the whole range of the height stands for; 0: unknown
  std::vector<Texture> textures = {};
  std::string colorspace = {};  // of the color, by its name; "": sRGB, linear light in .exr

  // Returns the file of one output, or "" if there is none.
  std::string file_of(std::string_view output) const;
};

// Returns the formats as users write them (gltf, blender, mtlx, usd), and the extension of one.
std::span<const std::string_view> material_formats();
std::string_view extension_of_material(std::string_view format);
// Throws Error(usage) if the format does not take pictures with this extension, or colors in this
// space, unless it is the usual one ("").
void check_pictures(std::string_view format, std::string_view extension,
                    std::string_view colorspace = {});

// Returns the bytes of the file. gltf: glTF 2.0 (Khronos), a plane that shows the material once.
// blender: Python that builds the nodes of the material and, if run alone, also the plane. mtlx:
// MaterialX 1.38, a Standard Surface. usd: a plane with a UsdPreviewSurface, as text. Normals must
// point up in green. Throws Error(usage) if the format cannot take the pictures.
std::string encode_material(const Material& material, std::string_view format);

}  // namespace dapple
