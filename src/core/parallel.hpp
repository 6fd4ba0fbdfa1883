// The one door to threads. Work is cut into items that do not depend on the number of threads,
// every item writes only what is its own, and sums go over fixed groups: so results never depend on
// threads.
#pragma once

#include <cstddef>
#include <functional>

#include "dapple/forward.hpp"

namespace dapple {

// Threads that the context allows on this machine, at least 1.
int thread_count(const Context& context);

// Calls body(i) for every i in [0, count), on up to thread_count() threads; in order on this thread
// where that is 1 or count is below `sequential_below`. Checks for a cancel between items. The
// first exception of a body ends the loop and is thrown on.
void parallel_for(Context& context, std::size_t count, const std::function<void(std::size_t)>& body,
                  std::size_t sequential_below = 2);

// Sum over [0, count) of body(i), added in an order that depends on count alone.
double parallel_sum(Context& context, std::size_t count,
                    const std::function<double(std::size_t)>& body);

}  // namespace dapple
