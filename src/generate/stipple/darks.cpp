#include "generate/stipple/darks.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <utility>

#include "dapple/error.hpp"
#include "field/blur.hpp"
#include "field/fill_rows.hpp"
#include "field/plane_sum.hpp"

namespace dapple::stippling {
namespace {

// A grid of the pixel centers with two more rows at each border: the plane's value, then -1.
class Grid {
 public:
  Grid(const Plane<float>& plane, float level) : plane_(plane), level_(level) {}

  int width() const { return plane_.width() + 4; }
  int height() const { return plane_.height() + 4; }
  bool inside(int i, int j) const { return value(i, j) > level_; }

  // Returns the index of the edge from a node to the next one, to the right or down.
  std::int64_t right_of(int i, int j) const { return 2 * (std::int64_t{j} * width() + i); }
  std::int64_t below(int i, int j) const { return right_of(i, j) + 1; }
  // Returns the place at which the level crosses an edge.
  Vec2 crossing(std::int64_t edge) const {
    const auto i = static_cast<int>(edge / 2 % width());
    const auto j = static_cast<int>(edge / 2 / width());
    const bool down = edge % 2 == 1;
    const Vec2 a = place(i, j);
    const Vec2 b = down ? place(i, j + 1) : place(i + 1, j);
    const auto from = static_cast<double>(value(i, j));
    const auto to = static_cast<double>(down ? value(i, j + 1) : value(i + 1, j));
    return a + (b - a) * std::clamp((static_cast<double>(level_) - from) / (to - from), 0.0, 1.0);
  }

 private:
  float value(int i, int j) const {
    if (i < 1 || j < 1 || i > width() - 2 || j > height() - 2) return -1;
    return plane_(std::clamp(i - 2, 0, plane_.width() - 1),
                  std::clamp(j - 2, 0, plane_.height() - 1));
  }
  Vec2 place(int i, int j) const {
    return {std::clamp(i - 1.5, 0.0, static_cast<double>(plane_.width())),
            std::clamp(j - 1.5, 0.0, static_cast<double>(plane_.height()))};
  }

  const Plane<float>& plane_;
  float level_;
};

// Drops corners that lie on the line between their neighbors.
std::vector<Vec2> simplified(const std::vector<Vec2>& ring) {
  std::vector<Vec2> out;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 before = out.empty() ? ring.back() : out.back();
    const Vec2 a = ring[i] - before;
    const Vec2 b = ring[(i + 1) % ring.size()] - ring[i];
    const bool straight = std::abs(a.x * b.y - a.y * b.x) < 1e-9 && a.x * b.x + a.y * b.y >= 0;
    if (!straight) out.push_back(ring[i]);
  }
  return out;
}

// Dots of one size that touch on a hexagonal lattice cover pi / sqrt(12) of the paper.
constexpr double packing_limit = 0.9069;
// Darkness at which the dots of a pen overlap so far that no paper shows between them.
constexpr float without_pinholes = 1.5f;
// Covered places and holes in them that are smaller than so many dots are left out.
constexpr double least_solid = 3;
constexpr double least_inverted = 45;
// Dots reach under solid places, so that no row of them along the border leaves a bright seam.
constexpr double under = 0.8;      // spacings over which the border is softened
constexpr float deep_from = 0.9f;  // share of softened cover from which there are fewer dots

double level_of(const StippleOptions& options) {
  return options.solid_blacks ? packing_limit : options.invert_darks;
}

// Returns the spacing of dots, in pixels, at the least darkness that is covered.
double spacing_of_dots(const Plane<float>& darkness, const StippleOptions& options,
                       const StippleLayout& layout, const Context& context) {
  const double least = std::max(0.05, level_of(options));
  if (options.dots == 0) {
    const double size = largest_dot(options, layout, std::min(darkness.width(), darkness.height()));
    return std::sqrt(std::numbers::pi / 4 / least) * size;
  }
  return std::sqrt(sum_of(darkness, context) / static_cast<double>(options.dots) / least);
}

double area_of(const std::vector<Vec2>& ring) {
  double twice = 0;
  for (std::size_t i = 0; i < ring.size(); ++i) {
    const Vec2 a = ring[i];
    const Vec2 b = ring[(i + 1) % ring.size()];
    twice += a.x * b.y - a.y * b.x;
  }
  return 0.5 * std::abs(twice);
}

}  // namespace

