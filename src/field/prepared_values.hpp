// Preparation of the one value that a map is read from.
#pragma once

#include "dapple/context.hpp"
#include "dapple/plane.hpp"
#include "dapple/prepare.hpp"
#include "field/channels.hpp"

namespace dapple {

// What read_row() reads of every row, once the picture is prepared: without the colors that
// prepared() moves along.
Plane<float> prepared_values(const Image& image, const Channels& channels,
                             const PrepareOptions& options, Context& context);

}  // namespace dapple
