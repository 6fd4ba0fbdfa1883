// Runs threads by the pool, for systems without oneTBB.
#include <algorithm>
#include <thread>

#include "core/threads/pool.hpp"
#ifdef __linux__
#include <sched.h>
#endif

namespace dapple::threads {

int of_machine() {
#ifdef __linux__
  cpu_set_t mine;
  if (sched_getaffinity(0, sizeof mine, &mine) == 0) return std::max(1, CPU_COUNT(&mine));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

void for_ranges(int threads, std::size_t count, RangeBody body, void* of) {
  for_ranges_in_pool(threads, count, body, of);
}

}  // namespace dapple::threads
