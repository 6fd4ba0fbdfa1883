// From an image to the density of points wanted everywhere, and to the local radius r(x).
//
//     image -> demand (0..1 per pixel) -> DensityField: density d(x), r(x) = scale / sqrt(d(x))
//
// "Density" is proportional to points per area. Where it is 0 nothing is placed and nothing needs
// to be covered.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "dapple/buffers.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/inputs.hpp"
#include "dapple/option_words.hpp"
#include "dapple/plane.hpp"
#include "dapple/prepare.hpp"
#include "dapple/units.hpp"

namespace dapple {

enum class MapKind { tone, density, radius };
constexpr auto option_names(MapKind) {
  return words_to<MapKind::radius>("tone", "density", "radius");
}
enum class Tone { perceptual, linear };
constexpr auto option_names(Tone) {
  return words_to<Tone::linear>("perceptual", "linear");
}
enum class NanPolicy { error, zero };
constexpr auto option_names(NanPolicy) {
  return words_to<NanPolicy::zero>("error", "zero");
}

// How a map is read between the centers of its pixels: as a smooth function, or each pixel as a
// square of one value.
enum class Interpolation { smooth, nearest };
constexpr auto option_names(Interpolation) {
  return words_to<Interpolation::nearest>("smooth", "nearest");
}

// What an inset holds inside: points, or whole discs of diameter r.
enum class Inside { points, discs };
constexpr auto option_names(Inside) {
  return words_to<Inside::discs>("points", "discs");
}

// What an image means.
struct MapOptions {
  PrepareOptions prepare = {};  // of the picture, before anything else
  MapKind as = MapKind::density;
  Tone tone = Tone::perceptual;
  bool invert = false;
  std::string channel = "luminance";  // luminance, r, g, b, a or a number from 0
  double black = 0;                   // levels, in the image's own 0..1: at or below: 0
  double white = 1;                   // at or above: 1
  double gamma = 1;                   // demand^(1/gamma)
  ImageInput mask = {};               // nothing where it is black; gray scales the demand
  ImageInput weight = {};             // twice its value scales the demand, which 0.5 leaves alone
  double white_cutoff = 1;            // tone maps: no dots where the lightness is at or above this
  NanPolicy nan = NanPolicy::error;
  Interpolation interpolation = Interpolation::smooth;
};
void describe(MapOptions& options, OptionList& list);

// A map, and how far apart its points are.
struct FieldOptions {
  MapOptions map = {};
  LengthRange radius = {};            // r, or smallest:largest r
  std::int64_t count = 0;             // exactly this many points; 0: as many as r asks for
  std::optional<double> slope = 1.0;  // L of r(x) <= r(y) + L |x - y|; none: the map as it is
};
void describe(FieldOptions& options, OptionList& list);

// What the image asks for once it is prepared(), 0..1 per pixel: tone maps: darkness; density maps:
// the value; radius maps: the value (0: smallest radius). Levels work on the values as the file
// stores them; the luminance of a color is Rec. 709 in linear light, encoded again as the image is;
// perceptual darkness = 1 - its sRGB encoding. Then: tone, invert, gamma, alpha, white cut-off,
// mask, weight (tones stay at or below 1). Alpha (not premultiplied) counts as coverage over white
// paper for tone maps and multiplies density maps. -1 marks pixels of radius maps where nothing may
// be placed: transparent or black in the mask. Densities above 1, which floats can hold, stay as
// they are where levels and invert are not used. Throws Error(input) that names the first pixel
// holding NaN, Inf or a negative value (nan = zero reads those as 0), an unknown channel, or a mask
// or weight of another shape (they are resampled; only the aspect must fit to 1 %); Error(usage)
// for a weight of a radius map. An image in memory of the caller is read where it lies.
Plane<float> read_demand(const ImageView& image, const MapOptions& options, Context& context);

struct RadiusBounds {
  double min = 0;  // +inf where nothing may be placed anywhere in the box
  double max = 0;  // over the places where something may be placed; 0 where there are none
};

// Immutable, so any thread may use it at any time. The map is constant on each cell of a raster
// that covers the domain; radius_bounds is exact over the cells that a box touches. Copying is
// cheap (shared storage). Radii are floats, as in a PointSet. About 11 bytes per pixel; building is
// linear and sequential.
class DensityField {
 public:
  // Makers that are given a context tell it how far they are, in a stage `field` where none is
  // open, and throw Error(cancelled) once it is cancelled, Error(limit) where a field needs more
  // memory than it allows; those without one are for fields that take no time.

