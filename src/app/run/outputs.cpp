// Names the outputs of a run and checks them before it starts.
#include "app/run/outputs.hpp"

#include <algorithm>
#include <array>
#include <filesystem>
#include <system_error>

#include "app/arguments.hpp"
#include "app/run/sheet_tiles.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"
#include "io/images/formats.hpp"
#include "io/scenes/instances.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

// Returns true for formats that change the values of pixels.
bool is_lossy(std::string_view extension) {
  return extension == "jpg" || extension == "jpeg";
}

// Returns true for commands that draw sheets of figures instead of running an operation.
bool is_sheet(const Operation& operation) {
  return operation.make == nullptr;
}

bool makes_scenes(const Operation& operation) {
  return operation.makes_points && !operation.makes_drawing && !operation.makes_image;
}

// Lists the formats that an operation can write, for a sentence.
std::string formats_of(const Operation& operation) {
  std::string text;
  if (operation.makes_drawing || operation.makes_points) {
    for (const std::string_view format : drawing_formats()) text += std::string(format) + ", ";
  }
  for (const std::string_view format : image_formats()) {
    if (is_sheet(operation) && is_array_format(format)) continue;
    if (operation.certifiable && is_lossy(format)) continue;
    if (!operation.makes_points || !is_point_format(format)) text += std::string(format) + ", ";
  }
  if (operation.makes_points) text += "csv, ply, json, npy, ";
  if (makes_scenes(operation)) text += "glb, usda, ";
  text.resize(text.size() - 2);
  return text;
}

OutputKind kind_of(const Operation& operation, const std::string& path,
                   const std::string& extension) {
  const std::string command(operation.name);
  const auto fail = [&](const std::string& why) {
    return Error(ErrorKind::usage,
                 path + ": " + why + "; " + command + " writes " + formats_of(operation));
  };
  if (extension.empty()) throw fail("the name needs an extension that sets the format");
  const bool array = is_array_format(extension) && !is_sheet(operation);
  // A texture in .npy is an image; its sites go into other formats, such as .csv.
  const bool pixels = operation.makes_image && extension == "npy";
  if (is_point_format(extension) && !pixels && (operation.makes_points || !array)) {
    if (!operation.makes_points)
      throw fail("." + extension + " holds points, which " + command + " does not make");
    return OutputKind::points;
  }
  if (is_scene_format(extension) && makes_scenes(operation)) {
    return OutputKind::points;
  }
  if (is_drawing_format(extension)) {
    if (!operation.makes_drawing && !operation.makes_points) {
      throw fail("." + extension + " holds drawings, which " + command + " does not make");
    }
    return OutputKind::drawing;
  }
  if (extension == "gltf" && makes_scenes(operation)) {
    throw fail(".gltf needs two files: use .glb, which is glTF in one file");
  }
  if (!is_image_format(extension) || (is_array_format(extension) && !array))
    throw fail("." + extension + " is not a known format");
  if (operation.certifiable && is_lossy(extension)) {
    throw fail("." + extension + " changes values, and a mask needs each of them exactly");
  }
  return OutputKind::image;
}

void check_channels(const PlannedOutput& output, int data_channels) {
  if (output.kind != OutputKind::image) return;
  const int held = channels_held(output.extension);
  if (data_channels <= held) return;
  throw Error(ErrorKind::usage,
              "." + output.extension + " holds at most " + std::to_string(held) +
                  " channels, not " + std::to_string(data_channels) + "; write .exr or .tif",
              output.path);
}

void check_udim(const PlannedOutput& output, const NameParts& parts) {
  const fs::path path(output.path);
  if (has_udim(path.parent_path().string())) {
    throw Error(ErrorKind::usage, "put <UDIM> into the name of the file, not of its folder",
                output.path);
  }
  const bool tiles = parts.udim && output.kind == OutputKind::image;
  if (has_udim(output.path) && output.kind != OutputKind::image) {
    throw Error(ErrorKind::usage,
                "<UDIM> numbers pictures, but ." + output.extension + " holds the " +
                    std::string(kind_name(output.kind)) + " of all tiles: leave <UDIM> out",
                output.path);
  }
  if (has_udim(output.path) && !tiles) {
    throw Error(ErrorKind::usage,
                "<UDIM> numbers the tiles of a texture set: set their number with --udim, an "
                "option of worley",
                output.path);
  }
  if (tiles && !has_udim(output.path) && parts.tile == 0) {
    throw Error(ErrorKind::usage,
                "--udim writes one file per tile: put <UDIM> into the name, such as cells.<UDIM>." +
                    output.extension,
                output.path);
  }
  if (tiles && has_frame_number(output.path)) {
    throw Error(ErrorKind::usage, "a tile has only one frame: leave {frame} out", output.path);
  }
}

