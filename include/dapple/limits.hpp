// What a run may use at most, and which files of strangers it may open.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// Where decoders of strangers' files work that are not our own: in a process that can do little
// else, as confined as the kernel allows, only where it has filters of system calls, or in this
// one.
enum class Sandbox { automatic, always, never };
constexpr std::array<std::string_view, 3> option_names(Sandbox) {
  return {"auto", "always", "never"};
}

// How files of strangers are met.
struct Decoding {
  // Formats of images to read beside the common ones, of other_formats().
  std::vector<std::string> allowed_formats = {};
  Sandbox sandbox = Sandbox::automatic;
};

// What a run may use at most, checked before anything is allocated, and what it may open.
struct Limits {
  std::int64_t max_pixels = 268435456;
  std::int64_t max_memory = 0;  // bytes; 0: 80 % of what the machine or its control group has
  Decoding decoding = {};
};

// max_memory, or what 0 stands for on this machine.
std::int64_t memory_limit(const Limits& limits);

}  // namespace dapple
