// Runs loops on threads of its own, for systems without oneTBB and for more threads than
// processors.
#pragma once

#include "core/threads/threads.hpp"

namespace dapple::threads {

// Calls body() as for_ranges() does, on std::threads that stay for later loops. A loop within a
// loop runs on the thread that begins it.
void for_ranges_in_pool(int threads, std::size_t count, RangeBody body, void* of);

}  // namespace dapple::threads
