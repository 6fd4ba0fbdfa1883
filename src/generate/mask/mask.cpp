// Makes dither masks: chooses the engine and the starting pattern, and converts ranks to values.
// void_and_cluster.cpp has the algorithm itself (Ulichney 1993), operation.cpp the command.
#include "dapple/mask.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <numeric>
#include <optional>
#include <thread>

#include "core/parallel.hpp"
#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/sample.hpp"
#include "field/reconstruct.hpp"
#include "field/resample.hpp"
#include "generate/mask/engine.hpp"
#include "generate/mask/swaps.hpp"

namespace dapple {
namespace {

using mask::Pixel;

constexpr double start_radius = 14;  // pixels at sigma 1.44: points on 0.35 % of the pixels

// Returns the seed of a channel; the first channel has the seed itself.
std::uint64_t channel_seed(std::uint64_t seed, int channel) {
  if (channel == 0) return seed;
  return Random(seed, Stream::mask, static_cast<std::uint64_t>(channel)).at(0) >> 1;
}

struct Start {
  std::vector<Pixel> pixels;
  std::vector<std::int32_t> ranks;  // empty: not known yet
};

// Returns the pixels on which points fall, each once.
Start pixels_of(const Points& points, int width, int height, Context& context) {
  Start start;
  Plane<std::uint8_t> seen(width, height);
  std::vector<std::size_t> order(points.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  const bool ranked = !points.rank.empty();
  if (ranked) {
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return points.rank[a] < points.rank[b]; });
  }
  const auto place = [](double v, double extent, int side) {
    return std::clamp(static_cast<int>(v / extent * side), 0, side - 1);
  };
  for (const std::size_t i : order) {
    const Pixel p{place(points.x[i], points.domain.width, width),
                  place(points.y[i], points.domain.height, height)};
    if (seen(p.x, p.y)) continue;
    seen(p.x, p.y) = 1;
    if (ranked) start.ranks.push_back(static_cast<std::int32_t>(start.pixels.size()));
    start.pixels.push_back(p);
  }
  if (const std::size_t lost = points.size() - start.pixels.size(); lost > 0) {
    context.warn(std::to_string(lost) + " of " + std::to_string(points.size()) +
                 " points share a pixel of the mask with another point and are left out; a larger "
                 "`size` keeps them");
  }
  return start;
}

// Returns the pixels in the order of their ranks.
std::vector<Pixel> ranked(Start start, int width, int height, const Context& context) {
  if (start.ranks.empty()) start.ranks = mask::rank_start(start.pixels, {width, height}, context);
  std::vector<Pixel> ordered(start.pixels.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    ordered[static_cast<std::size_t>(start.ranks[i])] = start.pixels[i];
  }
  return ordered;
}

void check_size(int width, int height, int depth, int channels, bool filtered,
                const Context& context) {
  require_number("the width of a mask", width, 1);
  require_number("the height of a mask", height, 1);
  const double rows = static_cast<double>(height) * depth;
  const double pixels = width * rows;
  // Counts energy, ranks, the order of pixels, and the image; values with copies around them.
  const double bytes = pixels * channels * 14 + (filtered ? pixels * 20 : 0);
  context.require_pixels(width, rows,
                         "a mask (" + shortest(std::ceil(bytes / 0x1p20)) + " MB of memory)");
  context.require_memory(bytes, "the mask");
  if (pixels > 0x1p30) {
    throw Error(ErrorKind::limit, "a mask can have at most 1073741824 pixels, not " +
                                      std::to_string(width) + "x" + std::to_string(height) +
                                      (depth > 1 ? "x" + std::to_string(depth) : ""));
  }
}

// Width, height and depth of a mask.
struct Extent {
  int width = 128;
  int height = 128;
  int depth = 1;

