// Builds the content of output files and writes them.
#include <algorithm>
#include <cmath>

#include "app/metadata.hpp"
#include "app/run/outputs.hpp"
#include "app/run/sheet_tiles.hpp"
#include "core/constants.hpp"
#include "core/plural_text.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/files.hpp"
#include "dapple/image_files.hpp"
#include "dapple/point_files.hpp"
#include "dapple/space.hpp"
#include "dapple/units.hpp"
#include "generate/mask/generator.hpp"
#include "io/images/formats.hpp"

namespace dapple::app {
namespace {

// The longer side of a picture of points on a mesh, in pixels.
constexpr int surface_side = 1600;

Drawing drawing_of(const Result& result) {
  const DrawingMade* made = result.drawing();
  return made != nullptr ? made->drawing : draw_points(*result.points);
}

// Returns the rows of the image that stored_image() returns.
ImageRows stored_rows(const RowsMade& made, const std::string& extension, Context& context) {
  const PixelType type = made.rows.rows(0, 1).type;
  if (!made.display || holds_any_value(extension, type)) return made.rows;
  const auto stage = context.stage("range");
  return made.display();
}

// Returns only the channels of the output `name`.
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
  throw Error(ErrorKind::input, "output " + name + " does not exist");
}

// Returns the image for the file: raw values if the format holds them, otherwise display values.
Image stored_image(ImageMade& made, const std::string& extension, bool last) {
  if (!made.display || holds_any_value(extension, made.image.type)) {
    return last ? std::move(made.image) : made.image;
  }
  Image shown = made.display(made.image);
  if (last) made.image = {};
  return shown;
}

// Returns the resolution that makes a picture `width` pixels wide as wide as the paper.
double resolution_of(int width, const Drawing& drawing) {
  const double exact = width / drawing.width * mm_per_inch;
  const double whole = std::round(exact);
  return std::lround(drawing.width / mm_per_inch * whole) == width ? whole : exact;
}

// Returns a picture of one bit per pixel: black where ink covers more than half of the pixel.
Image plate_of(Drawing drawing, int width, int height, Context& context) {
  for (Layer& layer : drawing.layers) {
    layer.color = layer.color == drawing.background ? "white" : "black";
  }
  drawing.background = "white";
  Image plate = rasterize(drawing, width, height, context);
  const float half = linear_to_srgb(0.5f);
  for (float& v : plate.channels[0].values()) v = v < half ? 0.0f : 1.0f;
  plate.type = PixelType::u8;
  plate.hints.palette = {{0, 0, 0}, {255, 255, 255}};
  return plate;
}

bool holds_millimeters(const Result& result) {
  return result.drawing() != nullptr && result.drawing()->on_paper;
}

// `last`: no other output needs the result.
Image image_of(Result& result, const PlannedOutput& output, bool last, Context& context) {
  if (const Points* points = result.in_space()) return picture_in_space(*points, context);
  if (auto* made = std::get_if<ImageMade>(&result.picture)) {
    if (output.only.empty()) return stored_image(*made, output.extension, last);
    ImageMade alone = part_of(*made, output.only);
    return stored_image(alone, output.extension, true);
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
  Image image = output.plate ? plate_of(drawing, width, height, context)
                             : rasterize(drawing, width, height, context);
  if (output.plate || holds_millimeters(result))
    image.dots_per_inch = resolution_of(width, drawing);
  return image;
}

}  // namespace

Image picture_in_space(const Points& points, Context& context) {
  if (points.space->kind == SpaceKind::regions) {
    const Drawing drawing = draw_points(points);
    const auto pixels = [](double side) {
      return std::max(1, static_cast<int>(std::lround(side * css_pixels_per_mm)));
    };
    context.require_pixels(pixels(drawing.width), pixels(drawing.height), "the image");
    return rasterize(drawing, pixels(drawing.width), pixels(drawing.height), context);
  }
  return draw_in_space(points, surface_side, surface_side * 3 / 4, context);
}

Image picture_of_side(Result& result, int side, Context& context) {
  if (std::holds_alternative<ImageMade>(result.picture) || result.in_space() != nullptr) {
    Image image = image_of(result, {"", "png", OutputKind::image}, true, context);
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

namespace {

// Records the index in a sequence, so that `dapple reproduce` makes only this picture.
void set_picture(Metadata& metadata, const PlannedOutput& output) {
  if (output.picture >= 0) metadata.emplace_back(frame_key, std::to_string(output.picture));
}

std::string drawing_bytes(Drawing drawing, const PlannedOutput& output, const std::string& recipe,
                          WrittenOutput& written) {
  if (!output.only.empty()) drawing.metadata.emplace_back(output_key, output.only);
  set_recipe(drawing.metadata, recipe);
  set_picture(drawing.metadata, output);
  written.width = drawing.width;
  written.height = drawing.height;
  return encode_drawing(drawing, output.extension);
}

// Returns the dots of a drawing in millimeters on its paper.
Points in_millimeters(const Points& points, const DrawingMade& made) {
  Points placed = points;
  placed.domain = {made.drawing.width, made.drawing.height, false};
  const auto inside = [](double at, double side) {
    return std::clamp(at, 0.0, std::nextafter(side, 0.0));
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec2 at = made.place(points[i]);
    placed.x[i] = inside(at.x, made.drawing.width);
    placed.y[i] = inside(at.y, made.drawing.height);
  }
  for (float& radius : placed.radius) {
    radius = static_cast<float>(static_cast<double>(radius) * made.place.mm_per_pixel);
  }
  placed.metadata.emplace_back(unit_key, "mm");
  return placed;
}

// Returns the points as files hold them, with the recipe.
Points with_provenance(const Result& result, const PlannedOutput& output,
                       const std::string& recipe) {
  Points points = holds_millimeters(result) ? in_millimeters(*result.points, *result.drawing())
                                            : *result.points;
  if (!output.only.empty()) points.metadata.emplace_back(output_key, output.only);
  set_recipe(points.metadata, recipe);
  if (points.space == nullptr) set_picture(points.metadata, output);
  return points;
}

// Writes the file, and its sidecar if the format needs one.
std::vector<WrittenOutput> write_points(const Result& result, const PlannedOutput& output,
                                        const std::string& recipe, WrittenOutput written,
                                        FileGroup& files, Context& context) {
  written.in_mm = holds_millimeters(result);
  if (written.in_mm) written.layout = "in millimeters on the paper";
  const bool beside = output.path != "-" && has_sidecar(output.extension);
  std::string sidecar;
  const Points points = with_provenance(result, output, recipe);
  context.check();
  if (points.space == nullptr) {
    written.width = points.domain.width;
    written.height = points.domain.height;
  }
  std::string bytes = encode_points(points, output.extension);
  if (beside) sidecar = encode_sidecar(points, bytes);
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

// Returns the height recorded by a texture, in pixels; 0 if none.
double full_height_of(const Metadata& metadata) {
  const auto found = std::find_if(metadata.begin(), metadata.end(),
                                  [](const auto& entry) { return entry.first == full_height_key; });
  double height = 0;
  if (found != metadata.end()) {
    std::string_view text = found->second;
    take_number(text, height);
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
    context.warn("." + extension + " cannot record that the image is a strip of " +
                 std::to_string(image.slices) + " slices; .png, .tif and .exr can");
  }
  std::size_t clipped = 0;
  const ImageExtras extras{ranks, written.path == "-" ? "" : stem_of(written.path), &clipped};
  if (extension == "npy" || extension == "raw") written.layout = array_layout(image, extras);
  std::string bytes = encode_image(std::move(image), extension, context, extras);
  if (clipped > 0) {
    context.warn(counted(static_cast<std::int64_t>(clipped), " pixel of .", " pixels of .") +
                 extension +
                 " had colors outside of --colorspace, which are clipped; .exr holds any color");
  }
  return bytes;
}

// Encodes one slice and records its index, so that `dapple reproduce` makes only this slice.
std::string frame_bytes(const Image& image, std::span<const Plane<std::int32_t>> ranks, int frame,
                        const std::string& extension, WrittenOutput& written, Context& context) {
  Image slice = slice_of(image, frame);
  slice.metadata.emplace_back(frame_key, std::to_string(frame));
  written.frame = frame;
  std::vector<Plane<std::int32_t>> own;
  for (const auto& plane : ranks) own.push_back(slice_of(plane, frame, image.slices));
  return image_bytes(std::move(slice), own, extension, written, context);
}

// Writes an image that is computed while it is written.
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

// Returns the tile in column `u` and row `v`, counted from the bottom. Rows of tiles are slices.
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

const std::vector<Plane<std::int32_t>>& ranks_of(const Result& result) {
  static const std::vector<Plane<std::int32_t>> none;
  const ImageMade* const mask = result.image();
  return mask != nullptr && mask->arrays_hold_ranks ? mask->ranks : none;
}

Image image_with_texts(Result& result, const PlannedOutput& output, bool last,
                       const std::string& recipe, Context& context) {
  Image image = image_of(result, output, last, context);
  const ImageMade* const made = result.image();
  if (made != nullptr && made->bits > 0 && is_array_format(output.extension)) {
    image = pack_indices(image, made->bits);
  }
  if (made != nullptr && !made->about.empty() && !source_language(output.extension).empty()) {
    image.metadata.emplace_back(about_key, made->about);
    if (output.generator) {
      image.metadata.emplace_back(generator_key, mask::generator_text(image, made->ranks, context));
    }
  }
  if (!output.only.empty()) image.metadata.emplace_back(output_key, output.only);
  if (!output.plate) image.hints.colorspace = output.colorspace;
  set_recipe(image.metadata, recipe);
  set_picture(image.metadata, output);
  return image;
}

}  // namespace

std::string encode_output(Result& result, const PlannedOutput& output, const std::string& recipe,
                          Context& context) {
  WrittenOutput written;
  written.path = output.path;
  if (output.kind == OutputKind::points) {
    return encode_points(with_provenance(result, output, recipe), output.extension);
  }
  if (output.kind == OutputKind::drawing) {
    return drawing_bytes(drawing_of(result), output, recipe, written);
  }
  return image_bytes(image_with_texts(result, output, false, recipe, context), ranks_of(result),
                     output.extension, written, context);
}

namespace {

std::vector<WrittenOutput> write_whole(Result& result, const PlannedOutput& output, bool last,
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
    if (const double dpi = result.drawing() != nullptr ? result.drawing()->dpi_of_file : 0;
        dpi > 0) {
      written.layout = plain_number(std::round(10 * dpi) / 10) + " dpi as the picture states";
    }
    if (has_tile(output.path) || !output.part.empty()) {
      std::vector<WrittenOutput> all;
      for (SheetTile& tile : sheet_tiles(drawing_of(result), output.path, output.part, context)) {
        written.path = tile.path;
        written.part = tile.part;
        written.corner = tile.corner;
        written.plot = forecast(tile.drawing);
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
    const auto& ranks = ranks_of(result);
    Image image = image_with_texts(result, output, last, recipe, context);
    if (output.udim) return write_tiles(std::move(image), output, files, context);
    if (output.frame >= image.slices) {
      throw Error(ErrorKind::input, "frame " + std::to_string(output.frame) +
                                        " does not exist (0 to " +
                                        std::to_string(image.slices - 1) + ")");
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

}  // namespace

std::vector<WrittenOutput> write_output(Result& result, const PlannedOutput& output, bool last,
                                        const std::string& recipe, FileGroup& files,
                                        Context& context) {
  const bool by_ink = has_ink(output.path) || !output.only.empty();
  if (result.drawing() == nullptr || !by_ink) {
    return write_whole(result, output, last, recipe, files, context);
  }
  const std::vector<std::string> inks = ink_names(result.drawing()->drawing);
  std::vector<WrittenOutput> all;
  for (std::size_t i = 0; i < inks.size(); ++i) {
    if (!output.only.empty() && output.only != inks[i]) continue;
    PlannedOutput own = output;
    own.only = inks[i];
    own.path = ink_path(output.path, inks[i]);
    Result one = of_ink(result, i, inks[i]);
    for (WrittenOutput& written : write_whole(one, own, true, recipe, files, context)) {
      written.only = inks[i];
      written.points = one.count();
      all.push_back(std::move(written));
    }
  }
  if (all.empty()) {
    throw Error(ErrorKind::input, "the ink " + output.only + " does not exist in this drawing");
  }
  return all;
}

}  // namespace dapple::app
