// A palette for a picture. Quantisers for pictures that are not dithered place colors at the means
// of clusters (Heckbert 1982, Wu 1991, k-means), all inside the picture's range: what lies further
// out cannot be mixed of them and loses light and color. So some colors are placed first at the
// ends of the range, each where the picture is worst served by mixtures of those before it; the
// others are means, split along the longest axis (Wu's start) and settled by k-means in Oklab round
// the fixed ones. All sums run over the cells of one histogram, in order.
#include <algorithm>
#include <cmath>
#include <set>

#include "core/parallel.hpp"
#include "core/portable.hpp"
#include "generate/dither/mixtures.hpp"
#include "generate/dither/palette.hpp"

namespace dapple::dithering {
namespace {

using palette::Rgb;
using palette::Rgb8;

constexpr int most_ends = 64;
constexpr double rarity = 0.2;   // power of the number of pixels
constexpr double served = 5e-3;  // distance in Oklab that is no loss
constexpr int rounds = 24;

// Light that a screen or paper adds to every color. Without it Oklab tells blacks apart that look
// the same, and half of a small palette would be blacks.
constexpr double flare = 0.02;

// In Oklab, as seen with the flare.
Rgb seen(const palette::Mixer& mixer, Rgb color) {
  for (double& v : color) v = (v + flare) / (1 + flare);
  return mixer.look_of(color);
}

struct Sample {
  Rgb wanted{};  // the mean of a cell
  Rgb look{};
  double weight = 0;  // pixels
};

Rgb8 written(const Rgb& wanted, bool linear) {
  Rgb8 color;
  for (std::size_t k = 0; k < 3; ++k) {
    const auto v = static_cast<float>(std::clamp(wanted[k], 0.0, 1.0));
    color[k] = static_cast<std::uint8_t>(std::lround((linear ? linear_to_srgb(v) : v) * 255));
  }
  return color;
}

// Pixels by cells of the roots of their values, and their different colors while those are few.
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

  // Empty where there are more than few.
  const std::set<std::array<float, 3>>& colors() const { return colors_; }
  std::vector<Sample> samples(const palette::Mixer& mixer) const {
    std::vector<Sample> result;
    for (const Sample& cell : cells_) {
      if (cell.weight == 0) continue;
      Sample sample = cell;
      for (double& v : sample.wanted) v /= cell.weight;
      sample.look = seen(mixer, sample.wanted);
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
    Sample& cell = cells_[index];
    for (std::size_t k = 0; k < 3; ++k) cell.wanted[k] += static_cast<double>(rgb[k]);
    cell.weight += 1;
    if (many_ || rgb == last_) return;
    last_ = rgb;
    colors_.insert(rgb);
    if (colors_.size() <= few_) return;
    many_ = true;
    colors_.clear();
  }

  std::vector<Sample> cells_;
  std::size_t few_;
  bool many_ = false;
  std::array<float, 3> last_{-1, -1, -1};
  std::set<std::array<float, 3>> colors_;
};

double distance_squared(const Rgb& a, const Rgb& b) {
  double sum = 0;
  for (std::size_t k = 0; k < 3; ++k) sum += (a[k] - b[k]) * (a[k] - b[k]);
  return sum;
}

// Where the picture is worst served by mixtures of `ends`: by the squared distance in Oklab to the
// nearest of them, and by how often it occurs.
struct Worst {
  std::size_t sample = 0;
  double loss = 0;
  double distance = 0;
};
Worst worst_served(std::span<const Sample> samples, const Colors& ends, const Rgb& middle,
                   bool linear, Context& context) {
  std::vector<double> distances(samples.size());
  const palette::Mixer mixer(ends.empty() ? Colors{written(middle, linear)} : ends, linear);
  constexpr std::size_t many = 256;
  parallel_for(context, (samples.size() + many - 1) / many, [&](std::size_t item) {
    palette::Mixture mixture;
    for (std::size_t i = item * many; i < std::min(samples.size(), (item + 1) * many); ++i) {
      mixture = mixer.mix(samples[i].wanted, mixture);
      distances[i] = distance_squared(samples[i].look, seen(mixer, mixer.mean(mixture)));
    }
  });
  Worst worst;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    const double loss = portable_pow(samples[i].weight, rarity) * distances[i];
    if (loss > worst.loss) worst = {i, loss, std::sqrt(distances[i])};
  }
  return worst;
}

Colors find_ends(std::span<const Sample> samples, int most, bool linear, Context& context) {
  Sample sum;
  for (const Sample& s : samples) {
    for (std::size_t k = 0; k < 3; ++k) sum.wanted[k] += s.weight * s.wanted[k];
    sum.weight += s.weight;
  }
  for (double& v : sum.wanted) v /= sum.weight;
  Colors ends;
  while (static_cast<int>(ends.size()) < most) {
    const Worst worst = worst_served(samples, ends, sum.wanted, linear, context);
    if (worst.distance < served) break;
    const Rgb8 color = written(samples[worst.sample].wanted, linear);
    if (std::find(ends.begin(), ends.end(), color) != ends.end()) break;
    ends.push_back(color);
  }
  return ends;
}

// ---- means -------------------------------------------------------------------------------------

struct Cluster {
  Rgb wanted{};
  Rgb look{};
  double weight = 0;
};

// The mean of some samples.
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

// Samples that are split next where they spread most, across the axis along which they do.
struct Group {
  std::vector<std::size_t> members;
  Cluster mean;
  std::size_t axis = 0;
  double spread = 0;  // sum of squared distances from the mean along it
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
      widest->spread = 0;  // equal but for rounding
      continue;
    }
    *widest = make_group(samples, std::move(low));
    groups.push_back(make_group(samples, std::move(high)));
  }
  std::vector<Cluster> clusters;
  for (const Group& group : groups) clusters.push_back(group.mean);
  return clusters;
}

