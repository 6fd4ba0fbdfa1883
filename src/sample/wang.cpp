// Makes interchangeable tiles of points: corner tiles (Lagae, Dutre 2006), a simpler form of the
// edge tiles of Cohen, Shade, Hiller and Deussen (2003).
//
// Differences: points come first in squares around the corners, by the color of the corner. Strips
// along the edges follow, by the colors of both ends, and then the inside. Each part is filled
// until no point fits between the earlier ones. Parts that do not know each other are a radius
// apart. Every arrangement thus keeps the distance r and leaves no gap, exactly.
#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "core/preconditions.hpp"
#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/sample.hpp"
#include "dapple/units.hpp"
#include "sample/darts/darts.hpp"

namespace dapple {
namespace {

// Gives each part a seed of its own, during the lifetime of the object.
class PartSeed {
 public:
  PartSeed(Context& context, std::uint64_t part) : context_(context), seed_(context.seed) {
    context.seed = Random(seed_, Stream::wang).at(part) >> 1;
  }
  ~PartSeed() { context_.seed = seed_; }
  PartSeed(const PartSeed&) = delete;
  PartSeed& operator=(const PartSeed&) = delete;

 private:
  Context& context_;
  std::uint64_t seed_;
};

void append(Points& to, const Points& from, Vec2 shift) {
  for (std::size_t i = 0; i < from.size(); ++i) to.add(from[i] + shift, from.radius[i]);
}

class Tiles {
 public:
  Tiles(double side, double radius, int colors, Context& context)
      : side_(side), radius_(radius), colors_(colors), context_(context) {
    // Regions end on borders of cells, so a map of cells can describe the inside.
    cells_ = std::clamp(static_cast<int>(std::ceil(16 * side / radius)), 16, 1024);
    const double cell = side / cells_;
    const double r = radius * (1 + 1e-5);
    strip_ = cell * std::ceil(0.5 * r / cell);
    corner_ = cell * std::ceil((strip_ + std::sqrt(0.5) * r) / cell);
    if (2 * corner_ + r > side) {
      throw Error(ErrorKind::limit, "tiles of " + shortest(side) +
                                        " pixels are too small for a radius of " +
                                        shortest(radius) + ": use at least " +
                                        shortest(std::ceil(3.6 * radius)) + " pixels");
    }
    for (int c = 0; c < colors; ++c) corners_.push_back(corner(c));
    for (int ends = 0; ends < colors * colors; ++ends) {
      across_.push_back(edge(ends, true));
      down_.push_back(edge(ends, false));
    }
  }

  // Returns a tile with these corners: top left, top right, bottom left, bottom right.
  Points tile(const std::array<int, 4>& c, int index) {
    Points fixed;
    const double s = side_;
    for (std::size_t i = 0; i < 4; ++i) {
      append(fixed, corners_[static_cast<std::size_t>(c[i])], {i % 2 == 0 ? 0 : s, i < 2 ? 0 : s});
    }
    append(fixed, across_[ends(c[0], c[1])], {0, 0});
    append(fixed, across_[ends(c[2], c[3])], {0, s});
    append(fixed, down_[ends(c[0], c[2])], {0, 0});
    append(fixed, down_[ends(c[1], c[3])], {s, 0});

    Plane<float> inside(cells_, cells_, static_cast<float>(radius_));
    const double cell = side_ / cells_;
    const int strip = static_cast<int>(std::lround(strip_ / cell));
    const int corner = static_cast<int>(std::lround(corner_ / cell));
    for (int y = 0; y < cells_; ++y) {
      for (int x = 0; x < cells_; ++x) {
        const int nearer = std::min({x, y, cells_ - 1 - x, cells_ - 1 - y});
        const int farther = std::max(std::min(x, cells_ - 1 - x), std::min(y, cells_ - 1 - y));
        if (nearer < strip || farther < corner) {
          inside(x, y) = std::numeric_limits<float>::infinity();
        }
      }
    }
    const DensityField field =
        DensityField::from_radius(std::move(inside), {s, s, false}, std::nullopt);
    const PartSeed seed(context_, 1000 + static_cast<std::uint64_t>(index));
    Points points = darts(field, ConflictRule::mean, nullptr, context_, &fixed);
    for (std::size_t i = 0; i < fixed.size(); ++i) {
      if (Domain{s, s}.contains(fixed[i])) points.add(fixed[i], fixed.radius[i]);
    }
    return points;
  }

 private:
  std::size_t ends(int first, int second) const {
    return static_cast<std::size_t>(first * colors_ + second);
  }

  // Fills a box around `fixed`, which is in the coordinates of the box.
  Points filled(double width, double height, const Points& fixed, std::uint64_t part) {
    const PartSeed seed(context_, part);
    const DensityField field = DensityField::constant({width, height, false}, radius_);
    return darts(field, ConflictRule::mean, nullptr, context_, &fixed);
  }

