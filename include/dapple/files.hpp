// Reading and writing. Every write goes to a temporary file in the same folder, is synced and
// renamed: a reader never sees half a file. Paths are UTF-8; "-" is standard input or output.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/drawing.hpp"

namespace dapple {

enum class Overwrite { always, if_changed, never };
constexpr auto option_names(Overwrite) {
  return words_to<Overwrite::never>("always", "if-changed", "never");
}

// Whole file into memory. Throws Error(input); Error(limit) where it is longer than max_bytes.
std::string read_file(const std::string& path, std::int64_t max_bytes);
// What can be known before the work is done: throws Error(output) where write_file() would fail for
// a missing or read-only folder, a folder's name, or a file that may not be replaced.
void check_output(const std::string& path, Overwrite overwrite);
// Atomic; returns false where overwrite = if_changed found the same bytes there. Throws
// Error(output), and leaves neither a temporary file nor a damaged target. Keeps the permissions of
// a file it replaces, writes through symbolic links, and writes devices and pipes directly.
bool write_file(const std::string& path, std::string_view bytes, Overwrite overwrite);

// The same for what `fill` writes into an open file, which may be larger than memory; it returns 0
// or the error code of the system. Regular files only.
bool fill_file(const std::string& path, const std::function<int(int descriptor)>& fill,
               Overwrite overwrite);

// Files that appear together: each is written and synced under a temporary name, and commit() gives
// them all their own. What is not committed leaves no trace.
class FileGroup {
 public:
  explicit FileGroup(Overwrite overwrite);
  ~FileGroup();
  FileGroup(const FileGroup&) = delete;
  FileGroup& operator=(const FileGroup&) = delete;
  // False where overwrite = if_changed found the same bytes there. Throws Error(output).
  bool add(const std::string& path, std::string_view bytes);
  void commit();

 private:
  struct Waiting;
  Overwrite overwrite_;
  std::vector<std::unique_ptr<Waiting>> files_;
};

// Any format OpenImageIO reads. Orientation applied; sizes checked against limits on the header,
// before anything is allocated. Untagged 8 and 16 bit files are sRGB, floats linear. Throws
// Error(input), Error(limit), Error(cancelled).
Image read_image(const std::string& path, const Context& context);
Image read_image(const std::string& path, const Limits& limits);
// All frames, as slices: those of an animated GIF, the pages of a TIFF or the parts of an OpenEXR
// file where they are alike (else the first alone), a strip of slices below each other that says
// how many in its text `dapple:slices`, or numbered files where the name holds {frame}. Throws as
// read_image() does, and Error(input) for numbered files that are missing or differ in size.
Image read_frames(const std::string& path, const Context& context);
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

// Only the metadata (text keys) of an image, or of a drawing as .svg, .pdf or .gcode.
std::vector<std::pair<std::string, std::string>> read_metadata(const std::string& path);
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
// What arrays of numbers hold besides or instead of an image's values.
struct ImageExtras {
  std::span<const Plane<std::int32_t>> ranks;  // a plane a channel: what .npy and .raw hold, if any
  std::string name;                            // of the array in source code
};
// How the values of a .npy or .raw file of this image are laid out: type, byte order and shape.
std::string array_layout(const Image& image, const ImageExtras& extras);
// The bytes of an image file; the format is chosen by `extension` ("png", "tif", "exr", "jpg",
// ...). Large images take seconds: the context follows and stops it.
std::string encode_image(Image image, std::string_view extension, const Context& context,
                         const ImageExtras& extras = {});
std::string encode_image(Image image, std::string_view extension);
// True for formats that are written row by row, and regular files that write_image() can be told to
// write: no pipes, no standard output.
bool takes_rows(const std::string& path, std::string_view extension);
// As fill_file(): the bytes that encode_image() makes of the whole image, of which no more than
// some rows are held.
bool write_image(const std::string& path, const ImageRows& rows, std::string_view extension,
                 Overwrite overwrite, const Context& context);

// Points from a file, by its extension; "-" is recognized by its content.
//   .csv .tsv .txt  columns x, y and r, class, rank, size, rotation, z by name, the first three by
//   place, any common separator .ply            vertex elements, ascii or binary .json columns x,
//   y, r, class, rank, z, domain and metadata; or rows [x, y, r] .npy            an N x 2 or N x 3
//   array of integers or floats .svg            dots of any tool: circles, ellipses, round paths
//   and zero-length strokes, in
//                   pixels of 1/96 inch; r is a dot's diameter, the distance at which equal dots
//                   touch, and class counts the inks in order of appearance where there are several
// Where a file has no r, r is 0. Where it names no domain (CSV, NPY, PLY of other tools), the
// domain is the bounding box from (0, 0), rounded up to whole numbers, and flat. Points whose z are
// all 0, or go below, have none. Throws Error(input) with the place at fault, and Error(limit),
// before anything is allocated, for what memory cannot hold.
PointSet read_points(const std::string& path, const Limits& limits);
// The same from bytes in memory; extension "": recognized by content.
PointSet decode_points(std::string_view bytes, std::string_view extension, const Limits& limits);
// The bytes of a point file ("": CSV). Every format gives x, y and r back exactly, .csv, .ply and
// .json also class, rank, size, rotation and z, .ply and .json also domain and metadata.
std::string encode_points(const PointSet& points, std::string_view extension);
// True for extensions that points are written to as numbers: .csv .tsv .txt .ply .json .npy.
bool is_point_format(std::string_view extension);

// The shape in an SVG file, whatever its colors: all that is filled, and closed lines that are
// not. Curves become chords within 1/2000 of its extent. Throws Error(input) where there is no such
// shape, and for lines that are open and not filled.
Outline read_outline(const std::string& path, const Limits& limits);
Outline decode_outline(std::string_view bytes, const Limits& limits);

// SVG in millimeters, compact, one group a layer.
std::string encode_svg(const Drawing& drawing);
// PDF of one page, a layer that can be switched off for each layer of the drawing.
std::string encode_pdf(const Drawing& drawing);
// HP-GL in units of 0.025 mm, a pen for each layer; and G-code in millimeters, which waits for a
// new pen before each layer after the first. Both have their origin at the lower left corner.
std::string encode_hpgl(const Drawing& drawing);
std::string encode_gcode(const Drawing& drawing);
// Any of them, by the extension. Throws Error(usage) where there is no such format.
std::string encode_drawing(const Drawing& drawing, std::string_view extension);
std::span<const std::string_view> drawing_formats();  // extensions
bool is_drawing_format(std::string_view extension);
// Points as a picture: dots of half the radius, or of the size where there is one, on white, at 96
// dpi, a layer and color for each class. Points without a radius become dots of a third of the
// mean spacing.
Drawing draw_points(const PointSet& points);

}  // namespace dapple
