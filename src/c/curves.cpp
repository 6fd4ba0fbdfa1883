// Computes spectra and pair correlations. A result has columns, a plane and facts.
#include <nlohmann/json.hpp>

#include "app/json.hpp"
#include "app/presets/settings.hpp"
#include "c/handles.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/spectra.hpp"

namespace dapple::c {
namespace {

// The options of all curves; each kind of curve uses some of them.
struct CurveOptions {
  std::string channel;
  int slice = 0;
  double width = 0;
  int least = 16;
  double farthest = 0;
  int bins = 100;
};

// Sets the options of a curve from alternating names and values.
void set_options(OptionList& list, const std::string& curve, const char* const* pairs) {
  for (; pairs != nullptr && *pairs != nullptr; pairs += 2) {
    require(pairs[1] != nullptr, "the value of the last option");
    Option* const option = list.find(*pairs);
    if (option == nullptr) app::refuse_option(*pairs, curve, list.nearest(*pairs));
    option->set(pairs[1]);
  }
}

// Returns one slice of the requested channel of an image; the default is its first channel.
Plane<float> raster_of(const Image& image, const CurveOptions& options) {
  const std::string& channel = options.channel;
  const int slice = options.slice;
  if (slice < 0 || slice >= image.slices) {
    throw Error(ErrorKind::usage,
                Problem{"slice", "must be from 0 to " + std::to_string(image.slices - 1) +
                                     ", not " + std::to_string(slice)});
  }
  for (std::size_t i = 0; i < image.channels.size(); ++i) {
    if (!channel.empty() && image.names[i] != channel) continue;
    return slice_of(image.channels[i], slice, image.slices);
  }
  std::string names;
  for (const std::string& name : image.names) names += (names.empty() ? "" : ", ") + name;
  throw Error(ErrorKind::usage, Problem{"channel", "must be one of " + names + ", not " + channel});
}

const Points& flat_points_in(const Result& result) {
  const Points& points = points_in(result);
  if (points.z.empty()) return points;
  throw Error(ErrorKind::usage,
              "a curve needs points in the plane, but these points are in a volume");
}

// Describes the options of an image: the channel and the slice.
void describe_raster(const Result& result, CurveOptions& options, OptionList& list) {
  if (result.image() == nullptr) return;
  list.add("channel", options.channel, "Channel of an image; the first by default");
  list.add("slice", options.slice, "Slice of a volume or an animation");
}

PowerSpectrum spectrum_of(const Result& result, const CurveOptions& options, Context& context) {
  if (result.image() != nullptr) {
    const Plane<float> raster = raster_of(result.image()->image, options);
    return power_spectrum(raster, context);
  }
  return power_spectrum(flat_points_in(result), context);
}

void add(Curves& curves, const char* name, std::vector<double> values) {
  curves.names.emplace_back(name);
  curves.values.push_back(std::move(values));
}

void add_rings(Curves& curves, const std::vector<Ring>& rings) {
  std::vector<double> frequency, outer, power, anisotropy, count;
  for (const Ring& ring : rings) {
    frequency.push_back(ring.frequency);
    outer.push_back(ring.outer);
    power.push_back(ring.power);
    anisotropy.push_back(ring.anisotropy);
    count.push_back(ring.count);
  }
  add(curves, "frequency", std::move(frequency));
  add(curves, "outer", std::move(outer));
  add(curves, "power", std::move(power));
  add(curves, "anisotropy", std::move(anisotropy));
  add(curves, "count", std::move(count));
}

Curves curves_of(const Result& result, const std::string& curve, const char* const* pairs,
                 Context& context) {
  CurveOptions options;
  OptionList list(OptionList::Extent::values);
  Curves curves;
  app::Json facts{{"curve", curve}};
  if (curve == "power-spectrum") {
    describe_raster(result, options, list);
    set_options(list, curve, pairs);
    PowerSpectrum spectrum = spectrum_of(result, options, context);
    facts["zero_row"] = spectrum.zero_row;
    facts["periodic"] = spectrum.periodic;
    facts["step_x"] = spectrum.step_x;
    facts["step_y"] = spectrum.step_y;
    facts["limit"] = spectrum.limit;
    curves.power = std::move(spectrum.power);
  } else if (curve == "radial-power") {
    list.add("width", options.width, "Width of a ring");
    list.add("least", options.least, "Fewest independent frequencies per ring");
    describe_raster(result, options, list);
    set_options(list, curve, pairs);
    const PowerSpectrum spectrum = spectrum_of(result, options, context);
    add_rings(curves, radial_power(spectrum, options.width, options.least));
    facts["limit"] = spectrum.limit;
  } else if (curve == "pair-correlation") {
    list.add("farthest", options.farthest, "Largest distance");
    list.add("bins", options.bins, "Number of bins up to the largest distance");
    set_options(list, curve, pairs);
    PairCorrelation pairs_found =
        pair_correlation(flat_points_in(result), options.farthest, options.bins, context);
    std::vector<double> middle;
    for (std::size_t k = 0; k < pairs_found.g.size(); ++k) {
      middle.push_back((static_cast<double>(k) + 0.5) * pairs_found.width);
    }
    add(curves, "r", std::move(middle));
    add(curves, "g", std::move(pairs_found.g));
    facts["width"] = pairs_found.width;
  } else {
    throw Error(
        ErrorKind::usage,
        "the curve must be power-spectrum, radial-power or pair-correlation, not '" + curve + "'");
  }
  curves.facts = app::text_of(facts);
  return curves;
}

}  // namespace
}  // namespace dapple::c

extern "C" {

dapple_status dapple_result_curve(dapple_result* result, const char* curve,
                                  const char* const* options, dapple_result** made) {
  using namespace dapple;
  if (result == nullptr) return DAPPLE_USAGE;
  return c::watched(result->context, [&] {
    c::require(curve != nullptr, "the name of the curve");
    c::require(made != nullptr, "the output pointer for the result");
    *made = nullptr;
    auto curves = std::make_unique<c::Curves>(
        c::curves_of(c::made_in(*result), curve, options, result->context->run));
    *made = new dapple_result(*result->context, std::move(curves));
  });
}

}  // extern "C"
