// Makes slices of cell textures: sections through the cells of a volume, and frames of an
// animation. Its sites move on ellipses, so that the last frame leads to the first.
#include <algorithm>
#include <cmath>
#include <utility>

#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "generate/worley/bend/turned.hpp"
#include "generate/worley/outputs.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {
namespace {

// Rounds to multiples of 2^-16, whose squares and sums of squares are exact in double.
double rounded(double value) {
  return std::round(value * 65536) / 65536;
}

// Moves every site on an ellipse around its place, one turn per period of `time`.
Points moved(const Points& sites, double reach, double time, std::uint64_t seed) {
  Points all = sites;
  const Random numbers(seed, Stream::worley, 100);
  const auto move = [&](double at, double extent, double turns) {
    if (sites.domain.wrap) return at + reach * portable_sine(turns);
    const double room = std::min({reach, at, extent - at});
    return std::min(at + room * portable_sine(turns), std::nextafter(extent, 0.0));
  };
  for (std::size_t i = 0; i < all.size(); ++i) {
    const std::uint64_t bits = numbers.at(i);
    const double phase_x = static_cast<double>(bits & 0xffff) * 0x1p-16;
    const double phase_y = static_cast<double>(bits >> 16 & 0xffff) * 0x1p-16;
    const bool back = (bits >> 32 & 1) != 0;
    const Vec2 p =
        all.domain.wrapped({move(all.x[i], all.domain.width, phase_x + time),
                            move(all.y[i], all.domain.height, phase_y + (back ? 1 - time : time))});
    all.x[i] = p.x;
    all.y[i] = p.y;
  }
  return all;
}

std::vector<Points> octaves_at(std::span<const Points> octaves, double time, int width, int height,
                               double unit, const WorleyOptions& options, std::uint64_t seed) {
  std::vector<Points> all;
  double size = 1;
  for (const Points& sites : octaves) {
    const double count = static_cast<double>(std::max<std::size_t>(sites.size(), 1));
    double reach = 0.33 * std::sqrt(sites.domain.area() / count);
    if (options.motion.value > 0) {
      const Scale scale{std::min(width, height) / unit, 0};
      reach = size * options.motion.pixels(scale) * unit / scale_of(sites, width, height);
    }
    all.push_back(moved(sites, reach, time, seed));
    size *= 0.5;
  }
  return all;
}

}  // namespace

double scale_of(const Points& sites, int width, int height) {
  return std::sqrt(width / sites.domain.width * height / sites.domain.height);
}

std::vector<double> lifts_of(const Points& sites, int width, int height,
                             const WorleyOptions& options, double place) {
  const bool deep = !sites.z.empty();
  if (!deep && options.power <= 0) return {};
  if (is_bent(options)) {
    throw Error(ErrorKind::usage, std::string(options.stretch != 1 ? "`stretch`" : "`angle`") +
                                      " works only with flat cells without `power`: leave " +
                                      (deep ? "the depth of `size`" : "`power`") + " out");
  }
  if (options.metric != Metric::euclidean) {
    throw Error(ErrorKind::usage,
                std::string(deep ? "volumes" : "power cells") +
                    " work only with Euclidean distance: leave `metric` out, or " +
                    (deep ? "the depth of `size`" : "`power`"));
  }
  const double scale = scale_of(sites, width, height);
  const auto weight = [&](std::size_t i) {
    const double radius = 0.5 * options.power * static_cast<double>(sites.radius[i]) * scale;
    return rounded(radius * radius);
  };
  double most = 0;
  for (std::size_t i = 0; i < sites.size(); ++i) most = std::max(most, weight(i));
  const double depth = rounded(sites.depth * scale);
  const double level = rounded(place * depth);
  std::vector<double> lifts(sites.size());
  for (std::size_t i = 0; i < sites.size(); ++i) {
    lifts[i] = most - weight(i);
    if (!deep) continue;
    double away = std::abs(rounded(sites.z[i] * scale) - level);
    if (sites.domain.wrap) away = std::min(away, depth - away);
    lifts[i] += away * away;
  }
  const bool flat = std::all_of(lifts.begin(), lifts.end(), [](double lift) { return lift == 0; });
  return flat ? std::vector<double>{} : lifts;
}