  // Returns the points around a corner, which is the origin.
  Points corner(int color) {
    Points points;
    append(points, filled(2 * corner_, 2 * corner_, {}, static_cast<std::uint64_t>(color)),
           {-corner_, -corner_});
    return points;
  }

  // Returns the points along an edge that begins at the origin.
  Points edge(int colors, bool across) {
    const Vec2 from = across ? Vec2{corner_, -strip_} : Vec2{-strip_, corner_};
    const Vec2 end = across ? Vec2{side_, 0} : Vec2{0, side_};
    Points fixed;
    append(fixed, corners_[static_cast<std::size_t>(colors / colors_)], from * -1);
    append(fixed, corners_[static_cast<std::size_t>(colors % colors_)], end - from);
    const double length = side_ - 2 * corner_;
    Points points;
    append(points,
           filled(across ? length : 2 * strip_, across ? 2 * strip_ : length, fixed,
                  100 + static_cast<std::uint64_t>(2 * colors + (across ? 1 : 0))),
           from);
    return points;
  }

  double side_;
  double radius_;
  int colors_;
  Context& context_;
  int cells_ = 0;
  double strip_ = 0;   // half the width of the strip along an edge: interiors are 2 of it apart
  double corner_ = 0;  // half the side of the square around a corner
  std::vector<Points> corners_, across_, down_;
};

// Returns the color of a corner of the sheet. It repeats; every 2x2 block of corners occurs once.
int sheet_color(int colors, int x, int y) {
  if (colors == 2) {
    static constexpr std::array<std::string_view, 4> rows{"0010", "0001", "0111", "1011"};
    return rows[static_cast<std::size_t>(y % 4)][static_cast<std::size_t>(x % 4)] - '0';
  }
  // Each row is the same cycle of all pairs, shifted by 0 + 1 + ... + y. Each two neighboring rows
  // thus have a different shift against each other.
  static constexpr std::string_view cycle = "001102122";
  y %= 9;
  return cycle[static_cast<std::size_t>((x + y * (y - 1) / 2) % 9)] - '0';
}

std::string table_row(int index, const std::array<int, 4>& c, int x, int y) {
  std::string text = "{\"class\": " + std::to_string(index) + ", \"corners\": [";
  for (const int& color : c) text += std::to_string(color) + (&color == &c.back() ? "" : ", ");
  return text + "], \"column\": " + std::to_string(x) + ", \"row\": " + std::to_string(y) + "}";
}

}  // namespace

Points wang_tiles(double side, double radius, int colors, Context& context) {
  require_above_0("the side of a tile", side);
  require_above_0("the radius of points", radius);
  if (colors != 2 && colors != 3) {
    throw Error(ErrorKind::usage,
                "Wang tiles need 2 or 3 corner colors, not " + std::to_string(colors));
  }
  const int across = colors * colors;
  context.require_memory(across * across * side * side / (radius * radius) * 90, "a set of tiles");
  const auto stage = context.outermost("sample");
  // There are fewer corners and edges than tiles, and they come first.
  constexpr double rims = 0.1;
  Tiles tiles = [&] {
    const auto part = context.part(0, rims);
    return Tiles(side, radius, colors, context);
  }();
  context.progress(rims);
  Points sheet;
  sheet.domain = {across * side, across * side, true};
  std::string table = "{\"size\": " + shortest(side) + ", \"radius\": " + shortest(radius) +
                      ", \"colours\": " + std::to_string(colors) + ", \"tiles\": [";
  for (int y = 0; y < across; ++y) {
    for (int x = 0; x < across; ++x) {
      std::array<int, 4> c{};
      int index = 0;
      for (std::size_t i = 0; i < 4; ++i) {
        c[i] = sheet_color(colors, x + static_cast<int>(i % 2), y + static_cast<int>(i / 2));
        index = index * colors + c[i];
      }
      const double each = (1 - rims) / (across * across);
      const auto part =
          context.part(rims + each * (y * across + x), rims + each * (y * across + x + 1));
      const Points points = tiles.tile(c, index);
      append(sheet, points, {x * side, y * side});
      sheet.class_id.resize(sheet.size(), index);
      table += (x + y > 0 ? ", " : "") + table_row(index, c, x, y);
    }
  }
  // The sheet wraps, so rounding must not put a point beyond its far side.
  for (std::size_t i = 0; i < sheet.size(); ++i) {
    sheet.x[i] = std::min(sheet.x[i], std::nextafter(sheet.domain.width, 0.0));
    sheet.y[i] = std::min(sheet.y[i], std::nextafter(sheet.domain.height, 0.0));
  }
  sheet.metadata.emplace_back("tiles", table + "]}");
  context.progress(1);
  return sheet;
}

}  // namespace dapple
