// Draws balls into maps and compares them with small pieces, one vector at a time.
#include <algorithm>
#include <bit>

#include "sample/surface/throwing/map.hpp"

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "sample/surface/throwing/map_lanes.cpp"
#include <hwy/foreach_target.h>
// Must follow foreach_target.h.
#include "sample/surface/conflict_lanes.hpp"

HWY_BEFORE_NAMESPACE();
namespace dapple::surface {
namespace HWY_NAMESPACE {
namespace {

using Wide = Lanes<float, map_side>;
using Index = Lanes<std::int32_t, Wide::count>;
using Short = Lanes<std::uint16_t, Wide::count>;

// Share of the step between corners by which intervals of corners shrink. So rounding never counts
// a corner as covered that a ball just misses.
constexpr float margin = 1e-4f;
// If the required distance rises almost as fast as the length along a row, the ball is skipped.
constexpr float least_bend = 0.5f;

// Bits of the corners of rows, of which the last has one corner, and room for one more vector.
using CornerRows = std::array<std::int32_t, map_side + 2 * Wide::count>;

// A required distance that is linear on a piece: at its corner, and its rise along the edges.
struct Limit {
  float at, along_u, along_v;
};

HWY_INLINE Limit scaled(const PatchRadii& radii, float share) {
  return {radii.r * share, radii.ru * share, radii.rv * share};
}
HWY_INLINE Limit constant(float limit) {
  return {limit, 0, 0};
}

struct Ball {
  float x, y, z, r;
};

// Finds the corners of a root that are nearer to the center of a ball than the limit. Along a row,
// the squared distance minus the squared limit is quadratic, so they form an interval. Its middle
// is found first and its ends from there, which avoids cancellation.
HWY_INLINE bool corners_within(const Root& root, const Ball& ball, const Limit& limit,
                               CornerRows& rows) {
  constexpr float step = 1.0f / map_side;
  const float ux = root.ux * step;
  const float uy = root.uy * step;
  const float uz = root.uz * step;
  const float rise = limit.along_u * step;
  const float edge2 = ux * ux + uy * uy + uz * uz;
  const float bend = edge2 - rise * rise;
  if (!(bend > edge2 * least_bend)) return false;
  const float per_bend = 1 / bend;
  const float dx = root.ax - ball.x;
  const float dy = root.ay - ball.y;
  const float dz = root.az - ball.z;
  constexpr auto side = static_cast<float>(map_side + 1);
  for (std::size_t row = 0; row < map_side; row += Wide::count) {
    const Wide j = Wide::count_from(static_cast<float>(row)) * step;
    const Wide px = dx + j * root.vx;
    const Wide py = dy + j * root.vy;
    const Wide pz = dz + j * root.vz;
    const Wide most = limit.at + j * limit.along_v;
    const Wide middle = (most * rise - (px * ux + py * uy + pz * uz)) * per_bend;
    const Wide qx = px + middle * ux;
    const Wide qy = py + middle * uy;
    const Wide qz = pz + middle * uz;
    const Wide there = most + middle * rise;
    const Wide square = there * there - (qx * qx + qy * qy + qz * qz);
    const Wide half = sqrt(max(square, 0) * per_bend) - margin;
    const auto beyond = [](Wide v) HWY_ATTR { return convert<Index>(min(max(v + 1, 0), side)); };
    const Index first = beyond(middle - half);
    const Index end = max(beyond(middle + half), first);
    ((Index(1) << end) - (Index(1) << first)).store(&rows[row]);
  }
  const float x = dx + root.vx;
  const float y = dy + root.vy;
  const float z = dz + root.vz;
  const float most = limit.at + limit.along_v;
  rows[map_side] = x * x + y * y + z * z < most * most ? 1 : 0;
  return true;
}

// Clears the parts whose corners are all set.
HWY_INLINE void clear(Root& root, const CornerRows& rows) {
  constexpr std::int32_t sixteen = 0xffff;
  for (std::size_t row = 0; row < map_side; row += Wide::count) {
    const Index low = Index::load(&rows[row]);
    const Index high = Index::load(&rows[row + 1]);
    const Index right = shift_right<1>(low);
    const Index edge = right & high;
    const auto go = [](Index parts, std::uint16_t* live) HWY_ATTR {
      (Short::load(live) & ~convert<Short>(parts & Index(sixteen))).store(live);
    };
    go(low & edge, &root.upright[row]);
    go(edge & shift_right<1>(high), &root.turned[row]);
  }
}

// The distance to a place minus the required distance is convex if the radius is linear. So a part
// is covered if its corners are. The larger of two radii is not linear, but each of them is.
template <Apart apart>
HWY_INLINE void draw(Root& root, const Ball& ball, float share) {
  CornerRows rows;
  if constexpr (apart == Apart::one) {
    if (corners_within(root, ball, constant(share), rows)) clear(root, rows);
  } else if constexpr (apart == Apart::given) {
    if (corners_within(root, ball, constant(ball.r * share), rows)) clear(root, rows);
  } else if constexpr (apart == Apart::mean) {
    Limit limit = scaled(root.radii, 0.5f * share);
    limit.at = (root.radii.r + ball.r) * (0.5f * share);
    if (corners_within(root, ball, limit, rows)) clear(root, rows);
  } else {
    CornerRows own;
    const bool of_ball = corners_within(root, ball, constant(ball.r * share), rows);
    const bool of_root = corners_within(root, ball, scaled(root.radii, share), own);
    if constexpr (apart == Apart::most) {
      if (of_ball) clear(root, rows);
      if (of_root) clear(root, own);
    } else if (of_ball && of_root) {
      for (std::size_t row = 0; row <= map_side; ++row) rows[row] &= own[row];
      clear(root, rows);
    }
  }
}

HWY_INLINE int count_live(const Root& root) {
  constexpr std::size_t bytes = 2 * map_side;
  using Bytes = Lanes<std::uint8_t, bytes>;
  ByteSums<bytes> sums;
  for (const auto* rows : {&root.upright, &root.turned}) {
    const auto* at = reinterpret_cast<const std::uint8_t*>(rows->data());
    for (std::size_t b = 0; b < bytes; b += Bytes::count) {
      sums.add(bits_set(Bytes::load(at + b)));
    }
  }
  return static_cast<int>(sums.total());
}

template <Apart apart>
HWY_INLINE float radius_of(const Places& places, std::size_t i) {
  if constexpr (apart == Apart::one) return 1;
  return places.limit()[i];
}

// Calls body(place, bits) for the places from index `first` on. The bits are those of balls from i
// to `end` that are nearer to the place than near(required distance, ball).
template <Apart apart, class Near, class Body>
HWY_INLINE void for_places(Balls& balls, std::size_t i, std::size_t end, const Places& places,
                           std::size_t first, const Near& near, const Body& body) {
  const Wide x = Wide::load(balls.x() + i);
  const Wide y = Wide::load(balls.y() + i);
  const Wide z = Wide::load(balls.z() + i);
  const Wide r = Wide::load(balls.r() + i);
  const Wide ball = Wide::load(balls.ball() + i);
  const std::uint32_t there = first_bits(end - i);
  for (std::size_t p = first; p < places.count; ++p) {
    const Wide dx = x - places.at(0)[p];
    const Wide dy = y - places.at(1)[p];
    const Wide dz = z - places.at(2)[p];
    const Wide most = near(asked<apart, Wide>(r, radius_of<apart>(places, p), near_radius), ball);
    const auto is_near = (dx * dx + dy * dy + dz * dz < most * most) & (most > Wide(0));
    const std::uint32_t bits = bits_of(is_near) & there;
    if (bits != 0) body(p, bits);
  }
}

template <Apart apart>
void cover_roots_by(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
                    Roots& roots, const Range& range) {
  const std::size_t end = range.first + range.count;
  for (std::size_t i = range.first; i < end; i += Wide::count) {
    std::uint32_t touched = 0;
    for_places<apart>(
        roots.balls, i, end, places, first,
        [](Wide asked, Wide ball) HWY_ATTR { return asked + ball; },
        [&](std::size_t p, std::uint32_t bits) HWY_ATTR {
          touched |= bits;
          const auto [x, y, z] = places.place(p);
          const Ball ball{x, y, z, radius_of<apart>(places, p)};
          for (; bits != 0; bits &= bits - 1) {
            const std::size_t n = i + static_cast<std::size_t>(std::countr_zero(bits));
            if (tile.gated &&
                !tiles.one_sheet(tiles.pieces[roots.piece[n]].triangle, places.number[p])) {
              continue;
            }
            draw<apart>(roots.all[n], ball, near_radius);
          }
        });
    for (; touched != 0; touched &= touched - 1) {
      const std::size_t n = i + static_cast<std::size_t>(std::countr_zero(touched));
      roots.live[n] = static_cast<std::uint16_t>(count_live(roots.all[n]));
    }
  }
}

void cover_roots(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
                 Roots& roots, const Range& range) {
  with_rule(tiles.apart, [&](auto rule) {
    cover_roots_by<decltype(rule)::value>(tiles, tile, places, first, roots, range);
  });
}

template <Apart apart>
void cover_middles_by(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
                      Middles& middles, Range& range, std::array<Places, most_lanes>& near) {
  // Goes from the end, so that a block which takes the place of another is already done.
  for (std::size_t v = (range.count + Wide::count - 1) / Wide::count; v-- > 0;) {
    const std::size_t i = range.first + v * Wide::count;
    std::uint32_t touched = 0;
    for_places<apart>(
        middles.balls, i, range.first + range.count, places, first,
        [](Wide asked, Wide ball) HWY_ATTR { return asked + ball; },
        [&](std::size_t p, std::uint32_t bits) HWY_ATTR {
          for (; bits != 0; bits &= bits - 1) {
            const auto lane = static_cast<std::size_t>(std::countr_zero(bits));
            if (tile.gated && !tiles.one_sheet(tiles.pieces[middles.block[i + lane].piece].triangle,
                                               places.number[p])) {
              continue;
            }
            if ((touched & (bits & -bits)) == 0) near[lane].clear();
            touched |= bits & -bits;
            near[lane].make_room(1);
            near[lane].add(places.place(p), radius_of<apart>(places, p), places.number[p]);
          }
        });
    for (; touched != 0; touched &= ~std::bit_floor(touched)) {
      const auto lane = static_cast<std::size_t>(std::bit_width(touched)) - 1;
      Block& block = middles.block[i + lane];
      const PatchRadii radii = radii_of(tiles, tile, block);
      block.live = surface::uncovered(apart, block, radii, near[lane], near_radius);
      if (block.live == 0) middles.remove(i + lane, range);
    }
  }
}

void cover_middles(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
                   Middles& middles, Range& range, std::array<Places, most_lanes>& near) {
  with_rule(tiles.apart, [&](auto rule) {
    cover_middles_by<decltype(rule)::value>(tiles, tile, places, first, middles, range, near);
  });
}

template <Apart apart>
void cover_smalls_by(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
                     Smalls& smalls, Range& range) {
  // Goes from the end, so that a piece which takes the place of another is already done.
  for (std::size_t v = (range.count + Wide::count - 1) / Wide::count; v-- > 0;) {
    const std::size_t i = range.first + v * Wide::count;
    std::uint32_t held = 0;
    for_places<apart>(
        smalls.balls, i, range.first + range.count, places, first,
        [](Wide asked, Wide ball) HWY_ATTR { return asked - ball; },
        [&](std::size_t p, std::uint32_t bits) HWY_ATTR {
          bits &= ~held;
          if (!tile.gated) {
            held |= bits;
            return;
          }
          for (; bits != 0; bits &= bits - 1) {
            const std::size_t n = i + static_cast<std::size_t>(std::countr_zero(bits));
            if (tiles.one_sheet(tiles.pieces[smalls.piece[n]].triangle, places.number[p])) {
              held |= bits & -bits;
            }
          }
        });
    for (; held != 0; held &= ~std::bit_floor(held)) {
      smalls.remove(i + static_cast<std::size_t>(std::bit_width(held)) - 1, range);
    }
  }
}

void cover_smalls(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
                  Smalls& smalls, Range& range) {
  with_rule(tiles.apart, [&](auto rule) {
    cover_smalls_by<decltype(rule)::value>(tiles, tile, places, first, smalls, range);
  });
}

}  // namespace
}  // namespace HWY_NAMESPACE
}  // namespace dapple::surface
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace dapple::surface {

HWY_EXPORT(cover_roots);
HWY_EXPORT(cover_middles);
HWY_EXPORT(cover_smalls);

void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Roots& roots, const Range& range) {
  HWY_DYNAMIC_DISPATCH(cover_roots)(tiles, tile, places, first, roots, range);
}

void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Middles& middles, Range& range, std::array<Places, most_lanes>& near) {
  HWY_DYNAMIC_DISPATCH(cover_middles)(tiles, tile, places, first, middles, range, near);
}

void cover(const Tiles& tiles, const Tile& tile, const Places& places, std::size_t first,
           Smalls& smalls, Range& range) {
  HWY_DYNAMIC_DISPATCH(cover_smalls)(tiles, tile, places, first, smalls, range);
}

}  // namespace dapple::surface
#endif
