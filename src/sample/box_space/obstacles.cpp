#include "sample/box_space/obstacles.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"
#include "sample/fixed_points.hpp"

namespace dapple::box_space {
namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw Error(ErrorKind::input, Problem{"keep", why});
}

// Returns the coordinate columns of the points, one per axis.
template <std::size_t D>
std::array<const std::vector<double>*, D> columns_of(const Points& kept) {
  std::array<const std::vector<double>*, D> columns{&kept.x, &kept.y};
  if constexpr (D > 2) columns[2] = &column_z(kept);
  if constexpr (D > 3) columns[3] = &kept.w;
  for (std::size_t a = 2; a < D; ++a) {
    if (columns[a]->size() == kept.size()) continue;
    refuse(std::string("needs points with a column ") + (a == 2 ? "z" : "w") + " in a space of " +
           std::to_string(D) + " dimensions");
  }
  return columns;
}

}  // namespace

template <std::size_t D>
double exclusion_distance(const Room<D>& room, std::size_t obstacle, std::size_t class_id) {
  const Obstacles<D>& all = *room.obstacles;
  const double asked = room.radius(class_id);
  if (!all.class_id.empty()) {
    return room.distance[static_cast<std::size_t>(all.class_id[obstacle])][class_id];
  }
  const double own = all.radius[obstacle];
  return own > 0 ? conflict_distance(all.rule, own, asked) : asked;
}

double radius_of_obstacle(const Room<3>& room, std::size_t obstacle) {
  const double own = room.obstacles->radius[obstacle];
  if (own > 0) return own;
  const VecD<3>& at = room.obstacles->at[obstacle];
  const double there = room.field->radius({at[0], at[1], at[2]});
  return std::isfinite(there) ? there : room.field->least();
}

template <std::size_t D>
ObstaclesRound<D>::ObstaclesRound(const Room<D>& room, const Tiles<D>& tiles, double wider,
                                  Context& context) {
  const Obstacles<D>& all = *room.obstacles;
  std::vector<Image> images;
  const auto add = [&](std::uint32_t tile, std::size_t obstacle, const VecF<D>& shift,
                       double limit) {
    Image image{tile, static_cast<std::uint32_t>(obstacle), {}, static_cast<float>(limit)};
    for (std::size_t a = 0; a < D; ++a) image.at[a] = -shift[a];
    images.push_back(image);
  };
  std::size_t room_for = 1 << 20;
  for (std::size_t i = 0; i < all.at.size(); ++i) {
    VecD<D> at;
    for (std::size_t a = 0; a < D; ++a) at[a] = all.at[i][a] / tiles.unit;
    if (images.size() > room_for) {
      room_for = 2 * images.size();
      context.require_memory(sizeof(Image) * static_cast<double>(2 * room_for),
                             "the set of `keep` points with very large radii");
    }
    if constexpr (D == 3) {
      if (room.field != nullptr) {
        const double radius = radius_of_obstacle(room, i) / tiles.unit;
        for (const Neighbor<3>& near : graded_tiles_near(room, tiles, at, radius, wider)) {
          add(near.tile, i, near.shift, radius * wider);
        }
        continue;
      }
    }
    for (std::size_t c = 0; c < room.classes(); ++c) {
      const double distance = exclusion_distance(room, i, c) / tiles.unit * wider;
      for_tiles_near(
          tiles.lattices[c], tiles.wrap, at, at, distance * 1.001,
          [&](std::uint32_t tile, const VecF<D>& shift) { add(tile, i, shift, distance); });
    }
  }
  images_ = {tiles.tiles.size(), [&](const auto& put) {
               for (const Image& image : images) put(image.tile, image);
             }};
}

template <std::size_t D>
void ObstaclesRound<D>::add_to(std::uint32_t tile, std::int32_t first, Places<D>& into) const {
  const std::span<const Image> images = images_.of(tile);
  into.make_room(images.size());
  for (const Image& image : images) {
    into.add(image.at, image.limit, first + static_cast<std::int32_t>(image.obstacle));
  }
}

template <std::size_t D>
Obstacles<D> obstacles_of(const Points& kept, const VecD<D>& side, std::size_t classes,
                          ConflictRule rule) {
  require_columns(kept);
  const auto columns = columns_of<D>(kept);
  Obstacles<D> made;
  made.rule = rule;
  const bool by_class = classes > 1 && !kept.class_id.empty();
  for (std::size_t i = 0; i < kept.size(); ++i) {
    VecD<D> at;
    std::string place;
    bool inside = true;
    for (std::size_t a = 0; a < D; ++a) {
      at[a] = (*columns[a])[i];
      place += (a == 0 ? "" : ", ") + shortest(at[a]);
      inside = inside && (side[a] == 0 ? std::abs(at[a]) < 1e18 : at[a] >= 0 && at[a] < side[a]);
    }
    if (!inside) {
      std::string of;
      for (const double s : side) of += (of.empty() ? "" : " x ") + shortest(s);
      refuse("point " + std::to_string(i + 1) + " at (" + place + ") is outside the domain of " +
             of + "; sample the size that the points were made for");
    }
    made.at.push_back(at);
    const float r = kept.radius.empty() ? 0 : kept.radius[i];
    made.radius.push_back(r > 0 ? static_cast<double>(r) : 0);
    if (!by_class) continue;
    const std::int32_t c = kept.class_id[i];
    if (c < 0 || static_cast<std::size_t>(c) >= classes) {
      refuse(unknown_class(i, c, classes));
    }
    made.class_id.push_back(c);
  }
  return made;
}

template double exclusion_distance(const Room<2>&, std::size_t, std::size_t);
template double exclusion_distance(const Room<3>&, std::size_t, std::size_t);
template double exclusion_distance(const Room<4>&, std::size_t, std::size_t);
template class ObstaclesRound<2>;
template class ObstaclesRound<3>;
template class ObstaclesRound<4>;
template Obstacles<2> obstacles_of(const Points&, const VecD<2>&, std::size_t, ConflictRule);
template Obstacles<3> obstacles_of(const Points&, const VecD<3>&, std::size_t, ConflictRule);
template Obstacles<4> obstacles_of(const Points&, const VecD<4>&, std::size_t, ConflictRule);

}  // namespace dapple::box_space