int slices_of(const WorleyOptions& options) {
  if (options.depth > 1 && options.frames > 1) {
    throw Error(ErrorKind::usage,
                "`frames` works only with flat cells: leave `frames` or the depth of `size` out");
  }
  return std::max({options.depth, options.frames, 1});
}

void check_texture(std::span<const Points> octaves, int width, int height, int slices,
                   const WorleyOptions& options, Context& context) {
  check(SiteOptions(), options);
  require_number("the width of a texture", width, 1);
  require_number("the height of a texture", height, 1);
  for (const Points& sites : octaves) validate(sites);
  if (octaves.empty() || octaves[0].empty()) {
    throw Error(ErrorKind::input, "a cell texture needs at least one site, but there are none");
  }
  if (options.depth > 1 && octaves[0].z.empty()) {
    throw Error(ErrorKind::input,
                "a volume needs sites with column z: leave the depth of `size` out, or leave "
                "`points` out to place sites automatically");
  }
  const auto& radius = octaves[0].radius;
  if (options.power > 0 && std::count(radius.begin(), radius.end(), radius[0]) ==
                               static_cast<std::ptrdiff_t>(radius.size())) {
    context.warn(
        "`power` has no effect, because all sites have the same radius: give `density`, or "
        "`points` with a column r");
  }
  const std::string strip = std::to_string(slices) + " slices of " + std::to_string(width) + "x" +
                            std::to_string(height) + ", stacked into one strip,";
  context.require_pixels(width, 1.0 * height * slices, slices > 1 ? strip : "a cell texture");
}

Image make_texture(std::span<const Points> octaves, int width, int height, double unit,
                   const WorleyOptions& options, Context& context) {
  const int slices = slices_of(options);
  check_texture(octaves, width, height, slices, options, context);
  if (slices > 1) {
    context.require_memory(4.0 * worley_channels(options.outputs) * width * height * slices,
                           "a cell texture of " + std::to_string(slices) + " slices");
  }
  const auto stage = context.stage("worley");
  const auto each_slice = [&](const WorleyOptions& of, const Extremes& heights, const auto& take) {
    for (int k = 0; k < slices; ++k) {
      context.check();
      if (options.frames > 1) {
        const double time = static_cast<double>(k) / slices;
        take(k, make_slice(octaves_at(octaves, time, width, height, unit, of, context.seed), 0,
                           width, height, unit, of, heights, context));
      } else {
        take(k, make_slice(octaves, (k + 0.5) / slices, width, height, unit, of, heights, context));
      }
    }
  };
  // Finds one range for all slices in a first pass.
  Extremes heights;
  if (slices > 1 && needs_of(options).range) {
    WorleyOptions look = options;
    look.outputs = {"height"};
    look.height_scale = {};
    each_slice(look, {}, [&](int, const Image& slice) { heights.add(slice.channels[0]); });
  }
  Image image;
  each_slice(options, heights, [&](int k, Image slice) {
    if (slices == 1) {
      image = std::move(slice);
    } else {
      put_strip(image, std::move(slice), k, slices);
    }
  });
  image.slices = slices;
  image.volume = options.depth > 1;
  // Heights are lifted by the same amount in all slices.
  if (const int c = image.find("height"); c >= 0) {
    Plane<float>& raised = image.channels[static_cast<std::size_t>(c)];
    Extremes found;
    found.add(raised);
    lift_heights(raised, found);
    if (!needs_of(options).range) note_full_height(image, found, options, unit);
  }
  return image;
}

void lift_heights(Plane<float>& heights, const Extremes& found) {
  for (float& h : heights.values()) h = found.lifted(h);
}

void note_full_height(Image& image, const Extremes& found, const WorleyOptions& options,
                      double unit) {
  const double height = static_cast<double>(found.range()) * options.normal_strength / unit;
  image.metadata.emplace_back(full_height_key, shortest(static_cast<float>(height)) + " px");
}

}  // namespace dapple::cells

namespace dapple {

using namespace cells;

Image worley(const Points& sites, int width, int height, const WorleyOptions& options,
             Context& context) {
  return make_texture({&sites, 1}, width, height, 1, options, context);
}

Image worley(std::span<const Points> octaves, int width, int height, const WorleyOptions& options,
             Context& context) {
  return make_texture(octaves, width, height, 1, options, context);
}

}  // namespace dapple
