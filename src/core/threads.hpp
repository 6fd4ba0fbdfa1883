// oneTBB, out of sight of everything else: parallel.hpp is what the library uses.
#pragma once

#include <cstddef>

namespace dapple::threads {

// Processors that this process may use.
int of_machine();

// Calls body(of, first, last) for ranges that make up [0, count), on up to `threads` threads, the
// caller's among them, or on as many as can be had. Returns once all of them have; the first
// exception is thrown on.
using RangeBody = void (*)(void* of, std::size_t first, std::size_t last);
void for_ranges(int threads, std::size_t count, RangeBody body, void* of);

}  // namespace dapple::threads
