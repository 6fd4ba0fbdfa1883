// The state of a relaxation, as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// Between two steps, where lists of neighbors are made anew. Whole blocks of dots.
struct KernelState {
  std::int32_t step = 0;           // the next one
  std::vector<std::int32_t> x, y;  // places, in units
  std::vector<float> lanes;        // block by block: spacings, and velocities in x and y
};

// Little-endian, 20 bytes per dot.
std::string encode(const KernelState& state);
// Throws Error(input) where the bytes are no state of so many places.
KernelState decode_kernel_state(std::string_view bytes, std::size_t places);

}  // namespace dapple