  double pixels() const { return static_cast<double>(width) * height * depth; }
};

Extent extent_of(const MaskOptions& options) {
  if (options.size.empty()) {
    const Image* map = options.density.image.get();
    return map == nullptr ? Extent{} : Extent{map->width(), map->slice_height(), 1};
  }
  return {options.size.pixel_width(), options.size.pixel_height(),
          static_cast<int>(std::lround(std::min(options.size.depth, 0x1p30)))};
}

// Returns the size of a mask. Throws if options exclude each other or the size is beyond a limit.
Extent checked_extent(const MaskOptions& options, const Context& context) {
  const Extent extent = extent_of(options);
  mask::check_options(options, {extent.width, extent.height, extent.depth});
  check_size(extent.width, extent.height, extent.depth, options.channels, mask::has_filter(options),
             context);
  return extent;
}

// Resamples the map to the mask's size.
Plane<float> map_for(Plane<float> map, const Extent& extent, Interpolation interpolation,
                     Context& context) {
  const double enlarged = std::max(static_cast<double>(extent.width) / map.width(),
                                   static_cast<double>(extent.height) / map.height());
  if (enlarged <= 1 || interpolation == Interpolation::smooth) {
    const auto cells = static_cast<int>(std::bit_ceil(static_cast<unsigned>(std::ceil(enlarged))));
    map = on_cells(std::move(map), cells, false, context);
    return resample(map, extent.width, extent.height, context);
  }
  Plane<float> squares(extent.width, extent.height);
  for (std::int64_t y = 0; y < extent.height; ++y) {
    for (std::int64_t x = 0; x < extent.width; ++x) {
      squares(static_cast<int>(x), static_cast<int>(y)) =
          map(static_cast<int>(x * map.width() / extent.width),
              static_cast<int>(y * map.height() / extent.height));
    }
  }
  return squares;
}

// Makes ranks that stipple a map, from the sampler's points on.
Plane<std::int32_t> ranks_of_map(const MaskOptions& options, const MapOptions& field,
                                 const Extent& extent, Context& context) {
  const auto stage = context.stage("mask");
  if (field.as == MapKind::radius) {
    throw Error(ErrorKind::usage,
                "`as radius` works only for points: a mask takes `as tone` or `as density`");
  }
  Plane<float> map = target_density(*options.density.image, field, context);
  map = map_for(std::move(map), extent, field.interpolation, context);
  const float most = *std::max_element(map.values().begin(), map.values().end());
  if (!(most > 0)) {
    throw Error(ErrorKind::input, "the map has no density above 0 anywhere: try `invert`",
                options.density.path);
  }
  const Domain domain{static_cast<double>(extent.width), static_cast<double>(extent.height), false};
  SampleOptions darts;
  darts.progressive = true;
  const double r = start_radius * std::sqrt(static_cast<double>(most));
  const Points points = [&] {
    const DensityField radii = [&] {
      const auto part = context.part(0, 0.1);
      return DensityField::from_density(map, domain, r, std::nullopt, 0, 0, context);
    }();
    const auto part = context.part(0.1, 0.3);
    return sample(domain, radii, darts, context);
  }();
  const auto part = context.part(0.3, 1);
  const std::vector<Pixel> start = ranked(pixels_of(points, extent.width, extent.height, context),
                                          extent.width, extent.height, context);
  return mask::density_ranks(map, start, context,
                             [&](double fraction) { context.progress(fraction); });
}

// Returns how many masks to choose from. Figures of small masks scatter, and these take no time.
int candidates_for(const Extent& extent, const MaskOptions& options) {
  if (options.candidates > 0) return options.candidates;
  constexpr double largest = 256 * 256;  // pixels
  constexpr double smallest = 24;
  if (options.sigma != mask::tuned_sigma || extent.pixels() > largest) return 1;
  return extent.pixels() < smallest ? 512 : 64;
}

std::vector<Plane<std::int32_t>> make_channels(const Extent& extent, const MaskOptions& options,
                                               Context& context) {
  const auto [width, height, depth] = extent;
  std::vector<Plane<std::int32_t>> ranks(static_cast<std::size_t>(options.channels));
  if (options.method == MaskMethod::bayer) {
    std::fill(ranks.begin(), ranks.end(), mask::bayer_ranks(width, height));
    return ranks;
  }
  std::optional<std::vector<Pixel>> given;
  if (options.points.points) {
    validate(*options.points.points);
    const Points points =
        placed(*options.points.points, options.points_size, width, height, context);
    given = ranked(pixels_of(points, width, height, context), width, height, context);
  }
  const auto stage = context.stage("mask");
  const std::thread::id caller = std::this_thread::get_id();
  // Small masks take a thread each, large masks all threads: on a small mask, threads would wait.
  const bool large = extent.pixels() >= 0x1p20;
  const bool one_by_one = large || ranks.size() == 1;
  const auto progress = [&](double fraction) {
    context.check();
    if (std::this_thread::get_id() == caller) context.progress(fraction);
  };
  // The start of a filtered mask is this part of its work.
  const double start_share = mask::has_filter(options) ? 0.1 : 1;
  const auto start_progress = [&](double fraction) { progress(start_share * fraction); };
  const auto plain = [&, w = width, h = height](std::uint64_t seed) {
    if (!given) {
      const int candidates = mask::has_filter(options) ? 1 : candidates_for(extent, options);
      return mask::flat_ranks(w, h, options.sigma, seed, candidates, context, large,
                              start_progress);
    }
    Plane<std::int32_t> of_points =
        mask::grow_ranks(w, h, *given, options.sigma, context, large, start_progress);
    mask::thin_last(of_points, 1, context);
    return of_points;
  };
  const auto make = [&, w = width, h = height, d = depth](std::size_t c) {
    const std::uint64_t seed = channel_seed(context.seed, static_cast<int>(c));
    if (options.method == MaskMethod::white) {
      ranks[c] = mask::white_ranks(w, h * d, seed);
    } else if (options.method == MaskMethod::ulichney) {
      ranks[c] = mask::ulichney_ranks(w, h, seed, options.sigma, context, large, start_progress);
    } else if (options.kind == MaskKind::spatiotemporal) {
      ranks[c] = mask::frame_ranks(w, h, d, seed, options.sigma, context, large, start_progress);
    } else if (d > 1) {
      ranks[c] = mask::volume_ranks(w, h, d, seed, options.sigma, context, large, start_progress);
    } else {
      ranks[c] = plain(seed);
    }
    if (options.method == MaskMethod::void_and_cluster && mask::has_filter(options)) {
      mask::filter_ranks(ranks[c], d, options, seed, context, one_by_one, [&](double fraction) {
        progress(start_share + (1 - start_share) * fraction);
      });
    }
  };
  parallel_for(context, ranks.size(), make, one_by_one ? ~std::size_t{0} : 2);
  return ranks;
}

// ---- values -------------------------------------------------------------------------------------

// The value for the part (rank + 1/2) / N, and the range that integers hold.
class Values {
 public:
  explicit Values(const MaskOptions& options) : kind_(mask::values_of(options)) {
    if (options.histogram.text) {
      histogram_ = mask::parse_histogram(*options.histogram.text, options.histogram.path);
      const double least = histogram_->quantile(0);
      const double most = histogram_->quantile(1);
      if (least < 0 || most > 1) {
        low_ = least;
        high_ = most > least ? most : least + 1;
      }
      name_ = "histogram";
    } else if (mask::component_count(kind_) > 0) {
      const bool unit = kind_ == MaskValues::hemisphere || !mask::holds_points(kind_);
      if (unit || kind_ == MaskValues::disc) low_ = -1;
      name_ = unit ? "unit vectors" : "points, " + std::string(word_of(kind_));
    } else if (kind_ != MaskValues::uniform) {
      low_ = kind_ == MaskValues::gaussian ? -4 : -1;
      high_ = -low_;
      name_ = word_of(kind_);
    }
  }

