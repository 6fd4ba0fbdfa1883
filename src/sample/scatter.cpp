// Adds columns for scattering objects: size, rotation and class of each point.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "sample/class_shares.hpp"
#include "sample/classes.hpp"
#include "sample/scatter_columns.hpp"

namespace dapple {

namespace {

// Parses numbers between separators; returns none if the text is anything else.
std::vector<double> numbers_of(std::string_view text, char separator) {
  std::vector<double> numbers;
  while (true) {
    double value = 0;
    if (take_number(text, value) != std::errc{} || !std::isfinite(value)) return {};
    numbers.push_back(value);
    if (text.empty()) return numbers;
    if (text.front() != separator) return {};
    text.remove_prefix(1);
  }
}

bool is_rotation(std::string_view text) {
  const std::vector<double> range = numbers_of(text, ':');
  return range.size() == 1 || (range.size() == 2 && range[0] <= range[1]);
}

// Returns a number in [0, 1) for each point and purpose.
double chance(const Context& context, std::uint64_t purpose, std::size_t point) {
  return to_unit(Random(context.seed, Stream::scatter, purpose).at(point));
}

}  // namespace

void add_sizes(const std::vector<float>& radii, const ScatterOptions& options, double low,
               double high, std::size_t kept, std::vector<float>& sizes, const Context& context) {
  if (low < 0 || high < low) {
    throw Error(
        ErrorKind::usage,
        Problem{"object-size", "must be at least 0 with the smaller size first, such as 2:8, not " +
                                   to_text(options.size)});
  }
  if (radii.empty()) return;
  const auto given = sizes.empty() ? std::size_t{0} : kept;
  sizes.resize(radii.size());
  const auto [least, most] = std::minmax_element(radii.begin(), radii.end());
  for (std::size_t i = given; i < radii.size(); ++i) {
    double part = chance(context, 1, i);
    if (options.size_from == SizeFrom::radius) {
      part = *most > *least ? static_cast<double>((radii[i] - *least) / (*most - *least)) : 1;
    }
    sizes[i] = static_cast<float>(low + part * (high - low));
  }
}

void add_rotations(std::size_t count, std::string_view text, std::size_t kept,
                   std::vector<float>& rotations, const Context& context) {
  const std::vector<double> range = numbers_of(text, ':');
  const auto given = rotations.empty() ? std::size_t{0} : kept;
  rotations.resize(count);
  for (std::size_t i = given; i < count; ++i) {
    const double part = chance(context, 2, i);
    rotations[i] = static_cast<float>(range.front() + part * (range.back() - range.front()));
  }
}

std::vector<double> shares_of(std::string_view text) {
  std::vector<double> weights = numbers_of(text, ',');
  if (weights.size() == 1) {
    const double count = weights[0];
    if (count != std::floor(count) || count < 1 || count > most_classes) return {};
    weights.assign(static_cast<std::size_t>(count), 1.0);
  }
  const bool good = weights.size() <= most_classes &&
                    std::all_of(weights.begin(), weights.end(), [](double w) { return w > 0; });
  if (!good) return {};
  const double sum = std::accumulate(weights.begin(), weights.end(), 0.0);
  for (double& w : weights) w /= sum;
  return weights;
}

void describe(ScatterOptions& options, OptionList& list) {
  list.group("Objects");
  list.add("object-size", options.size,
           "Size of the object on each point, MIN:MAX, in column size");
  list.add("size-from", options.size_from,
           "How sizes are chosen: at random, or by r, with the largest size where points are "
           "farthest apart");
  list.add("rotation", options.rotation,
           "Rotation of the object on each point in degrees, one value or a random one from "
           "MIN:MAX, in column rotation")
      .metavar("MIN:MAX")
      .check([](std::string_view text) {
        return text.empty() || is_rotation(text) ? "" : "must be degrees such as 0:360 or -15:15";
      });
  list.add("classes", options.classes,
           "Number of kinds of objects, or their shares such as 0.6,0.3,0.1, in column class; each "
           "class is spread evenly")
      .metavar("N|SHARE,...")
      .check([](std::string_view text) {
        return text.empty() || !shares_of(text).empty()
                   ? ""
                   : "must be a number of classes from 1 to 64 or shares above 0 such as 0.7,0.3";
      });
}

void scatter(Points& points, const ScatterOptions& options, const Scale& scale, std::size_t kept,
             Context& context) {
  check(options);
  validate(points);
  if (points.empty()) return;
  if (!options.size.empty()) {
    add_sizes(points.radius, options, options.size.min.pixels(scale),
              options.size.max.pixels(scale), kept, points.object_size, context);
  }
  if (!options.rotation.empty()) {
    add_rotations(points.size(), options.rotation, kept, points.rotation, context);
  }
  if (options.classes.empty()) return;
  if (!points.class_id.empty()) {
    throw Error(ErrorKind::usage,
                "the points of `keep` already have classes: leave `classes` or the column class of "
                "the points out");
  }
  points.class_id = spread_classes(points, shares_of(options.classes), context);
}

}  // namespace dapple
