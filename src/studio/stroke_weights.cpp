#include "studio/stroke_weights.hpp"

#include <algorithm>

#include "app/run/outputs.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/image_files.hpp"

namespace dapple::studio {
namespace {

constexpr std::int64_t most_bytes = 64 << 20;  // largest file to compare

std::string numbered(const std::string& photo, int number) {
  return app::stem_of(photo) + "-weight" + (number > 1 ? "-" + std::to_string(number) : "") +
         ".png";
}

std::string within(const std::string& folder, const std::string& name) {
  return folder.empty() ? name : folder + "/" + name;
}

bool holds(const std::string& path, const std::string& bytes) {
  try {
    return read_file(path, most_bytes) == bytes;
  } catch (const Error&) {
    return false;  // an unreadable file differs
  }
}

// Returns true if the photo is turned: strokes lie on the photo as its file holds it.
bool is_turned(const app::Run& run) {
  const Option* const rotate = run.options.find("rotate");
  return rotate != nullptr && !rotate->is_default();
}

}  // namespace

bool takes_strokes(const app::Run& run) {
  return !run.input.empty() && run.options.find("weight") != nullptr && !is_turned(run);
}

const BrushLayers* StrokeWeights::layers(const RenderRequest& request, const app::Run& run,
                                         const Image* photo, Context& context) {
  if (request.strokes.empty() || photo == nullptr || !takes_strokes(run)) return nullptr;
  const int width = photo->width();
  const int height = photo->slice_height();
  const std::string given = run.options.find("weight")->get();
  const std::string begun = std::to_string(width) + "x" + std::to_string(height) + " " + given;
  if (begun != begun_) {
    begun_.clear();
    const Image weight = given.empty() ? Image() : read_image(given, context);
    brush_.begin(unbrushed(width, height, given.empty() ? nullptr : &weight));
    begun_ = begun;
  }
  return &brush_.replayed(request.strokes, context);
}

void StrokeWeights::weigh(const RenderRequest& request, app::Run& run, const Image* photo,
                          Context& context) {
  if (!request.strokes.empty() && is_turned(run)) {
    context.warn(
        "strokes of the brush have no effect on a turned picture: leave `rotate` out, or "
        "turn the photo before you open it");
  }
  const BrushLayers* const made = layers(request, run, photo, context);
  if (made == nullptr) return;
  Option* const weight = run.options.find("weight");
  weight->set("");
  weight->image_input->image = std::make_shared<const Image>(image_of(made->weight));
}

Frame frame_of(const BrushLayers& layers, int side) {
  const int width = layers.weight.width();
  const int height = layers.weight.height();
  const double scale = std::min(1.0, 1.0 * side / std::max(width, height));
  Frame frame;
  frame.width = std::max(1, static_cast<int>(width * scale));
  frame.height = std::max(1, static_cast<int>(height * scale));
  frame.pixels.reserve(4 * static_cast<std::size_t>(frame.width * frame.height));
  for (int y = 0; y < frame.height; ++y) {
    const int from_y = std::min(height - 1, static_cast<int>((y + 0.5) / scale));
    for (int x = 0; x < frame.width; ++x) {
      const int from_x = std::min(width - 1, static_cast<int>((x + 0.5) / scale));
      frame.pixels.push_back(static_cast<char>(layers.weight(from_x, from_y)));
      frame.pixels.push_back(static_cast<char>(layers.shield(from_x, from_y)));
      frame.pixels.append("\0\xff", 2);
    }
  }
  return frame;
}

WeightFile write_weight(const BrushLayers& layers, const std::string& photo,
                        const std::string& folder, const Context& context) {
  const std::string bytes = encode_image(image_of(layers.weight), "png", context);
  for (int number = 1;; ++number) {
    const std::string path = within(folder, numbered(photo, number));
    if (!app::is_there(path)) {
      write_file(path, bytes, Overwrite::never);
      return {path, true};
    }
    if (holds(path, bytes)) return {path, false};
  }
}

std::string free_weight_name(const std::string& photo, const std::string& folder) {
  int number = 1;
  while (app::is_there(within(folder, numbered(photo, number)))) ++number;
  return numbered(photo, number);
}

}  // namespace dapple::studio
