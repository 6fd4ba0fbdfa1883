// Encodes the state of a relaxation as bytes.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// The state between two steps, before lists of neighbors are made. Holds whole blocks of dots.
struct KernelState {
  std::int32_t step = 0;           // the next one
  std::vector<std::int32_t> x, y;  // places, in units
  std::vector<float> lanes;        // per block: spacings, then velocities in x and in y
};

// Returns little-endian bytes, 20 per dot after a short header.
std::string encode(const KernelState& state);
// Throws Error(input) if the bytes are not a state of that many places.
KernelState decode_kernel_state(std::string_view bytes, std::size_t places);

}  // namespace dapple
