// Builds tiles for radii that vary: each is as large as the radii in it allow.
#include <algorithm>
#include <cmath>

#include "core/modulo.hpp"
#include "sample/box_space/tiles.hpp"

namespace dapple::box_space {
namespace {

constexpr int most_levels = 24;

// A box as its center and half sides, and the largest radius in it, in units.
struct Looking {
  VecD<3> middle, half;
  double most;
};

// Finds the tiles with places that may be too near places of a box.
class Look {
 public:
  Look(const Room<3>& room, const Tiles<3>& tiles, const Looking& from, double farther)
      : room_(room), tiles_(tiles), from_(from), farther_(farther) {}

  std::vector<Neighbor<3>> run() {
    const Lattice<3>& coarse = tiles_.lattices.back();
    const double reach = reach_to(room_.field->largest() / tiles_.unit);
    std::array<std::int32_t, 3> first, last;
    for (std::size_t a = 0; a < 3; ++a) {
      const double side = tiles_.side[a];
      const double far = std::min(reach, side);
      first[a] = static_cast<std::int32_t>(
          std::floor((from_.middle[a] - from_.half[a] - far) / coarse.edge[a]));
      last[a] = static_cast<std::int32_t>(
          std::floor((from_.middle[a] + from_.half[a] + far) / coarse.edge[a]));
      if (tiles_.wrap) continue;
      first[a] = std::max(first[a], 0);
      last[a] = std::min(last[a], coarse.tiles[a] - 1);
    }
    for (std::int32_t z = first[2]; z <= last[2]; ++z) {
      for (std::int32_t y = first[1]; y <= last[1]; ++y) {
        for (std::int32_t x = first[0]; x <= last[0]; ++x) {
          const std::array<std::int32_t, 3> image{x, y, z};
          std::array<std::int32_t, 3> at;
          VecD<3> moved;
          for (std::size_t a = 0; a < 3; ++a) {
            const std::int32_t n = coarse.tiles[a];
            at[a] = modulo(image[a], n);
            const std::int32_t rounds = (image[a] - at[a]) / n;
            moved[a] = rounds * tiles_.side[a];
          }
          const auto node =
              static_cast<std::size_t>(at[0] + coarse.tiles[0] * (at[1] + coarse.tiles[1] * at[2]));
          descend(node, static_cast<int>(tiles_.lattices.size()) - 1, at, moved);
        }
      }
    }
    return std::move(found_);
  }

 private:
  double reach_to(double most) const {
    return conflict_distance(room_.rule, from_.most, most) * farther_ * 1.001;
  }

  void descend(std::size_t n, int level, const std::array<std::int32_t, 3>& at,
               const VecD<3>& moved) {
    const Grades::Node& node = tiles_.grades.nodes[n];
    if (node.most == 0) return;
    const Lattice<3>& lattice = tiles_.lattices[static_cast<std::size_t>(level)];
    Neighbor<3> found{};
    double gap2 = 0;
    for (std::size_t a = 0; a < 3; ++a) {
      const double shift = (at[a] + 0.5) * lattice.edge[a] + moved[a] - from_.middle[a];
      const double gap = std::max(0.0, std::abs(shift) - from_.half[a] - 0.5 * lattice.edge[a]);
      gap2 += gap * gap;
      found.shift[a] = static_cast<float>(shift);
    }
    const double reach = reach_to(static_cast<double>(node.most));
    if (!(gap2 < reach * reach)) return;
    if (node.child >= 0) {
      for (std::int32_t i = 0; i < 8; ++i) {
        descend(static_cast<std::size_t>(node.child + i), level - 1,
                {2 * at[0] + (i & 1), 2 * at[1] + (i >> 1 & 1), 2 * at[2] + (i >> 2)}, moved);
      }
      return;
    }
    for (std::size_t a = 0; a < 3; ++a) {
      // An image beyond this distance is never the nearest image of a place.
      const double most = 0.5 * (tiles_.side[a] + lattice.edge[a]) + from_.half[a];
      if (std::abs(static_cast<double>(found.shift[a])) > most * 1.001) return;
    }
    found.tile = node.tile;
    found_.push_back(found);
  }

