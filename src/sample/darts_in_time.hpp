// Darts as a Poisson process in windows of time: what surfaces and spaces share.
//
// Darts on covered places are refused, so they need not be thrown: each window throws its share at
// what is still live, at ever higher rates, and settles them by their random times. So the points
// are those of darts that are thrown one after the other for ever, whatever the tiles are.
#pragma once

#include <cstdint>
#include <vector>

namespace dapple {

// Darts a unit of room in each window: 1, 1, 4, 16, 64 and so on.
double rate_of(int window);

// A number with the distribution of Poisson from a uniform one.
int poisson(double uniform, double mean);

// Which darts stay: those that are not too near an earlier one that stays. `earlier` holds, for
// dart i from first[i] to first[i + 1], the earlier darts that are too near.
std::vector<bool> settle(const std::vector<std::uint32_t>& first,
                         const std::vector<std::uint32_t>& earlier);

}  // namespace dapple
