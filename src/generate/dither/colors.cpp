// Finds a palette for a picture. Means of clusters, split along the axis of largest spread in Oklab
// (Wu 1991), move to where their mixtures are best (palette_fit.cpp). Quantizers for pictures
// without dither leave colors at the means, inside the picture's range. Their mixtures cannot reach
// colors farther out, which lose light and color.
//
// All sums run over the cells of one histogram, in order.
#include <algorithm>
#include <cmath>
#include <set>

#include "dapple/context.hpp"
#include "generate/dither/palette.hpp"
#include "generate/dither/palette_fit.hpp"
#include "generate/dither/picture_rows.hpp"

namespace dapple::dithering {
namespace {

using palette::Rgb;
using palette::Rgb8;

Rgb8 written(const Rgb& wanted, bool linear) {
  Rgb8 color;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto v = static_cast<float>(std::clamp(wanted[k], 0.0, 1.0));
    color[k] = static_cast<std::uint8_t>(std::lround((linear ? linear_to_srgb(v) : v) * 255));
  }
  return color;
}

// Counts pixels per cell of the roots of their values. Keeps up to `few` different colors.
class Histogram {
 public:
  Histogram(const Picture& picture, std::size_t few, Context& context)
      : cells_(side * side * side), few_(few) {
    PictureRows rows(picture);
    for (int y = 0; y < picture.height(); ++y) {
      if (y % 64 == 0) context.progress(0.5 * y / picture.height());
      rows.read(y);
      const float* alpha = picture.alpha() != nullptr ? picture.alpha()->row(y) : nullptr;
      for (int x = 0; x < picture.width(); ++x) {
        if (alpha == nullptr || alpha[x] > 0) add(rows.at(x));
      }
    }
  }

  // Empty if there are more than `few`.
  const std::set<std::array<float, 3>>& colors() const { return colors_; }
  std::vector<Sample> samples(const palette::Mixer& mixer) const {
    std::vector<Sample> result;
    for (const Cell& cell : cells_) {
      if (cell.pixels == 0) continue;
      Sample sample;
      sample.weight = cell.pixels;
      for (std::size_t k = 0; k < 3; ++k) sample.wanted[k] = cell.sum[k] / cell.pixels;
      sample.look = mixer.look_of(sample.wanted);
      sample.metric = mixer.metric_at(sample.wanted, 1);
      result.push_back(sample);
    }
    return result;
  }

 private:
  static constexpr std::size_t side = 32;

  void add(const std::array<float, 3>& rgb) {
    std::size_t index = 0;
    for (const float v : rgb) {
      index = index * side + std::min(side - 1, static_cast<std::size_t>(std::sqrt(v) * side));
    }
    Cell& cell = cells_[index];
    for (std::size_t k = 0; k < 3; ++k) cell.sum[k] += static_cast<double>(rgb[k]);
    cell.pixels += 1;
    if (many_ || rgb == last_) return;
    last_ = rgb;
    colors_.insert(rgb);
    if (colors_.size() <= few_) return;
    many_ = true;
    colors_.clear();
  }

  struct Cell {
    Rgb sum{};
    double pixels = 0;
  };
  std::vector<Cell> cells_;
  std::size_t few_;
  bool many_ = false;
  std::array<float, 3> last_{-1, -1, -1};
  std::set<std::array<float, 3>> colors_;
};

// ---- means -------------------------------------------------------------------------------------

struct Cluster {
  Rgb wanted{};
  Rgb look{};
  double weight = 0;
};

// Returns the mean of the samples in `members`.
Cluster mean_of(std::span<const Sample> samples, std::span<const std::size_t> members) {
  Cluster mean;
  for (const std::size_t i : members) {
    const Sample& s = samples[i];
    for (std::size_t k = 0; k < 3; ++k) {
      mean.wanted[k] += s.weight * s.wanted[k];
      mean.look[k] += s.weight * s.look[k];
    }
    mean.weight += s.weight;
  }
  for (std::size_t k = 0; k < 3; ++k) {
    mean.wanted[k] /= mean.weight;
    mean.look[k] /= mean.weight;
  }
  return mean;
}

// A set of samples. The group with the largest spread is split next, across its axis.
struct Group {
  std::vector<std::size_t> members;
  Cluster mean;
  std::size_t axis = 0;
  double spread = 0;  // sum of squared distances from the mean along `axis`
};

Group make_group(std::span<const Sample> samples, std::vector<std::size_t> members) {
  Group group;
  group.members = std::move(members);
  group.mean = mean_of(samples, group.members);
  Rgb spread{};
  for (const std::size_t i : group.members) {
    for (std::size_t k = 0; k < 3; ++k) {
      const double d = samples[i].look[k] - group.mean.look[k];
      spread[k] += samples[i].weight * d * d;
    }
  }
  group.axis =
      static_cast<std::size_t>(std::max_element(spread.begin(), spread.end()) - spread.begin());
  group.spread = group.members.size() > 1 ? spread[group.axis] : 0;
  return group;
}

std::vector<Cluster> split(std::span<const Sample> samples, std::size_t count) {
  std::vector<std::size_t> all(samples.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = i;
  std::vector<Group> groups{make_group(samples, std::move(all))};
  while (groups.size() < count) {
    const auto widest =
        std::max_element(groups.begin(), groups.end(),
                         [](const Group& a, const Group& b) { return a.spread < b.spread; });
    if (widest->spread <= 0) break;
    std::vector<std::size_t> low;
    std::vector<std::size_t> high;
    for (const std::size_t i : widest->members) {
      (samples[i].look[widest->axis] < widest->mean.look[widest->axis] ? low : high).push_back(i);
    }
    if (low.empty() || high.empty()) {
      widest->spread = 0;  // equal except for rounding
      continue;
    }
    *widest = make_group(samples, std::move(low));
    groups.push_back(make_group(samples, std::move(high)));
  }
  std::vector<Cluster> clusters;
  for (const Group& group : groups) clusters.push_back(group.mean);
  return clusters;
}

}  // namespace

Colors find_colors(const Picture& picture, int count, Context& context) {
  const bool linear = picture.linear();
  const Histogram histogram(picture, static_cast<std::size_t>(count), context);
  Colors found;
  const auto add = [&](const Rgb8& color) {
    if (std::find(found.begin(), found.end(), color) == found.end()) found.push_back(color);
  };
  // Adds colors if the picture has one color or is hidden, because palettes have at least two.
  const auto complete = [&] {
    if (found.size() < 2) add({0, 0, 0});
    if (found.size() < 2) add({255, 255, 255});
  };
  for (const std::array<float, 3>& c : histogram.colors()) {
    add(written({c[0], c[1], c[2]}, linear));
  }
  const palette::Mixer look({{0, 0, 0}}, linear ? palette::Space::light : palette::Space::values);
  std::vector<Sample> samples = histogram.samples(look);
  if (!found.empty() || samples.empty()) {
    complete();
    return found;
  }
  std::vector<Rgb> colors;
  for (const Cluster& mean : split(samples, static_cast<std::size_t>(count))) {
    colors.push_back(mean.wanted);
  }
  fit_colors(colors, samples, context);
  for (const Rgb& c : colors) add(written(c, linear));
  complete();
  return found;
}

}  // namespace dapple::dithering
