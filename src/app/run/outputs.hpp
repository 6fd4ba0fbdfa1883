// Decides which files a run writes, and in which form, before it computes anything.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "io/file_identity.hpp"

namespace dapple::app {

// Returns true for formats of numbers, which are to be loaded or pasted, not viewed.
bool is_array_format(std::string_view extension);

enum class OutputKind { points, drawing, image, sheet, material, sidecar };
std::string_view kind_name(OutputKind kind);

// The texts for {stem}, {seed}, {preset} and {command}, and the meaning of other placeholders.
struct NameParts {
  std::string command;
  std::string input;   // path of the input; "": none, {stem} is the command
  std::string preset;  // "": none, {preset} is `default`
  std::uint64_t seed = 1;
  UdimSet udim{};                  // the tiles that <UDIM> numbers
  int tile = 0;                    // number of the only tile, without <UDIM>; 0: all tiles
  bool tiled = false;              // {tile} numbers the tiles of a drawing
  bool inked = false;              // {ink} names the inks of a drawing
  bool plates = false;             // pictures with {ink} are printing plates
  std::string part{};              // the only tile of a drawing, without {tile}; "": all
  std::vector<JobOutput> apart{};  // the outputs that {output} names
  std::string only{};              // the only one of `apart`, or the only ink; "": all
  bool sequence = false;           // {frame} numbers the pictures of a sequence, as in the input
};

struct PlannedOutput {
  std::string path;       // "-": standard output; with {frame}: one numbered file per slice
  std::string extension;  // lower case, without a dot
  OutputKind kind;
  int frame = -1;            // the only slice; -1: all
  UdimSet udim{};            // with <UDIM> in the path: one numbered file per tile
  int tile = 0;              // number of the only tile; 0: all
  int picture = -1;          // index in a sequence, from 0; -1: no sequence
  std::string part{};        // the only tile of a drawing, COLUMN-ROW; "": all
  std::string only{};        // the only output of the image, or the only ink; "": all
  bool plate = false;        // a picture of one bit per pixel for each ink
  std::string colorspace{};  // of pictures, by its name; "": the usual one
  bool generator = false;    // source code that makes the mask, instead of an array
};

// Returns true for an extension of images, in lower case.
bool is_image_format(std::string_view extension);
// Returns the template of plates beside a file: with {ink}, and the extension.
std::string plate_name(std::string_view name, std::string_view extension);
// Returns the file name without folder and extension; `stdin` for "-".
std::string stem_of(const std::string& path);
// Returns the extension in lower case without its dot; "" if there is none.
std::string extension_of(const std::string& path);

// Returns true if `path` holds {output}, which names one file per output of an image.
bool has_output_part(std::string_view path);
// Replaces {output} in `path`.
std::string with_output(std::string path, std::string_view output);
// Returns true for the name of a placeholder of fill_name(), such as stem or frame.
bool is_placeholder(std::string_view part);
// Fills in a template; keeps {frame}, {output}, {tile}, {ink} and <UDIM>. {{ is a brace. Throws
// Error(usage) for a placeholder that does not exist.
std::string fill_name(const std::string& name, const NameParts& parts);
// Returns the template from which fill_name() makes `path`.
std::string template_of(const std::string& path);
// Returns the operation's format, or exr if that format cannot hold `data_channels`.
std::string default_extension(const Operation& operation, int data_channels);
// Returns `{stem}-COMMAND.EXT`, or `COMMAND.EXT` for a run without an input.
std::string default_name(const Operation& operation, bool has_input, int data_channels);

// Returns templates for a run without named outputs: default_name() in each extension of the
// operation. A set of tiles adds <UDIM>. `number` above 1 is added, as in `{stem}-COMMAND-2.EXT`.
std::vector<std::string> default_names(const Operation& operation, const NameParts& parts,
                                       int data_channels, int number);

// Plans the files of these templates. Throws Error(usage) for a format that is unknown, or that
// does not fit the operation or `data_channels`. check_targets() compares the files.
std::vector<PlannedOutput> plan_outputs(const Operation& operation, int data_channels,
                                        const std::vector<std::string>& names,
                                        const NameParts& parts);
// Returns the files of an output: each tile of a set, and the sidecar of points. Numbered slices
// remain one template.
std::vector<std::string> files_of(const PlannedOutput& output);
// Returns true if `path` exists, even as a broken link.
bool is_there(const std::string& path);
// Returns true if any file of the outputs exists.
bool are_taken(const std::vector<PlannedOutput>& outputs);
// Throws Error(output) if a folder is missing or not writable, or if a file must not be replaced.
// Throws Error(usage) if an output is also another output or one of the `others`.
void check_targets(const std::vector<PlannedOutput>& outputs, Overwrite overwrite,
                   std::vector<UsedFile> others = {});

// Returns true if write_output() takes an image as rows.
bool takes_rows(const PlannedOutput& output);

struct WrittenOutput {
  std::string path;
  OutputKind kind;
  double width = 0;  // pixels; mm for drawings
  double height = 0;
  int channels = 0;                     // of images
  int slices = 1;                       // in this file
  std::string layout;                   // of .npy and .raw: type and shape
  int frame = -1;                       // the slice in a numbered file
  int udim = 0;                         // number in a set of tiles
  std::string part{};                   // tile of a drawing, COLUMN-ROW from 1
  Vec2 corner{};                        // upper left corner of the tile on the paper, mm
  PlotForecast plot{};                  // forecast of plotting the tile
  std::string only;                     // the only output of an image, or the only ink
  std::optional<std::size_t> points{};  // in this file, if it does not hold all
  bool in_mm = false;                   // points in millimeters on the paper
  double full_height = 0;               // height of the full range of a texture, px; 0: unknown
  std::string certificate;              // path of the certificate beside it, if any
  bool unchanged = false;               // the file existed with the same bytes
};

// Draws points on or in a mesh or on a sphere.
Image picture_in_space(const Points& points, Context& context);
// Draws the result for a sheet, at most `side` pixels wide and high. Scales drawings and points to
// fit. Crops larger images to the middle of the first slice, unscaled.
Image picture_of_side(Result& result, int side, Context& context);

// Returns the bytes of an output of one file. The result stays intact.
std::string encode_output(Result& result, const PlannedOutput& output, const std::string& recipe,
                          Context& context);

// Converts the result to the file's format, embeds the recipe and adds the file to `files`. The
// last output consumes the result, which avoids copies of large images. {frame} in the name writes
// one file per slice, <UDIM> or {tile} one file per tile, and {ink} one file per ink.
std::vector<WrittenOutput> write_output(Result& result, const PlannedOutput& output, bool last,
                                        const std::string& recipe, FileGroup& files,
                                        Context& context);

}  // namespace dapple::app
