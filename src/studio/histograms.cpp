#include "studio/histograms.hpp"

#include <algorithm>
#include <cmath>

#include "analyze/sheet/canvas.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/field.hpp"
#include "dapple/image_files.hpp"
#include "field/prepared_values.hpp"
#include "field/resample.hpp"
#include "generate/stipple/layout.hpp"

namespace dapple::studio {

bool has_levels(const app::Run& run) {
  return !run.input.empty() && run.options.find("black") != nullptr &&
         run.options.find("white") != nullptr && run.options.find("gamma") != nullptr;
}

bool Histogram::update(const app::Run& run, const Image& photo, Context& context) {
  MapOptions options;
  std::string of;
  if (has_levels(run)) {
    options = options_in<MapOptions>(run);
    // Lengths on paper become lengths in the photo once the photo's place is known.
    if (run.options.find("paper") != nullptr) {
      const StippleOptions drawn = with_units(options_in<StippleOptions>(run));
      const FramedPart part = framed_part(photo.width(), photo.slice_height(), options.prepare);
      const auto layout = stippling::lay_out(part.width, part.height, photo.dots_per_inch, drawn);
      options = stippling::in_pixels(options, drawn, layout);
    }
    OptionList list;
    describe(options.prepare, list);
    of = run.input + "\n" + options.channel;
    for (const auto& option : list) of += "\n" + option->get();
  }
  if (of == of_) return false;
  counts_.clear();
  if (!of.empty()) {
    ImageInput& model = options.prepare.tones_from;
    if (!model.path.empty()) {
      model.image = std::make_shared<const Image>(read_image(model.path, context));
    }
    counts_.assign(bins, 0);
    for (const float v : values_for_levels(photo, options, context).values()) {
      const float place = std::clamp(v, 0.0f, 1.0f) * static_cast<float>(bins);
      ++counts_[std::min(bins - 1, static_cast<std::size_t>(place))];
    }
  }
  of_ = of;
  return true;
}

std::optional<Toned> toned(const Result& result) {
  const DrawingMade* const drawn = result.drawing();
  if (drawn == nullptr || !result.points || result.points->empty() || drawn->darkness.empty()) {
    return std::nullopt;
  }
  // Areas covered with dots of the paper's color are not measured.
  const auto& layers = drawn->drawing.layers;
  if (std::any_of(layers.begin(), layers.end(),
                  [](const Layer& layer) { return !layer.fills.empty(); })) {
    return std::nullopt;
  }
  return Toned{*result.points, drawn->darkness, drawn->interpolation};
}

Frame frame_of(const ToneError& error, int side) {
  const int longest = std::max(error.values.width(), error.values.height());
  const double scale = std::min(1.0, 1.0 * side / longest);
  const auto scaled = [&](int length) {
    return std::max(1, static_cast<int>(std::lround(length * scale)));
  };
  Frame frame;
  frame.width = scaled(error.values.width());
  frame.height = scaled(error.values.height());
  const Plane<float> values = resample(error.values, frame.width, frame.height);
  const Tint tint = difference_tint(error.range);
  frame.pixels.reserve(4 * values.size());
  for (const float v : values.values()) {
    for (const float c : tint(v)) frame.pixels += static_cast<char>(std::lround(255 * c));
    frame.pixels += '\xff';
  }
  return frame;
}

}  // namespace dapple::studio
