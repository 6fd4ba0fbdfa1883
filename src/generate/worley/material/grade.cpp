// Converts a texture to the values of 8 and 16 bit files, by the range of each channel and the
// levels of a look.
#include "generate/worley/material/grade.hpp"

#include <algorithm>
#include <cmath>

#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::cells {

Grade::Grade(const LengthRange& levels, float lowest, float highest, double unit)
    : low(lowest), high(highest) {
  if (levels.empty()) return;
  const auto level = [&](const Length& length) {
    if (length.unit == Unit::percent) {
      return lowest + static_cast<float>(length.value / 100) * (highest - lowest);
    }
    return static_cast<float>(length.pixels({}) * unit);
  };
  low = level(levels.min);
  high = level(levels.max);
  if (!(low < high)) throw Error(ErrorKind::usage, Problem{"levels", "black must be below white"});
}

void Grade::bend(const WorleyLook& look) {
  exponent = static_cast<float>(1 / look.curve);
  invert = look.invert_output;
}

float Grade::operator()(float value) const {
  float v = std::clamp((value - low) / (high - low), 0.0f, 1.0f);
  if (invert) v = 1 - v;
  if (exponent == 1) return v;
  return static_cast<float>(portable_pow(static_cast<double>(v), static_cast<double>(exponent)));
}

Range range_of(std::string_view name, const Extremes& extremes, int width, int height) {
  const float lowest = extremes.lowest;
  const float highest = extremes.highest;
  const float both_sides = std::max({highest, -lowest, 1e-6f});
  const float top = highest > 0 ? highest : 1.0f;
  switch (span_of_channel(name)) {
    case Span::distance:
      return {std::min(lowest, 0.0f), top, " px"};
    case Span::count:
      return {0, top, ""};
    case Span::id:
      return {0, std::max(highest, 1.0f), ""};
    case Span::fraction:
      return {0, 1, ""};
    case Span::color:
      return {0, 1, ""};
    case Span::position:
      return {0, static_cast<float>(name.ends_with(".x") ? width : height), " px"};
    case Span::way:
      return {-both_sides, both_sides, " px"};
    case Span::slope:
      return {-both_sides, both_sides, ""};
    case Span::direction:
    case Span::packed_direction:
      break;
  }
  return {-1, 1, ""};
}

Range range_of(const Image& image, std::size_t channel) {
  Extremes extremes;
  extremes.add(image.channels[channel]);
  return range_of(image.names[channel], extremes, image.width(), image.slice_height());
}

}  // namespace dapple::cells

namespace dapple {

using namespace cells;

namespace {

// Returns true if the range depends on the values.
bool has_own_range(Span span) {
  return span == Span::distance || span == Span::count || span == Span::id || span == Span::way ||
         span == Span::slope;
}

// Maps each channel to 0..1; `ranges` has one range per channel.
void normalize(Image& image, std::span<const Range> ranges, const WorleyLook& look) {
  image.type = PixelType::u16;
  image.hints.integers.clear();
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const Range& range = ranges[c];
    const bool graded = is_graded(span_of_channel(image.names[c]));
    LengthRange levels = look.levels.of(output_of_channel(image.names[c]));
    if (levels.empty() && graded) levels = look.levels.all;
    Grade grade(levels, range.low, range.high, 1);
    if (graded) grade.bend(look);
    std::string scale = shortest(grade.invert ? grade.high : grade.low) + ".." +
                        shortest(grade.invert ? grade.low : grade.high) + range.unit;
    if (grade.exponent != 1) scale += ", to the power of " + shortest(grade.exponent);
    image.metadata.emplace_back(scale_key + image.names[c], scale);
    if (span_of_channel(image.names[c]) == Span::packed_direction) continue;
    for (float& value : image.channels[c].values()) value = grade(value);
  }
}

}  // namespace

LengthRange OutputLevels::of(std::string_view output) const {
  const auto found =
      std::find_if(each.begin(), each.end(), [&](const auto& one) { return one.first == output; });
  return found == each.end() ? LengthRange() : found->second;
}

std::string to_text(const OutputLevels& levels) {
  std::string text = to_text(levels.all);
  for (const auto& [name, range] : levels.each) {
    text += (text.empty() ? "" : ",") + name + "=" + to_text(range);
  }
  return text;
}

void from_text(std::string_view text, OutputLevels& levels) {
  OutputLevels read;
  while (!text.empty()) {
    const auto comma = std::min(text.find(','), text.size());
    const std::string_view entry = text.substr(0, comma);
    text.remove_prefix(std::min(comma + 1, text.size()));
    const auto equals = entry.find('=');
    LengthRange range;
    from_text(equals == std::string_view::npos ? entry : entry.substr(equals + 1), range);
    if (equals == std::string_view::npos) {
      if (!read.all.empty()) {
        throw Error(ErrorKind::usage,
                    "expected at most one LO:HI, and NAME=LO:HI for single outputs");
      }
      read.all = range;
      continue;
    }
    const std::string name(entry.substr(0, equals));
    if (!read.of(name).empty()) {
      throw Error(ErrorKind::usage, "expected one LO:HI per output, but " + name + " has two");
    }
    read.each.emplace_back(name, range);
  }
  levels = read;
}

Image normalized(const Image& texture, const WorleyLook& look) {
  check(look);
  require_planes(texture);
  std::vector<Range> ranges;
  for (std::size_t c = 0; c < texture.channels.size(); ++c) ranges.push_back(range_of(texture, c));
  Image image = texture;
  normalize(image, ranges, look);
  return image;
}

ImageRows normalized(const ImageRows& texture, const WorleyLook& look) {
  check(look);
  require_number("the height of a texture", texture.height, 1);
  require_number("the rows of a step", texture.step, 1);
  const std::vector<std::string> names = texture.rows(0, 1).names;
  std::vector<Extremes> extremes(names.size());
  const auto has_own = [](const std::string& name) { return has_own_range(span_of_channel(name)); };
  if (std::any_of(names.begin(), names.end(), has_own)) {
    for (int y = 0; y < texture.height; y += texture.step) {
      const Image strip = texture.rows(y, std::min(y + texture.step, texture.height));
      for (std::size_t c = 0; c < names.size(); ++c) {
        if (has_own(names[c])) extremes[c].add(strip.channels[c]);
      }
    }
  }
  std::vector<Range> ranges;
  for (std::size_t c = 0; c < names.size(); ++c) {
    ranges.push_back(range_of(names[c], extremes[c], texture.width, texture.height));
  }
  ImageRows shown = texture;
  shown.rows = [rows = texture.rows, ranges, look](int first, int last) {
    Image strip = rows(first, last);
    normalize(strip, ranges, look);
    return strip;
  };
  return shown;
}

}  // namespace dapple
