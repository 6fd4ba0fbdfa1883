#include "analyze/sheet/filling_sheet.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_map>

#include "analyze/sheet/canvas.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"
#include "dapple/plane.hpp"

namespace dapple {
namespace {

using Kind = FillingStep::Kind;
using Color = std::array<float, 3>;

constexpr const char* open_color = "#f8dcc0";
constexpr const char* covered_color = "#dcebee";
constexpr const char* grid_color = "#9dbcc6";
constexpr const char* point_color = "#22282c";
constexpr const char* active_color = "#c8540f";
constexpr const char* ring_color = "#0f6478";
constexpr const char* refused_color = "#7f8385";
constexpr const char* tried_color = "#a3182f";
constexpr const char* looked_color = "#f6e27a";

// Cells below this size, in pixels, are drawn as a grid, but searched cells are not marked.
constexpr double least_cell = 14;

// A set after a number of steps.
struct Moment {
  std::vector<char> there;             // by place: true if it is in the set
  std::vector<char> active;            // by place: true if the set grows from it
  std::vector<std::uint32_t> refused;  // refused just before the last change, or after it
  std::uint32_t from = FillingStep::nowhere;
  std::uint32_t tried = FillingStep::nowhere;  // the last candidate
  std::vector<std::uint32_t> next;             // points that are removed next
  const std::vector<Box>* squares = nullptr;
  std::size_t points = 0;
  std::size_t growing = 0;
};

Moment moment_of(const Filling& filling, std::size_t steps) {
  Moment now;
  now.there.resize(filling.places.size());
  now.active.resize(filling.places.size());
  bool changed = false;
  for (std::size_t i = 0; i < steps; ++i) {
    const auto& [kind, index, from] = filling.steps[i];
    if (changed) now.refused.clear();
    changed = kind != Kind::refused && kind != Kind::searched;
    if (kind != Kind::searched) now.from = from;
    const bool thrown = kind == Kind::placed || kind == Kind::refused;
    if (thrown && filling.together == 0) now.tried = index;
    switch (kind) {
      case Kind::placed:
        now.there[index] = 1;
        ++now.points;
        if (filling.grows) {
          now.active[index] = 1;
          ++now.growing;
        }
        break;
      case Kind::removed:
        now.there[index] = 0;
        --now.points;
        break;
      case Kind::given_up:
        now.active[index] = 0;
        --now.growing;
        break;
      case Kind::refused:
        now.refused.push_back(index);
        break;
      case Kind::searched:
        now.squares = &filling.squares[index];
        break;
    }
  }
  for (std::size_t i = steps; i < filling.steps.size() && 25 * now.next.size() < now.points; ++i) {
    if (filling.steps[i].kind == Kind::removed) now.next.push_back(filling.steps[i].index);
  }
  return now;
}

// Pixels of a domain. Distances are in pixels.
class Canvas {
 public:
  Canvas(const Domain& domain, int width)
      : wrap_(domain.wrap),
        scale_(width / domain.width),
        width_(width),
        height_(std::max(1, static_cast<int>(std::lround(domain.height * scale_)))) {}

  int width() const { return width_; }
  int height() const { return height_; }
  double scale() const { return scale_; }

  // Calls visit(x, y, distance) for pixels whose centers are within `reach` of the place.
  template <class Visit>
  void near(Vec2 place, double reach, Visit&& visit) const {
    const Vec2 at = place * scale_;
    const auto [x0, x1] = span_of(at.x, reach, width_);
    const auto [y0, y1] = span_of(at.y, reach, height_);
    for (int y = y0; y < y1; ++y) {
      for (int x = x0; x < x1; ++x) {
        const double d = length(Vec2{x + 0.5, y + 0.5} - at);
        if (d <= reach) visit(inside(x, width_), inside(y, height_), d);
      }
    }
  }

  // Lowers the distance of each pixel to its distance from the place, up to `reach`.
  void lower(Plane<float>& distances, Vec2 place, double reach) const {
    near(place, reach, [&](int x, int y, double d) {
      distances(x, y) = std::min(distances(x, y), static_cast<float>(d));
    });
  }
  Plane<float> far() const { return {width_, height_, std::numeric_limits<float>::infinity()}; }

 private:
  // Returns the pixels within reach: on a torus each at most once, otherwise only pixels inside.
  std::pair<int, int> span_of(double at, double reach, int size) const {
    const double low = std::floor(at - std::min<double>(reach, size));
    const auto from = static_cast<int>(low);
    const int to = static_cast<int>(std::ceil(at + std::min<double>(reach, size))) + 1;
    if (!wrap_) return {std::max(from, 0), std::min(to, size)};
    if (to - from <= size) return {from, to};
    const auto half = static_cast<int>(std::floor(at - 0.5 * size));
    return {half, half + size};
  }
  static int inside(int i, int size) { return i < 0 ? i + size : i < size ? i : i - size; }