PlannedOutput plan_output(const Operation& operation, int data_channels, const std::string& name,
                          const NameParts& parts) {
  PlannedOutput output;
  output.path = fill_name(parts.sequence ? with_frame_part(name) : name, parts);
  if (has_output_part(output.path)) {
    if (parts.only.empty()) {
      throw Error(ErrorKind::usage,
                  "{output} writes one file per output, but " + std::string(operation.name) +
                      " makes only one picture here: leave {output} out",
                  output.path);
    }
    output.path = with_output(std::move(output.path), parts.only);
  }
  output.extension =
      output.path == "-" ? default_extension(operation, data_channels) : extension_of(output.path);
  output.kind = kind_of(operation, output.path, output.extension);
  check_channels(output, data_channels);
  if (parts.sequence && !has_frame_number(output.path)) {
    throw Error(ErrorKind::usage,
                "a sequence writes one file per picture: put {frame} or %04d into the name, such "
                "as dots.{frame}." +
                    output.extension,
                output.path);
  }
  if (has_frame_number(output.path) && output.kind != OutputKind::image && !parts.sequence) {
    throw Error(ErrorKind::usage,
                "{frame} numbers the slices of an image, but ." + output.extension +
                    " holds no image: leave {frame} out",
                output.path);
  }
  check_udim(output, parts);
  check_tiles(output.path, kind_name(output.kind));
  output.part = parts.part;
  if (output.kind == OutputKind::image || parts.inked) output.only = parts.only;
  output.plate = parts.plates && output.kind == OutputKind::image &&
                 (has_ink(output.path) || !output.only.empty());
  output.udim = parts.udim;
  output.tile = parts.tile;
  if (has_frame_number(fs::path(output.path).parent_path().string())) {
    throw Error(ErrorKind::usage, "put {frame} into the name of the file, not of its folder",
                output.path);
  }
  return output;
}

}  // namespace

bool is_array_format(std::string_view extension) {
  constexpr std::array<std::string_view, 3> arrays{"npy", "raw", "json"};
  return std::find(arrays.begin(), arrays.end(), extension) != arrays.end() ||
         !source_language(extension).empty();
}

bool is_image_format(std::string_view extension) {
  const auto known = image_formats();
  return std::find(known.begin(), known.end(), extension) != known.end();
}

std::string plate_name(std::string_view name, std::string_view extension) {
  std::string made(name.substr(0, name.rfind('.')));
  return made.append("-").append(ink_part).append(".").append(extension);
}

bool takes_rows(const PlannedOutput& output) {
  return output.kind != OutputKind::image ||
         (output.only.empty() && output.frame < 0 && !output.udim &&
          !has_frame_number(output.path) && dapple::takes_rows(output.path, output.extension));
}

std::string_view kind_name(OutputKind kind) {
  constexpr std::array<std::string_view, 6> names{"points", "drawing",  "image",
                                                  "sheet",  "material", "sidecar"};
  return names[static_cast<std::size_t>(kind)];
}

std::string default_extension(const Operation& operation, int data_channels) {
  const std::string own(operation.default_extension);
  return is_image_format(own) && data_channels > channels_held(own) ? "exr" : own;
}

std::string default_name(const Operation& operation, bool has_input, int data_channels) {
  return (has_input ? "{stem}-" : "") + std::string(operation.name) + "." +
         default_extension(operation, data_channels);
}

std::vector<std::string> default_names(const Operation& operation, const NameParts& parts,
                                       int data_channels, int number) {
  std::string name = default_name(operation, !parts.input.empty(), data_channels);
  if (number > 1) name.insert(name.rfind('.'), "-" + std::to_string(number));
  if (parts.udim) name.insert(name.rfind('.'), ".<UDIM>");
  std::vector<std::string> names{name};
  if (!operation.preview_extension.empty() && !parts.sequence) {
    names.push_back(name.substr(0, name.rfind('.') + 1) + std::string(operation.preview_extension));
  }
  if (parts.tiled) names[0].insert(name.rfind('.'), "-" + std::string(tile_part));
  if (parts.plates) names.back() = plate_name(name, "tif");
  return names;
}

std::vector<PlannedOutput> plan_outputs(const Operation& operation, int data_channels,
                                        const std::vector<std::string>& names,
                                        const NameParts& parts) {
  std::vector<PlannedOutput> outputs;
  std::vector<Problem> problems;
  const auto add = [&](int channels, const std::string& name, const NameParts& with) {
    attempt(problems, [&] { outputs.push_back(plan_output(operation, channels, name, with)); });
  };
  for (const std::string& name : names) {
    const bool apart = has_output_part(name) && !parts.apart.empty();
    if (!apart && (parts.only.empty() || parts.inked)) add(data_channels, name, parts);
    for (const JobOutput& output : parts.apart) {
      NameParts with = parts;
      with.only = output.name;
      if (parts.only.empty() ? apart : parts.only == output.name) {
        add(output.data_channels, name, with);
      }
    }
  }
  if (problems.empty() && outputs.empty() && !names.empty()) {
    problems.push_back({"", "output " + parts.only + " does not exist"});
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
  const auto is_of_tiles = [](const PlannedOutput& output) { return has_tile(output.path); };
  if (parts.tiled && parts.part.empty() &&
      std::none_of(outputs.begin(), outputs.end(), is_of_tiles)) {
    throw Error(ErrorKind::usage,
                Problem{"tiles",
                        "writes one file per tile: put {tile} into the name of an output, "
                        "such as plot-{tile}.svg"});
  }
  const auto is_plate = [](const PlannedOutput& output) { return output.plate; };
  if (parts.plates && std::none_of(outputs.begin(), outputs.end(), is_plate)) {
    throw Error(ErrorKind::usage,
                Problem{"plates",
                        "writes one picture per ink: put {ink} into the name of a picture, such as "
                        "plate-{ink}.tif"});
  }
  return outputs;
}

}  // namespace dapple::app
