// Makes the outputs of cell textures, row by row, from the results of searches (Worley 1996).
#include "generate/worley/outputs.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <iterator>

#include "core/random.hpp"
#include "core/text/number_text.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "generate/worley/bend/turned.hpp"
#include "generate/worley/material/material.hpp"
#include "generate/worley/planes.hpp"
#include "generate/worley/texture.hpp"

namespace dapple::cells {
namespace {

void need_nearest(const WorleyOptions&, OutputNeeds& needs) {
  needs.cells.nearest = true;
}
// Serves outputs that count the pixels of each cell.
void need_pixels(const WorleyOptions&, OutputNeeds& needs) {
  needs.cells.nearest = true;
  needs.whole = true;
}
void need_values(const WorleyOptions& options, OutputNeeds& needs) {
  needs.cells.nearest = true;
  needs.whole |= options.antialias;
}
void need_ranks(const WorleyOptions& options, OutputNeeds& needs) {
  need_values(options, needs);
  needs.ranks = true;
}
void need_colors(const WorleyOptions& options, OutputNeeds& needs) {
  need_values(options, needs);
  needs.whole |= options.colors.image != nullptr;
}
void need_edges(const WorleyOptions&, OutputNeeds& needs) {
  needs.edges = true;
}
void need_lines(const WorleyOptions& options, OutputNeeds& needs) {
  needs.edges = true;
  needs.whole |= options.antialias;
}
void need_corners(const WorleyOptions&, OutputNeeds& needs) {
  needs.corners = true;
}
void need_shapes(const WorleyOptions&, OutputNeeds& needs) {
  needs.cells.nearest = true;
  needs.shapes = true;
}
template <class T>
Plane<float> of_shapes(const Texture& texture, T CellShape::*part) {
  return texture.plane_of_cells(
      [&](std::int32_t id) { return texture.shapes[static_cast<std::size_t>(id)].*part; });
}

// Returns planes of both components of point(id).
template <class F>
Planes points_of_cells(const Texture& texture, const F& point) {
  return two([&] { return texture.plane_of_cells([&](std::int32_t id) { return point(id).x; }); },
             [&] { return texture.plane_of_cells([&](std::int32_t id) { return point(id).y; }); });
}

// Returns planes of value(id, channel); with --antialias, pixels mix the cells that share them.
template <class F>
Planes values_of_cells(const Texture& texture, std::size_t channels, const F& value) {
  if (texture.options.antialias) {
    return shared_out(texture.grid, 0, channels, value, texture.context);
  }
  Planes planes;
  for (std::size_t c = 0; c < channels; ++c) {
    planes.push_back(texture.plane_of_cells([&](std::int32_t id) { return value(id, c); }));
  }
  return planes;
}

// Half of the line lies on each side of the border. Its rim is one pixel soft, or exact.
Planes lines(const Texture& texture) {
  const float half = 0.5f * texture.pixels(texture.options.line_width);
  if (texture.options.antialias) {
    return shared_out(
        texture.grid, static_cast<double>(half), 1, [](std::int32_t, std::size_t) { return 1.0f; },
        texture.context);
  }
  return one(texture.plane_of(
      [&](int x, int y) { return std::clamp(texture.edges(x, y) - half + 0.5f, 0.0f, 1.0f); }));
}

Planes id(const Texture& texture) {
  return one(texture.plane_of_cells([](std::int32_t id) { return id; }));
}

Planes random(const Texture& texture) {
  const CellRandom number(texture.context.seed);
  return values_of_cells(texture, 1, [&](std::int32_t id, std::size_t) { return number.of(id); });
}

Planes second_random(const Texture& texture) {
  const CellRandom number(texture.context.seed, 200);
  return values_of_cells(texture, 1, [&](std::int32_t id, std::size_t) { return number.of(id); });
}

Planes rank(const Texture& texture) {
  return values_of_cells(texture, 1, [&](std::int32_t id, std::size_t) {
    return texture.ranks[static_cast<std::size_t>(id)];
  });
}

std::vector<std::int32_t> pixels_of_cells(const Texture& texture) {
  std::vector<std::int32_t> pixels(texture.grid.size());
  for (const std::int32_t id : texture.cells.nearest.plane.values()) {
    ++pixels[static_cast<std::size_t>(id)];
  }
  return pixels;
}

// Returns the mean of an image over the pixels of each cell; pictures are averaged in linear light.
Planes colors_of_image(const Texture& texture, const Image& image) {
  const auto along = [](int at, int pixels, int image_pixels) {
    return static_cast<int>((2 * std::int64_t{at} + 1) * image_pixels / (2 * std::int64_t{pixels}));
  };
  const std::vector<std::int32_t> pixels = pixels_of_cells(texture);
  std::array<std::vector<double>, 3> sums_of;
  for (std::size_t c = 0; c < 3; ++c) {
    const Plane<float>& plane = image.channels[image.channels.size() < 3 ? 0 : c];
    std::vector<double>& sums = sums_of[c];
    sums.resize(texture.grid.size());
    for (int y = 0; y < texture.height; ++y) {
      const float* row = plane.row(along(y, texture.height, image.slice_height()));
      for (int x = 0; x < texture.width; ++x) {
        const float value = row[along(x, texture.width, plane.width())];
        sums[static_cast<std::size_t>(texture.cells.nearest(x, y))] +=
            static_cast<double>(image.encoding == Encoding::srgb ? srgb_to_linear(value) : value);
      }
    }
  }
  return values_of_cells(texture, 3, [&](std::int32_t id, std::size_t c) {
    const auto i = static_cast<std::size_t>(id);
    return static_cast<float>(sums_of[c][i] / std::max(pixels[i], 1));
  });
}

Planes color(const Texture& texture) {
  if (texture.options.colors.image) return colors_of_image(texture, *texture.options.colors.image);
  const Random numbers(texture.context.seed, Stream::worley, 1);
  return values_of_cells(texture, 3, [&](std::int32_t id, std::size_t c) {
    // Takes 21 bits per component.
    const std::uint64_t bits = numbers.at(static_cast<std::uint64_t>(id)) >> (21 * c);
    return static_cast<float>(bits & 0x1fffff) * 0x1p-21f;
  });
}

Planes area(const Texture& texture) {
  const std::vector<std::int32_t> pixels = pixels_of_cells(texture);
  return one(texture.plane_of_cells(
      [&](std::int32_t id) { return pixels[static_cast<std::size_t>(id)]; }));
}

Planes position(const Texture& texture) {
  return points_of_cells(texture, [&](std::int32_t id) { return texture.grid.position(id); });
}

// Returns the mean place of the pixels of each cell, or the site if a cell has no pixel.
Planes centroid(const Texture& texture) {
  const Domain& domain = texture.grid.domain();
  const std::vector<std::int32_t> pixels = pixels_of_cells(texture);
  std::vector<Vec2> sums(texture.grid.size());
  for (int y = 0; y < texture.height; ++y) {
    for (int x = 0; x < texture.width; ++x) {
      const auto id = static_cast<std::size_t>(texture.cells.nearest(x, y));
      sums[id] = sums[id] - texture.way(x, y);
    }
  }
  for (std::size_t id = 0; id < sums.size(); ++id) {
    const Vec2 site = texture.grid.position(static_cast<std::int32_t>(id));
    sums[id] = domain.wrapped(site + sums[id] * (1.0 / std::max(pixels[id], 1)));
  }
  return points_of_cells(texture,
                         [&](std::int32_t id) { return sums[static_cast<std::size_t>(id)]; });
}

Planes vector(const Texture& texture) {
  return vectors(texture, [&](int x, int y) { return texture.way(x, y); });
}

Planes direction(const Texture& texture) {
  return vectors(texture, [&](int x, int y) {
    const Vec2 d = texture.way(x, y);
    // Divides by the length: multiplying by its reciprocal gives not quite length 1.
    return d == Vec2{} ? d : Vec2{d.x / length(d), d.y / length(d)};
  });
}

Planes uv(const Texture& texture) {
  return vectors(texture, [&](int x, int y) {
    const auto id = static_cast<std::size_t>(texture.cells.nearest(x, y));
    const double scale = 0.5 / static_cast<double>(texture.shapes[id].reach);
    const Vec2 d = texture.way(x, y) * scale;
    return Vec2{0.5 - d.x, 0.5 - d.y};
  });
}

constexpr auto rows_of_cells = std::to_array<Output>({
    {"edge", "", Span::distance, "distance to the nearest border between cells", need_edges,
     nullptr, [](Texture& t) -> Plane<float>& { return t.edges.plane; }},
    {"corner", "", Span::distance,
     "distance to the nearest place in the picture where three cells meet", need_corners, nullptr,
     [](Texture& t) -> Plane<float>& { return t.corners.plane; }},
    {"lines", "", Span::fraction, "0 on borders of width `line-width`, 1 inside cells", need_lines,
     lines, nullptr, PixelType::u8},
    {"id", "", Span::id, "index of the nearest site; the lowest index if several are equally near",
     need_nearest, id},
    {"random", "", Span::fraction, "a random number in [0, 1) per cell, from the seed", need_values,
     random},
    {"random2", "", Span::fraction, "a second random number per cell", need_values, second_random},
    {"rank", "", Span::fraction,
     "a number in [0, 1) per cell in progressive order: cells with similar numbers lie far apart",
     need_ranks, rank},
    {"color", "RGB", Span::color,
     "a random color per cell, the mean of `colors` in the cell, or what the look options paint",
     need_colors, color, nullptr, PixelType::u8},
    {"area", "", Span::count, "number of pixels in the cell", need_pixels, area},
    {"perimeter", "", Span::distance, "length of the cell's outline", need_shapes,
     [](const Texture& t) { return one(of_shapes(t, &CellShape::perimeter)); }},
    {"neighbors", "", Span::count, "number of borders with other cells", need_shapes,
     [](const Texture& t) { return one(of_shapes(t, &CellShape::neighbors)); }},
    {"radius", "", Span::distance,
     "radius of the largest disc around the site that stays in its cell", need_shapes,
     [](const Texture& t) { return one(of_shapes(t, &CellShape::radius)); }},
    {"position", "xy", Span::position, "position of the nearest site", need_nearest, position},
    {"centroid", "xy", Span::position, "mean position of the cell's pixels", need_pixels, centroid},
    {"vector", "xy", Span::way, "vector from the pixel to the nearest site", need_nearest, vector},
    {"direction", "xy", Span::direction,
     "direction to the nearest site, with length 1; 0 on the site", need_nearest, direction},
    {"uv", "xy", Span::color,
     "position in the cell: 0.5 at the site, 0..1 across a square around the cell", need_shapes,
     uv},
});

// Returns nullptr if no row has this name.
const Output* find_output(std::string_view name) {
  const auto rows = output_rows();
  const auto found =
      std::find_if(rows.begin(), rows.end(), [&](const Output& row) { return row.name == name; });
  return found == rows.end() ? nullptr : &*found;
}

// Converts a sum to the name of a channel. A `.` in it would start a layer.
std::string channel_of_sum(std::string text) {
  std::replace(text.begin(), text.end(), 'f', 'F');
  std::replace(text.begin(), text.end(), '.', '_');
  return text;
}

[[noreturn]] void refuse_output(const std::string& output) {
  std::vector<std::string> known{"f1", "f2", "f3", "f2-f1"};
  known.insert(known.end(), worley_outputs().begin(), worley_outputs().end());
  const std::string near = nearest_word(output, known);
  throw Error(ErrorKind::usage, "output '" + output + "' does not exist" +
                                    (near.empty() ? "" : "; did you mean '" + near + "'?"));
}

// Parses the sign and the factor in front of a distance.
std::optional<float> take_factor(std::string_view& text, bool first) {
  float sign = 1;
  if (!text.empty() && (text[0] == '-' || text[0] == '+')) {
    sign = text[0] == '-' ? -1.0f : 1.0f;
    text.remove_prefix(1);
  } else if (!first) {
    return {};
  }
  if (text.empty() || text[0] == '-') return {};
  float factor = 1;
  const auto [end, error] =
      read_number(text.data(), text.data() + text.size(), factor, std::chars_format::fixed);
  if (error == std::errc{} && std::isfinite(factor)) {
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    if (!text.empty() && text[0] == '*') text.remove_prefix(1);
  } else if (error != std::errc::invalid_argument || text[0] != 'f') {
    return {};
  } else {
    factor = 1;
  }
  return sign * factor;
}

// Returns k if the sum is one distance as a search found it.
std::optional<std::size_t> only_distance(const DistanceSum& sum) {
  std::optional<std::size_t> found;
  for (std::size_t k = 0; k < sum.factor.size(); ++k) {
    if (sum.factor[k] == 0) continue;
    if (found || sum.factor[k] != 1) return {};
    found = k;
  }
  return found;
}

Plane<float> add_up(const Texture& texture, const DistanceSum& sum) {
  return texture.plane_of([&](int x, int y) {
    float value = 0;
    for (std::size_t k = 0; k < sum.factor.size(); ++k) {
      if (sum.factor[k] != 0) value += sum.factor[k] * texture.cells.distance[k](x, y);
    }
    return value;
  });
}

}  // namespace

std::span<const Output> output_rows() {
  static const std::vector<Output> all = [] {
    std::vector<Output> both(rows_of_cells.begin(), rows_of_cells.end());
    for (const Output& row : surface_rows()) both.push_back(row);
    return both;
  }();
  return all;
}

std::optional<DistanceSum> parse_sum(std::string_view text) {
  DistanceSum sum;
  bool first = true;
  do {
    const std::optional<float> factor = take_factor(text, first);
    if (!factor || text.size() < 2 || text[0] != 'f' || text[1] < '1' ||
        text[1] >= '1' + static_cast<int>(most_distances)) {
      return {};
    }
    sum.factor[static_cast<std::size_t>(text[1] - '1')] += *factor;
    text.remove_prefix(2);
    first = false;
  } while (!text.empty());
  return sum;
}

AskedOutput parse_output(const std::string& text) {
  AskedOutput asked{find_output(text), {}, {}};
  if (asked.row == nullptr) {
    const auto sum = parse_sum(text);
    if (!sum) refuse_output(text);
    return {nullptr, *sum, {channel_of_sum(text)}};
  }
  if (asked.row->parts.empty()) asked.channels = {text};
  for (const char part : asked.row->parts) asked.channels.push_back(text + "." + part);
  return asked;
}

std::vector<AskedOutput> parse_outputs(std::span<const std::string> texts) {
  std::vector<AskedOutput> outputs;
  for (const std::string& text : texts) outputs.push_back(parse_output(text));
  return outputs;
}

OutputNeeds needs_of(std::span<const AskedOutput> outputs, const WorleyOptions& options) {
  if (outputs.empty())
    throw Error(ErrorKind::usage, Problem{"outputs", "is empty: name at least one output"});
  const Metric& metric = options.metric;
  if (options.antialias && (metric != Metric::euclidean || options.warp.value > 0)) {
    throw Error(ErrorKind::usage,
                "`antialias` works only with straight borders: leave `metric` and `warp` out");
  }
  OutputNeeds needs;
  needs.cells.metric = metric;
  needs.whole = options.warp.value > 0;
  for (const AskedOutput& output : outputs) {
    if (output.row != nullptr) output.row->need(options, needs);
    for (std::size_t k = 0; k < most_distances; ++k) {
      needs.cells.distances[k] |= output.sum.factor[k] != 0;
    }
    if (is_bent(options)) needs.whole = true;
    if ((metric != Metric::euclidean || is_bent(options)) && needs.edges) {
      needs.traced = true;
      needs.cells.nearest = true;
      needs.whole = true;
    }
    if (options.stretch != 1 && (needs.euclidean() || options.antialias)) {
      throw Error(ErrorKind::usage,
                  "`outputs " + std::string(output.row->name) +
                      "` does not work with stretched cells: leave `stretch` out");
    }
    if (metric != Metric::euclidean && needs.euclidean()) {
      throw Error(ErrorKind::usage, "`outputs " + std::string(output.row->name) +
                                        "` works only with Euclidean distance: leave `metric` out, "
                                        "or use edge, which works with every metric");
    }
  }
  return needs;
}

std::string output_of_channel(std::string_view name) {
  const std::string_view row = name.substr(0, name.find('.'));
  if (find_output(row) != nullptr) return std::string(row);
  // The channel shows a sum.
  std::string text(name);
  std::replace(text.begin(), text.end(), 'F', 'f');
  std::replace(text.begin(), text.end(), '_', '.');
  return text;
}

Span span_of_channel(std::string_view name) {
  const Output* row = find_output(name.substr(0, name.find('.')));
  return row ? row->span : Span::distance;
}

}  // namespace dapple::cells

