// The command `worley`: its options, where its sites come from, and what integer files show of it.
#include <algorithm>
#include <array>
#include <map>

#include "dapple/error.hpp"
#include "dapple/worley.hpp"
#include "generate/registry.hpp"

namespace dapple {

std::span<const std::string_view> option_names(Metric) {
  static constexpr std::array<std::string_view, 3> names{"euclidean", "manhattan", "chebyshev"};
  return names;
}
std::span<const std::string_view> option_names(NormalY) {
  static constexpr std::array<std::string_view, 2> names{"up", "down"};
  return names;
}
std::span<const std::string_view> option_names(HeightOf) {
  static constexpr std::array<std::string_view, 3> names{"f1", "f2-f1", "edge"};
  return names;
}

void describe(WorleyOptions& options, OptionList& list) {
  list.group("Texture");
  list.add("size", options.size, "Width and height of the texture").metavar("WxH");
  list.add("outputs", options.outputs,
           "What to make, a channel each (position, direction: two; normal: three)")
      .alias("output")
      .metavar("NAME,...")
      .words({worley_outputs().begin(), worley_outputs().end()});
  list.add("metric", options.metric, "How distance is measured: round, diamond or square cells");
  list.add("wrap", options.wrap, "Tile without a seam");
  list.add("line-width", options.line_width, "Width of the borders in the output lines");
  list.add("height-of", options.height_of,
           "What height and normal are made of: cones (f1), valleys (f2-f1) or plates (edge)");
  list.add("normal-strength", options.normal_strength, "Steepness of the normal map")
      .range(0, 1000);
  list.add("normal-y", options.normal_y,
           "Green of the normal map points up (OpenGL) or down (DirectX)");
  list.group("Sites");
  list.add("points", options.points, "Sites from a file of points, scaled to the size");
  list.add("density", options.density, "Density map for the sites: bright = many small cells");
  list.add("method", options.method,
           "How sites are placed: darts (even), jittered, random (as Worley did), grid");
}

PointSet worley_sites(const WorleyOptions& options, const FieldOptions& field, Context& context) {
  const int width = options.size.pixel_width();
  const int height = options.size.pixel_height();
  if (options.points.points) {
    PointSet sites = *options.points.points;
    sites.domain.wrap = options.wrap;
    for (std::size_t i = 0; i < sites.size(); ++i) {
      const Vec2 p = sites.domain.wrapped(sites[i]);
      sites.x[i] = p.x;
      sites.y[i] = p.y;
    }
    return sites;
  }
  constexpr std::int64_t default_count = 256;
  SampleOptions sampler;
  sampler.method = options.method;
  sampler.wrap = options.wrap;
  const Scale scale{static_cast<double>(std::min(width, height)), 0};
  const std::int64_t count = field.count == 0 && field.radius.empty() ? default_count : field.count;
  if (options.density.image) {
    const DensityField map =
        make_field(*options.density.image, field, options.wrap, scale, default_count, context);
    return sample(map, sampler, count, context);
  }
  const Domain domain{static_cast<double>(width), static_cast<double>(height), options.wrap};
  return sample(make_constant_field(domain, field, scale, default_count), sampler, count, context);
}

namespace {

struct Range {
  float low;
  float high;
  const char* unit;
};

// What 0 and full scale stand for in an output; the channels of one output may differ.
Range range_of(std::string_view name, const Plane<float>& plane) {
  const float highest = *std::max_element(plane.values().begin(), plane.values().end());
  if (name == "id") return {0, std::max(highest, 1.0f), ""};
  if (name == "position.x") return {0, static_cast<float>(plane.width()), " px"};
  if (name == "position.y") return {0, static_cast<float>(plane.height()), " px"};
  if (name.starts_with("direction")) return {-1, 1, ""};
  if (name.starts_with("normal")) return {-1, 1, ""};
  if (name == "lines" || name == "random" || name == "height") return {0, 1, ""};
  return {0, highest > 0 ? highest : 1.0f, " px"};
}

}  // namespace

Image normalised(const Image& texture) {
  Image image = texture;
  image.type = PixelType::u16;
  for (std::size_t c = 0; c < image.channels.size(); ++c) {
    const Range range = range_of(image.names[c], image.channels[c]);
    image.metadata.emplace_back("dapple:scale." + image.names[c],
                                shortest(range.low) + ".." + shortest(range.high) + range.unit);
    // Normals are packed to 0..1 already.
    if (image.names[c].starts_with("normal")) continue;
    for (float& value : image.channels[c].values()) {
      value = std::clamp((value - range.low) / (range.high - range.low), 0.0f, 1.0f);
    }
  }
  return image;
}

namespace {

class WorleyJob : public Job {
 public:
  void describe(OptionList& list) override {
    dapple::describe(options_, list);
    dapple::describe(field_, list);
  }

  Result run(const Image*, Context& context) override {
    Result result;
    result.points = worley_sites(options_, field_, context);
    result.image = worley(*result.points, options_.size.pixel_width(), options_.size.pixel_height(),
                          options_, context);
    result.display = normalised(*result.image);
    return result;
  }

 private:
  WorleyOptions options_;
  FieldOptions field_;
};

}  // namespace

Operation worley_operation() {
  Operation row;
  row.name = "worley";
  row.summary = "Cell textures from the sampler's points: distances, borders, ids, normals";
  row.details =
      "Worley textures (Worley 1996) from well-spread points, tileable by default and exact: cells "
      "may be as uneven as a density map asks for. .exr and float .tif hold distances in pixels, a "
      "channel for each output; 8 and 16 bit files are scaled to their range and say how in their "
      "metadata (dapple:scale.F1 = 0..23.4 px).";
  row.input = InputKind::none;
  row.makes_points = true;
  row.makes_image = true;
  row.default_extension = "png";
  row.stage = "worley";
  row.examples = {
      {"worley --count 200 -o cells.png", "a tileable 512x512 cell texture"},
      {"worley --size 1024 --count 400 --output edge,random,normal -o plates.exr",
       "distances, a value for each cell and a normal map in one float file"},
      {"worley --density map.png --count 3000 --output f2-f1 -o veins.png",
       "small cells where the map is bright"},
  };
  row.make = [] { return std::unique_ptr<Job>(std::make_unique<WorleyJob>()); };
  return row;
}

}  // namespace dapple
