// Declares the writer of masks as programs.
#pragma once

#include <cstdint>
#include <span>
#include <string>

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple::mask {

// Returns a function in C99 that makes the mask of `ranks`, whose stored values are `image`. The
// text has the names in braces that encode_source() fills in. Throws Error(usage) for masks that
// the function cannot make.
std::string generator_text(const Image& image, std::span<const Plane<std::int32_t>> ranks,
                           Context& context);

}  // namespace dapple::mask
