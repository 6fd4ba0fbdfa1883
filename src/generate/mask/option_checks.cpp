// Refuses options of masks that exclude each other.
#include <cmath>
#include <string>

#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

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

// Refuses a size that the filter cannot have. Boxes and binomials have whole sizes.
void check_filter_size(const std::string& option, double size, bool whole, double least,
                       double most) {
  if (size == 0 || (size >= least && size <= most && (!whole || size == std::floor(size)))) return;
  throw Error(ErrorKind::usage,
              Problem{option, "must be " + std::string(whole ? "a whole number " : "") + "from " +
                                  shortest(least) + " to " + shortest(most) +
                                  " for this filter, not " + shortest(size)});
}

void check_filters(const MaskOptions& options, const Torus& extent) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, why); };
  const bool of_frames =
      options.filter_time != TimeFilter::usual || options.separate || options.product;
  const bool points = holds_points(options.kind);
  if (of_frames && options.kind != MaskKind::spatiotemporal && !(points && extent.depth > 1)) {
    refuse(
        "`filter-time`, `separate` and `product` need frames of numbers or points: give `kind "
        "spatiotemporal`, or `kind square` and the like with `size WxHxFRAMES`");
  }
  if (options.separate && options.product) refuse("`separate` excludes `product`: choose one");
  if ((options.separate || options.product) && options.filter_time == TimeFilter::none) {
    refuse("`separate` and `product` need two filters: leave `filter-time none` out");
  }
  const bool scalar = options.kind == MaskKind::scalar && extent.depth == 1;
  if (options.filter_space != SpaceFilter::usual &&
      (options.method != MaskMethod::void_and_cluster || options.points.points ||
       (options.density.image && !points) ||
       !(scalar || points || options.kind == MaskKind::spatiotemporal))) {
    refuse(
        "`filter-space` works only with masks and frames of numbers or points of `method "
        "void-and-cluster`, not with unit vectors, volumes, maps of ranks or given `points`");
  }
  const bool whole_space = options.filter_space != SpaceFilter::gauss;
  check_filter_size("filter-space-size", options.filter_space_size, whole_space,
                    whole_space ? 1 : 0.3, whole_space ? 15 : 3);
  const bool ema = options.filter_time == TimeFilter::ema;
  const bool whole_time = !ema && options.filter_time != TimeFilter::gauss;
  check_filter_size("filter-time-size", options.filter_time_size, whole_time,
                    whole_time ? 1
                    : ema      ? 0.02
                               : 0.3,
                    ema          ? 1
                    : whole_time ? 32
                                 : 12);
}

}  // namespace

void check_options(const MaskOptions& options, const Torus& extent) {
  const auto refuse = [](const std::string& why) { throw Error(ErrorKind::usage, why); };
  const bool plain = options.kind == MaskKind::scalar &&
                     options.method == MaskMethod::void_and_cluster && extent.depth == 1;
  if (options.kind == MaskKind::spatiotemporal && extent.depth < 2) {
    refuse("`kind spatiotemporal` needs the number of frames: give `size WxHxFRAMES`");
  }
  if (component_count(options.kind) > 0 && options.channels > 1) {
    refuse("`kind " + std::string(word_of(options.kind)) +
           "` stores one component per channel: leave `channels` out");
  }
  if (options.method != MaskMethod::void_and_cluster && options.kind != MaskKind::scalar) {
    refuse("`method ulichney`, white and bayer work only with `kind scalar`: leave `kind` out");
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
  if (options.density.image && options.kind != MaskKind::square &&
      (!plain || options.channels > 1)) {
    refuse(
        "`density` works only with `kind square` or a plain mask of one channel: leave `kind`, "
        "`channels`, `method` and the depth of `size` out");
  }
  const bool other_values = options.values != MaskValues::uniform;
  const bool histogram = !options.histogram.path.empty() || options.histogram.text;
  if (other_values && histogram) refuse("`values` and `histogram` both set the values: choose one");
  if (!has_ranks(options.kind) && (other_values || histogram)) {
    refuse(
        "`values` and `histogram` work only with ranks, not with vectors, points or fractal dots: "
        "leave them out");
  }
}

}  // namespace dapple::mask
