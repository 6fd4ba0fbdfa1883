// Hides what runs threads (DAPPLE_THREADS of CMake: tbb, own or none) from the rest of the library,
// which uses parallel.hpp.
#pragma once

#include <cstddef>

namespace dapple::threads {

// Returns the number of processors that this process may use.
int of_machine();

// Calls body(of, first, last) for ranges that make up [0, count). Uses up to `threads` threads,
// including the caller's, or as many as can start. Returns when all ranges are done. Rethrows the
// first exception.
using RangeBody = void (*)(void* of, std::size_t first, std::size_t last);
void for_ranges(int threads, std::size_t count, RangeBody body, void* of);

}  // namespace dapple::threads
