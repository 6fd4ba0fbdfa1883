// Reading and writing. Every write goes to a temporary file in the same folder, is synced and
// renamed: a reader never sees half a file. Paths are UTF-8; "-" is standard input or output.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/drawing.hpp"

namespace dapple {

enum class Overwrite { always, if_changed, never };
std::span<const std::string_view> option_names(Overwrite);

// Whole file into memory, at most max_bytes. Throws Error(input).
std::string read_file(const std::string& path, std::int64_t max_bytes);
// Atomic; returns false where overwrite = if_changed found the same bytes there. Throws
// Error(output), and leaves neither a temporary file nor a damaged target.
bool write_file(const std::string& path, std::string_view bytes, Overwrite overwrite);

// Any format OpenImageIO reads. Orientation applied; sizes checked against limits on the header,
// before anything is allocated. Untagged 8 and 16 bit files are sRGB, floats linear. Throws
// Error(input), Error(limit).
Image read_image(const std::string& path, const Limits& limits);
// Only the metadata (text keys) of an image or SVG file.
std::vector<std::pair<std::string, std::string>> read_metadata(const std::string& path);
// The bytes of an image file; the format is chosen by `extension` ("png", "tif", "exr", "jpg",
// ...).
std::string encode_image(const Image& image, std::string_view extension);

// .csv .ply .json .npy (and "-": CSV). Throws Error(input) with the line at fault.
PointSet read_points(const std::string& path, const Limits& limits);
std::string encode_points(const PointSet& points, std::string_view extension);
// True for extensions that hold points.
bool is_point_format(std::string_view extension);

// SVG in millimetres, compact, one group a layer.
std::string encode_svg(const Drawing& drawing);
// Points as a picture: dots of half the radius on white.
Drawing draw_points(const PointSet& points);

}  // namespace dapple
