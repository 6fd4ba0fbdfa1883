// One target as a libFuzzer program. DAPPLE_FUZZ_TARGET names it.
#include <cstddef>
#include <cstdint>
#include <cstdlib>

#include "fuzz/targets.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  static const dapple::fuzz::Target* const target = [] {
    for (const dapple::fuzz::Target& candidate : dapple::fuzz::targets()) {
      if (candidate.name == DAPPLE_FUZZ_TARGET) return &candidate;
    }
    std::abort();
  }();
  target->run({reinterpret_cast<const char*>(data), size});
  return 0;
}
