// Dithers to palettes by a mask. Each pixel picks a part of the mixture that has the wanted color
// as its mean. Its threshold selects the part.
#include <algorithm>

#include "core/parallel.hpp"
#include "generate/dither/mixtures.hpp"

namespace dapple::dithering {
namespace {

constexpr int rows_an_item = 32;

// Returns the color whose share of the mixture contains the threshold, the brightest first.
int choose(const palette::Mixture& mixture, double threshold) {
  double sum = 0;
  for (int i = mixture.count - 1; i > 0; --i) {
    const palette::Part& part = mixture.parts[static_cast<std::size_t>(i)];
    sum += part.weight;
    if (threshold < sum) return part.color;
  }
  return mixture.parts[0].color;
}

}  // namespace

palette::Mixer make_mixer(const Picture& picture, const Colors& colors,
                          const DitherOptions& options) {
  // A palette made for the picture is dense, so its mixtures look alike in both spaces. Between two
  // colors there is no choice of mixtures.
  const bool both = options.mixing == DitherMixing::both &&
                    (options.colors == 0 || options.palette_from.image) && colors.size() > 2;
  const palette::Space space = !picture.linear() ? palette::Space::values
                               : both            ? palette::Space::both
                                                 : palette::Space::light;
  return palette::Mixer(colors, space, options.perceptual, options.strength);
}

std::vector<Plane<float>> palette_by_mask(const Picture& picture, const DitherOptions& options,
                                          const Colors& colors, const Thresholds& thresholds,
                                          Context& context) {
  const palette::Mixer mixer = make_mixer(picture, colors, options);
  const MixtureTable table(picture, mixer, context);
  const int width = picture.width();
  const int height = picture.height();
  std::vector<std::array<float, 3>> written;
  for (const auto& c : mixer.colors()) {
    written.push_back({static_cast<float>(c[0]) / 255.0f, static_cast<float>(c[1]) / 255.0f,
                       static_cast<float>(c[2]) / 255.0f});
  }
  std::vector<Plane<float>> result(3, Plane<float>(width, height));
  const auto item = [&](std::size_t index) {
    Mixtures mixtures(table);
    PictureRows rows(picture);
    const int first = static_cast<int>(index) * rows_an_item;
    for (int y = first; y < std::min(height, first + rows_an_item); ++y) {
      rows.read(y);
      const auto of_mask = thresholds.row(y / picture.slice_height(), y % picture.slice_height());
      along_row(of_mask, thresholds.period(), width, [&](int x, int count, const float* t) {
        for (int i = 0; i < count; ++i) {
          const int color = choose(mixtures.of(rows.at(x + i)), t[i]);
          const auto& value = written[static_cast<std::size_t>(color)];
          for (std::size_t c = 0; c < 3; ++c) result[c](x + i, y) = value[c];
        }
      });
    }
  };
  parallel_for(context, static_cast<std::size_t>((height + rows_an_item - 1) / rows_an_item), item);
  return result;
}

}  // namespace dapple::dithering
