// Which files a run writes, and in which form: decided and checked before anything is computed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/operation.hpp"

namespace dapple::app {

enum class OutputKind { points, drawing, image, sheet, material, sidecar };
std::string_view kind_name(OutputKind kind);

// The texts that fill {stem}, {seed}, {preset} and {command}.
struct NameParts {
  std::string command;
  std::string input;   // path of the input; "": none, the stem is the command's name then
  std::string preset;  // "": none, `default` then
  std::uint64_t seed = 1;
  UdimSet udim{};      // what <UDIM> numbers
  int tile = 0;        // of it: the number of the one that is wanted, which needs no <UDIM>; 0: all
  bool tiled = false;  // {tile} numbers the parts of a drawing
  std::string part{};  // of them: the one that is wanted, which needs no {tile}; "": all
  std::vector<JobOutput> apart{};  // the outputs that {output} names
  std::string only{};              // the one of them that is wanted, which needs no {output}
  bool sequence = false;           // {frame} numbers the pictures that the input's {frame} does
};

struct PlannedOutput {
  std::string path;       // "-": standard output; with {frame}: one numbered file per slice
  std::string extension;  // lower case, without a dot
  OutputKind kind;
  int frame = -1;      // the one slice that is wanted; -1: all
  UdimSet udim{};      // with <UDIM> in the path: one numbered file per tile
  int tile = 0;        // the number of the one that is wanted; 0: all
  int picture = -1;    // of a sequence: which it holds, from 0
  std::string part{};  // of a drawing in tiles: the one that is wanted, as COLUMN-ROW
  std::string only{};  // the one output of the image that it holds; "": all
};

// File name without folder and extension; `stdin` for "-".
std::string stem_of(const std::string& path);
// Extension in lower case without its dot; "" where there is none.
std::string extension_of(const std::string& path);

// Whether a name holds {output}: it names a file for each of the outputs that an image is made of.
bool has_output_part(std::string_view path);
// The name of the file of one of them.
std::string with_output(std::string path, std::string_view output);
// The template with its parts filled in, but for {frame}, {output}, {tile} and <UDIM>, which
// stay; {{ is a brace. Throws Error(usage) for a part that does not exist.
std::string fill_name(const std::string& name, const NameParts& parts);
// The template that fill_name() makes this path of.
std::string template_of(const std::string& path);
// The operation's own format; exr where that cannot hold so many channels of data.
std::string default_extension(const Operation& operation, int data_channels);
// `{stem}-COMMAND.EXT`, or `COMMAND.EXT` for a run without an input.
std::string default_name(const Operation& operation, bool has_input, int data_channels);

// The templates of a run that names no output: default_name() in each of the operation's own
// extensions, of a set with <UDIM>, and from the second on numbered, as in `{stem}-COMMAND-2.EXT`.
std::vector<std::string> default_names(const Operation& operation, const NameParts& parts,
                                       int data_channels, int number);

// Files of these templates. Throws Error(usage) for a format that does not exist, that the
// operation cannot make or that cannot hold so many channels of data, a file named twice and one
// that is the input.
std::vector<PlannedOutput> plan_outputs(const Operation& operation, int data_channels,
                                        const std::vector<std::string>& names,
                                        const NameParts& parts);
// Its files: the tiles of a set by their names, and the sidecar of points; numbered slices are
// known by their template alone.
std::vector<std::string> files_of(const PlannedOutput& output);
// Whether one of the files is there.
// Whether there is something of that name, be it a link to nothing.
bool is_there(const std::string& path);
bool are_taken(const std::vector<PlannedOutput>& outputs);
// Throws Error(output) where the folder is missing or not writable, or the file must not be
// replaced.
void check_targets(const std::vector<PlannedOutput>& outputs, Overwrite overwrite);

// Whether write_output() can do with the rows of an image.
bool takes_rows(const PlannedOutput& output);

struct WrittenOutput {
  std::string path;
  OutputKind kind;
  double width = 0;  // pixels; of drawings millimeters
  double height = 0;
  int channels = 0;         // of images
  int slices = 1;           // in this file
  std::string layout;       // of .npy and .raw: type and shape
  int frame = -1;           // the one that this numbered file holds
  int udim = 0;             // its number in a set of tiles
  std::string part{};       // of a drawing in tiles: which it is, as COLUMN-ROW from 1
  Vec2 corner{};            // and its upper left corner on the paper, mm
  PlotForecast plot{};      // and what a pen makes of it
  std::string only;         // the one output of the image that it holds
  double full_height = 0;   // pixels that the heights of its texture stand for; 0: none are known
  std::string certificate;  // beside it, if any
  bool unchanged = false;   // the same bytes were there already
};

// Of points on a mesh or in it.
Image picture_of_mesh(const SurfaceMade& made, Context& context);
// The result as a picture for a sheet, at most `side` pixels wide and high: drawings and points fit
// into that, of larger images it is the middle of the first slice,
// pixel on pixel.
Image picture_of_side(Result& result, int side, Context& context);

// The bytes of an output that is one file. The result stays.
std::string encode_output(Result& result, const PlannedOutput& output, const std::string& recipe,
                          Context& context);

// Puts the result into the form of the file, gives it the recipe and adds it to the files of the
// run. The last output uses up the result, which saves copies of large images. A name with {frame}
// becomes a file a slice, one with <UDIM> or {tile} a file per tile.
std::vector<WrittenOutput> write_output(Result& result, const PlannedOutput& output, bool last,
                                        const std::string& recipe, FileGroup& files,
                                        Context& context);

}  // namespace dapple::app
