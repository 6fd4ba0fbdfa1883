// Builds and links the tiles. Cells are the pixels of the map, halved or doubled as often as the
// radius requires. From one pixel downwards, no cell thus straddles a pixel edge.
#include "sample/darts/tiles.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>

#include "core/random.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "sample/conflict.hpp"
#include "sample/regions/region_set.hpp"

namespace dapple {
namespace {

// Largest width of a cell, in smallest radii. Smaller cells throw more darts before the fill.
constexpr double cell_ratio = 1.41;
// Limit of the mean number of links. A tile sees 10 to 40 others on maps whose slope is limited.
constexpr std::size_t most_links = 160;
// Ratio of radii above which two neighbors are at a jump.
constexpr double jump = 4;
constexpr std::size_t most_in_block = 128;

// Returns the distance that two points keep at most.
double reach_of(ConflictRule rule, double a, double b) {
  if (rule == capped_mean) return conflict_of<capped_mean>(a, b);
  return conflict_distance(rule, a, b);
}

double box_distance(const Box& a, const Box& b, Vec2 shift) {
  const double dx = std::max({0.0, b.x0 + shift.x - a.x1, a.x0 - b.x1 - shift.x});
  const double dy = std::max({0.0, b.y0 + shift.y - a.y1, a.y0 - b.y1 - shift.y});
  return std::sqrt(dx * dx + dy * dy);
}

// Returns Oler's bound on points at least r apart in a convex body of this area and perimeter.
std::size_t most_points(const Box& box, double r) {
  const double area = box.width() * box.height();
  const double perimeter = 2 * (box.width() + box.height());
  return static_cast<std::size_t>(1.1548 * area / (r * r) + perimeter / (2 * r) + 1);
}

bool dyadic(double value) {
  int exponent = 0;
  return std::frexp(value, &exponent) == 0.5;
}

Vec2 pixel_size(const DensityField& field) {
  return {field.domain().width / field.radius_map().width(),
          field.domain().height / field.radius_map().height()};
}

}  // namespace

double rounding_of(const DensityField& field) {
  const Vec2 pixel = pixel_size(field);
  if (field.is_constant() || (dyadic(pixel.x) && dyadic(pixel.y))) return 0;
  return 2e-15 * std::max(field.domain().width, field.domain().height);
}

RadiusBounds inner_bounds(const DensityField& field, const Box& box, double trim) {
  return field.radius_bounds({box.x0 + trim, box.y0 + trim, box.x1 - trim, box.y1 - trim});
}

TileSet::TileSet(const DensityField& field, ConflictRule rule, Context& context)
    : domain_(field.domain()), rule_(rule), context_(context) {
  const Domain& domain = domain_;
  const double trim = rounding_of(field);
  constexpr std::array<double, 3> periods{0, -1, 1};
  for (std::size_t i = 0; i < 9; ++i) {
    shifts[i] = {periods[i % 3] * domain.width, periods[i / 3] * domain.height};
  }
  // A constant field has no pixels to respect, so cells fit the radius instead.
  const double r_min = field.radius_bounds({0, 0, domain.width, domain.height}).min * safety;
  const Vec2 unit = field.is_constant() ? Vec2{0.7 * r_min, 0.7 * r_min} : pixel_size(field);
  root_width_ = unit.x;
  root_height_ = unit.y;
  while (root_width_ < domain.width || root_height_ < domain.height) {
    root_width_ *= 2;
    root_height_ *= 2;
  }
  const auto bounds_of = [&](const Box& box) { return inner_bounds(field, box, trim); };
  root_ = build(Ground<decltype(bounds_of)>{{0, 0, domain.width, domain.height}, 1, bounds_of}, 0,
                0, root_width_, root_height_);
}

TileSet::TileSet(RegionTiles& regions, std::span<const std::uint32_t> which, Context& context)
    : domain_{std::numeric_limits<double>::infinity(), std::numeric_limits<double>::infinity()},
      rule_(regions.rule),
      context_(context) {
  shifts = {};
  std::vector<std::int32_t> roots;
  for (const std::uint32_t k : which) {
    const Box& limits = regions.shapes.box(k);
    const double r = static_cast<double>(regions.radius[k]);
    const auto bounds_of = [&](const Box& box) {
      if (regions.shapes.is_outside(k, box)) return RadiusBounds{0, 0};
      return RadiusBounds{r, r};
    };
    double side = 0.7 * r;
    while (side < std::max(limits.width(), limits.height())) side *= 2;
    const Ground<decltype(bounds_of)> ground{
        limits, static_cast<double>(regions.least_radius[k]) / r, bounds_of};
    const std::size_t before = tiles_.size();
    const std::int32_t root = build(ground, 0, 0, side, side);
    if (root >= 0) roots.push_back(root);
    for (std::size_t t = before; t < tiles_.size(); ++t) regions.add(k, tiles_[t].box);
  }
  // Nodes above the regions join four at a time.
  while (roots.size() > 1) {
    std::vector<std::int32_t> above;
    for (std::size_t first = 0; first < roots.size(); first += 4) {
      Node node = nodes_[static_cast<std::size_t>(roots[first])];
      node.child = {-1, -1, -1, -1};
      node.tile = -1;
      for (std::size_t i = first; i < std::min(first + 4, roots.size()); ++i) {
        const Node& child = nodes_[static_cast<std::size_t>(roots[i])];
        node.box = {std::min(node.box.x0, child.box.x0), std::min(node.box.y0, child.box.y0),
                    std::max(node.box.x1, child.box.x1), std::max(node.box.y1, child.box.y1)};
        node.r_max = std::max(node.r_max, child.r_max);
        node.child[i - first] = roots[i];
      }
      above.push_back(static_cast<std::int32_t>(nodes_.size()));
      nodes_.push_back(node);
    }
    roots = std::move(above);
  }
  root_ = roots.empty() ? -1 : roots.front();
}

// Returns the node of this size whose corner is (x, y) times its size; -1 if it allows no points.
template <class BoundsOf>
std::int32_t TileSet::build(const Ground<BoundsOf>& ground, std::int64_t x, std::int64_t y,
                            double width, double height) {
  const Box& limits = ground.limits;
  const Box box{limits.x0 + static_cast<double>(x) * width,
                limits.y0 + static_cast<double>(y) * height,
                std::min(limits.x0 + static_cast<double>(x + 1) * width, limits.x1),
                std::min(limits.y0 + static_cast<double>(y + 1) * height, limits.y1)};
  if (box.x0 >= box.x1 || box.y0 >= box.y1) return -1;
  RadiusBounds bounds = ground.bounds_of(box);
  if (bounds.max == 0) return -1;
  bounds.min *= safety;
  bounds.max *= safety;

  const auto index = static_cast<std::int32_t>(nodes_.size());
  nodes_.push_back({box, bounds.max});
  const double side = std::max(width, height);
  const double widest = cell_ratio * bounds.min;
  if (side <= tile_cells * widest) {
    int cells = 1;
    while (side > cells * widest) cells *= 2;
    nodes_.back().tile = static_cast<std::int32_t>(tiles_.size());
    add_tile(box, bounds, most_points(box, bounds.min * ground.trim), width, height, cells);
    return index;
  }
  for (std::size_t i = 0; i < 4; ++i) {
    const std::int32_t child =
        build(ground, 2 * x + static_cast<std::int64_t>(i & 1),
              2 * y + static_cast<std::int64_t>(i >> 1), width / 2, height / 2);
    nodes_[static_cast<std::size_t>(index)].child[i] = child;
  }
  return index;
}

void TileSet::add_tile(const Box& box, const RadiusBounds& bounds, std::size_t most, double width,
                       double height, int cells) {
  most = (most + 7) / 8 * 8;  // whole chunks of TilePoints
  tiles_.push_back({box, bounds.min, bounds.max, width / cells, height / cells, cells, capacity_,
                    most, rows_, std::ilogb(width / cells), Tile::smooth});
  capacity_ += most;
  rows_ += static_cast<std::size_t>(8 * cells);
  if (tiles_.size() % 65536 == 0) {
    context_.check();
    context_.require_memory(static_cast<double>(capacity_) * 24, "sampling at this small radius");
  }
}

std::uint32_t TileSet::tile_at(Vec2 p) const {
  std::int32_t index = root_;
  std::int64_t x = 0;
  std::int64_t y = 0;
  double width = root_width_;
  double height = root_height_;
  while (nodes_[static_cast<std::size_t>(index)].tile < 0) {
    // These edges equal the edges of build(), to the last bit.
    width /= 2;
    height /= 2;
    x = 2 * x + (p.x >= static_cast<double>(2 * x + 1) * width ? 1 : 0);
    y = 2 * y + (p.y >= static_cast<double>(2 * y + 1) * height ? 1 : 0);
    const auto quarter = static_cast<std::size_t>((x & 1) + 2 * (y & 1));
    index = nodes_[static_cast<std::size_t>(index)].child[quarter];
    if (index < 0) {
      throw Error(ErrorKind::internal, "the sampler has a point where nothing may be placed");
    }
  }
  return static_cast<std::uint32_t>(nodes_[static_cast<std::size_t>(index)].tile);
}

void TileSet::tiles_near(Vec2 p, double r, std::vector<std::uint32_t>& found) const {
  found.clear();
  find_near(p, r, root_, found);
}

void TileSet::find_near(Vec2 p, double r, std::int32_t index,
                        std::vector<std::uint32_t>& found) const {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  const double reach = std::max(conflict_distance(rule_, node.r_max, r), r);
  if (box_distance({p.x, p.y, p.x, p.y}, node.box, {}) >= reach) return;
  if (node.tile >= 0) found.push_back(static_cast<std::uint32_t>(node.tile));
  for (const std::int32_t child : node.child) {
    if (child >= 0) find_near(p, r, child, found);
  }
}

void TileSet::find_links(std::uint32_t tile, std::uint32_t shift, std::int32_t index) {
  const Node& node = nodes_[static_cast<std::size_t>(index)];
  const Tile& own = tiles_[tile];
  // Under the candidate rule either tile may hold the later point.
  const ConflictRule rule = rule_ == ConflictRule::candidate ? ConflictRule::max : rule_;
  const double reach = reach_of(rule, own.r_max, node.r_max);
  if (box_distance(own.box, node.box, shifts[shift]) >= reach) return;
  if (node.tile >= 0) {
    const auto other = static_cast<std::uint32_t>(node.tile);
    if (other != tile || shift != 0) links_.push_back({other, shift});
    return;
  }
  for (const std::int32_t child : node.child) {
    if (child >= 0) find_links(tile, shift, child);
  }
}

bool TileSet::link(std::uint64_t seed) {
  const std::uint32_t images = domain_.wrap ? 9 : 1;
  const std::size_t most = most_links * tiles_.size() + 100000;
  link_start_.reserve(tiles_.size() + 1);
  for (std::uint32_t tile = 0; tile < tiles_.size(); ++tile) {
    link_start_.push_back(links_.size());
    links_.push_back({tile, 0});
    for (std::uint32_t shift = 0; shift < images; ++shift) find_links(tile, shift, root_);
    if (links_.size() > most) {
      links_ = {};
      link_start_ = {};
      return false;
    }
    if (tile % 16384 == 0) context_.check();
  }
  link_start_.push_back(links_.size());
  make_blocks(seed);
  make_phases();
  find_jumps();
  return true;
}

void TileSet::find_jumps() {
  for (std::size_t t = 0; t < tiles_.size(); ++t) {
    Tile& tile = tiles_[t];
    int highest = tile.octave;
    bool jumps = false;
    for (const TileLink& link : links(t)) {
      const Tile& other = tiles_[link.tile];
      highest = std::max(highest, other.octave);
      jumps = jumps || other.r_min > jump * tile.r_max || tile.r_min > jump * other.r_max;
    }
    if (!jumps) continue;
    tile.highest = highest;
    jump_octaves_.push_back(tile.octave);
  }
  std::sort(jump_octaves_.begin(), jump_octaves_.end(), std::greater<>());
  jump_octaves_.erase(std::unique(jump_octaves_.begin(), jump_octaves_.end()), jump_octaves_.end());
}

// Makes blocks of consecutive tiles, which lie together because tiles are in Morton order.
void TileSet::make_blocks(std::uint64_t seed) {
  const std::size_t size = std::clamp<std::size_t>(tiles_.size() / 256, 16, most_in_block);
  const Random random(seed, Stream::darts, ~std::uint64_t{1});
  order_.resize(tiles_.size());
  for (std::size_t first = 0; first < tiles_.size(); first += size) {
    const std::size_t n = std::min(size, tiles_.size() - first);
    block_start_.push_back(first);
    // Shuffles the block (Fisher and Yates).
    for (std::size_t i = 0; i < n; ++i) {
      const std::size_t j = (random.at(first + i) >> 32) * (i + 1) >> 32;
      order_[first + i] = order_[first + j];
      order_[first + j] = static_cast<std::uint32_t>(first + i);
    }
  }
  block_start_.push_back(tiles_.size());
}

// Gives each block the first color that no neighbor before it has.
void TileSet::make_phases() {
  const std::size_t size = block_start_[1];
  std::vector<std::uint32_t> color(block_start_.size() - 1);
  std::vector<std::size_t> used_by;  // color -> the last block that saw it, plus 1
  for (std::size_t b = 0; b + 1 < block_start_.size(); ++b) {
    for (std::size_t k = link_start_[block_start_[b]]; k < link_start_[block_start_[b + 1]]; ++k) {
      const std::size_t other = links_[k].tile / size;
      if (other < b) used_by[color[other]] = b + 1;
    }
    std::uint32_t free = 0;
    while (free < used_by.size() && used_by[free] == b + 1) ++free;
    if (free == used_by.size()) {
      used_by.push_back(0);
      phases_.emplace_back();
    }
    color[b] = free;
    phases_[free].push_back(static_cast<std::uint32_t>(b));
  }
}

}  // namespace dapple
