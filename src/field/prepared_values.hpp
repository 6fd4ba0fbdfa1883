// Prepares the one value that a map is read from.
#pragma once

#include "dapple/field.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"
#include "field/read/channels.hpp"

namespace dapple {

// Returns the values that read_row() reads from a prepared picture, without preparing its colors.
Plane<float> prepared_values(const ImageView& image, const Channels& channels,
                             const PrepareOptions& options, Context& context);

// As above, for a whole map: one value per pixel for its levels. Throws as target_density() does.
Plane<float> values_for_levels(const ImageView& image, const MapOptions& options, Context& context);

}  // namespace dapple
