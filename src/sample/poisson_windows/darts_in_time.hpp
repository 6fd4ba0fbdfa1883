// Darts as a Poisson process in windows of time: what surfaces and spaces share.
//
// Darts on covered places are refused, so they need not be thrown: each window throws its share at
// what is still live, at ever higher rates, and settles them by their random times. So the points
// are those of darts that are thrown one after the other for ever, whatever the tiles are.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/random.hpp"

namespace dapple {

// Darts a unit of room in each window: 1, 1, 4, 16, 64 and so on.
double rate_of(int window);

// Those of each class in the windows of head starts, a class after the other; `head_start`: darts a
// unit of room of each class that come before those of the next.
std::vector<std::vector<double>> rates_of_head_starts(const std::vector<double>& head_start);
// Those of each class in a window: first come those of head starts.
std::vector<double> rates_of(int window, std::size_t classes,
                             const std::vector<std::vector<double>>& head_starts);

// A number with the distribution of Poisson from a uniform one.
int poisson(double uniform, double mean);
// The same where the mean may be large.
int darts_in(double mean, Random& random);

// Which darts stay: those that are not too near an earlier one that stays. `earlier` holds, for
// dart i from first[i] to first[i + 1], the earlier darts that are too near.
std::vector<bool> settle(const std::vector<std::uint32_t>& first,
                         const std::vector<std::uint32_t>& earlier);

}  // namespace dapple
