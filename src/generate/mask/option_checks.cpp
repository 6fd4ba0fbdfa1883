// Refuses options of masks that exclude each other.
#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>

#include "core/preconditions.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

// The largest widths and orders, and the largest sigmas, of filters.
constexpr double most_space_steps = 15;
constexpr double most_space_sigma = 3;
constexpr double most_time_steps = 32;
constexpr double most_time_sigma = 12;

void check_fractal(const MaskOptions& options, const Torus& extent) {
  if (options.kind != MaskKind::fractal) return;
  constexpr int least = 32;
  constexpr int most = 512;
  if (extent.width != extent.height || extent.width < least || extent.width > most) {
    throw Error(ErrorKind::usage,
                "`kind fractal` needs a square `size` with sides from 32 to 512, not " +
                    std::to_string(extent.width) + "x" + std::to_string(extent.height));
  }
  if (options.channels > 1) {
    throw Error(ErrorKind::usage, "`kind fractal` has only one channel: leave `channels` out");
  }
}

// Returns what is wrong with a size between these limits, or "".
std::string fault_of(const MaskFilter& filter, double most_steps, double most_sigma) {
  using enum MaskFilter::Shape;
  if (filter.size == 0) return "";
  const std::string word(word_of(filter.shape));
  if (filter.shape == usual || filter.shape == none) return "`" + word + "` must have no size";
  const bool whole = filter.shape == box || filter.shape == binomial;
  const double least = whole ? 1 : filter.shape == gauss ? 0.3 : 0.02;
  const double most = whole ? most_steps : filter.shape == gauss ? most_sigma : 1;
  if (filter.size >= least && filter.size <= most &&
      (!whole || filter.size == std::floor(filter.size))) {
    return "";
  }
  return "the size of `" + word + "` must be " + (whole ? "a whole number " : "") + "from " +
         shortest(least) + " to " + shortest(most);
}

void check_filters(const MaskOptions& options, const Torus& extent) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, why); };
  const bool of_frames = options.filter_time != MaskFilter() || options.separate || options.product;
  const bool points = holds_points(options.values);
  if (of_frames && options.kind != MaskKind::spatiotemporal && !(points && extent.depth > 1)) {
    refuse(
        "`filter-time`, `separate` and `product` need frames of numbers or points: give `kind "
        "spatiotemporal`, or `values vec2` and the like with `size WxHxFRAMES`");
  }
  if (options.separate && options.product) refuse("`separate` excludes `product`: choose one");
  if ((options.separate || options.product) &&
      options.filter_time.shape == MaskFilter::Shape::none) {
    refuse("`separate` and `product` need two filters: leave `filter-time none` out");
  }
  const bool numbers = component_count(values_of(options)) == 0;
  const bool scalar = numbers && options.kind == MaskKind::scalar && extent.depth == 1;
  if (options.filter_space != MaskFilter() &&
      (options.method != MaskMethod::void_and_cluster || options.points.points ||
       (options.density.image && !points) ||
       !(scalar || points || (numbers && options.kind == MaskKind::spatiotemporal)))) {
    refuse(
        "`filter-space` works only with masks and frames of numbers or points of `method "
        "void-and-cluster`, not with unit vectors, volumes, maps of ranks or given `points`");
  }
}

}  // namespace

std::string fault_of_space_filter(std::string_view text) {
  MaskFilter filter;
  from_text(text, filter);
  if (filter.shape == MaskFilter::Shape::none || filter.shape == MaskFilter::Shape::ema) {
    return "must be auto, box, gauss or binomial";
  }
  return fault_of(filter, most_space_steps, most_space_sigma);
}

void check_options(const MaskOptions& options, const Torus& extent) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, why); };
  const std::size_t components = component_count(values_of(options));
  const bool plain = options.kind == MaskKind::scalar && components == 0 &&
                     options.method == MaskMethod::void_and_cluster && extent.depth == 1;
  if (options.kind == MaskKind::spatiotemporal && extent.depth < 2) {
    refuse("`kind spatiotemporal` needs the number of frames: give `size WxHxFRAMES`");
  }
  if (components > 0 && options.channels > 1) {
    refuse("`values " + std::string(word_of(values_of(options))) +
           "` stores one component per channel: leave `channels` out");
  }
  if (values_of(options) != options.values && options.values != MaskValues::uniform) {
    refuse("`kind " + std::string(word_of(options.kind)) + "` is `values " +
           std::string(word_of(values_of(options))) + "`: leave one of the two out");
  }
  if (options.method != MaskMethod::void_and_cluster &&
      (options.kind != MaskKind::scalar || components > 0)) {
    refuse(
        "`method ulichney`, white and bayer work only with numbers of `kind scalar`: leave `kind` "
        "and `values` out");
  }
  check_fractal(options, extent);
  check_filters(options, extent);
  const bool flat = options.method == MaskMethod::bayer || options.method == MaskMethod::ulichney;
  if (flat && extent.depth > 1) {
    refuse("`method ulichney` and bayer make only one slice: leave the depth of `size` out");
  }
  if (!options.points.path.empty() || options.points.points) {
    if (!plain || options.density.image) {
      refuse(
          "`points` works only with a plain mask: leave `kind`, `density`, `method` and the depth "
          "of `size` out");
    }
  }
  if (options.density.image && options.values != MaskValues::vec2 &&
      (!plain || options.channels > 1)) {
    refuse(
        "`density` works only with `values vec2` or a plain mask of one channel: leave `kind`, "
        "`channels`, `method` and the depth of `size` out");
  }
  const bool other_values = options.values != MaskValues::uniform;
  const bool histogram = !options.histogram.path.empty() || options.histogram.text;
  if (other_values && histogram) refuse("`values` and `histogram` both set the values: choose one");
  if (!has_ranks(options) && histogram) {
    refuse("`histogram` works only with numbers, not with vectors, points or fractal dots");
  }
  if (options.kind == MaskKind::fractal && other_values) {
    refuse("`kind fractal` has distances as values: leave `values` out");
  }
}

}  // namespace dapple::mask

namespace dapple {

std::string to_text(const MaskFilter& value) {
  const std::string word(word_of(value.shape));
  return value.size == 0 ? word : word + ":" + shortest(value.size);
}

void from_text(std::string_view text, MaskFilter& value) {
  const auto refuse = [&](const std::string& why) {
    throw Error(ErrorKind::usage, why + ", not '" + std::string(text) + "'");
  };
  const std::string_view word = text.substr(0, text.find(':'));
  constexpr auto words = option_names(MaskFilter::Shape{});
  const auto found = std::find(words.begin(), words.end(), word);
  if (found == words.end()) {
    refuse("must be auto, none, box, gauss, binomial or ema, perhaps with a size as in gauss:1.5");
  }
  MaskFilter read{static_cast<MaskFilter::Shape>(found - words.begin())};
  if (word.size() < text.size()) {
    const auto size = parse_number<double>(text.substr(word.size() + 1));
    if (!size || *size == 0) {
      refuse("must have a number above 0 behind the colon");
    }
    read.size = *size;
  }
  const std::string fault = mask::fault_of(read, mask::most_time_steps, mask::most_time_sigma);
  if (!fault.empty()) refuse(fault);
  value = read;
}

}  // namespace dapple
