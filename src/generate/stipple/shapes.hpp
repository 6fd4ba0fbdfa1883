// Chooses the shape and the rotation of each dot.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dapple/stipple.hpp"

namespace dapple::stippling {

// Returns the shapes of the file: all paths as one, or each path. At least one.
std::vector<Outline> shapes_of(const StippleOptions& options);

struct DotShapes {
  std::vector<std::shared_ptr<const Outline>> outlines;  // shapes of dots, rotated
  std::vector<std::uint16_t> of_dots;                    // index of each dot's outline
};

// Chooses shapes of `dots`, in pixels of `darkness`. In a sequence they stay if they are random.
DotShapes choose_shapes(const Points& dots, const Plane<float>& darkness,
                        const StippleOptions& options, Context& context);

}  // namespace dapple::stippling