  bool wrap_;
  double scale_;
  int width_;
  int height_;
};

class Paint {
 public:
  explicit Paint(const Canvas& canvas) : canvas_(canvas) {
    const Color color = parse_color(open_color);
    for (const float v : color) picture_.channels.emplace_back(canvas.width(), canvas.height(), v);
    picture_.names = {"R", "G", "B"};
    picture_.encoding = Encoding::srgb;
  }

  void blend(int x, int y, const Color& color, double part) {
    for (std::size_t c = 0; c < 3; ++c) {
      float& v = picture_.channels[c](x, y);
      v += static_cast<float>(std::clamp(part, 0.0, 1.0)) * (color[c] - v);
    }
  }
  // Draws discs of this radius, in pixels, around the points that `distances` measure from.
  void discs(const Plane<float>& distances, double radius, const char* name) {
    const Color color = parse_color(name);
    for (int y = 0; y < canvas_.height(); ++y) {
      for (int x = 0; x < canvas_.width(); ++x) {
        const double cover = radius + 0.5 - static_cast<double>(distances(x, y));
        if (cover > 0) blend(x, y, color, cover);
      }
    }
  }
  void ring(Vec2 middle, double radius, const char* name = ring_color) {
    const Color color = parse_color(name);
    canvas_.near(middle, radius + 2, [&](int x, int y, double d) {
      const double cover = 1.1 - std::abs(d - radius);
      if (cover > 0) blend(x, y, color, cover);
    });
  }
  void grid(double cell) {
    const Color color = parse_color(grid_color);
    const auto to_line = [cell](int i) {
      return std::abs(i + 0.5 - cell * std::round((i + 0.5) / cell));
    };
    for (int y = 0; y < canvas_.height(); ++y) {
      for (int x = 0; x < canvas_.width(); ++x) {
        const double cover = 1 - std::min(to_line(x), to_line(y));
        if (cover > 0) blend(x, y, color, 0.6 * cover);
      }
    }
  }
  // Marks the cells that may hold a point too near to the place. These are at most two cells away,
  // except corners, which are at least a cell's diagonal away.
  void cells_around(Vec2 place, double cell) {
    const Color color = parse_color(looked_color);
    const auto number = [cell](double at) { return static_cast<int>(std::floor(at / cell)); };
    const Vec2 at = place * canvas_.scale();
    for (int y = 0; y < canvas_.height(); ++y) {
      const int down = std::abs(number(y + 0.5) - number(at.y));
      for (int x = 0; x < canvas_.width(); ++x) {
        const int across = std::abs(number(x + 0.5) - number(at.x));
        if (std::max(across, down) <= 2 && across + down < 4) blend(x, y, color, 0.4);
      }
    }
  }
  // Draws the edges of squares; neighbors share an edge. Faintly tints covered places inside the
  // squares, so that gaps stand out.
  void squares(const std::vector<Box>& boxes, const Plane<float>& distances, double radius) {
    const Color color = parse_color(ring_color);
    const auto pixels = [&](double from, double to, int size) {
      const auto at = [&](double v) {
        return std::clamp(static_cast<int>(v * canvas_.scale()), 0, size - 1);
      };
      return std::pair{at(from), at(to)};
    };
    constexpr char inside = 1;
    constexpr char edge = 2;
    Plane<char> marks(canvas_.width(), canvas_.height(), 0);
    for (const Box& box : boxes) {
      const auto [x0, x1] = pixels(box.x0, box.x1, canvas_.width());
      const auto [y0, y1] = pixels(box.y0, box.y1, canvas_.height());
      for (int y = y0; y <= y1; ++y) {
        for (int x = x0; x <= x1; ++x) {
          const bool at_edge = x == x0 || x == x1 || y == y0 || y == y1;
          marks(x, y) = std::max(marks(x, y), at_edge ? edge : inside);
        }
      }
    }
    for (int y = 0; y < canvas_.height(); ++y) {
      for (int x = 0; x < canvas_.width(); ++x) {
        const bool open = static_cast<double>(distances(x, y)) > radius;
        if (marks(x, y) == edge) blend(x, y, color, 0.7);
        if (marks(x, y) == inside && !open) blend(x, y, color, 0.14);
      }
    }
  }

