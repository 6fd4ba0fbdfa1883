// Turns an image into a target density of points, and into the local radius r(x).
//
//     image -> target density (0..1 per pixel) -> DensityField: d(x), r(x) = scale / sqrt(d(x))
//
// A density is proportional to points per area. A density of 0 gets no points and needs no cover.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "dapple/buffers.hpp"
#include "dapple/extend/option_words.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/inputs.hpp"
#include "dapple/limits.hpp"
#include "dapple/plane.hpp"
#include "dapple/units.hpp"

namespace dapple {

// `auto`: as much as the picture needs; `none`; or a factor on the distance of values from middle
// gray.
struct Contrast {
  bool automatic = false;
  double factor = 1;

  friend bool operator==(const Contrast&, const Contrast&) = default;
};
std::string to_text(const Contrast& value);
void from_text(std::string_view text, Contrast& value);

// The part of a picture that is used. size: `width` x `height`, around the middle if `centered`,
// otherwise from `left` and `top` on. aspect: as large as the proportions width : height allow,
// around the middle, without the empty corners of a turned picture.
struct Crop {
  enum class Rule { none, size, aspect };
  struct Side {
    double value = 0;  // whole pixels, or percent of that side of the picture
    bool percent = false;
    friend bool operator==(const Side&, const Side&) = default;
  };
  Rule rule = Rule::none;
  Side width = {};
  Side height = {};
  Side left = {};
  Side top = {};
  bool centered = true;
  friend bool operator==(const Crop&, const Crop&) = default;
};
std::string to_text(const Crop& crop);
void from_text(std::string_view text, Crop& crop);  // 800x600+40+20, 50%x80%, 3:2 or none

// The steps of the preparation, in the order in which they are done.
struct PrepareOptions {
  // For the caller who reads the files: Decoding::profile.
  EmbeddedProfile profile = EmbeddedProfile::convert;
  double rotate = 0;           // degrees clockwise, -360..360
  Crop crop = {};              // of the turned picture
  ImageInput tones_from = {};  // a picture whose distribution of tones this one gets
  Contrast contrast = {};
  double detail = 0;          // growth of the local contrast; edges keep their height
  double sharpen = 0;         // growth of the steepness of steps, over a pixel or two
  OnPaper<Length> blur = {};  // standard deviation of a Gaussian
  bool clean = false;         // scans: the paper becomes white, specks of a few pixels vanish
};
void describe(PrepareOptions& options, OptionList& list);

// Returns false if the options change nothing.
bool changes_tones(const PrepareOptions& options);

// Returns false if `crop` and `rotate` keep the picture as it is.
bool changes_frame(const PrepareOptions& options);

// The part of the turned picture that stays, in its pixels.
struct FramedPart {
  int left = 0;
  int top = 0;
  int width = 0;
  int height = 0;
};
// Returns the part of a picture of this size. Throws as framed() does.
FramedPart framed_part(int width, int height, const PrepareOptions& options);

// Returns the prepared picture; its size, names and encoding stay. The steps change the lightness
// of pixels, encoded for the eye (sRGB; other numbers as they are). Colors follow, so that hue and
// saturation stay. Values end up in 0..1. Values below 0 or not finite count as black; transparent
// pixels do not count. Automatic contrast stretches the range between the darkest and the lightest
// 0.5 % of pixels to 0..1, unless the range nearly fills it already. A tone that stands alone, such
// as a pale spot, does not become white, except for the background of a scan. It moves the middle
// tone toward the middle tone of most pictures, but not in a drawing on paper. At night it lifts
// only the lights, above the darkest 75 %. If half of the picture is nearly even, its little detail
// grows too. Detail is the difference from a guided filter of the picture by itself (He, Sun, Tang
// 2013). `channel`: the channel to prepare, as in MapOptions; others stay. O(pixels). Throws
// Error(limit) if memory is too small, Error(input) if the channel does not exist.
Image prepared(const Image& image, const PrepareOptions& options, Context& context,
               const std::string& channel = "luminance");

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

// How a map is interpolated between the centers of its pixels: as a smooth function, or each pixel
// as a square of one value.
enum class Interpolation { smooth, nearest };
constexpr auto option_names(Interpolation) {
  return words_to<Interpolation::nearest>("smooth", "nearest");
}

// The things that an inset keeps inside: points, or whole discs of diameter r.
enum class Containment { points, discs };
constexpr auto option_names(Containment) {
  return words_to<Containment::discs>("points", "discs");
}

// The meaning of an image.
struct MapOptions {
  PrepareOptions prepare = {};  // of the picture, before all other steps
  MapKind as = MapKind::density;
  Tone tone = Tone::perceptual;
  bool invert = false;
  std::string channel = "luminance";  // luminance, r, g, b, a or a number from 0
  double black = 0;                   // level, in the image's own 0..1; at or below it: 0
  double white = 1;                   // level; at or above it: 1
  double gamma = 1;                   // target density^(1/gamma)
  ImageInput mask = {};               // black: no points; gray scales the target density
  ImageInput weight = {};             // twice its value scales the target density; 0.5: no change
  double white_cutoff = 1;            // tone maps: no dots if the lightness is at or above this
  NanPolicy nan = NanPolicy::error;
  Interpolation interpolation = Interpolation::smooth;
};
void describe(MapOptions& options, OptionList& list);

// A map, and the distances between its points.
struct FieldOptions {
  MapOptions map = {};
  LengthRange radius = {};            // r, or smallest:largest r
  std::int64_t count = 0;             // exactly this many points; 0: as many as r gives
  std::optional<double> slope = 1.0;  // L of r(x) <= r(y) + L |x - y|; none: no limit
};
void describe(FieldOptions& options, OptionList& list);

// Returns the turned and cropped picture, each of its slices alike. Angles other than quarters add
// transparent corners, and read between the pixels as `interpolation` says. Throws Error(usage) if
// the crop does not lie in the picture, Error(limit) if the result is too large.
Image framed(const Image& image, const PrepareOptions& options, Interpolation interpolation,
             Context& context);

// A picture after `crop` and `rotate`, and its options without them. Its mask and weight are cut
// and turned as the picture is.
struct FramedMap {
  Image image;
  MapOptions options;
};
// Throws as above, and Error(input) for a mask or weight that does not have the shape of the whole
// picture. All functions that take a picture and its options call it first.
FramedMap framed(const Image& image, const MapOptions& options, Context& context);

// Returns the target density of a prepared() image, 0..1 per pixel. Tone maps give darkness,
// density maps the value, radius maps the value (0: smallest radius). Levels apply to the values as
// the file stores them. The luminance of a color is Rec. 709 in linear light, encoded again as the
// image is. Perceptual darkness is 1 - its sRGB encoding. The next steps are tone, invert, gamma,
// alpha, white cut-off, mask, weight (tones stay at or below 1). Alpha (not premultiplied) is
// coverage over white paper in tone maps, and a factor in density maps. In radius maps, -1 marks
// forbidden pixels: transparent, or black in the mask. Densities above 1, which floats can hold,
// stay if levels and invert are unused. Throws Error(input) for NaN, Inf or a negative value,
// naming the first such pixel (nan = zero reads them as 0). Also throws Error(input) for an unknown
// channel, and for a mask or weight of another shape: both are resampled, but the aspect must match
// to 1 %. Throws Error(usage) for a weight of a radius map. Reads an image in memory of the caller
// in place.
Plane<float> target_density(const ImageView& image, const MapOptions& options, Context& context);

struct RadiusBounds {
  double min = 0;  // +inf if the whole box is forbidden
  double max = 0;  // over the allowed places; 0 if there are none
};

// A density, and the radius r(x), at every place of a domain. Immutable: any thread may use it at
// any time. The map is constant on each cell of a raster that covers the domain. radius_bounds is
// exact over the cells that a box touches. Copying is cheap (shared storage). Radii are floats, as
// in a Points. About 11 bytes per pixel; building is linear and sequential.
class DensityField {
 public:
  // Makers with a context report progress, in a stage `field` if none is open. They throw
  // Error(cancelled) after a cancel, and Error(limit) if a field needs too much memory. Makers
  // without a context are for fields that take no time.

