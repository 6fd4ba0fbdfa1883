// Cell textures from a point set: which outputs there are and how they follow from the searches
// (Worley 1996). worley_search.cpp and worley_edge.cpp hold the searches.
#include "dapple/worley.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/parallel.hpp"
#include "core/random.hpp"
#include "dapple/error.hpp"
#include "generate/worley_search.hpp"
#include "generate/worley_texture.hpp"

namespace dapple {
namespace {

constexpr std::array<std::string_view, 16> output_names{
    "f1",    "f2",   "f3",       "f2-f1",    "edge",   "lines",     "id",     "random",
    "color", "area", "position", "centroid", "vector", "direction", "height", "normal"};

// One texture on its way: outputs share what was searched for once.
class Texture {
 public:
  Texture(const PointSet& sites, int width, int height, double unit, const WorleyOptions& options,
          Context& context)
      : options_(options),
        context_(context),
        width_(width),
        height_(height),
        grid_(sites, width, height),
        scale_{grid_.domain().shorter_side() / unit, 0},
        unit_(unit),
        bevel_(pixels(options.bevel)) {
    search();
    if (options.smooth.value > 0) smooth(cells_, pixels(options.smooth));
  }

  // `size` of its cells against those of the first.
  void add_octave(const PointSet& sites, float weight, float size) {
    const SiteGrid grid(sites, width_, height_);
    CellQuery query{distances_of(grid), false, options_.metric};
    query.distances =
        std::min(query.distances, static_cast<int>(std::min<std::size_t>(3, grid.size())));
    Cells finer = search_cells(grid, query, context_);
    if (options_.smooth.value > 0) smooth(finer, size * pixels(options_.smooth));
    for (std::size_t k = 0; k < 3; ++k) add_weighted(cells_.distance[k], finer.distance[k], weight);
    if (wants_height_of(HeightOf::edge)) {
      // Rough plates: highest at the finer sites.
      if (detail_.empty()) detail_ = Plane<float>(width_, height_);
      add_weighted(detail_, finer.distance[0], -weight);
    }
  }

  void warp() {
    const float amount = pixels(options_.warp);
    if (amount <= 0) return;
    const Warp warp(width_, height_, grid_.domain().wrap, amount, context_);
    for (Plane<float>* plane :
         {&cells_.distance[0], &cells_.distance[1], &cells_.distance[2], &edges_, &detail_}) {
      if (!plane->empty()) *plane = warp.apply(*plane);
    }
    if (!cells_.nearest.empty()) cells_.nearest = warp.apply(cells_.nearest);
  }

