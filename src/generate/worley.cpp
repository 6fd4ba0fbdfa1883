// Cell textures from a point set: which outputs there are and how they follow from the searches
// (Worley 1996). worley_search.cpp and worley_edge.cpp hold the searches.
#include "dapple/worley.hpp"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "generate/worley_search.hpp"

namespace dapple {
namespace {

constexpr std::array<std::string_view, 13> output_names{
    "f1",     "f2",   "f3",       "f2-f1",     "edge",   "lines", "id",
    "random", "area", "position", "direction", "height", "normal"};

// One texture on its way: outputs share what was searched for once.
class Texture {
 public:
  Texture(const PointSet& sites, int width, int height, const WorleyOptions& options,
          Context& context)
      : options_(options),
        context_(context),
        width_(width),
        height_(height),
        grid_(sites, width, height) {
    search();
  }

  Image image() {
    Image image;
    image.encoding = Encoding::data;
    image.type = PixelType::f32;
    for (const std::string& output : options_.outputs) add(output, image);
    return image;
  }

 private:
  bool wants(std::string_view name) const {
    return std::find(options_.outputs.begin(), options_.outputs.end(), name) !=
           options_.outputs.end();
  }
  bool wants_height_of(HeightOf source) const {
    return (wants("height") || wants("normal")) && options_.height_of == source;
  }

  void search() {
    const bool second = wants("f2") || wants("f2-f1") || wants_height_of(HeightOf::f2_f1);
    const bool edges = wants("edge") || wants("lines") || wants_height_of(HeightOf::edge);
    CellQuery query;
    query.metric = options_.metric;
    query.distances = wants("f3") ? 3 : second ? 2 : 1;
    query.nearest = edges || wants("id") || wants("random") || wants("area") || wants("position") ||
                    wants("direction");
    if (grid_.size() < static_cast<std::size_t>(query.distances)) {
      throw Error(ErrorKind::input, "f" + std::to_string(query.distances) + " needs " +
                                        std::to_string(query.distances) + " sites, but there is " +
                                        (grid_.size() == 1 ? "only one" : "one fewer"));
    }
    if (edges && !grid_.distinct() && !grid_.domain().wrap) {
      throw Error(ErrorKind::input,
                  "an edge needs sites at two different places: with one cell there is no border");
    }
    cells_ = search_cells(grid_, query, context_);
    if (edges) edges_ = search_edges(grid_, cells_, context_);
  }

  void add(std::string_view output, Image& image) {
    const auto channel = [&](std::string name, Plane<float> plane) {
      image.names.push_back(std::move(name));
      image.channels.push_back(std::move(plane));
    };
    if (output == "f1") channel("F1", cells_.distance[0]);
    if (output == "f2") channel("F2", cells_.distance[1]);
    if (output == "f3") channel("F3", cells_.distance[2]);
    if (output == "f2-f1") channel("F2-F1", second_minus_first());
    if (output == "edge") channel("edge", edges_);
    if (output == "lines") channel("lines", lines());
    if (output == "id")
      channel("id", of_id([](std::int32_t id) { return static_cast<float>(id); }));
    if (output == "random") channel("random", random());
    if (output == "area") channel("area", area());
    if (output == "height") channel("height", height_map());
    if (output == "position") {
      channel("position.x",
              of_id([&](std::int32_t id) { return static_cast<float>(grid_.position(id).x); }));
      channel("position.y",
              of_id([&](std::int32_t id) { return static_cast<float>(grid_.position(id).y); }));
    }
    if (output == "direction") {
      channel("direction.x", direction(&Vec2::x));
      channel("direction.y", direction(&Vec2::y));
    }
    if (output == "normal") add_normal(image);
  }

  // A plane of f(x, y), by rows.
  template <class F>
  Plane<float> plane_of(const F& f) {
    Plane<float> plane(width_, height_);
    parallel_for(context_, static_cast<std::size_t>(height_), [&](std::size_t row) {
      const int y = static_cast<int>(row);
      float* values = plane.row(y);
      for (int x = 0; x < width_; ++x) values[x] = f(x, y);
    });
    return plane;
  }

  template <class F>
  Plane<float> of_id(const F& f) {
    return plane_of([&](int x, int y) { return f(cells_.nearest(x, y)); });
  }

  Plane<float> second_minus_first() {
    return plane_of(
        [&](int x, int y) { return cells_.distance[1](x, y) - cells_.distance[0](x, y); });
  }

  // Half of the line lies on each side of the border; its rim is one pixel soft.
  Plane<float> lines() {
    const Scale scale{grid_.domain().shorter_side(), 0};
    const float half = static_cast<float>(0.5 * options_.line_width.pixels(scale));
    return plane_of(
        [&](int x, int y) { return std::clamp(edges_(x, y) - half + 0.5f, 0.0f, 1.0f); });
  }

  Plane<float> random() {
    const Random numbers(context_.seed, Stream::worley);
    return of_id([&](std::int32_t id) {
      // 24 bits: a float below 1.
      return static_cast<float>(numbers.at(static_cast<std::uint64_t>(id)) >> 40) * 0x1p-24f;
    });
  }

  Plane<float> area() {
    std::vector<std::int32_t> pixels(grid_.size(), 0);
    for (const std::int32_t id : cells_.nearest.values()) ++pixels[static_cast<std::size_t>(id)];
    return of_id(
        [&](std::int32_t id) { return static_cast<float>(pixels[static_cast<std::size_t>(id)]); });
  }