  bool is_uniform() const { return kind_ == MaskValues::uniform && !histogram_; }
  double at(double part) const {
    return histogram_ ? histogram_->quantile(part) : mask::quantile(kind_, part);
  }
  // Maps the range to 0..1.
  double stored(double value) const {
    return std::clamp((value - low_) / (high_ - low_), 0.0, 1.0);
  }
  // Returns a text for the metadata, or "" for uniform values.
  std::string description(bool as_stored) const {
    if (name_.empty() || !as_stored) return name_;
    return name_ + ": 0 and 1 stand for " + shortest(low_) + " and " + shortest(high_);
  }

 private:
  MaskValues kind_;
  std::optional<mask::Histogram> histogram_;
  double low_ = 0;
  double high_ = 1;
  std::string name_;
};

void describe_values(Image& image, const std::string& description) {
  if (!description.empty()) image.metadata.emplace_back("dapple:values", description);
}

PixelType type_of(MaskBits bits) {
  switch (bits) {
    case MaskBits::u16:
      return PixelType::u16;
    case MaskBits::f16:
      return PixelType::f16;
    case MaskBits::f32:
      return PixelType::f32;
    default:
      return PixelType::u8;
  }
}

Image empty_mask(const MaskOptions& options, std::size_t channels) {
  Image image;
  image.encoding = Encoding::data;
  image.type = type_of(options.bits);
  image.names = {"Y"};
  if (channels > 1) image.names = {"R", "G", "B", "A"};
  image.names.resize(channels);
  return image;
}

// Reads the map that points follow; empty without one.
Plane<float> map_of_points(const MaskOptions& options, const MapOptions& field, Context& context) {
  if (!options.density.image) return {};
  const FramedMap part = framed(*options.density.image, field, context);
  Plane<float> map = target_density(part.image, part.options, context);
  if (!(*std::max_element(map.values().begin(), map.values().end()) > 0)) {
    throw Error(ErrorKind::input, "the map has no density above 0 anywhere: try `invert`",
                options.density.path);
  }
  return map;
}

Image vector_image(const MaskOptions& options, const MapOptions& field, const Extent& extent,
                   Context& context) {
  const MaskValues values = mask::values_of(options);
  const bool points = mask::holds_points(values);
  context.require_memory(extent.pixels() * (points ? 160 : 120), "the mask");
  const auto stage = context.stage("mask");
  Image image = empty_mask(options, mask::component_count(values));
  image.slices = extent.depth;
  const mask::Torus torus{extent.width, extent.height, extent.depth};
  const auto progress = [&](double fraction) {
    context.check();
    context.progress(fraction);
  };
  image.channels =
      points ? mask::point_values(torus, options, map_of_points(options, field, context), context,
                                  progress)
             : mask::unit_vectors(torus, values, context.seed, options.sigma, context, progress);
  if (options.bits == MaskBits::f16 || options.bits == MaskBits::f32) {
    image.type = type_of(options.bits);
    describe_values(image, Values(options).description(false));
    return image;
  }
  image = stored_mask(image, options);
  image.type = type_of(options.bits);
  image.hints.third = static_cast<float>(Values(options).stored(0));
  if (points) {  // in equal steps, so that values occur equally often
    const float most = image.type == PixelType::u8 ? 255.0f : 65535.0f;
    for (Plane<float>& plane : image.channels) {
      for (float& v : plane.values()) v = std::min(most, std::floor(v * (most + 1))) / most;
    }
  }
  return image;
}

Image fractal_image(const MaskOptions& options, const Extent& extent, Context& context) {
  context.require_memory(extent.pixels() * 12, "the mask");
  const auto stage = context.stage("mask");
  Image image = empty_mask(options, 1);
  image.slices = extent.depth;
  image.volume = extent.depth > 1;
  image.channels.push_back(
      mask::fractal_layers(extent.width, extent.depth, context.seed, context,
                           [&](double fraction) { context.progress(fraction); }));
  const int count = mask::fractal_count(extent.width);
  describe_values(image, "fractal: layers of " + std::to_string(count) + " to " +
                             std::to_string(extent.depth > 1 ? 4 * count : count) +
                             " dots; 1 at a dot, 0 at the hexagonal spacing from it");
  return image;
}

}  // namespace

