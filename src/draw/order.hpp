// What ways through dots are made of and measured by.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// The points along a Hilbert curve over their domain: near ones are mostly near in the order.
std::vector<std::int32_t> hilbert_order(const PointSet& points);

constexpr int near_dots = 8;
// The `count` nearest dots of each, near ones first; -1: no more.
using NearDots = std::vector<std::array<std::int32_t, near_dots>>;
NearDots nearest_dots(const PointSet& points, Context& context, int count = near_dots);

// How many of the near dots shorten_stretch() looks at.
constexpr int near_dots_tried = 6;

// Shortens a way through some of the points whose first and last dot stay in their places. `place`
// is where each dot stands on the whole way, of which `way` begins at `begin`; neighbors elsewhere
// do not count. Looks at dots that are not `settled` (and at whatever its moves touch), and settles
// those that have no neighbors elsewhere.
void shorten_stretch(const PointSet& points, const NearDots& near, std::span<std::int32_t> way,
                     const std::vector<std::int32_t>& place, std::int32_t begin,
                     std::vector<std::uint8_t>& settled, const Context& context);

// Turns parts of the way over until no two of its edges cross.
void undo_crossings(const PointSet& points, std::vector<std::int32_t>& way, const Context& context);

}  // namespace dapple
