// Dither masks: options, the starting pattern, and ranks as thresholds. The algorithm itself is in
// mask_grow.cpp (Ulichney 1993).
#include "dapple/mask.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <thread>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "generate/mask_engine.hpp"
#include "generate/registry.hpp"

namespace dapple {

std::span<const std::string_view> option_names(MaskMethod) {
  static constexpr std::array<std::string_view, 3> names{"void-and-cluster", "white", "bayer"};
  return names;
}

std::span<const std::string_view> option_names(MaskBits) {
  static constexpr std::array<std::string_view, 3> names{"8", "16", "float"};
  return names;
}

void describe(MaskOptions& o, OptionList& list) {
  list.group("Mask");
  list.add("size", o.size, "Width and height; any, the mask tiles without a seam")
      .metavar("N|WxH")
      .unit("pixels");
  list.add("method", o.method,
           "void-and-cluster: blue noise; white: plain noise and bayer: a regular pattern, to "
           "compare with");
  list.add("channels", o.channels, "Independent masks in one file: 1 grey, 2 RG, 3 RGB, 4 RGBA")
      .range(1, 4);
  list.add("bits", o.bits, "Depth of a value; 8 and 16: every value equally often");
  list.add("points", o.points, "Points that take the first ranks, instead of the sampler's");
  list.add("sigma", o.sigma, "Grain: smaller is finer and noisier, larger smoother and coarser")
      .unit("pixels")
      .range(0.7, 4);
}

namespace {

using mask::Pixel;

constexpr double start_radius = 14;  // pixels at sigma 1.44: points on 0.35 % of the pixels

// The seed of a channel; the first has the seed itself.
std::uint64_t channel_seed(std::uint64_t seed, int channel) {
  if (channel == 0) return seed;
  return Random(seed, Stream::mask, static_cast<std::uint64_t>(channel)).at(0) >> 1;
}

struct Start {
  std::vector<Pixel> pixels;
  std::vector<std::int32_t> ranks;  // empty: still to be found
};

// The pixels that points fall on, each once.
Start pixels_of(const PointSet& points, int width, int height, Context& context) {
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
                 " points share a pixel of the mask with another and were left out");
  }
  return start;
}

Start starting_pattern(int width, int height, const MaskOptions& options, Context& context) {
  if (options.points.points) {
    validate(*options.points.points);
    return pixels_of(*options.points.points, width, height, context);
  }
  const Domain torus{static_cast<double>(width), static_cast<double>(height), true};
  SampleOptions darts;
  darts.wrap = true;
  const double r = start_radius * options.sigma / mask::tuned_sigma;
  const PointSet points = sample(DensityField::constant(torus, r), darts, 0, context);
  return pixels_of(points, width, height, context);
}

// Pixels in the order of their ranks.
std::vector<Pixel> ranked(Start start, int width, int height, const Context& context) {
  if (start.ranks.empty()) start.ranks = mask::rank_start(start.pixels, width, height, context);
  std::vector<Pixel> ordered(start.pixels.size());
  for (std::size_t i = 0; i < ordered.size(); ++i) {
    ordered[static_cast<std::size_t>(start.ranks[i])] = start.pixels[i];
  }
  return ordered;
}

void check_size(int width, int height, int channels, const Context& context) {
  const double pixels = static_cast<double>(width) * height;
  context.require_pixels(width, height, "a mask");
  if (pixels > 0x1p30) {
    throw Error(ErrorKind::limit, "a mask has at most 1073741824 pixels, not " +
                                      std::to_string(width) + "x" + std::to_string(height));
  }
  // Energy, ranks, the order of pixels; then the image.
  context.require_memory(pixels * channels * 14, "the mask");
}