  const Room<3>& room_;
  const Tiles<3>& tiles_;
  const Looking& from_;
  double farther_;
  std::vector<Neighbor<3>> found_;
};

class Maker {
 public:
  Maker(const Room<3>& room, double farther) : room_(room), farther_(farther) {
    made_.wrap = room.wrap;
    made_.unit = room.field->least();
    for (std::size_t a = 0; a < 3; ++a) made_.side[a] = room.side[a] / made_.unit;
  }

  Tiles<3> run() {
    make_lattices();
    make_trees();
    for (std::uint32_t t = 0; t < made_.tiles.size(); ++t) {
      made_.tiles[t].first_neighbor = static_cast<std::uint32_t>(made_.neighbors.size());
      add_neighbors(t);
      made_.tiles[t].end_neighbor = static_cast<std::uint32_t>(made_.neighbors.size());
    }
    return std::move(made_);
  }

 private:
  Grades& grades() { return made_.grades; }

  void make_lattices() {
    const double ratio = room_.field->largest() / made_.unit;
    int top = 0;
    const double longest = *std::max_element(made_.side.begin(), made_.side.end());
    while (top < most_levels && std::ldexp(1.0, top + 1) <= ratio &&
           std::ldexp(least_tile_edge<3>, top + 1) <= longest) {
      ++top;
    }
    made_.lattices.resize(static_cast<std::size_t>(top) + 1);
    Lattice<3>& coarse = made_.lattices.back();
    for (std::size_t a = 0; a < 3; ++a) {
      const double edge = std::ldexp(least_tile_edge<3>, top);
      coarse.tiles[a] = static_cast<std::int32_t>(std::max(1.0, std::floor(made_.side[a] / edge)));
    }
    for (int level = 0; level <= top; ++level) {
      Lattice<3>& lattice = made_.lattices[static_cast<std::size_t>(level)];
      const double radius = std::ldexp(1.0, level);
      lattice.rate = narrowness(made_.side);
      for (std::size_t a = 0; a < 3; ++a) {
        lattice.tiles[a] = coarse.tiles[a] << (top - level);
        lattice.edge[a] = made_.side[a] / lattice.tiles[a];
        lattice.roots[a] = static_cast<std::int32_t>(
            std::max(1.0, std::ceil(lattice.edge[a] / (most_root_edge * radius))));
      }
      lattice.measure_levels();
    }
  }

  HalfBox<3> box_of(int level, const std::array<std::int32_t, 3>& at) const {
    const Lattice<3>& lattice = made_.lattices[static_cast<std::size_t>(level)];
    HalfBox<3> box;
    for (std::size_t a = 0; a < 3; ++a) {
      box.half[a] = static_cast<float>(0.5 * lattice.edge[a]);
      box.middle[a] = static_cast<float>((at[a] + 0.5) * lattice.edge[a]);
    }
    return box;
  }

  RadiusBounds bounds_of(int level, const std::array<std::int32_t, 3>& at) const {
    const Lattice<3>& lattice = made_.lattices[static_cast<std::size_t>(level)];
    std::array<double, 3> low, high;
    for (std::size_t a = 0; a < 3; ++a) {
      low[a] = std::clamp(at[a] * lattice.edge[a] * made_.unit, 0.0, room_.side[a]);
      high[a] = std::clamp((at[a] + 1) * lattice.edge[a] * made_.unit, low[a], room_.side[a]);
    }
    return room_.field->bounds({low[0], low[1], low[2]}, {high[0], high[1], high[2]});
  }

  void make_trees() {
    const int top = static_cast<int>(made_.lattices.size()) - 1;
    const Lattice<3>& coarse = made_.lattices.back();
    const auto count = static_cast<std::size_t>(coarse.tiles[0]) *
                       static_cast<std::size_t>(coarse.tiles[1]) *
                       static_cast<std::size_t>(coarse.tiles[2]);
    grades().nodes.resize(count);
    std::size_t n = 0;
    for (std::int32_t z = 0; z < coarse.tiles[2]; ++z) {
      for (std::int32_t y = 0; y < coarse.tiles[1]; ++y) {
        for (std::int32_t x = 0; x < coarse.tiles[0]; ++x) make_node(n++, top, {x, y, z});
      }
    }
  }

