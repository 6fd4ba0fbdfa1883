// Our own writers of images: textures for graphics APIs, arrays of numbers, arrays as source code.
// What each format can hold stands in the table in images.cpp, which fits images to it.
#pragma once

#include <cstdint>
#include <string>

#include "dapple/image_files.hpp"
#include "io/images/module.hpp"

namespace dapple {

// Keys of texts that say what values are.
inline constexpr std::string_view encoding_key = "dapple:encoding";
inline constexpr std::string_view slices_key = "dapple:slices";  // of a strip
inline constexpr std::string_view volume_key = "dapple:volume";

// No exception may pass through the module: it is told to stop, and says so.
ImageProgress progress_of(const Context& context);

// The image as a file of the format holds it; `how` is told what that asks for. Throws Error(usage)
// where it cannot.
Image fit_image(Image image, std::string_view extension, ImageEncoding& how);

// DirectDraw surface (DDS, Microsoft): 1 to 4 channels, slices as an array or a volume.
std::string encode_dds(const Image& image, const ImageExtras& extras);
// KTX 2.0 (Khronos), with texts; the same.
std::string encode_ktx2(const Image& image, const ImageExtras& extras);
// NumPy array (NEP 1), and the same values without a header.
std::string encode_npy_image(const Image& image, const ImageExtras& extras);
std::string npy_header(const std::string& type, const std::string& shape);
std::string encode_raw(const Image& image, const ImageExtras& extras);
// Arrays to paste.
std::string encode_c(const Image& image, const ImageExtras& extras);
std::string encode_h(const Image& image, const ImageExtras& extras);
std::string encode_glsl(const Image& image, const ImageExtras& extras);
std::string encode_hlsl(const Image& image, const ImageExtras& extras);
std::string encode_json_image(const Image& image, const ImageExtras& extras);

// ---- what the writers of OpenImageIO are told --------------------------------------------------

// Attributes for the writer of how.extension: lossless but for JPEG, and no slower than the values
// are worth. Floats of a large .exr are not packed where a sample of it saves less than a tenth.
Metadata packing_of(const Image& image, const ImageEncoding& how);
// The packing of an image that is made by rows, from `some` of them.
Metadata packing_of(const Image& some, const ImageRows& rows, const ImageEncoding& how);

// The levels below an image down to a single pixel, as they are stored: means over the area of each
// pixel, of light where the image is one; labels are those at the middle of the pixel.
std::vector<Image> smaller_levels(const Image& image);

// Makes the encoding one of a texture: its levels, and texts as maketx of OpenImageIO writes them.
// Colors of the image are multiplied by its alpha, which means need.
void encode_as_texture(Image& image, ImageEncoding& how);

// ---- what they share ----------------------------------------------------------------------------

std::size_t bytes_of(PixelType type);
// The lowest `count` bytes of a number, the lowest first.
void put(std::string& bytes, std::uint64_t number, int count);
// A value as an integer of its type; floats hold no integers.
std::uint32_t level_of(float value, PixelType type);
// IEEE 754 binary16, to nearest, ties to even.
std::uint16_t half_of(float value);
// The channels in their own order: 0 .. count - 1.
std::vector<int> own_order(std::size_t count);
// All values, pixel by pixel and row by row, little-endian, channels in the order given; a channel
// of -1 is all ones.
std::string interleaved(const Image& image, PixelType type, const std::vector<int>& order);

}  // namespace dapple