  // A field of one radius everywhere.
  static DensityField constant(Domain domain, double radius);
  static DensityField constant(Domain domain, double radius, Context& context);
  // r = scale / sqrt(density), then the slope limit, then clamped to [r_min, r_max] where those are
  // > 0. density: >= 0, finite. Throws Error(input) where it is 0 everywhere.
  static DensityField from_density(Plane<float> density, Domain domain, double scale,
                                   std::optional<double> slope, double r_min = 0, double r_max = 0);
  static DensityField from_density(Plane<float> density, Domain domain, double scale,
                                   std::optional<double> slope, double r_min, double r_max,
                                   Context& context);
  // Of memory of the caller, which the field does not keep: it has a map of its own, too.
  static DensityField from_density(PlaneView<const float> density, Domain domain, double scale,
                                   std::optional<double> slope, double r_min, double r_max,
                                   Context& context);
  static DensityField from_radius(PlaneView<const float> radius, Domain domain,
                                  std::optional<double> slope, Context& context);
  // r given per pixel; <= 0 or not finite: nothing may be placed there.
  static DensityField from_radius(Plane<float> radius, Domain domain, std::optional<double> slope);
  static DensityField from_radius(Plane<float> radius, Domain domain, std::optional<double> slope,
                                  Context& context);
  // r as a function, pixels, read at the centers of `columns` x `rows` equal cells of the domain
  // and constant on each: what is exact of points is so of the field as read, so cells want to be
  // small beside r. <= 0 or not finite: nothing may be placed there. Called once a cell, from as
  // many threads at once as the context allows; what it throws is thrown on. Throws Error(usage)
  // unless both numbers are 1 or more. O(columns rows).
  static DensityField from_function(const std::function<double(Vec2)>& radius, Domain domain,
                                    int columns, int rows, std::optional<double> slope,
                                    Context& context);

  // This field with r multiplied by `factor` before its slope limit and clamps.
  DensityField scaled(double factor) const;
  DensityField scaled(double factor, Context& context) const;
  // This field where nothing may be placed nearer than `inset` pixels to the border of a flat
  // domain or to where nothing may be placed already; Inside::discs: no disc of diameter r reaches
  // nearer. A pixel is forbidden as a whole. Throws Error(input) where that leaves no place.
  DensityField with_inset(double inset, Inside inside) const;
  DensityField with_inset(double inset, Inside inside, Context& context) const;

  const Domain& domain() const;
  bool is_constant() const;  // one radius, allowed everywhere: a uniform map too
  // r at a place, pixels; +inf where nothing may be placed, which is everywhere outside a flat
  // domain; a torus wraps.
  double radius(Vec2 p) const;
  // The density asked for at a place (before limits), as given; 1 for a constant field, 1 / r^2 of
  // a radius map, 0 where nothing may be placed.
  double density(Vec2 p) const;
  // Bounds of r over every place of the half-open box (an empty box stands for its corner); outside
  // a flat domain nothing is allowed, a torus wraps. O(1) for boxes up to 16 pixels; above, O(log)
  // on smooth maps and at worst the number of pixels on the box's border.
  RadiusBounds radius_bounds(const Box& box) const;
  // Integral of 1/r^2 over the domain: kappa times this is the number of points to expect.
  double integral() const;
  // r per pixel, after limits; +inf where nothing may be placed. 1x1 for a constant field.
  const Plane<float>& radius_map() const;

 private:
  struct Data;
  explicit DensityField(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

// The whole stage: demand, then r(x) as the options say, in the pixels of the map. Where those are
// not small beside the distance of points, the demand is read as a smooth function on finer cells,
// unless options.interpolation is nearest: the cubic of Mitchell, Netravali (1988), kept within the
// values of the 4x4 pixels that it is made of.
// Density from `as = tone` and `density` maps: r = scale / sqrt(demand), `scale` such that the
// radius at demand 1 (at the largest demand where that is above 1) is radius.min; a range clamps
// the largest r to radius.max. Where no radius is given, such that `count` or else `default_count`
// points are expected of the darts sampler, slope limit included; a range of radii clamps r then.
// That is a good start for an exact count: sample() solves for it with scaled().
// `as = radius`: r = min + value (max - min), scaled to the count where one is given.
// Throws Error(input) where nothing is to be placed ("the map is white everywhere"), Error(usage)
// for a radius together with a count, Error(limit) for maps too large for the memory allowed.
DensityField make_field(const ImageView& map, const FieldOptions& options, bool wrap,
                        const Scale& scale, std::int64_t default_count, Context& context);
// A constant field, from options.radius or options.count (or default_count).
DensityField make_constant_field(Domain domain, const FieldOptions& options, const Scale& scale,
                                 std::int64_t default_count);

// Lowers r, in place, until r(x) <= r(y) + slope * |x - y| holds between all pixel centers
// (Euclidean distance in pixels, over the seams where `wrap`; up to float rounding). Never more
// than 2.7 % below the largest function that holds it. Pixels that are not finite or <= 0 stay as
// they are, limit nothing and block no way. Linear: two passes, four to six on a torus.
// Throws Error(cancelled) once the context is cancelled, which it tells how far this is.
void limit_slope(Plane<float>& radius, double slope, bool wrap);
void limit_slope(Plane<float>& radius, double slope, bool wrap, Context& context);

}  // namespace dapple
