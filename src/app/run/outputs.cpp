// Names of outputs, checks before a run, and the choice of what goes into a file.
#include "app/run/outputs.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <system_error>
#include <unistd.h>

#include "app/arguments.hpp"
#include "app/metadata.hpp"
#include "app/run/sheet_tiles.hpp"
#include "core/constants.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"

namespace dapple::app {
namespace {

namespace fs = std::filesystem;

bool is_image_format(std::string_view extension) {
  const auto known = image_formats();
  return std::find(known.begin(), known.end(), extension) != known.end();
}

// Numbers to load or paste, no pictures.
bool is_array_format(std::string_view extension) {
  constexpr std::array<std::string_view, 7> arrays{"npy", "raw", "c", "h", "glsl", "hlsl", "json"};
  return std::find(arrays.begin(), arrays.end(), extension) != arrays.end();
}

// True where a picture of figures is written, which no operation made.
bool is_sheet(const Operation& operation) {
  return operation.make == nullptr;
}

// The formats that an operation can write, as a sentence lists them.
std::string formats_of(const Operation& operation) {
  std::string text;
  if (operation.makes_drawing || operation.makes_points) {
    for (const std::string_view format : drawing_formats()) text += std::string(format) + ", ";
  }
  for (const std::string_view format : image_formats()) {
    if (is_sheet(operation) && is_array_format(format)) continue;
    if (!operation.makes_points || !is_point_format(format)) text += std::string(format) + ", ";
  }
  if (operation.makes_points) text += "csv, ply, json, npy, ";
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
  if (extension.empty()) throw fail("the name has no extension that says the format");
  const bool array = is_array_format(extension) && !is_sheet(operation);
  // What is a texture stays one: its sites have .csv and others.
  const bool pixels = operation.makes_image && extension == "npy";
  if (is_point_format(extension) && !pixels && (operation.makes_points || !array)) {
    if (!operation.makes_points)
      throw fail("." + extension + " holds points, which it does not make");
    return OutputKind::points;
  }
  if (is_drawing_format(extension)) {
    if (!operation.makes_drawing && !operation.makes_points) {
      throw fail("." + extension + " holds drawings, which it does not make");
    }
    return OutputKind::drawing;
  }
  if (!is_image_format(extension) || (is_array_format(extension) && !array))
    throw fail("." + extension + " is no format known here");
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
    throw Error(ErrorKind::usage, "<UDIM> stands in the name of the file, not of its folder",
                output.path);
  }
  const bool tiles = parts.udim && output.kind == OutputKind::image;
  if (has_udim(output.path) && output.kind != OutputKind::image) {
    throw Error(ErrorKind::usage,
                "<UDIM> numbers pictures, but ." + output.extension + " holds " +
                    std::string(kind_name(output.kind)) + " of all of the set: leave <UDIM> out",
                output.path);
  }
  if (has_udim(output.path) && !tiles) {
    throw Error(ErrorKind::usage,
                "<UDIM> numbers the pictures of a set: say how many tiles it has with --udim, "
                "which the command worley knows",
                output.path);
  }
  if (tiles && !has_udim(output.path) && parts.tile == 0) {
    throw Error(
        ErrorKind::usage,
        "--udim makes a file of each tile: put <UDIM> into the name, such as cells.<UDIM>." +
            output.extension,
        output.path);
  }
  if (tiles && has_frame_number(output.path)) {
    throw Error(ErrorKind::usage, "a tile has one frame: leave {frame} out", output.path);
  }
}

PlannedOutput plan_output(const Operation& operation, int data_channels, const std::string& name,
                          const NameParts& parts) {
  PlannedOutput output;
  output.path = fill_name(parts.sequence ? with_frame_part(name) : name, parts);
  if (has_output_part(output.path)) {
    if (parts.only.empty()) {
      throw Error(ErrorKind::usage,
                  "{output} makes a file of each output, and " + std::string(operation.name) +
                      " makes one picture here: leave {output} out",
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
                "a sequence makes a file of each picture: put {frame} or %04d into the name, such "
                "as dots.{frame}." +
                    output.extension,
                output.path);
  }
  if (has_frame_number(output.path) && output.kind != OutputKind::image && !parts.sequence) {
    throw Error(
        ErrorKind::usage,
        "{frame} numbers the slices of an image, which ." + output.extension + " does not hold",
        output.path);
  }
  check_udim(output, parts);
  check_tiles(output.path, kind_name(output.kind));
  output.part = parts.part;
  if (output.kind == OutputKind::image) output.only = parts.only;
  output.udim = parts.udim;
  output.tile = parts.tile;
  if (has_frame_number(fs::path(output.path).parent_path().string())) {
    throw Error(ErrorKind::usage, "{frame} stands in the name of the file, not of its folder",
                output.path);
  }
  std::error_code ignored;
  const bool same_frames = has_frame_number(output.path) && output.path == parts.input;
  if (output.path != "-" && !parts.input.empty() &&
      (same_frames || fs::equivalent(output.path, parts.input, ignored))) {
    throw Error(ErrorKind::usage, "is the input: write to another file", output.path);
  }
  return output;
}

Drawing drawing_of(const Result& result) {
  const DrawingMade* made = result.drawing();
  return made != nullptr ? made->drawing : draw_points(*result.points);
}

// stored_image() by rows.
ImageRows stored_rows(const RowsMade& made, const std::string& extension, Context& context) {
  const PixelType type = made.rows.rows(0, 1).type;
  if (!made.display || holds_any_value(extension, type)) return made.rows;
  const auto stage = context.stage("range");
  return made.display();
}

// The channels of one output alone.
ImageMade part_of(const ImageMade& made, const std::string& name) {
  std::size_t first = 0;
  for (const ImagePart& part : made.parts) {
    if (part.name != name) {
      first += part.channels;
      continue;
    }
    ImageMade alone{channels_of(made.image, first, part.channels)};
    alone.display = [display = made.display, type = part.type](const Image& image) {
      Image shown = display(image);
      if (shown.encoding == Encoding::data) shown.type = type;
      return shown;
    };
    return alone;
  }
  throw Error(ErrorKind::input, "there is no output " + name);
}

// The image as the file holds it: values as they are where its numbers can, else for display.
Image stored_image(ImageMade& made, const std::string& extension, bool last) {
  if (!made.display || holds_any_value(extension, made.image.type)) {
    return last ? std::move(made.image) : made.image;
  }
  Image shown = made.display(made.image);
  if (last) made.image = {};
  return shown;
}

// Of the longer side of the picture of a surface.
constexpr int surface_side = 1600;

Image image_of(Result& result, const std::string& part, const std::string& extension, bool last,
               Context& context) {
  if (const SurfaceMade* made = result.surface()) {
    return draw_surface(*made->mesh, made->points, surface_side, surface_side * 3 / 4, context);
  }
  if (auto* made = std::get_if<ImageMade>(&result.picture)) {
    if (part.empty()) return stored_image(*made, extension, last);
    ImageMade alone = part_of(*made, part);
    return stored_image(alone, extension, true);
  }
  int width = 0;
  int height = 0;
  if (const DrawingMade* made = result.drawing()) {
    width = made->raster_width;
    height = made->raster_height;
  } else {
    width = static_cast<int>(std::ceil(result.points->domain.width));
    height = static_cast<int>(std::ceil(result.points->domain.height));
  }
  const Drawing drawing = drawing_of(result);
  if (width <= 0 || height <= 0) {
    width = std::max(1, static_cast<int>(std::lround(drawing.width * css_pixels_per_mm)));
    height = std::max(1, static_cast<int>(std::lround(drawing.height * css_pixels_per_mm)));
  }
  context.require_pixels(width, height, "the image");
  return rasterize(drawing, width, height, context);
}

}  // namespace

Image picture_of_side(Result& result, int side, Context& context) {
  if (std::holds_alternative<ImageMade>(result.picture) || result.surface() != nullptr) {
    Image image = image_of(result, "", "png", true, context);
    const int width = std::min(side, image.width());
    const int height = std::min(side, image.slice_height());
    const int left = (image.width() - width) / 2;
    const int top = (image.slice_height() - height) / 2;
    for (Plane<float>& plane : image.channels) {
      Plane<float> part(width, height);
      for (int y = 0; y < height; ++y) std::copy_n(plane.row(top + y) + left, width, part.row(y));
      plane = std::move(part);
    }
    image.slices = 1;
    return image;
  }
  const Drawing drawing = drawing_of(result);
  const double longest = std::max(drawing.width, drawing.height);
  const auto pixels = [&](double length) {
    return std::max(1, static_cast<int>(std::lround(side * length / longest)));
  };
  return rasterize(drawing, pixels(drawing.width), pixels(drawing.height), context);
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
  if (!operation.looking_extension.empty() && !parts.sequence) {
    names.push_back(name.substr(0, name.rfind('.') + 1) + std::string(operation.looking_extension));
  }
  if (parts.tiled) names[0].insert(name.rfind('.'), "-" + std::string(tile_part));
  return names;
}

std::vector<PlannedOutput> plan_outputs(const Operation& operation, int data_channels,
                                        const std::vector<std::string>& names,
                                        const NameParts& parts) {
  std::vector<PlannedOutput> outputs;
  std::vector<Problem> problems;
  const auto add = [&](int channels, const std::string& name, const NameParts& with) {
    attempt(problems, [&] {
      PlannedOutput output = plan_output(operation, channels, name, with);
      const auto own = files_of(output);
      for (const PlannedOutput& other : outputs) {
        const auto others = files_of(other);
        const auto same = std::find_first_of(own.begin(), own.end(), others.begin(), others.end());
        if (same == own.end()) continue;
        const bool sidecar = *same != output.path || *same != other.path;
        throw Error(ErrorKind::usage,
                    sidecar
                        ? "is named twice: as an output, and as what holds the domain of another"
                        : "is named twice as an output",
                    *same);
      }
      outputs.push_back(std::move(output));
    });
  };
  for (const std::string& name : names) {
    const bool apart = has_output_part(name) && !parts.apart.empty();
    if (!apart && parts.only.empty()) add(data_channels, name, parts);
    for (const JobOutput& output : parts.apart) {
      NameParts with = parts;
      with.only = output.name;
      if (parts.only.empty() ? apart : parts.only == output.name) {
        add(output.data_channels, name, with);
      }
    }
  }
  if (problems.empty() && outputs.empty() && !names.empty()) {
    problems.push_back({"", "there is no output " + parts.only});
  }
  if (!problems.empty()) throw Error(ErrorKind::usage, problems);
  const auto is_of_tiles = [](const PlannedOutput& output) { return has_tile(output.path); };
  if (parts.tiled && parts.part.empty() &&
      std::none_of(outputs.begin(), outputs.end(), is_of_tiles)) {
    throw Error(ErrorKind::usage,
                Problem{"tiles",
                        "makes a file of each tile: put {tile} into the name of an output, "
                        "such as plot-{tile}.svg"});
  }
  return outputs;
}

namespace {

// Which picture of a sequence it holds: `dapple reproduce` makes just that one again.
void set_picture(Metadata& metadata, const PlannedOutput& output) {
  if (output.picture >= 0) metadata.emplace_back(frame_key, std::to_string(output.picture));
}

std::string drawing_bytes(Drawing drawing, const PlannedOutput& output, const std::string& recipe,
                          WrittenOutput& written) {
  set_recipe(drawing.metadata, recipe);
  set_picture(drawing.metadata, output);
  written.width = drawing.width;
  written.height = drawing.height;
  return encode_drawing(drawing, output.extension);
}

// The file, and its sidecar where the format needs one.
template <class Points>
std::vector<WrittenOutput> write_encoded(const Points& points, const PlannedOutput& output,
                                         WrittenOutput written, FileGroup& files) {
  std::string bytes = encode_points(points, output.extension);
  const bool beside = output.path != "-" && has_sidecar(output.extension);
  std::string sidecar = beside ? encode_sidecar(points, bytes) : "";
  written.unchanged = !files.add(output.path, std::move(bytes));
  std::vector<WrittenOutput> all{std::move(written)};
  if (beside) {
    all.emplace_back();
    all.back().path = sidecar_path(output.path);
    all.back().kind = OutputKind::sidecar;
    all.back().frame = all.front().frame;
    all.back().unchanged = !files.add(all.back().path, std::move(sidecar));
  }
  return all;
}

std::vector<WrittenOutput> write_points(const Result& result, const PlannedOutput& output,
                                        const std::string& recipe, WrittenOutput written,
                                        FileGroup& files, Context& context) {
  if (const SurfaceMade* made = result.surface()) {
    SurfacePoints points = made->points;
    set_recipe(points.metadata, recipe);
    context.check();
    return write_encoded(points, output, std::move(written), files);
  }
  PointSet points = *result.points;
  set_recipe(points.metadata, recipe);
  set_picture(points.metadata, output);
  written.width = points.domain.width;
  written.height = points.domain.height;
  context.check();
  return write_encoded(points, output, std::move(written), files);
}

// What textures say of their heights, pixels; 0: nothing.
double full_height_of(const Metadata& metadata) {
  const auto found = std::find_if(metadata.begin(), metadata.end(),
                                  [](const auto& entry) { return entry.first == full_height_key; });
  double height = 0;
  if (found != metadata.end()) {
    const std::string& text = found->second;
    std::from_chars(text.data(), text.data() + text.size(), height);
  }
  return height;
}

std::string image_bytes(Image image, std::span<const Plane<std::int32_t>> ranks,
                        const std::string& extension, WrittenOutput& written, Context& context) {
  const SlicesHeld held = slices_held(extension);
  written.width = image.width();
  written.height = held == SlicesHeld::apart ? image.slice_height() : image.height();
  written.channels = static_cast<int>(image.channels.size());
  written.slices = image.slices;
  written.full_height = full_height_of(image.metadata);
  if (image.slices > 1 && held == SlicesHeld::unnamed_strip) {
    context.warn("." + extension + " cannot say that it is a strip of " +
                 std::to_string(image.slices) + " slices; .png, .tif and .exr can");
  }
  const ImageExtras extras{ranks, stem_of(written.path)};
  if (extension == "npy" || extension == "raw") written.layout = array_layout(image, extras);
  return encode_image(std::move(image), extension, context, extras);
}

// One slice, which knows its place: `dapple reproduce` makes just this one again.
std::string frame_bytes(const Image& image, std::span<const Plane<std::int32_t>> ranks, int frame,
                        const std::string& extension, WrittenOutput& written, Context& context) {
  Image slice = slice_of(image, frame);
  slice.metadata.emplace_back(frame_key, std::to_string(frame));
  written.frame = frame;
  std::vector<Plane<std::int32_t>> own;
  for (const auto& plane : ranks) own.push_back(slice_of(plane, frame, image.slices));
  return image_bytes(std::move(slice), own, extension, written, context);
}

// An image that is made while it is written.
bool write_rows(const RowsMade& made, const std::string& recipe, FileGroup& files,
                const std::string& extension, WrittenOutput& written, Context& context) {
  ImageRows image = stored_rows(made, extension, context);
  image.rows = [make = std::move(image.rows), &recipe](int first, int last) {
    Image strip = make(first, last);
    set_recipe(strip.metadata, recipe);
    return strip;
  };
  written.width = image.width;
  written.height = image.height;
  const Image row = image.rows(0, 1);
  written.channels = static_cast<int>(row.channels.size());
  written.full_height = full_height_of(row.metadata);
  return !write_image(files, written.path, image, extension, context);
}

std::vector<WrittenOutput> write_frames(const Image& image,
                                        std::span<const Plane<std::int32_t>> ranks,
                                        const PlannedOutput& output, FileGroup& files,
                                        Context& context) {
  std::vector<WrittenOutput> all;
  for (int i = 0; i < image.slices; ++i) {
    WrittenOutput written;
    written.path = frame_name(output.path, i, image.slices);
    written.kind = output.kind;
    written.only = output.only;
    std::string bytes = frame_bytes(image, ranks, i, output.extension, written, context);
    context.progress(static_cast<double>(i) / image.slices);
    written.unchanged = !files.add(written.path, std::move(bytes));
    all.push_back(std::move(written));
  }
  return all;
}

// The tile in column u and row v from the bottom; the rows of tiles are slices.
Image tile_of(const Image& image, const UdimSet& set, int u, int v) {
  Image tile = slice_of(image, set.rows - 1 - v);
  const int width = image.width() / set.columns;
  const auto columns = [&](auto& plane) {
    if (plane.empty()) return;
    auto part = std::decay_t<decltype(plane)>(width, plane.height());
    for (int y = 0; y < part.height(); ++y) {
      std::copy_n(plane.row(y) + u * width, width, part.row(y));
    }
    plane = std::move(part);
  };
  for (auto& plane : tile.channels) columns(plane);
  for (auto& plane : tile.hints.integers) columns(plane);
  return tile;
}

std::vector<WrittenOutput> write_tiles(Image image, const PlannedOutput& output, FileGroup& files,
                                       Context& context) {
  image.slices = output.udim.rows;
  std::vector<WrittenOutput> all;
  for (int v = 0; v < output.udim.rows; ++v) {
    for (int u = 0; u < output.udim.columns; ++u) {
      WrittenOutput written;
      written.udim = 1001 + u + 10 * v;
      if (output.tile != 0 && output.tile != written.udim) continue;
      written.path = udim_name(output.path, u, v);
      written.kind = output.kind;
      written.only = output.only;
      Image tile = tile_of(image, output.udim, u, v);
      tile.metadata.emplace_back(udim_key, std::to_string(written.udim));
      std::string bytes = image_bytes(std::move(tile), {}, output.extension, written, context);
      context.check();
      written.unchanged = !files.add(written.path, std::move(bytes));
      all.push_back(std::move(written));
    }
  }
  return all;
}

}  // namespace

std::vector<WrittenOutput> write_output(Result& result, const PlannedOutput& output, bool last,
                                        const std::string& recipe, FileGroup& files,
                                        Context& context) {
  WrittenOutput written;
  written.path = output.path;
  written.kind = output.kind;
  written.frame = output.picture;
  written.only = output.only;
  std::string bytes;
  if (output.kind == OutputKind::points) {
    return write_points(result, output, recipe, std::move(written), files, context);
  } else if (output.kind == OutputKind::drawing) {
    if (has_tile(output.path) || !output.part.empty()) {
      std::vector<WrittenOutput> all;
      for (SheetTile& tile : sheet_tiles(drawing_of(result), output.path, output.part, context)) {
        written.path = tile.path;
        written.part = tile.part;
        written.corner = tile.corner;
        bytes = drawing_bytes(std::move(tile.drawing), output, recipe, written);
        written.unchanged = !files.add(tile.path, std::move(bytes));
        all.push_back(written);
      }
      return all;
    }
    bytes = drawing_bytes(drawing_of(result), output, recipe, written);
  } else if (const RowsMade* made = result.rows()) {
    written.unchanged = write_rows(*made, recipe, files, output.extension, written, context);
    return {written};
  } else {
    const std::vector<Plane<std::int32_t>> none;
    const ImageMade* const mask = result.image();
    const auto& ranks = mask != nullptr && mask->arrays_hold_ranks ? mask->ranks : none;
    Image image = image_of(result, output.only, output.extension, last, context);
    if (!output.only.empty()) image.metadata.emplace_back(output_key, output.only);
    set_recipe(image.metadata, recipe);
    set_picture(image.metadata, output);
    if (output.udim) return write_tiles(std::move(image), output, files, context);
    if (output.frame >= image.slices) {
      throw Error(ErrorKind::input, "there is no frame " + std::to_string(output.frame) + " of " +
                                        std::to_string(image.slices));
    }
    if (output.frame < 0 && has_frame_number(output.path)) {
      return write_frames(image, ranks, output, files, context);
    }
    bytes = output.frame >= 0
                ? frame_bytes(image, ranks, output.frame, output.extension, written, context)
                : image_bytes(std::move(image), ranks, output.extension, written, context);
  }
  context.check();
  written.unchanged = !files.add(output.path, std::move(bytes));
  return {written};
}

}  // namespace dapple::app
