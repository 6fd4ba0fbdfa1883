// Implements the calls for hot loops, which take no texts and write to the caller's memory.
#include <algorithm>
#include <string>
#include <vector>

#include "c/handles.hpp"
#include "dapple/error.hpp"
#include "dapple/mask.hpp"
#include "dapple/sample.hpp"
#include "dapple/worley.hpp"

namespace dapple::c {
namespace {

Points sites_of(const double* xy, std::size_t count, int width, int height) {
  Points sites;
  sites.domain = {static_cast<double>(width), static_cast<double>(height), true};
  require_count(count, "points");
  for (std::size_t i = 0; i < count; ++i) sites.add({xy[2 * i], xy[2 * i + 1]}, 0);
  return sites;
}

}  // namespace
}  // namespace dapple::c

extern "C" {

dapple_status dapple_even_points(dapple_context* context, double width, double height,
                                 double radius, int wraps, double* xy, size_t capacity,
                                 size_t* count) {
  using namespace dapple;
  return c::watched(context, [&] {
    c::require(count != nullptr, "the output pointer for the number of points");
    c::require(xy != nullptr || capacity == 0, "the output pointer for the points");
    *count = 0;
    const Points points = sample(Domain{width, height, wraps != 0}, radius, {}, context->run);
    *count = points.size();
    if (points.size() > capacity) {
      throw Error(ErrorKind::limit, std::to_string(points.size()) +
                                        " points do not fit into room for " +
                                        std::to_string(capacity));
    }
    for (std::size_t i = 0; i < points.size(); ++i) {
      xy[2 * i] = points.x[i];
      xy[2 * i + 1] = points.y[i];
    }
  });
}

dapple_status dapple_mask_ranks(dapple_context* context, int32_t width, int32_t height,
                                int32_t* ranks, ptrdiff_t row_stride) {
  using namespace dapple;
  return c::watched(context, [&] {
    c::require(ranks != nullptr, "the output pointer for the ranks");
    constexpr auto value = static_cast<ptrdiff_t>(sizeof *ranks);
    if (row_stride % value != 0) {
      throw Error(ErrorKind::usage,
                  "the row stride of the ranks must be a multiple of 4 bytes, not " +
                      std::to_string(row_stride));
    }
    const c::Steps rows{row_stride, static_cast<std::size_t>(std::max(height, 0))};
    c::require_reach("the buffer of ranks", ranks, {rows});
    make_ranks({ranks, width, height, row_stride / value}, {}, context->run);
  });
}

dapple_status dapple_cell_distances(dapple_context* context, const double* xy, size_t count,
                                    int32_t width, int32_t height, float* f1, float* f2) {
  using namespace dapple;
  return c::watched(context, [&] {
    c::require(xy != nullptr, "the points");
    c::require(f1 != nullptr, "the output pointer for the distances");
    context->run.require_pixels(width, height, "a cell texture");
    WorleyOptions options;
    std::vector<PlaneView<float>> buffers{{f1, width, height, width}};
    if (f2 != nullptr) {
      options.outputs.emplace_back("f2");
      buffers.emplace_back(f2, width, height, width);
    }
    const auto target = ImageTarget::planes(buffers);
    worley(c::sites_of(xy, count, width, height), target, options, context->run);
  });
}

}  // extern "C"