  Plane<float> direction(double Vec2::*part) {
    return plane_of([&](int x, int y) {
      const Vec2 p{x + 0.5, y + 0.5};
      const Vec2 d = grid_.domain().delta(p, grid_.position(cells_.nearest(x, y)));
      const double distance = length(d);
      return distance > 0 ? static_cast<float>(d.*part / distance) : 0.0f;
    });
  }

  // Height in pixels, not yet lifted to 0.
  float height_at(int x, int y) const {
    switch (options_.height_of) {
      case HeightOf::f1:
        return -cells_.distance[0](x, y);
      case HeightOf::f2_f1:
        return cells_.distance[1](x, y) - cells_.distance[0](x, y);
      case HeightOf::edge:
        return edges_(x, y);
    }
    return 0;
  }

  Plane<float> height_map() {
    Plane<float> heights = plane_of([&](int x, int y) { return height_at(x, y); });
    const auto [lowest, highest] =
        std::minmax_element(heights.values().begin(), heights.values().end());
    // F1 is 0 at the sites and the others are 0 on the borders, wherever pixels happen to be.
    const float low = std::min(*lowest, 0.0f);
    const float range = std::max(*highest, 0.0f) - low;
    for (float& h : heights.values()) h = range > 0 ? (h - low) / range : 0.0f;
    return heights;
  }

  void add_normal(Image& image) {
    const std::size_t first = image.channels.size();
    for (const char* name : {"normal.R", "normal.G", "normal.B"}) {
      image.names.emplace_back(name);
      image.channels.emplace_back(width_, height_);
    }
    const float strength = static_cast<float>(options_.normal_strength);
    const float green = options_.normal_y == NormalY::up ? strength : -strength;
    parallel_for(context_, static_cast<std::size_t>(height_), [&](std::size_t row) {
      const int y = static_cast<int>(row);
      for (int x = 0; x < width_; ++x) {
        // Uphill is against the normal; rows run down, so up is the way of falling y.
        const float nx = -strength * slope(x, y, 1, 0);
        const float ny = green * slope(x, y, 0, 1);
        const float scale = 0.5f / std::sqrt(nx * nx + ny * ny + 1);
        image.channels[first](x, y) = 0.5f + nx * scale;
        image.channels[first + 1](x, y) = 0.5f + ny * scale;
        image.channels[first + 2](x, y) = 0.5f + scale;
      }
    });
  }

  // Central difference of the height along (dx, dy); one-sided at the rim of a flat texture.
  float slope(int x, int y, int dx, int dy) const {
    int x0 = x - dx, y0 = y - dy, x1 = x + dx, y1 = y + dy;
    if (grid_.domain().wrap) {
      x0 = (x0 + width_) % width_;
      y0 = (y0 + height_) % height_;
      x1 %= width_;
      y1 %= height_;
      return 0.5f * (height_at(x1, y1) - height_at(x0, y0));
    }
    x0 = std::max(x0, 0);
    y0 = std::max(y0, 0);
    x1 = std::min(x1, width_ - 1);
    y1 = std::min(y1, height_ - 1);
    const int span = x1 - x0 + y1 - y0;
    return span == 0 ? 0.0f : (height_at(x1, y1) - height_at(x0, y0)) / static_cast<float>(span);
  }

  const WorleyOptions& options_;
  Context& context_;
  int width_;
  int height_;
  SiteGrid grid_;
  Cells cells_;
  Plane<float> edges_;
};

void check_outputs(const WorleyOptions& options) {
  if (options.outputs.empty()) throw Error(ErrorKind::usage, "--outputs names nothing");
  const std::vector<std::string> known(output_names.begin(), output_names.end());
  for (const std::string& output : options.outputs) {
    if (std::find(known.begin(), known.end(), output) == known.end()) {
      const std::string near = nearest_word(output, known);
      throw Error(ErrorKind::usage, "there is no output '" + output + "'" +
                                        (near.empty() ? "" : "; did you mean '" + near + "'?"));
    }
    const bool of_edge =
        (output == "height" || output == "normal") && options.height_of == HeightOf::edge;
    if (options.metric != Metric::euclidean && (output == "edge" || output == "lines" || of_edge)) {
      throw Error(ErrorKind::usage, "the output " + output +
                                        " is Euclidean: leave --metric out, or take f2-f1, which "
                                        "follows the borders of every metric");
    }
  }
}

// Channels, distances, ids and sites in bins, all at the same time.
double memory_needed(double sites, double pixels, const WorleyOptions& options) {
  double planes = 5;
  for (const std::string& output : options.outputs) {
    planes += output == "normal" ? 3 : output == "position" || output == "direction" ? 2 : 1;
  }
  return planes * 4 * pixels + 56 * sites;
}

}  // namespace

std::span<const std::string_view> worley_outputs() {
  return output_names;
}

Image worley(const PointSet& sites, int width, int height, const WorleyOptions& options,
             Context& context) {
  check_outputs(options);
  if (sites.empty()) {
    throw Error(ErrorKind::input, "there are no sites: a cell texture needs at least one point");
  }
  validate(sites);
  context.require_pixels(width, height, "a cell texture");
  context.require_memory(
      memory_needed(static_cast<double>(sites.size()), 1.0 * width * height, options),
      "a cell texture");
  const auto stage = context.stage("worley");
  context.check();
  return Texture(sites, width, height, options, context).image();
}

}  // namespace dapple
