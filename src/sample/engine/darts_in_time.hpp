// Throws darts as a Poisson process in windows of time, for surfaces and spaces.
//
// Darts on covered places are refused, so they need not be thrown. Each window throws its share at
// parts that are still live, at ever higher rates. Random times settle its darts. The points are
// thus those of darts thrown one after the other for ever, whatever the tiles are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/lists.hpp"
#include "core/random.hpp"

namespace dapple {

// Returns the number of darts per unit of space in a window: 1, 1, 4, 16, 64 and so on.
double rate_of(int window);

// Returns the rates of each class in the windows of head starts, one class after the other.
// `head_start`: darts per unit of space of each class before those of the next.
std::vector<std::vector<double>> rates_of_head_starts(const std::vector<double>& head_start);
// Returns the rates of each class in a window; the windows of head starts come first.
std::vector<double> rates_of(int window, std::size_t classes,
                             const std::vector<std::vector<double>>& head_starts);

// Returns a number with a Poisson distribution from a uniform one.
int poisson(double uniform, double mean);
// As above, but the mean may be large.
int darts_in(double mean, Random& random);

// Returns which darts stay: those that are not too near an earlier dart that stays. `earlier` lists
// for each dart the earlier darts that are too near.
std::vector<bool> settle(const Lists<std::uint32_t, std::uint32_t>& earlier);

}  // namespace dapple
