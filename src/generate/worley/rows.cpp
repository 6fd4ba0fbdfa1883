// Makes cell textures by rows: windows of the image give the same pixels as the whole image.
#include <algorithm>
#include <memory>

#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "generate/worley/outputs.hpp"
#include "generate/worley/texture.hpp"

namespace dapple {

using namespace cells;

namespace {

// About this many pixels are searched at a time.
constexpr int window_pixels = 1 << 21;

struct Windows {
  Windows(std::span<const Points> octaves, int width, int height,
          const WorleyOptions& texture_options, Context& context)
      : options(texture_options), texture(octaves, 0.5, width, height, 1, options, context) {}

  // Makes rows [first, last) from the rows of whole tiles around them.
  Image rows(int first, int last) {
    const int from = first / largest_tile * largest_tile;
    const int to = (last + largest_tile - 1) / largest_tile * largest_tile;
    texture.search({from, std::min(to, texture.height)});
    Image image = take_image(texture);
    if (heights.known()) {
      const auto c = static_cast<std::size_t>(image.find("height"));
      lift_heights(image.channels[c], heights);
      note_full_height(image, heights, options, 1);
    }
    const bool more = texture.rows.first != first || texture.rows.last != last;
    return more ? rows_of(image, first - from, last - from) : image;
  }

  const WorleyOptions options;
  Texture texture;
  Extremes heights;  // known if the output `height` is made
};

int step_of(int width) {
  return std::max(window_pixels / width / largest_tile, 1) * largest_tile;
}

void find_heights(Windows& windows, int step) {
  Extremes found;
  const int height = windows.texture.height;
  for (int y = 0; y < height; y += step) {
    const Image strip = windows.rows(y, std::min(y + step, height));
    found.add(strip.channels[static_cast<std::size_t>(strip.find("height"))]);
  }
  windows.heights = found;
}

}  // namespace

bool has_rows(const WorleyOptions& options) {
  check(SiteOptions(), options);
  return slices_of(options) == 1 && !needs_of(options).whole;
}

double worley_memory(std::span<const Points> octaves, int width, int height,
                     const WorleyOptions& options) {
  check(SiteOptions(), options);
  return memory_needed(octaves, 1.0 * width * height, options);
}

ImageRows worley_rows(std::span<const Points> octaves, int width, int height,
                      const WorleyOptions& options, Context& context) {
  if (!has_rows(options)) {
    throw Error(ErrorKind::usage, "these outputs cannot be made row by row: make the whole image");
  }
  check_texture(octaves, width, height, 1, options, context);
  const int step = step_of(width);
  // Counts the memory of the search, and of rows on their way to the file.
  const double pixels = 1.0 * width * std::min(step, height);
  context.require_memory(
      memory_needed(octaves, pixels, options) + 12.0 * worley_channels(options.outputs) * pixels,
      "a cell texture by rows");
  const auto stage = context.stage("worley");
  const auto windows = std::make_shared<Windows>(octaves, width, height, options, context);
  const auto& outputs = options.outputs;
  if (std::find(outputs.begin(), outputs.end(), "height") != outputs.end()) {
    find_heights(*windows, step);
  }
  return {width, height, step, [windows, height](int first, int last) {
            require_rows(first, last, height);
            return windows->rows(first, last);
          }};
}

void worley(std::span<const Points> octaves, const ImageTarget& target,
            const WorleyOptions& options, Context& context) {
  if (target.type() != PixelType::f32) {
    throw Error(ErrorKind::usage,
                "the buffer of a texture must hold floats, because distances in pixels do not fit "
                "integers");
  }
  check(SiteOptions(), options);
  const int slices = slices_of(options);
  if (target.height() % slices != 0) {
    throw Error(ErrorKind::usage, "the buffer has " + std::to_string(target.height()) +
                                      " rows, which is not a multiple of the " +
                                      std::to_string(slices) + " slices");
  }
  target.require("the texture", target.width(), target.height(), worley_channels(options.outputs));
  if (!has_rows(options)) {
    target.put(worley(octaves, target.width(), target.height() / slices, options, context), 0);
    return;
  }
  const auto stage = context.outermost("worley");
  const ImageRows texture = worley_rows(octaves, target.width(), target.height(), options, context);
  for (int y = 0; y < texture.height; y += texture.step) {
    target.put(texture.rows(y, std::min(y + texture.step, texture.height)), y);
  }
}

void worley(const Points& sites, const ImageTarget& target, const WorleyOptions& options,
            Context& context) {
  worley({&sites, 1}, target, options, context);
}

}  // namespace dapple
