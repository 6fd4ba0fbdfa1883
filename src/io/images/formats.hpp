// Declares the library's own writers of images: textures for graphics APIs, arrays of numbers, and
// source code. The table in images.cpp lists what each format can hold.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/image_files.hpp"
#include "io/images/module.hpp"

namespace dapple {

// Keys of texts that describe the values.
inline constexpr std::string_view encoding_key = "dapple:encoding";
inline constexpr std::string_view slices_key = "dapple:slices";  // number of slices in a strip
inline constexpr std::string_view volume_key = "dapple:volume";
inline constexpr std::string_view packed_key = "dapple:packed";        // layout of packed indices
inline constexpr std::string_view generator_key = "dapple:generator";  // code that makes the values

// Returns a callback that returns false on a cancel. No exception may pass through the module.
ImageProgress progress_of(const Context& context);

// Converts an image to the capabilities of the format, and sets `how` accordingly. Throws
// Error(usage) if the format cannot hold the image.
Image fit_image(Image image, std::string_view extension, ImageEncoding& how);

// Writes a DirectDraw surface (DDS, Microsoft): 1 to 4 channels, slices as an array or a volume.
std::string encode_dds(const Image& image, const ImageExtras& extras);
// Returns DXGI_FORMAT for 1, 2, 3 or 4 channels; three channels exist only as floats, and the
// number of four channels is returned for other types.
std::uint32_t dxgi_format(PixelType type, std::size_t channels, bool srgb);
// As above, but writes KTX 2.0 (Khronos), with texts.
std::string encode_ktx2(const Image& image, const ImageExtras& extras);
// Returns VkFormat for 1, 2, 3 or 4 channels.
std::uint32_t vk_format(PixelType type, std::size_t channels, bool srgb);
// Write a NumPy array (NEP 1), and the same values without a header.
std::string encode_npy_image(const Image& image, const ImageExtras& extras);
std::string npy_header(const std::string& type, const std::string& shape);
std::string encode_raw(const Image& image, const ImageExtras& extras);
// Write pictures of two colors, of which the darker one is black: portable bitmaps (Netpbm, P4),
// and X11 bitmaps, which are source code in C. Throw Error(usage) for more colors.
std::string encode_pbm(const Image& image, const ImageExtras& extras);
std::string encode_xbm(const Image& image, const ImageExtras& extras);
// Returns the place of each pixel's color in a palette of at most 256 colors, which it sets. Throws
// Error(usage) for more colors.
Image as_indices(const Image& image);
// Writes a BMP file of 1, 4 or 8 bits per pixel. Returns nothing for an image without a palette or
// with more than 256 colors.
std::optional<std::string> encode_indexed_bmp(const Image& image);
// Returns a name for source code made of the letters and digits of `name`.
std::string identifier(const std::string& name);
std::string encode_json_image(const Image& image, const ImageExtras& extras);
// Writes an array as source code to paste, with a function that reads it.
enum class Source { h, c, wgsl, glsl, hlsl, rs, cs };
std::string encode_source(const Image& image, const ImageExtras& extras, Source source);
template <Source source>
std::string encode_source(const Image& image, const ImageExtras& extras) {
  return encode_source(image, extras, source);
}
// Returns the names of the languages, such as c99 and rust.
std::vector<std::string> source_languages();
// Returns the language of files with this extension, or "".
std::string_view source_language(std::string_view extension);
// Returns the usual extension of a language.
std::string_view source_extension(std::string_view language);
// Throws Error(usage) if the language of the extension has no array of so many values.
void require_array(std::string_view extension, PixelType type, double values);

// ---- attributes for the writers of OpenImageIO --------------------------------------------------

// Returns attributes for the writer of how.extension: lossless except for JPEG, with moderate
// effort. Floats of a large .exr are not packed if packing saves less than a tenth.
Metadata packing_of(const Image& image, const ImageEncoding& how);
// As above, but for an image that is made by rows; `some` holds some of them.
Metadata packing_of(const Image& some, const ImageRows& rows, const ImageEncoding& how);

// Returns the levels below an image, down to a single pixel, as stored. A pixel is the mean over
// its area, in linear light if the image holds light. A label is the one at the pixel's center.
std::vector<Image> smaller_levels(const Image& image);

// Changes the encoding to a texture with levels and with the texts of OpenImageIO's maketx.
// Multiplies the colors of the image by its alpha, which averaging requires.
void encode_as_texture(Image& image, ImageEncoding& how);

// ---- shared helpers -----------------------------------------------------------------------------

std::size_t bytes_of(PixelType type);
// Appends the lowest `count` bytes of a number, least significant byte first.
void put(std::string& bytes, std::uint64_t number, int count);
// Returns a value as an integer of `type`, which must be an integer type.
std::uint32_t level_of(float value, PixelType type);
// Converts to IEEE 754 binary16, rounding to nearest, ties to even.
std::uint16_t half_of(float value);
// Returns the channels in their original order: 0 .. count - 1.
std::vector<int> own_order(std::size_t count);
// Returns all values by pixel and by row, little-endian, with channels in the given order. A
// channel of -1 is all ones.
std::string interleaved(const Image& image, PixelType type, const std::vector<int>& order);

}  // namespace dapple
