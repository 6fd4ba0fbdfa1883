// Limits of a run: pixels, memory, and the foreign formats that it may decode.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace dapple {

// Selects the process in which OpenImageIO decodes foreign files. automatic: a child that is as
// confined as the kernel allows. always: a child, or an error if the kernel has no filters of
// system calls. never: this process.
enum class Sandbox { automatic, always, never };
constexpr std::array<std::string_view, 3> option_names(Sandbox) {
  return {"auto", "always", "never"};
}

// The use of the color profile of a file (ICC, or what PNG and OpenEXR state): its colors are
// converted to sRGB, or taken as sRGB.
enum class EmbeddedProfile { convert, ignore };
constexpr std::array<std::string_view, 2> option_names(EmbeddedProfile) {
  return {"convert", "ignore"};
}

// The formats and the process for decoding files of unknown origin.
struct Decoding {
  // Image formats to read beside the common ones, from other_formats().
  std::vector<std::string> allowed_formats = {};
  Sandbox sandbox = Sandbox::automatic;
  EmbeddedProfile profile = EmbeddedProfile::convert;
  // Points may have coordinates of any sign, and columns without a meaning (Points::others).
  bool whole_rows = false;
};

// Bounds that a run checks before it allocates anything, and the formats that it may open.
struct Limits {
  std::int64_t max_pixels = 268435456;
  std::int64_t max_memory = 0;  // bytes; 0: 80 % of the memory of the machine or its control group
  Decoding decoding = {};
};

// Returns max_memory, or its value on this machine if it is 0.
std::int64_t memory_limit(const Limits& limits);

}  // namespace dapple