  void make_node(std::size_t n, int level, const std::array<std::int32_t, 3>& at) {
    const RadiusBounds bounds = bounds_of(level, at);
    if (bounds.max == 0) return;
    grades().nodes[n].most = static_cast<float>(bounds.max / made_.unit);
    if (level == 0 || bounds.min / made_.unit >= std::ldexp(1.0, level)) {
      grades().nodes[n].tile = static_cast<std::uint32_t>(made_.tiles.size());
      made_.tiles.push_back({level});
      grades().at.push_back(at);
      grades().most.push_back(grades().nodes[n].most);
      return;
    }
    const std::size_t child = grades().nodes.size();
    grades().nodes[n].child = static_cast<std::int32_t>(child);
    grades().nodes.resize(child + 8);
    for (std::int32_t i = 0; i < 8; ++i) {
      make_node(child + static_cast<std::size_t>(i), level - 1,
                {2 * at[0] + (i & 1), 2 * at[1] + (i >> 1 & 1), 2 * at[2] + (i >> 2)});
    }
  }

  void add_neighbors(std::uint32_t t) {
    const Lattice<3>& own = made_.lattice(made_.tiles[t]);
    Looking from{made_.middle(t), {}, static_cast<double>(grades().most[t])};
    for (std::size_t a = 0; a < 3; ++a) from.half[a] = 0.5 * own.edge[a];
    for (const Neighbor<3>& found : Look(room_, made_, from, farther_).run()) {
      made_.neighbors.push_back(found);
    }
  }

  const Room<3>& room_;
  double farther_;
  Tiles<3> made_;
};

}  // namespace

Tiles<3> make_graded_tiles(const Room<3>& room, double farther) {
  return Maker(room, farther).run();
}

std::vector<Neighbor<3>> graded_tiles_near(const Room<3>& room, const Tiles<3>& tiles,
                                           const VecD<3>& at, double radius, double farther) {
  const Looking from{at, {}, radius};
  return Look(room, tiles, from, farther).run();
}

std::uint32_t graded_tile(const Tiles<3>& tiles, const VecD<3>& at) {
  const Lattice<3>& coarse = tiles.lattices.back();
  std::size_t n = 0;
  std::array<std::int32_t, 3> place;
  for (std::size_t a = 3; a-- > 0;) {
    place[a] = std::clamp(static_cast<std::int32_t>(std::floor(at[a] / coarse.edge[a])), 0,
                          coarse.tiles[a] - 1);
    n = n * static_cast<std::size_t>(coarse.tiles[a]) + static_cast<std::size_t>(place[a]);
  }
  std::size_t level = tiles.lattices.size() - 1;
  while (tiles.grades.nodes[n].child >= 0) {
    const Lattice<3>& of = tiles.lattices[--level];
    std::int32_t child = 0;
    for (std::size_t a = 3; a-- > 0;) {
      const bool high = at[a] >= (2 * place[a] + 1) * of.edge[a];
      place[a] = 2 * place[a] + (high ? 1 : 0);
      child = 2 * child + (high ? 1 : 0);
    }
    n = static_cast<std::size_t>(tiles.grades.nodes[n].child + child);
  }
  return tiles.grades.nodes[n].tile;
}

std::array<Vec3, 2> Graded::corners(const HalfBox<3>& box) const {
  VecD<3> low, high;
  for (std::size_t a = 0; a < 3; ++a) {
    const double middle = middle_[a] + static_cast<double>(box.middle[a]);
    const double half = static_cast<double>(box.half[a]) + margin_;
    low[a] = std::clamp((middle - half) * unit_, 0.0, side_[a]);
    high[a] = std::clamp((middle + half) * unit_, low[a], side_[a]);
  }
  return {Vec3{low[0], low[1], low[2]}, Vec3{high[0], high[1], high[2]}};
}

Graded::Bounds Graded::bounds(const HalfBox<3>& box) const {
  const auto [low, high] = corners(box);
  const RadiusBounds found = field_.bounds(low, high);
  if (found.max == 0) return {};
  return {static_cast<float>(found.min / unit_), static_cast<float>(found.max / unit_)};
}

bool Graded::allows_all(const HalfBox<3>& box) const {
  const auto [low, high] = corners(box);
  return field_.allows_all(low, high);
}

}  // namespace dapple::box_space