  // Returns a field of one radius everywhere.
  static DensityField constant(Domain domain, double radius);
  static DensityField constant(Domain domain, double radius, Context& context);
  // Returns a field of r = scale / sqrt(density), then limited in slope, then clamped to
  // [r_min, r_max] if those are > 0. density: >= 0, finite. Throws Error(input) if it is 0
  // everywhere.
  static DensityField from_density(Plane<float> density, Domain domain, double scale,
                                   std::optional<double> slope, double r_min = 0, double r_max = 0);
  static DensityField from_density(Plane<float> density, Domain domain, double scale,
                                   std::optional<double> slope, double r_min, double r_max,
                                   Context& context);
  // As above, but copies a map in memory of the caller.
  static DensityField from_density(PlaneView<const float> density, Domain domain, double scale,
                                   std::optional<double> slope, double r_min, double r_max,
                                   Context& context);
  static DensityField from_radius(PlaneView<const float> radius, Domain domain,
                                  std::optional<double> slope, Context& context);
  // Returns a field of r per pixel; <= 0 or not finite: forbidden.
  static DensityField from_radius(Plane<float> radius, Domain domain, std::optional<double> slope);
  static DensityField from_radius(Plane<float> radius, Domain domain, std::optional<double> slope,
                                  Context& context);
  // Returns a field of a function r in pixels, read at the centers of `columns` x `rows` equal
  // cells of the domain and constant on each. Exactness of points refers to these cells, so cells
  // should be small compared to r. <= 0 or not finite: forbidden. Calls `radius` once per cell,
  // from up to as many threads as the context allows, and rethrows its exceptions. Throws
  // Error(usage) unless `columns` and `rows` are 1 or more. O(columns rows).
  static DensityField from_function(const std::function<double(Vec2)>& radius, Domain domain,
                                    int columns, int rows, std::optional<double> slope,
                                    Context& context);

