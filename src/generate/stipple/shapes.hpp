// Which shape each dot has, and how it lies.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "dapple/stipple.hpp"

namespace dapple::stippling {

// Shapes of one's own: all of the file's paths, or each. At least one.
std::vector<Outline> shapes_of(const StippleOptions& options);

struct DotShapes {
  std::vector<std::shared_ptr<const Outline>> outlines;  // that dots have, turned as they lie
  std::vector<std::uint16_t> of_dots;                    // a place among them for each
};

// `dots` in pixels of `darkness`; of a sequence a dot keeps what it has by chance.
DotShapes choose_shapes(const PointSet& dots, const Plane<float>& darkness,
                        const StippleOptions& options, Context& context);

}  // namespace dapple::stippling
