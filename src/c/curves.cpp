// Spectra and pair correlation of results, as results of columns, a plane and facts.
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>

#include "app/json.hpp"
#include "c/handles.hpp"
#include "dapple/error.hpp"
#include "dapple/spectra.hpp"

namespace dapple::c {
namespace {

// What is asked of a curve, by name; each is read once, and what is left over is no option of it.
class CurveOptions {
 public:
  CurveOptions(std::string_view curve, const char* const* pairs) : curve_(curve) {
    for (; pairs != nullptr && *pairs != nullptr; pairs += 2) {
      require(pairs[1] != nullptr, "the value of the last option");
      given_[*pairs] = pairs[1];
    }
  }

  std::string text(const std::string& name) {
    known_ += (known_.empty() ? "" : ", ") + name;
    const auto found = given_.find(name);
    if (found == given_.end()) return "";
    std::string value = found->second;
    given_.erase(found);
    return value;
  }
  double number(const std::string& name, double otherwise) {
    const std::string value = text(name);
    if (value.empty()) return otherwise;
    double number = 0;
    const char* const end = value.data() + value.size();
    const auto [read, error] = std::from_chars(value.data(), end, number);
    if (error != std::errc() || read != end || !std::isfinite(number)) {
      throw Error(ErrorKind::usage, Problem{name, "must be a number, not '" + value + "'"});
    }
    return number;
  }
  int whole(const std::string& name, int otherwise) {
    const double value = number(name, otherwise);
    if (value != std::floor(value) || std::abs(value) > 1e9) {
      throw Error(ErrorKind::usage, Problem{name, "must be a whole number below 1e9"});
    }
    return static_cast<int>(value);
  }
  // Throws Error(usage) for an option that nobody asked after.
  void end() const {
    if (given_.empty()) return;
    const std::string& name = given_.begin()->first;
    throw Error(ErrorKind::usage, Problem{name, "is no option of " + curve_ + ", which has " +
                                                    (known_.empty() ? "none" : known_)});
  }

 private:
  std::string curve_;
  std::string known_;
  std::map<std::string, std::string> given_;
};

// The channel of an image that is asked for, or its first, of one slice.
Plane<float> raster_of(const Image& image, CurveOptions& options) {
  const std::string channel = options.text("channel");
  const int slice = options.whole("slice", 0);
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
  throw Error(ErrorKind::usage, Problem{"channel", "is none of " + names + ": " + channel});
}

const PointSet& flat_points_in(const Result& result) {
  const PointSet& points = points_in(result);
  if (points.z.empty()) return points;
  throw Error(ErrorKind::usage, "its points are of a volume: a curve is of points in the plane");
}

PowerSpectrum spectrum_of(const Result& result, CurveOptions& options, Context& context) {
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
  CurveOptions options(curve, pairs);
  Curves curves;
  app::Json facts{{"curve", curve}};
  if (curve == "power-spectrum") {
    PowerSpectrum spectrum = spectrum_of(result, options, context);
    options.end();
    facts["zero_row"] = spectrum.zero_row;
    facts["periodic"] = spectrum.periodic;
    facts["step_x"] = spectrum.step_x;
    facts["step_y"] = spectrum.step_y;
    facts["limit"] = spectrum.limit;
    curves.power = std::move(spectrum.power);
  } else if (curve == "radial-power") {
    const double width = options.number("width", 0);
    const int least = options.whole("least", 16);
    const PowerSpectrum spectrum = spectrum_of(result, options, context);
    options.end();
    add_rings(curves, radial_power(spectrum, width, least));
    facts["limit"] = spectrum.limit;
  } else if (curve == "pair-correlation") {
    const double farthest = options.number("farthest", 0);
    const int bins = options.whole("bins", 100);
    options.end();
    PairCorrelation pairs_found = pair_correlation(flat_points_in(result), farthest, bins, context);
    std::vector<double> middle;
    for (std::size_t k = 0; k < pairs_found.g.size(); ++k) {
      middle.push_back((static_cast<double>(k) + 0.5) * pairs_found.width);
    }
    add(curves, "r", std::move(middle));
    add(curves, "g", std::move(pairs_found.g));
    facts["width"] = pairs_found.width;
  } else {
    throw Error(ErrorKind::usage,
                "a curve is power-spectrum, radial-power or pair-correlation, not '" + curve + "'");
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
    c::require(made != nullptr, "the place for the result");
    *made = nullptr;
    auto curves = std::make_unique<c::Curves>(
        c::curves_of(c::made_in(*result), curve, options, result->context->run));
    *made = new dapple_result(*result->context, std::move(curves));
  });
}

}  // extern "C"