ImageShape mask::shape_of(const MaskOptions& options, std::size_t channels) {
  const Extent extent = extent_of(options);
  Image pixel = empty_mask(options, channels);
  pixel.channels.assign(channels, Plane<float>(1, 1));
  return {extent.width, extent.height, extent.depth, std::move(pixel)};
}

MaskValues mask::values_of(const MaskOptions& options) {
  if (options.kind == MaskKind::vector2) return MaskValues::circle;
  if (options.kind == MaskKind::vector3) return MaskValues::sphere;
  if (options.kind == MaskKind::cosine) return MaskValues::cosine;
  return options.values;
}

std::size_t mask::component_count(MaskValues values) {
  switch (values) {
    case MaskValues::circle:
    case MaskValues::vec2:
    case MaskValues::disc:
      return 2;
    case MaskValues::sphere:
    case MaskValues::cosine:
    case MaskValues::vec3:
    case MaskValues::hemisphere:
      return 3;
    case MaskValues::vec4:
      return 4;
    case MaskValues::uniform:
    case MaskValues::triangular:
    case MaskValues::gaussian:
      break;
  }
  return 0;
}

int mask::channel_count(const MaskOptions& options) {
  const auto components = static_cast<int>(component_count(values_of(options)));
  return components > 0 ? components : options.channels;
}

bool mask::holds_points(MaskValues values) {
  return values >= MaskValues::vec2;
}

bool mask::has_ranks(const MaskOptions& options) {
  return component_count(values_of(options)) == 0 && options.kind != MaskKind::fractal;
}

Image mask::make_values(const MaskOptions& options, const MapOptions& field, Context& context) {
  check(options);
  const Extent extent = checked_extent(options, context);
  if (options.kind == MaskKind::fractal) return fractal_image(options, extent, context);
  return vector_image(options, field, extent, context);
}

Plane<std::int32_t> make_ranks(int width, int height, const MaskOptions& options,
                               Context& context) {
  check(options);
  check_size(width, height, 1, 1, mask::has_filter(options), context);
  MaskOptions one = options;
  one.channels = 1;
  return std::move(make_channels({width, height, 1}, one, context).front());
}

