// Runs work on threads, for the whole library. Results never depend on the number of threads: work
// is cut into the same items, every item writes only its own values, and sums go over fixed groups.
#pragma once

#include <cstddef>
#include <functional>

#include "dapple/forward.hpp"

namespace dapple {

// Returns the number of threads that the context allows on this machine, at least 1.
int thread_count(const Context& context);

// Calls body(i) for every i in [0, count) on up to thread_count() threads. Runs in order on this
// thread if thread_count() is 1 or count is below `sequential_below`. Checks for a cancel between
// items. The first exception of a body ends the loop and is rethrown.
void parallel_for(Context& context, std::size_t count, const std::function<void(std::size_t)>& body,
                  std::size_t sequential_below = 2);

// Returns the sum over [0, count) of body(i), added in an order that depends only on count.
double parallel_sum(Context& context, std::size_t count,
                    const std::function<double(std::size_t)>& body);

}  // namespace dapple
