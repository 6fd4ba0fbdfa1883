// Declares the options of the field stage.

#include "dapple/extend/options.hpp"

#include "dapple/error.hpp"
#include "dapple/field.hpp"

namespace dapple {
namespace {

// Refuses 0, which would mean that no radius is given. Reading the text reports an invalid length.
std::string zero_radius(std::string_view text) {
  LengthRange radius;
  try {
    from_text(text, radius);
  } catch (const Error&) {
    return "";
  }
  return text.empty() || !radius.empty() ? "" : "must be above 0, such as 4px or 2:20, or left out";
}

}  // namespace

void describe(MapOptions& options, OptionList& list) {
  describe(options.prepare, list);
  list.group("Map");
  list.add("as", options.as,
           "What the map means: tone (dark = dense), density (bright = dense) or radius (bright = "
           "far apart)")
      .essential();
  list.add("tone", options.tone,
           "Darkness as the eye sees it (perceptual) or as ink seen from afar (linear light)");
  list.add("invert", options.invert, "Swap light and dark").essential();
  list.add("channel", options.channel,
           "Channel to read: luminance, r, g, b, a, a name or a "
           "number from 0")
      .metavar("NAME");
  list.add("black", options.black, "Level that counts as black, 0..1").metavar("V");
  list.add("white", options.white, "Level that counts as white, 0..1").metavar("V");
  list.add("gamma", options.gamma, "Above 1: more points in the middle tones; below 1: fewer")
      .essential()
      .metavar("G")
      .range(0.01, 100);
  list.add("mask", options.mask,
           "Image that blocks points: none where it is black, fewer where it is gray");
  list.add("weight", options.weight,
           "Image that scales the density: nothing at black, no change at gray .5, twice as much "
           "at white");
  list.add("white-cutoff", options.white_cutoff, "Areas of at least this lightness get no dots")
      .metavar("V")
      .range(0, 1);
  list.add("nan", options.nan,
           "NaN, infinite and negative values: stop with an error, or read them as 0");
  list.add("interpolation", options.interpolation,
           "Values between the pixels of the map, if points are closer together than pixels: "
           "smooth, or constant squares (nearest, for pixel art and label maps)");
}

void describe(FieldOptions& options, OptionList& list) {
  describe(options.map, list);
  list.group("Spacing");
  list.add("radius", options.radius,
           "Distance between points in the densest area, or the smallest and largest distance")
      .essential()
      .check(zero_radius);
  list.add("count", options.count, "Exactly this many points, instead of a radius")
      .essential()
      .metavar("N")
      .at_least(0);
  list.add("slope", options.slope,
           "How fast the distance between points may grow per pixel, so that a bright speck cannot "
           "empty its surroundings; none: no limit")
      .metavar("L")
      .at_least(0.001);
}

}  // namespace dapple