std::vector<Plane<std::int32_t>> make_channels(int width, int height, int channels,
                                               const MaskOptions& options, Context& context) {
  std::vector<Plane<std::int32_t>> ranks(static_cast<std::size_t>(channels));
  if (options.method == MaskMethod::bayer) {
    std::fill(ranks.begin(), ranks.end(), mask::bayer_ranks(width, height));
    return ranks;
  }
  const std::uint64_t seed = context.seed;
  std::vector<std::vector<Pixel>> starts(ranks.size());
  if (options.method == MaskMethod::void_and_cluster) {
    struct Restore {
      Context& context;
      std::uint64_t seed;
      ~Restore() { context.seed = seed; }
    } restore{context, seed};
    for (int c = 0; c < channels; ++c) {
      context.seed = channel_seed(seed, c);
      starts[static_cast<std::size_t>(c)] =
          ranked(starting_pattern(width, height, options, context), width, height, context);
    }
  }
  const auto stage = context.stage("mask");
  const std::thread::id caller = std::this_thread::get_id();
  // Small masks a thread each, large ones all threads; below that they would wait for each other.
  const double pixels = static_cast<double>(width) * height;
  const bool large = pixels >= 0x1p20;
  const bool one_by_one = large || ranks.size() == 1;

  const auto make = [&](std::size_t c) {
    if (options.method == MaskMethod::white) {
      ranks[c] = mask::white_ranks(width, height, channel_seed(seed, static_cast<int>(c)));
      return;
    }
    ranks[c] = mask::grow_ranks(width, height, starts[c], options.sigma, context, large,
                                [&](double fraction) {
                                  context.check();
                                  if (std::this_thread::get_id() == caller)
                                    context.progress(fraction);
                                });
  };
  parallel_for(context, ranks.size(), make, one_by_one ? ~std::size_t{0} : 2);
  return ranks;
}

}  // namespace

Plane<std::int32_t> make_ranks(int width, int height, const MaskOptions& options,
                               Context& context) {
  check_size(width, height, 1, context);
  return std::move(make_channels(width, height, 1, options, context).front());
}

Image mask_image(const std::vector<Plane<std::int32_t>>& ranks, MaskBits bits) {
  Image image;
  image.encoding = Encoding::data;
  image.type = bits == MaskBits::u8    ? PixelType::u8
               : bits == MaskBits::u16 ? PixelType::u16
                                       : PixelType::f32;
  image.names = {"Y"};
  if (ranks.size() > 1) image.names = {"R", "G", "B", "A"};
  image.names.resize(ranks.size());
  const std::int64_t levels = bits == MaskBits::u8 ? 256 : 65536;
  for (const Plane<std::int32_t>& plane : ranks) {
    const auto count = static_cast<std::int64_t>(plane.size());
    Plane<float> values(plane.width(), plane.height());
    for (std::size_t i = 0; i < plane.size(); ++i) {
      const std::int64_t rank = plane.values()[i];
      const std::int64_t level = rank * levels / count;
      values.values()[i] =
          bits == MaskBits::f32
              ? static_cast<float>((static_cast<double>(rank) + 0.5) / static_cast<double>(count))
              : static_cast<float>(level) / static_cast<float>(levels - 1);
    }
    image.channels.push_back(std::move(values));
  }
  return image;
}

Image make_mask(const MaskOptions& options, Context& context) {
  if (options.size.depth != 1) {
    throw Error(ErrorKind::usage, "--size: a mask has a width and a height, no depth");
  }
  const int width = options.size.pixel_width();
  const int height = options.size.pixel_height();
  check_size(width, height, options.channels, context);
  return mask_image(make_channels(width, height, options.channels, options, context), options.bits);
}

namespace {

class MaskJob : public Job {
 public:
  void describe(OptionList& list) override { dapple::describe(options_, list); }
  Result run(const Image*, Context& context) override {
    Result result;
    result.image = make_mask(options_, context);
    return result;
  }

  int data_channels() const override { return options_.channels; }

 private:
  MaskOptions options_;
};

}  // namespace

Operation mask_operation() {
  Operation row;
  row.name = "mask";
  row.summary = "Makes a blue-noise dither mask (threshold texture)";
  row.details =
      "A mask holds every rank from 0 to width x height - 1 once, so that the pixels below any "
      "threshold are evenly and irregularly spread: compare an image with it, pixel by pixel, to "
      "dither; read it as a table of well-spread random numbers in a shader. It tiles without a "
      "seam.\n\n"
      "The values are numbers, not light: load the file as linear (non-colour) data. Compare as "
      "`image > (value + 0.5) / 256` for 8 bits.";
  row.makes_image = true;
  row.default_extension = "png";
  row.stage = "mask";
  row.examples = {
      {"mask -o mask.png", "128x128, 8 bits: the usual dither mask"},
      {"mask --size 256 --bits 16 -o mask.png", "every pixel its own threshold"},
      {"mask --size 64 --channels 4 --seed 7 -o noise.png", "four independent masks as RGBA"},
      {"mask --size 200x120 --bits float -o mask.exr", "any size, as floats"},
      {"mask --size 64 -o noise.ktx2 -o noise.h -o ranks.npy",
       "a texture, an array to paste, ranks"},
  };
  row.make = []() -> std::unique_ptr<Job> { return std::make_unique<MaskJob>(); };
  return row;
}

}  // namespace dapple
