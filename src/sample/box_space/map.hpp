// Defines the live map of a root block while darts are few: 16 parts per side, one bit per part.
// Balls that are drawn into the map clear the bits.
#pragma once

#include "sample/box_space/box.hpp"

namespace dapple::box_space {

constexpr int map_side = 16;
// Bit i of a row is part i along the first axis. Rows along the second axis form a slice, and
// slices follow each other along the third. In four dimensions there would be too many.
template <std::size_t D>
constexpr bool has_map = D < 4;
template <std::size_t D>
constexpr std::size_t map_slices = D == 3 ? map_side : 1;
template <std::size_t D>
constexpr std::size_t map_rows = map_side* map_slices<D>;
// Halvings of a root after which the parts of blocks are as large as those of the map.
constexpr int map_level = 2;

// Clears the parts of a box that a ball around one of the places covers. A part that is only just
// covered may stay.
template <std::size_t D>
void cover_map(std::uint16_t* rows, const HalfBox<D>& box, const Places<D>& places,
               ConflictLimits reach = {});
// Sets up_to[s] to the live parts of slices 0 to s. Returns the live parts of all slices.
template <std::size_t D>
int count_live(const std::uint16_t* rows, std::array<int, map_slices<D>>& up_to);
// Returns the index along each side of live part `n`, from 0. `up_to` comes from count_live().
template <std::size_t D>
std::array<int, D> nth_live(const std::uint16_t* rows, const std::array<int, map_slices<D>>& up_to,
                            int n);

}  // namespace dapple::box_space