void make_ranks(PlaneView<std::int32_t> ranks, const MaskOptions& options, Context& context) {
  require_view("the buffer of ranks", ranks);
  const Size there{1.0 * ranks.width(), 1.0 * ranks.height()};
  if (!options.size.empty() && options.size != there) {
    throw Error(ErrorKind::usage,
                Problem{"size", "is " + to_text(options.size) + ", but the buffer of ranks is " +
                                    to_text(there)});
  }
  const Plane<std::int32_t> made = make_ranks(ranks.width(), ranks.height(), options, context);
  for (int y = 0; y < made.height(); ++y) std::copy_n(made.row(y), made.width(), ranks.row(y));
}

std::vector<Plane<std::int32_t>> mask_ranks(const MaskOptions& options, const MapOptions& field,
                                            Context& context) {
  check(options);
  if (options.density.image && changes_frame(field.prepare)) {
    FramedMap part = framed(*options.density.image, field, context);
    MaskOptions rest = options;
    rest.density.image = std::make_shared<const Image>(std::move(part.image));
    return mask_ranks(rest, part.options, context);
  }
  const Extent extent = checked_extent(options, context);
  if (options.density.image) return {ranks_of_map(options, field, extent, context)};
  return make_channels(extent, options, context);
}

Image mask_image(const std::vector<Plane<std::int32_t>>& ranks, const MaskOptions& options) {
  check(options);
  Image image = empty_mask(options, ranks.size());
  const Extent extent = extent_of(options);
  image.slices = extent.depth;
  image.volume = extent.depth > 1 && options.kind == MaskKind::scalar;
  const Values values(options);
  const bool floats = options.bits == MaskBits::f16 || options.bits == MaskBits::f32;
  const std::int64_t levels = type_of(options.bits) == PixelType::u8 ? 256 : 65536;
  for (const Plane<std::int32_t>& plane : ranks) {
    const auto count = static_cast<std::int64_t>(plane.size());
    Plane<float> numbers(plane.width(), plane.height());
    for (std::size_t i = 0; i < plane.size(); ++i) {
      const std::int64_t rank = plane.values()[i];
      const double part = (static_cast<double>(rank) + 0.5) / static_cast<double>(count);
      if (floats) {
        numbers.values()[i] = static_cast<float>(values.is_uniform() ? part : values.at(part));
        continue;
      }
      const std::int64_t level =
          values.is_uniform()
              ? rank * levels / count
              : std::min(levels - 1, static_cast<std::int64_t>(values.stored(values.at(part)) *
                                                               static_cast<double>(levels)));
      numbers.values()[i] = static_cast<float>(level) / static_cast<float>(levels - 1);
    }
    image.channels.push_back(std::move(numbers));
  }
  require_planes(image);
  describe_values(image, values.description(!floats));
  return image;
}

Image make_mask(const MaskOptions& options, Context& context) {
  check(options);
  if (mask::has_ranks(options)) {
    return mask_image(mask_ranks(options, MapOptions(), context), options);
  }
  return mask::make_values(options, MapOptions(), context);
}

void make_mask(const MaskOptions& options, const ImageTarget& target, Context& context) {
  MaskOptions asked = options;
  const MaskBits bits = target.type() == PixelType::u8    ? MaskBits::u8
                        : target.type() == PixelType::u16 ? MaskBits::u16
                                                          : MaskBits::f32;
  if (asked.bits != MaskBits::usual && asked.bits != bits) {
    throw Error(
        ErrorKind::usage,
        Problem{"bits", "must match the buffer, " +
                            std::string(option_names(bits)[static_cast<std::size_t>(bits)]) +
                            ": leave it out"});
  }
  asked.bits = bits;
  if (asked.size.empty()) asked.size = {1.0 * target.width(), 1.0 * target.height()};
  check(asked);
  const Extent extent = checked_extent(asked, context);
  target.require("the mask", extent.width, extent.height * extent.depth,
                 mask::channel_count(asked));
  target.put(make_mask(asked, context), 0);
}

Image stored_mask(const Image& mask, const MaskOptions& options) {
  check(options);
  require_planes(mask);
  Image image = mask;
  const Values values(options);
  for (Plane<float>& plane : image.channels) {
    for (float& v : plane.values()) {
      v = static_cast<float>(values.stored(static_cast<double>(v)));
    }
  }
  std::erase_if(image.metadata, [](const auto& entry) { return entry.first == "dapple:values"; });
  describe_values(image, values.description(true));
  return image;
}

}  // namespace dapple
