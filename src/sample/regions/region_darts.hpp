// Places darts in regions: as many as one radius allows, or an exact number in each region.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/points.hpp"
#include "sample/regions/region_shapes.hpp"

namespace dapple {

struct RegionRequest {
  std::vector<std::int64_t> counts = {};  // of each region; empty: as many as `radius` allows
  double radius = 0;
  Points kept = {};  // fixed points, with the column `region`; without a radius they get one
};

// Returns new points in the order of the regions, with the columns r and region. The r of a point
// is that of its region, or less beside a denser region: two points are at least the mean of their
// r apart. Sets missing radii of request.kept. Throws Error(limit) for a region that cannot hold
// its points.
Points region_darts(const Regions& regions, const RegionShapes& shapes, RegionRequest& request,
                    Context& context);

}  // namespace dapple