  Image image() {
    Image image;
    image.encoding = Encoding::data;
    image.type = PixelType::f32;
    for (const std::string& output : options_.outputs) add(output, image);
    // Others are made of these: they are handed over last.
    for (const auto& [channel, plane] : handed_over_) {
      const auto later = std::find_if(handed_over_.begin(), handed_over_.end(),
                                      [&, c = channel, p = plane](const auto& other) {
                                        return other.second == p && other.first > c;
                                      });
      image.channels[channel] = later == handed_over_.end() ? std::move(*plane) : *plane;
    }
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

  float pixels(const Length& length) const {
    return static_cast<float>(length.pixels(scale_) * unit_);
  }

  int distances_wanted() const {
    if (wants("f3")) return 3;
    return wants("f2") || wants("f2-f1") || wants_height_of(HeightOf::f2_f1) ? 2 : 1;
  }
  // A smooth F1 looks at more than it gives, as far as there are sites.
  int distances_of(const SiteGrid& grid) const {
    const int most = static_cast<int>(std::min<std::size_t>(3, grid.size()));
    return options_.smooth.value > 0 ? std::max(distances_wanted(), most) : distances_wanted();
  }

  void search() {
    const bool edges = wants("edge") || wants("lines") || wants_height_of(HeightOf::edge);
    CellQuery query;
    query.metric = options_.metric;
    query.distances = distances_of(grid_);
    query.nearest = edges || wants("id") || wants("random") || wants("area") || wants("position") ||
                    wants("direction") || wants("color") || wants("centroid") || wants("vector");
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
    const auto whole = [&](std::string name, Plane<float>& plane) {
      handed_over_.emplace_back(image.channels.size(), &plane);
      channel(std::move(name), {});
    };
    if (output == "f1") whole("F1", cells_.distance[0]);
    if (output == "f2") whole("F2", cells_.distance[1]);
    if (output == "f3") whole("F3", cells_.distance[2]);
    if (output == "f2-f1") channel("F2-F1", second_minus_first());
    if (output == "edge") whole("edge", edges_);
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
    if (output == "centroid") {
      const std::vector<Vec2> centroids = cell_centroids();
      const auto of_cell = [&](double Vec2::*part) {
        return of_id([&](std::int32_t id) {
          return static_cast<float>(centroids[static_cast<std::size_t>(id)].*part);
        });
      };
      channel("centroid.x", of_cell(&Vec2::x));
      channel("centroid.y", of_cell(&Vec2::y));
    }
    if (output == "vector") {
      channel("vector.x", to_site([](Vec2 d) { return d.x; }));
      channel("vector.y", to_site([](Vec2 d) { return d.y; }));
    }
    if (output == "direction") {
      channel("direction.x", to_site([](Vec2 d) { return d == Vec2{} ? 0 : d.x / length(d); }));
      channel("direction.y", to_site([](Vec2 d) { return d == Vec2{} ? 0 : d.y / length(d); }));
    }
    if (output == "color") {
      for (int c = 0; c < 3; ++c) channel(std::string("color.") + "RGB"[c], color(c));
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
    const float half = 0.5f * pixels(options_.line_width);
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

  // 21 bits a component.
  Plane<float> color(int component) {
    const Random numbers(context_.seed, Stream::worley, 1);
    return of_id([&](std::int32_t id) {
      const std::uint64_t bits = numbers.at(static_cast<std::uint64_t>(id)) >> (21 * component);
      return static_cast<float>(bits & 0x1fffff) * 0x1p-21f;
    });
  }

  // The way from a pixel to its site.
  Vec2 way(int x, int y) const {
    return grid_.domain().delta({x + 0.5, y + 0.5}, grid_.position(cells_.nearest(x, y)));
  }

  template <class F>
  Plane<float> to_site(const F& f) {
    return plane_of([&](int x, int y) { return static_cast<float>(f(way(x, y))); });
  }

  // Mean of the pixels of each cell; the site where a cell has none.
  std::vector<Vec2> cell_centroids() const {
    std::vector<Vec2> sums(grid_.size());
    std::vector<std::int32_t> pixels(grid_.size());
    for (int y = 0; y < height_; ++y) {
      for (int x = 0; x < width_; ++x) {
        const auto id = static_cast<std::size_t>(cells_.nearest(x, y));
        sums[id] = sums[id] - way(x, y);
        ++pixels[id];
      }
    }
    for (std::size_t id = 0; id < sums.size(); ++id) {
      const double scale = 1.0 / std::max(pixels[id], 1);
      const Vec2 site = grid_.position(static_cast<std::int32_t>(id));
      sums[id] = grid_.domain().wrapped({site.x + scale * sums[id].x, site.y + scale * sums[id].y});
    }
    return sums;
  }

  // Height in pixels, not yet lifted to 0.
  float height_at(int x, int y) const {
    switch (options_.height_of) {
      case HeightOf::f1:
        return -cells_.distance[0](x, y);
      case HeightOf::f2_f1:
        return cells_.distance[1](x, y) - cells_.distance[0](x, y);
      case HeightOf::edge:
        return plate(edges_(x, y)) + (detail_.empty() ? 0 : detail_(x, y));
    }
    return 0;
  }

  // A quarter circle up to the bevel's width, level beyond.
  float plate(float edge) const {
    if (bevel_ <= 0) return edge;
    const float t = 1 - std::min(edge / bevel_, 1.0f);
    return bevel_ * std::sqrt(1 - t * t);
  }

  // The polynomial smooth minimum of Quilez (2013), of three: creases within `width` are rounded.
  void smooth(Cells& cells, float width) {
    const auto blend = [width](float a, float b) {
      const float h = std::max(width - std::abs(a - b), 0.0f) / width;
      return std::min(a, b) - 0.25f * h * h * width;
    };
    if (cells.distance[1].empty() || width <= 0) return;
    cells.distance[0] = plane_of([&](int x, int y) {
      float least = blend(cells.distance[0](x, y), cells.distance[1](x, y));
      if (!cells.distance[2].empty()) least = blend(least, cells.distance[2](x, y));
      return std::max(least, 0.0f);
    });
  }

  static void add_weighted(Plane<float>& sum, const Plane<float>& plane, float weight) {
    if (sum.empty() || plane.empty()) return;
    for (std::size_t i = 0; i < sum.size(); ++i) sum.values()[i] += weight * plane.values()[i];
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
  Scale scale_;
  double unit_;
  float bevel_;
  Cells cells_;
  Plane<float> edges_;
  Plane<float> detail_;
  std::vector<std::pair<std::size_t, Plane<float>*>> handed_over_;  // to which channel of the image
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
  const double planes = 5 + worley_channels(options.outputs);
  return planes * 4 * pixels + 56 * sites;
}

}  // namespace

std::span<const std::string_view> worley_outputs() {
  return output_names;
}

int worley_channels(std::span<const std::string> outputs) {
  int channels = 0;
  for (const std::string& output : outputs) {
    const bool three = output == "normal" || output == "color";
    const bool two =
        output == "position" || output == "centroid" || output == "vector" || output == "direction";
    channels += three ? 3 : two ? 2 : 1;
  }
  return channels;
}

Image make_texture(std::span<const PointSet> octaves, int width, int height, double unit,
                   const WorleyOptions& options, Context& context) {
  check_outputs(options);
  for (const PointSet& sites : octaves) validate(sites);
  if (octaves.empty() || octaves[0].empty()) {
    throw Error(ErrorKind::input, "there are no sites: a cell texture needs at least one point");
  }
  context.require_pixels(width, height, "a cell texture");
  const double sites = static_cast<double>(octaves.back().size());
  context.require_memory(memory_needed(sites, 1.0 * width * height, options), "a cell texture");
  const auto stage = context.stage("worley");
  context.check();
  Texture texture(octaves[0], width, height, unit, options, context);
  double weight = 1;
  double size = 1;
  for (const PointSet& finer : octaves.subspan(1)) {
    weight *= 2 * options.roughness;
    size *= 0.5;
    if (finer.empty()) continue;
    texture.add_octave(finer, static_cast<float>(weight), static_cast<float>(size));
  }
  texture.warp();
  return texture.image();
}

Image worley(const PointSet& sites, int width, int height, const WorleyOptions& options,
             Context& context) {
  return make_texture({&sites, 1}, width, height, 1, options, context);
}

Image worley(std::span<const PointSet> octaves, int width, int height, const WorleyOptions& options,
             Context& context) {
  return make_texture(octaves, width, height, 1, options, context);
}

}  // namespace dapple
