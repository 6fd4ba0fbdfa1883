#include "studio/photo.hpp"

#include <algorithm>
#include <cmath>

#include "dapple/extend/options.hpp"
#include "field/resample.hpp"
#include "generate/stipple/layout.hpp"
#include "studio/histograms.hpp"

namespace dapple::studio {

Place place_of(const app::Run& run, const Image& photo, const Picture& picture) {
  Place place;
  place.at = {0, 0, picture.width, picture.height};
  // Only commands with a paper size can have a margin around the picture.
  if (run.options.find("paper") == nullptr || run.options.find("fit") == nullptr) return place;
  const auto options = options_in<StippleOptions>(run);
  const auto prepare = options_in<MapOptions>(run).prepare;
  const int width = photo.width();
  const int height = photo.slice_height();
  const FramedPart framed = framed_part(width, height, prepare);
  const auto layout =
      stippling::lay_out(framed.width, framed.height, photo.dots_per_inch, with_units(options));
  const bool is_cut = options.fit == PaperFit::cover || prepare.crop.rule != Crop::Rule::none;
  // The photo is shown as its file holds it, so a turned picture has no place on it.
  if (layout.cut_width > 0 && is_cut && prepare.rotate == 0) {
    const double left = framed.left + layout.left;
    const double top = framed.top + layout.top;
    place.part = {left / width, top / height, (left + layout.cut_width) / width,
                  (top + layout.cut_height) / height};
  }
  const double across = picture.width / layout.paper_width;  // pixels per mm
  const double down = picture.height / layout.paper_height;
  const Vec2 end = layout.place({1.0 * layout.width, 1.0 * layout.height});
  place.at = {layout.place.origin.x * across, layout.place.origin.y * down, end.x * across,
              end.y * down};
  return place;
}

int side_for_draft(const Image& photo, double dots, std::size_t shown) {
  constexpr double most_relaxed = 40'000;  // dots of a draft that is more than sampled
  constexpr double pixels_of_relaxed = 4.84;
  constexpr double pixels_of_sampled = 2.6;
  constexpr double least_pixels = 80'000;  // for the tones of automatic contrast
  constexpr double worth_reducing = 0.6;   // share of pixels
  if (!(dots > 0)) dots = std::max(most_relaxed, static_cast<double>(shown));
  dots = std::exp2(std::ceil(std::log2(dots)));  // few sizes, while the number changes
  const double pixels = std::max(
      {pixels_of_relaxed * std::min(dots, most_relaxed), pixels_of_sampled * dots, least_pixels});
  const double share = pixels / (1.0 * photo.width() * photo.slice_height());
  if (share > worth_reducing || photo.slices != 1) return 0;
  return static_cast<int>(std::ceil(std::max(photo.width(), photo.height()) * std::sqrt(share)));
}

}  // namespace dapple::studio