  Image finish() { return std::move(picture_); }

 private:
  const Canvas& canvas_;
  Image picture_;
};

// The color of each pixel, as 0xrrggbb.
using Colors = std::vector<std::uint32_t>;

Colors colors_of(const Image& image) {
  Colors colors(image.channels[0].size());
  for (const Plane<float>& plane : image.channels) {
    const auto values = plane.values();
    for (std::size_t i = 0; i < values.size(); ++i) {
      const float v = std::clamp(values[i], 0.0f, 1.0f) * 255 + 0.5f;
      colors[i] = colors[i] << 8 | static_cast<std::uint32_t>(v);
    }
  }
  return colors;
}

int part_of(std::uint32_t color, int channel) {
  return static_cast<int>(color >> (16 - 8 * channel) & 255);
}

int difference(std::uint32_t a, std::uint32_t b) {
  int sum = 0;
  for (int c = 0; c < 3; ++c) {
    const int by = part_of(a, c) - part_of(b, c);
    sum += by * by;
  }
  return sum;
}

// Calls visit(first, last) for each run [first, last) of pixels of one color.
template <class Visit>
void for_runs(const Colors& picture, Visit&& visit) {
  for (std::size_t first = 0; first < picture.size();) {
    std::size_t last = first + 1;
    while (last < picture.size() && picture[last] == picture[first]) ++last;
    visit(first, last);
    first = last;
  }
}

// Keeps the most frequent colors and replaces each other color by the nearest of these. This
// affects only the shades of edges.
Movie of_few_colors(std::span<const Colors> pictures) {
  constexpr std::size_t most = 255;
  std::unordered_map<std::uint32_t, std::size_t> seen;
  for (const Colors& picture : pictures) {
    for_runs(picture,
             [&](std::size_t first, std::size_t last) { seen[picture[first]] += last - first; });
  }
  std::vector<std::pair<std::uint32_t, std::size_t>> order(seen.begin(), seen.end());
  std::sort(order.begin(), order.end(), [](const auto& a, const auto& b) {
    return a.second != b.second ? a.second > b.second : a.first < b.first;
  });
  const std::span kept(order.data(), std::min(order.size(), most));
  Movie movie;
  for (const auto& [color, times] : kept) {
    std::array<std::uint8_t, 3>& bytes = movie.palette.emplace_back();
    for (int c = 0; c < 3; ++c) {
      bytes[static_cast<std::size_t>(c)] = static_cast<std::uint8_t>(part_of(color, c));
    }
  }
  std::unordered_map<std::uint32_t, std::uint8_t> becomes;
  for (const auto& entry : order) {
    const std::uint32_t color = entry.first;
    const auto nearest =
        std::min_element(kept.begin(), kept.end(), [color](const auto& a, const auto& b) {
          return difference(a.first, color) < difference(b.first, color);
        });
    becomes[color] = static_cast<std::uint8_t>(nearest - kept.begin());
  }
  for (const Colors& picture : pictures) {
    std::vector<std::uint8_t>& frame = movie.frames.emplace_back(picture.size());
    for_runs(picture, [&](std::size_t first, std::size_t last) {
      std::fill(frame.begin() + static_cast<std::ptrdiff_t>(first),
                frame.begin() + static_cast<std::ptrdiff_t>(last), becomes[picture[first]]);
    });
  }
  return movie;
}

// A panel: a set after a number of steps.
struct Cell {
  const Filled* set;
  std::size_t steps;
};

struct Layout {
  int columns;
  int width;  // of a panel, px
};

bool looks_at_cells(const Filling& filling, int width) {
  return filling.grows &&
         filling.radius * width / filling.domain.width / std::numbers::sqrt2 >= least_cell;
}

constexpr double between = 18;
constexpr double head = 22;  // above a panel, for its name
constexpr double foot = 48;  // below it, for its figures

struct Sign {
  const char* color;
  const char* words;
  bool shown;
};

Image draw_cells(const std::vector<Cell>& cells, const Layout& layout, Context& context) {
  const Domain& domain = cells.front().set->filling.domain;
  const Canvas shape(domain, layout.width);
  const auto columns = static_cast<std::size_t>(layout.columns);
  const std::size_t lines = (cells.size() + columns - 1) / columns;
  const auto rows = static_cast<double>(lines);
  const double row = head + shape.height() + foot;
  const double top = margin + 44;
  const double width =
      std::max(560.0, 2 * margin + layout.columns * (layout.width + between) - between);
  const double height = std::round(top + rows * row + 34 + margin / 2);
  context.require_pixels(static_cast<int>(width), static_cast<int>(std::min(height, 1e9)),
                         "the sheet");
  Sheet sheet(width, height, "How points fill a plane", "dapple compare");
  bool grows = false;
  bool searches = false;
  bool thins = false;
  bool looks = false;
  for (std::size_t i = 0; i < cells.size(); ++i) {
    context.check();
    const auto& [set, steps] = cells[i];
    if (set == nullptr) continue;
    const Filling& filling = set->filling;
    const double x = margin + static_cast<double>(i % columns) * (layout.width + between);
    const std::size_t line = i / columns;
    const double y = top + static_cast<double>(line) * row;
    if (i % columns == 0 || cells[i - 1].set != set) {
      sheet.text(dark, set->name, {x, y + 12}, 10, TextAlign::left, 1.4);
    }
    sheet.show(filling_panel(filling, steps, layout.width), {x, y + head});
    const double below = y + head + shape.height();
    const Moment now = moment_of(filling, steps);
    sheet.text(accent, brief(static_cast<double>(now.points)) + " points", {x, below + 15}, 8.5,
               TextAlign::left, 1.15);
    const double share = open_share(filling, steps);
    const double digits = share < 0.01 ? 100 : 10;  // a small open share is not shown as 0
    const double open = std::round(100 * digits * share) / digits;
    sheet.text(warm, "open " + brief(open) + " %", {x + layout.width, below + 15}, 8.5,
               TextAlign::right, 1.15);
    if (filling.grows) {
      sheet.text(gray, brief(static_cast<double>(now.growing)) + " active", {x, below + 29}, 8.5,
                 TextAlign::left, 1.05);
    }
    grows |= filling.grows;
    searches |= !filling.squares.empty();
    thins |= filling.together > 0;
    looks |= looks_at_cells(filling, layout.width);
  }
  const std::array<Sign, 8> signs{{{open_color, "open", true},
                                   {covered_color, "nearer than r to a point", true},
                                   {point_color, "point", true},
                                   {active_color,
                                    grows && thins ? "active point, who goes next"
                                    : thins        ? "who goes next"
                                                   : "active point",
                                    grows || thins},
                                   {refused_color, "refused candidate", grows || searches},
                                   {ring_color,
                                    searches && grows ? "ring r to 2 r, square to search"
                                    : searches        ? "square to search"
                                                      : "ring r to 2 r",
                                    grows || searches},
                                   {tried_color, "round the last candidate", grows || searches},
                                   {looked_color, "cells to look in", looks}}};
  double x = margin;
  double y = top + rows * row + 8;
  for (const Sign& sign : signs) {
    if (!sign.shown) continue;
    const double wide = 16 + lettering_width(sign.words, 8.5) + 22;
    if (x + wide - 22 > width - margin) {
      x = margin;
      y += 17;
    }
    Image swatch;
    for (const float v : parse_color(sign.color)) swatch.channels.emplace_back(10, 10, v);
    sheet.show(swatch, {x, y});
    sheet.text(gray, sign.words, {x + 16, y + 9}, 8.5, TextAlign::left, 1.05);
    x += wide;
  }
  return sheet.finish(context);
}

void require_sets(std::span<const Filled> sets, int frames) {
  if (sets.empty() || frames < 1)
    throw Error(ErrorKind::usage, "there is nothing to show: give at least one set and one frame");
}

}  // namespace

void describe(FillingOptions& options, OptionList& list) {
  list.add("animate", options.animate,
           "Show how each method fills the plane, step by step: as an animation (.apng), or with "
           "its frames side by side");
  list.add("frames", options.frames,
           "Number of pictures up to the finished set; an animation starts with the empty plane; "
           "0: 6 side by side, 60 in an animation")
      .range(0, 1000);
}

std::vector<Vec2> points_after(const Filling& filling, std::size_t steps) {
  const Moment now = moment_of(filling, steps);
  std::vector<Vec2> points;
  for (std::size_t i = 0; i < now.there.size(); ++i) {
    if (now.there[i] != 0) points.push_back(filling.places[i]);
  }
  return points;
}

double open_share(const Filling& filling, std::size_t steps) {
  const double across = 256 * filling.domain.width / filling.domain.height;
  const Canvas canvas(filling.domain, std::clamp(static_cast<int>(std::lround(across)), 1, 4096));
  Plane<float> distances = canvas.far();
  const double reach = filling.radius * canvas.scale();
  for (const Vec2& p : points_after(filling, steps)) canvas.lower(distances, p, reach);
  const auto open = std::count_if(distances.values().begin(), distances.values().end(),
                                  [](float d) { return std::isinf(d); });
  return static_cast<double>(open) / static_cast<double>(distances.size());
}

Image filling_panel(const Filling& filling, std::size_t steps, int width) {
  const Canvas canvas(filling.domain, width);
  const Moment now = moment_of(filling, steps);
  const double reach = filling.radius * canvas.scale();
  const double dot = std::clamp(0.16 * reach, 1.1, 5.0);
  Plane<float> all = canvas.far();
  Plane<float> active = canvas.far();
  for (std::size_t i = 0; i < filling.places.size(); ++i) {
    if (now.there[i] == 0) continue;
    canvas.lower(all, filling.places[i], std::max(reach, dot) + 1);
    if (now.active[i] != 0) canvas.lower(active, filling.places[i], dot + 1);
  }
  for (const std::uint32_t i : now.next) canvas.lower(active, filling.places[i], dot + 1);
  Paint paint(canvas);
  paint.discs(all, reach, covered_color);
  const bool under_way = steps > 0 && steps < filling.steps.size();
  const double cell = reach / std::numbers::sqrt2;
  if (under_way && looks_at_cells(filling, width) && now.tried != FillingStep::nowhere) {
    paint.cells_around(filling.places[now.tried], cell);
  }
  if (under_way && filling.grows && cell >= 4) paint.grid(cell);
  if (under_way && now.squares != nullptr) paint.squares(*now.squares, all, reach);
  if (under_way && filling.grows && now.from != FillingStep::nowhere) {
    paint.ring(filling.places[now.from], reach);
    paint.ring(filling.places[now.from], 2 * reach);
  }
  if (under_way) {
    Plane<float> refused = canvas.far();
    for (const std::uint32_t i : now.refused) canvas.lower(refused, filling.places[i], dot + 1);
    paint.discs(refused, 0.7 * dot, refused_color);
  }
  paint.discs(all, dot, point_color);
  paint.discs(active, dot, active_color);
  if (under_way && now.tried != FillingStep::nowhere) {
    paint.ring(filling.places[now.tried], dot + 2.5, tried_color);
  }
  return paint.finish();
}

Image filling_sheet(std::span<const Filled> sets, int frames, Context& context) {
  require_sets(sets, frames);
  const auto stage = context.stage("sheet");
  // Each method has a row, or several rows if one would be too long.
  constexpr int most = 6;
  const int lines = (frames + most - 1) / most;
  const int columns = (frames + lines - 1) / lines;
  std::vector<Cell> cells;
  for (const Filled& set : sets) {
    for (const std::size_t steps : filling_frames(set.filling, frames, false)) {
      cells.push_back({&set, steps});
    }
    while (cells.size() % static_cast<std::size_t>(columns) != 0) cells.push_back({nullptr, 0});
  }
  Image sheet = draw_cells(cells, {columns, std::clamp(1150 / columns - 18, 190, 340)}, context);
  const Colors colors = colors_of(sheet);
  const Movie still = of_few_colors({&colors, 1});
  for (std::size_t i = 0; i < colors.size(); ++i) {
    const auto& bytes = still.palette[still.frames[0][i]];
    for (std::size_t c = 0; c < 3; ++c) {
      sheet.channels[c].values()[i] = static_cast<float>(bytes[c]) / 255;
    }
  }
  sheet.hints.palette = still.palette;
  return sheet;
}

Movie filling_movie(std::span<const Filled> sets, int frames, Context& context) {
  require_sets(sets, frames);
  const auto stage = context.stage("sheet");
  std::vector<std::vector<std::size_t>> ends;
  for (const Filled& set : sets) ends.push_back(filling_frames(set.filling, frames));
  const int columns = static_cast<int>(std::min<std::size_t>(sets.size(), 3));
  std::vector<Colors> pictures;
  Image picture;
  for (std::size_t f = 0; f < static_cast<std::size_t>(frames); ++f) {
    std::vector<Cell> cells;
    for (std::size_t i = 0; i < sets.size(); ++i) cells.push_back({&sets[i], ends[i][f]});
    picture = draw_cells(cells, {columns, 280}, context);
    if (f == 0) {
      context.require_memory(5.0 * frames * static_cast<double>(picture.channels[0].size()),
                             "this many frames");
    }
    pictures.push_back(colors_of(picture));
    context.progress(static_cast<double>(f) / frames);
  }
  Movie movie = of_few_colors(pictures);
  movie.width = picture.width();
  movie.height = picture.height();
  return movie;
}

}  // namespace dapple