namespace dapple {

using namespace cells;

std::span<const std::string_view> worley_outputs() {
  static const std::vector<std::string_view> names = [] {
    std::vector<std::string_view> all;
    for (const Output& row : output_rows()) all.push_back(row.name);
    return all;
  }();
  return names;
}

int worley_channels(std::span<const std::string> outputs) {
  std::size_t channels = 0;
  for (const AskedOutput& output : parse_outputs(outputs)) channels += output.channels.size();
  return static_cast<int>(channels);
}

}  // namespace dapple

namespace dapple::cells {

namespace {

Plane<std::uint32_t> whole_ids(const Texture& texture) {
  Plane<std::uint32_t> plane(texture.width, texture.rows.count());
  const std::span<const std::int32_t> found = texture.cells.nearest.plane.values();
  std::copy(found.begin(), found.end(), plane.values().begin());
  return plane;
}

// Notes that the last channel numbers sites; whole() makes their plane of integers if needed.
template <class Whole>
void mark_ids(Image& image, const WorleyOptions& options, const Whole& whole) {
  image.hints.labels.push_back(image.names.back());
  if (!options.whole_ids) return;
  image.hints.integers.resize(image.names.size());
  image.hints.integers.back() = whole();
}

}  // namespace

Image empty_pixel(const WorleyOptions& options) {
  Image image;
  image.encoding = Encoding::data;
  image.type = PixelType::f32;
  for (const AskedOutput& output : parse_outputs(options.outputs)) {
    image.names.insert(image.names.end(), output.channels.begin(), output.channels.end());
    if (output.row == nullptr || output.row->span != Span::id) continue;
    mark_ids(image, options, [] { return Plane<std::uint32_t>(1, 1); });
  }
  image.channels.assign(image.names.size(), Plane<float>(1, 1));
  if (!image.hints.integers.empty()) image.hints.integers.resize(image.names.size());
  return image;
}

Image take_image(Texture& texture) {
  Image image;
  image.encoding = Encoding::data;
  image.type = PixelType::f32;
  std::vector<std::pair<std::size_t, Plane<float>*>> searched;  // by channel
  for (const AskedOutput& output : texture.outputs) {
    image.names.insert(image.names.end(), output.channels.begin(), output.channels.end());
    const auto add_searched = [&](Plane<float>& plane) {
      searched.emplace_back(image.channels.size(), &plane);
      image.channels.emplace_back();
    };
    if (output.row == nullptr) {
      if (const auto k = only_distance(output.sum)) {
        add_searched(texture.cells.distance[*k].plane);
      } else {
        image.channels.push_back(add_up(texture, output.sum));
      }
    } else if (output.row->searched) {
      add_searched(output.row->searched(texture));
    } else {
      Planes planes = output.row->make(texture);
      std::move(planes.begin(), planes.end(), std::back_inserter(image.channels));
      if (output.row->span == Span::id) {
        mark_ids(image, texture.options, [&] { return whole_ids(texture); });
      }
    }
  }
  // Other outputs are made from these planes: they are moved last, and copied if named again.
  for (auto it = searched.begin(); it != searched.end(); ++it) {
    const bool again = std::any_of(it + 1, searched.end(),
                                   [&](const auto& other) { return other.second == it->second; });
    image.channels[it->first] = again ? *it->second : std::move(*it->second);
  }
  if (!image.hints.integers.empty()) image.hints.integers.resize(image.names.size());
  if (texture.heights.known()) {
    Extremes scaled = texture.heights;
    scaled.lowest *= texture.height_factor();
    scaled.highest *= texture.height_factor();
    note_full_height(image, scaled, texture.options, texture.unit());
  }
  return image;
}

}  // namespace dapple::cells
