// Preparation of the one value that a map is read from.
#pragma once

#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "field/read/channels.hpp"

namespace dapple {

// What read_row() reads of every row, once the picture is prepared: without the colors that
// prepared() moves along.
Plane<float> prepared_values(const ImageView& image, const Channels& channels,
                             const PrepareOptions& options, Context& context);

// The same for a whole map: what its levels work on, a value a pixel. Throws as read_demand() does.
Plane<float> values_for_levels(const ImageView& image, const MapOptions& options, Context& context);

}  // namespace dapple
