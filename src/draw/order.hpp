// Makes and improves ways through dots.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "dapple/forward.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Returns the points along a Hilbert curve over their domain: near points are mostly near in order.
std::vector<std::int32_t> hilbert_order(const Points& points);

constexpr int near_dots = 8;
// The `count` nearest dots of each dot, nearest first; -1: no more.
using NearDots = std::vector<std::array<std::int32_t, near_dots>>;
NearDots nearest_dots(const Points& points, Context& context, int count = near_dots);

// The number of near dots that shorten_stretch() looks at.
constexpr int near_dots_tried = 6;

// Shortens a stretch of a way, whose first and last dots stay in their places. `place` holds the
// place of each dot on the whole way; the stretch `way` begins at `begin`. Neighbors elsewhere do
// not count. Looks at dots that are not `settled`, and at dots that its moves touch. Settles the
// dots that have no neighbors elsewhere.
void shorten_stretch(const Points& points, const NearDots& near, std::span<std::int32_t> way,
                     const std::vector<std::int32_t>& place, std::int32_t begin,
                     std::vector<std::uint8_t>& settled, const Context& context);

// Reverses parts of the way until no two of its edges cross.
void undo_crossings(const Points& points, std::vector<std::int32_t>& way, const Context& context);

}  // namespace dapple
