// What is live of a root block while darts are few: a map of 16 parts a side, a bit each, which
// balls are drawn into.
#pragma once

#include "sample/box_space/box.hpp"

namespace dapple::space {

constexpr int map_side = 16;
// A row is a number whose bit i is part i along the first axis. Rows stand along the second axis,
// which makes a slice; slices stand along the third. In four dimensions there would be too many.
template <std::size_t D>
constexpr bool has_map = D < 4;
template <std::size_t D>
constexpr std::size_t map_slices = D == 3 ? map_side : 1;
template <std::size_t D>
constexpr std::size_t map_rows = map_side* map_slices<D>;
// Halvings of a root after which blocks have parts as large as those of its map.
constexpr int map_level = 2;

// Clears the parts of a box that a ball round one of the places covers; what one just covers may
// stay.
template <std::size_t D>
void cover_map(std::uint16_t* rows, const HalfBox<D>& box, const Places<D>& places);
// The same where each place has a radius of its own as its limit.
void cover_map(std::uint16_t* rows, const HalfBox<3>& box, const Places<3>& places,
               const ConflictLimits& reach);
// How many parts are live of all slices up to each; returns that of all.
template <std::size_t D>
int count_live(const std::uint16_t* rows, std::array<int, map_slices<D>>& up_to);
// The index along each side of the n-th live part, from 0, of which so many are live.
template <std::size_t D>
std::array<int, D> nth_live(const std::uint16_t* rows, const std::array<int, map_slices<D>>& up_to,
                            int n);

}  // namespace dapple::space