  // Returns this field with r multiplied by `factor` before the slope limit and the clamps.
  DensityField scaled(double factor) const;
  DensityField scaled(double factor, Context& context) const;
  // Returns this field with all places forbidden that are nearer than `inset` pixels to the border
  // of a flat domain or to a forbidden place. Containment::discs: no disc of diameter r comes
  // nearer. Pixels are forbidden as a whole. Throws Error(input) if no place is left.
  DensityField with_inset(double inset, Containment inside) const;
  DensityField with_inset(double inset, Containment inside, Context& context) const;

  const Domain& domain() const;
  bool is_constant() const;  // one radius, allowed everywhere; also true of a uniform map
  // Returns r at a place, pixels; +inf if the place is forbidden. A torus wraps; every place
  // outside a flat domain is forbidden.
  double radius(Vec2 p) const;
  // Returns the density at a place, as given, before limits. It is 1 for a constant field, 1 / r^2
  // for a radius map, and 0 at a forbidden place.
  double density(Vec2 p) const;
  // Returns bounds of r over every place of the half-open box; an empty box stands for its corner.
  // A torus wraps; all is forbidden outside a flat domain. O(1) for boxes up to 16 pixels. Larger
  // boxes take O(log) on smooth maps and at worst the number of pixels on the border of the box.
  RadiusBounds radius_bounds(const Box& box) const;
  // Returns the integral of 1/r^2 over the domain; kappa times this is the expected number of
  // points.
  double integral() const;
  // Returns r per pixel, after limits; +inf in forbidden pixels. 1x1 for a constant field.
  const Plane<float>& radius_map() const;

 private:
  struct Data;
  explicit DensityField(std::shared_ptr<const Data> data) : data_(std::move(data)) {}
  std::shared_ptr<const Data> data_;
};

// Returns the field of a map: the target density, then r(x) as the options define it, in the pixels
// of the map. If pixels are not small compared to the distances of points, the map is interpolated
// on finer cells, unless options.interpolation is nearest. Interpolation is the cubic of Mitchell,
// Netravali (1988), kept within the values of the 4x4 pixels around a cell.
// Maps with `as = tone` or `density` have r = scale / sqrt(target density). radius.min is the
// radius at target density 1, or at the largest if that is above 1; a range clamps the largest r to
// radius.max. Without a radius, `scale` makes the darts sampler expect `count` points, or else
// `default_count`, slope limit included; a range of radii then clamps r. That is a good start for
// an exact count, which sample() finds by scaled().
// `as = radius`: r = min + value (max - min), scaled to the count if there is one.
// Throws Error(input) if there is nothing to place ("the map is white everywhere"). Throws
// Error(usage) for a radius together with a count, Error(limit) if memory does not hold the map.
DensityField make_field(const ImageView& map, const FieldOptions& options, bool wrap,
                        const Scale& scale, std::int64_t default_count, Context& context);
// Returns a constant field, from options.radius or options.count (or `default_count`).
DensityField make_constant_field(Domain domain, const FieldOptions& options, const Scale& scale,
                                 std::int64_t default_count);

// Lowers r in place until r(x) <= r(y) + slope * |x - y| holds between all pixel centers. Distances
// are Euclidean in pixels, cross the seams if `wrap`, and hold up to float rounding. r is at most
// 2.7 % below the largest possible function. Pixels that are not finite or <= 0 stay, limit nothing
// and block no path. Linear: two passes, four to six on a torus. Reports progress to the context
// and throws Error(cancelled) after a cancel.
void limit_slope(Plane<float>& radius, double slope, bool wrap);
void limit_slope(Plane<float>& radius, double slope, bool wrap, Context& context);

}  // namespace dapple
