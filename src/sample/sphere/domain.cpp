#include "sample/sphere/domain.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <string>

#include "core/constants.hpp"
#include "core/deterministic_math.hpp"
#include "core/parallel.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/options.hpp"

namespace dapple::sphere {
namespace {

// Largest radius for the size of roots. No two places are farther apart than 2.
constexpr double largest_root = 2.5;
// A cell is halved until its reach is at most this many of its least radii.
constexpr double tile_reach = 1.6;
constexpr double bytes_a_tile = 2000;
// Most neighbors per tile, and an allowance for few tiles. Beyond, radii change too abruptly.
constexpr double most_near = 2000;
constexpr double near_for_few = 1e6;
constexpr std::size_t group_size = 64;

}  // namespace

EvenGround::EvenGround(double radius, ConflictRule rule, double margin, Context& context)
    : roots_(radius, context),
      radius_(radius),
      rule_(rule),
      margin_(margin),
      square_(margin * radius * margin * radius) {}

MappedGround::MappedGround(const LatLongRadius& radii, ConflictRule rule, double margin,
                           Context& context)
    : radii_(radii),
      rule_(rule),
      margin_(margin),
      roots_(std::min(radii.most(), largest_root), context) {
  context.require_memory(bytes_a_tile * radii.squares() / 4, "sampling a sphere");
  nodes_.resize(roots_.size());
  for (std::uint32_t root = 0; root < roots_.size(); ++root) {
    context.check();
    grow(root, roots_.cell(root), context);
    root_of_.resize(tiles_.size(), root);
  }
  find_near(context);
}

void MappedGround::grow(std::uint32_t node, const Cell& cell, Context& context) {
  const Part of = part(cell);
  nodes_[node].middle = of.shape.middle;
  nodes_[node].reach = of.shape.reach;
  nodes_[node].least = of.least;
  nodes_[node].most = of.most;
  if (of.shape.reach <= tile_reach * of.least) {
    nodes_[node].tile = static_cast<std::uint32_t>(tiles_.size());
    tiles_.push_back({cell, of.least});
    node_of_.push_back(node);
    // Checks memory each time that the number of tiles has doubled.
    if ((tiles_.size() & (tiles_.size() - 1)) == 0) {
      context.require_memory(bytes_a_tile * 2 * static_cast<double>(tiles_.size()),
                             "sampling a sphere");
    }
    return;
  }
  const auto halves = halves_of(cell, of.shape);
  const auto first = static_cast<std::uint32_t>(nodes_.size());
  nodes_.resize(nodes_.size() + 2);
  nodes_[node].halves = first;
  nodes_[node].splits_depth = halves[0].high != cell.high;
  nodes_[node].cut = nodes_[node].splits_depth ? halves[0].high : halves[0].east;
  grow(first, halves[0], context);
  grow(first + 1, halves[1], context);
}

std::size_t MappedGround::holding(const Vec3& place) const {
  const double square = place.x * place.x + place.y * place.y;
  const double depth = square / (1 + std::abs(place.z));
  double turns = portable_angle(place.y, place.x) / full_circle;
  if (turns < 0) turns += 1;
  std::size_t node = roots_.holding(place);
  while (nodes_[node].halves != 0) {
    const bool second = (nodes_[node].splits_depth ? depth : turns) >= nodes_[node].cut;
    node = nodes_[node].halves + (second ? 1 : 0);
  }
  return nodes_[node].tile;
}

std::vector<std::uint32_t> MappedGround::near(const Point& p) const {
  const auto is_near = [&](const Node& other) {
    const double apart = other.reach + margin_ * required_distance(other.most, p.r);
    return length(p.at - other.middle) < 1.001 * apart;
  };
  std::vector<std::uint32_t> found;
  for (const std::uint32_t root :
       roots_.within(p.at, margin_ * required_distance(radii_.most(), p.r))) {
    find(is_near, root, found);
  }
  return found;
}

void MappedGround::find_near(Context& context) {
  struct Group {
    std::vector<std::uint32_t> near;
    std::vector<std::size_t> lengths;
  };
  std::vector<Group> groups((tiles_.size() + group_size - 1) / group_size);
  const double most = most_near * static_cast<double>(tiles_.size()) + near_for_few;
  std::atomic<std::size_t> all{0};
  parallel_for(context, groups.size(), [&](std::size_t g) {
    Group& group = groups[g];
    const std::size_t end = std::min(tiles_.size(), (g + 1) * group_size);
    for (std::size_t t = g * group_size; t < end; ++t) {
      const std::size_t before = group.near.size();
      const Node& of = nodes_[node_of_[t]];
      const auto is_near = [&](const Node& other) {
        const double apart = of.reach + other.reach + required_distance(of.most, other.most);
        return length(of.middle - other.middle) < 1.001 * apart;
      };
      for (const std::uint32_t root : roots_.near(root_of_[t])) find(is_near, root, group.near);
      group.lengths.push_back(group.near.size() - before);
      if (static_cast<double>(all += group.lengths.back()) > most) {
        throw Error(ErrorKind::limit,
                    "the radii on the sphere change too abruptly: give a `slope`, or a narrower "
                    "range of radii");
      }
      double& finest = tiles_[t].finest;
      for (std::size_t i = before; i < group.near.size(); ++i) {
        finest = std::min(finest, nodes_[node_of_[group.near[i]]].least);
      }
    }
  });
  context.require_memory(8 * static_cast<double>(all.load()), "sampling a sphere");
  near_.reserve(tiles_.size(), all);
  for (Group& group : groups) {
    near_.add(group.near, group.lengths);
    group = {};
  }
}

// Between two lines of the map r is bilinear. Along a parallel or a meridian, the second derivative
// of a distance D, by angles in radians, is at least -D / 4. So D - r in a piece exceeds its values
// at the corners by at most D / 32 times the squared sides in radians.
bool MappedGround::covers(const Point& p, const Part& part) const {
  const Vec3 d = p.at - part.shape.middle;
  const double square = dot(d, d);
  if (!(square < square_of(part.r_middle, p.r))) return false;
  if (part.count == 0 || rule_ == ConflictRule::max) {
    if (part.shape.is_in_ball(p.at, square_of(part.least, p.r))) return true;
    if (part.count == 0) return false;
  }
  const double above = part.bend * (std::sqrt(square) + part.shape.reach);
  for (std::size_t i = 0; i < part.count; ++i) {
    const Part::Node& node = part.nodes[i];
    // The larger of two radii bends the wrong way, so only the radius of the node counts.
    const double own = rule_ == ConflictRule::max ? node.r : required_distance(node.r, p.r);
    const double most = margin_ * own - above;
    const Vec3 to = p.at - node.at;
    if (!(most > 0 && dot(to, to) < most * most)) return false;
  }
  return true;
}

}  // namespace dapple::sphere