// Moves the clusters after the first `fixed` ones to the means of what is nearest to them.
void settle(std::vector<Cluster>& clusters, std::size_t fixed, std::span<const Sample> samples,
            Context& context) {
  std::vector<std::size_t> nearest(samples.size());
  for (int round = 0; round < rounds; ++round) {
    context.progress(0.5 + 0.5 * round / rounds);
    constexpr std::size_t many = 256;
    parallel_for(context, (samples.size() + many - 1) / many, [&](std::size_t item) {
      for (std::size_t i = item * many; i < std::min(samples.size(), (item + 1) * many); ++i) {
        double least = distance_squared(clusters[nearest[i]].look, samples[i].look);
        for (std::size_t c = 0; c < clusters.size(); ++c) {
          const double d = distance_squared(clusters[c].look, samples[i].look);
          if (d < least) {
            least = d;
            nearest[i] = c;
          }
        }
      }
    });
    std::vector<std::vector<std::size_t>> members(clusters.size());
    for (std::size_t i = 0; i < samples.size(); ++i) members[nearest[i]].push_back(i);
    bool moved = false;
    for (std::size_t c = fixed; c < clusters.size(); ++c) {
      if (members[c].empty()) continue;
      const Cluster mean = mean_of(samples, members[c]);
      moved = moved || mean.look != clusters[c].look;
      clusters[c] = mean;
    }
    if (!moved) return;
  }
}

}  // namespace

Colors find_colors(const Picture& picture, int count, Context& context) {
  const bool linear = picture.linear();
  const Histogram histogram(picture, static_cast<std::size_t>(count), context);
  Colors found;
  const auto add = [&](const Rgb8& color) {
    if (std::find(found.begin(), found.end(), color) == found.end()) found.push_back(color);
  };
  // A picture of one color, or of none that is seen: palettes have two.
  const auto complete = [&] {
    if (found.size() < 2) add({0, 0, 0});
    if (found.size() < 2) add({255, 255, 255});
  };
  for (const std::array<float, 3>& c : histogram.colors()) {
    add(written({c[0], c[1], c[2]}, linear));
  }
  const palette::Mixer look({{0, 0, 0}}, linear);
  const std::vector<Sample> samples = histogram.samples(look);
  if (!found.empty() || samples.empty()) {
    complete();
    return found;
  }
  const int ends = std::min(most_ends, count * 3 / 4);
  found = find_ends(samples, ends, linear, context);
  std::vector<Cluster> clusters;
  for (const Rgb8& c : found) {
    Cluster end;
    for (std::size_t k = 0; k < 3; ++k) {
      const float v = static_cast<float>(c[k]) / 255.0f;
      end.wanted[k] = linear ? srgb_to_linear(v) : v;
    }
    end.look = seen(look, end.wanted);
    clusters.push_back(end);
  }
  const std::size_t fixed = clusters.size();
  if (const auto most = static_cast<std::size_t>(count); fixed < most) {
    const std::vector<Cluster> means = split(samples, most - fixed);
    clusters.insert(clusters.end(), means.begin(), means.end());
    settle(clusters, fixed, samples, context);
  }
  for (std::size_t c = fixed; c < clusters.size(); ++c) add(written(clusters[c].wanted, linear));
  complete();
  return found;
}

}  // namespace dapple::dithering