std::vector<std::vector<Vec2>> outlines_above(const Plane<float>& plane, float level,
                                              const Context& context) {
  const Grid grid(plane, level);
  // Marching squares (Lorensen and Cline 1987, in two dimensions). A piece joins the edge where a
  // walk around a cell enters the inside to the edge where it next leaves it.
  struct Piece {
    std::int64_t from, to;
    bool done = false;
  };
  std::vector<Piece> pieces;
  for (int j = 0; j + 1 < grid.height(); ++j) {
    if (j % 16 == 0) context.check();
    for (int i = 0; i + 1 < grid.width(); ++i) {
      const std::array<bool, 4> in{grid.inside(i, j), grid.inside(i + 1, j),
                                   grid.inside(i + 1, j + 1), grid.inside(i, j + 1)};
      if (in[0] == in[1] && in[1] == in[2] && in[2] == in[3]) continue;
      const std::array<std::int64_t, 4> edges{grid.right_of(i, j), grid.below(i + 1, j),
                                              grid.right_of(i, j + 1), grid.below(i, j)};
      for (std::size_t k = 0; k < 4; ++k) {
        if (in[k] || !in[(k + 1) % 4]) continue;
        std::size_t out = (k + 1) % 4;
        while (in[(out + 1) % 4]) out = (out + 1) % 4;
        pieces.push_back({edges[k], edges[out]});
      }
    }
  }
  std::sort(pieces.begin(), pieces.end(),
            [](const Piece& a, const Piece& b) { return a.from < b.from; });
  std::vector<std::vector<Vec2>> rings;
  for (Piece& first : pieces) {
    std::vector<Vec2> ring;
    for (Piece* piece = &first; !piece->done;) {
      piece->done = true;
      ring.push_back(grid.crossing(piece->from));
      piece = &*std::lower_bound(pieces.begin(), pieces.end(), piece->to,
                                 [](const Piece& p, std::int64_t edge) { return p.from < edge; });
    }
    ring = simplified(ring);
    if (ring.size() > 2) rings.push_back(std::move(ring));
  }
  return rings;
}

void check_covered(const StippleOptions& options, std::size_t inks) {
  const bool solid = options.solid_blacks;
  const auto needs = [&](bool met, const std::string& what) {
    if (!met) throw Error(ErrorKind::usage, Problem{solid ? "solid-blacks" : "invert-darks", what});
  };
  needs(inks == 1, "works with only one ink: give one color with `ink`");
  needs(options.path == DotPath::none,
        "draws dots, but `path tsp` draws a line: leave one of them out");
  needs(!options.progressive,
        "covers dark areas first, so the first dots are not a picture: leave `progressive` out");
  if (solid) {
    needs(options.shape == DotShape::disc || options.shape == DotShape::point,
          "covers blacks with ink, but `shape` draws outlines: use `shape` disc or point");
    needs(options.shape == DotShape::point ||
              (options.split == 1 && !options.tiles && options.from == 0),
          "covers areas, which `split`, `tiles` and `from` cannot divide: leave these out, or use "
          "`shape point` with a pen");
    return;
  }
  needs(options.method == StippleMethod::kernel,
        "works only with `method kernel`: leave `method` out");
  needs(options.shape == DotShape::disc,
        "needs filled dots in the color of the paper, which no pen can draw: leave `shape` out");
  needs(options.background != "none", "needs a color for the paper: give one with `background`");
  needs(!options.no_overlap && options.gap.value == 0,
        "draws dots on top of ink in dark areas: leave `no-overlap` and `gap` out");
}

CoveredDarks cover_darks(const Plane<float>& darkness, const StippleOptions& options,
                         const StippleLayout& layout, Context& context) {
  const double spacing = spacing_of_dots(darkness, options, layout, context);
  CoveredDarks made;
  made.rings = outlines_above(gaussian_blurred(darkness, spacing, context),
                              static_cast<float>(level_of(options)), context);
  std::erase_if(made.rings, [&](const std::vector<Vec2>& ring) {
    const double least = options.solid_blacks ? least_solid : least_inverted;
    return area_of(ring) < least * spacing * spacing;
  });
  if (made.rings.empty()) {
    made.dots = darkness;
    made.of_paper = Plane<float>(darkness.width(), darkness.height());
    return made;
  }
  Drawing covered;
  covered.width = darkness.width();
  covered.height = darkness.height();
  covered.layers.emplace_back();
  covered.layers.back().fills = made.rings;
  const Image picture = rasterize(covered, darkness.width(), darkness.height(), context);
  const bool by_pen = options.shape == DotShape::point;
  Plane<float> bare = made_of(darkness, context, [&](std::size_t i) {
    return srgb_to_linear(picture.channels[0].values()[i]);
  });
  if (options.solid_blacks && !by_pen) {
    bare = gaussian_blurred(bare, under * spacing, context);
    const auto values = bare.values();
    make_again(bare, context,
               [&](std::size_t i) { return std::min(1.0f, values[i] / (1 - deep_from)); });
  }
  made.dots = made_of(darkness, context, [&](std::size_t i) {
    const float b = bare.values()[i];
    const float d = darkness.values()[i];
    const float on_cover = by_pen ? without_pinholes : options.solid_blacks ? 0 : 1 - d;
    return (1 - b) * on_cover + b * d;
  });
  made.of_paper = made_of(darkness, context, [&](std::size_t i) {
    const float paper = (1 - bare.values()[i]) * (1 - darkness.values()[i]);
    return options.solid_blacks || !(paper > 0) ? 0 : paper / made.dots.values()[i];
  });
  if (by_pen) made.rings.clear();
  return made;
}

}  // namespace dapple::stippling
