// The core of the library, all of it, linked with TBB and Highway alone: whatever of it needs a
// part that reads or writes files, or a library of these, cannot be linked here.
#include <cstdio>

#include "dapple/analyze.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/extend/operation.hpp"
#include "dapple/mask.hpp"
#include "dapple/sample.hpp"
#include "dapple/stipple.hpp"

int main() {
  using namespace dapple;
  try {
    Context context;
    const DensityField field = DensityField::constant({64, 64, true}, 4);
    const Points points = sample(field.domain(), field, {.count = 0}, context);
    Image photo;
    photo.channels = {Plane<float>(64, 64, 0.25f)};
    photo.names = {"Y"};
    PictureOptions map;
    map.as = MapKind::tone;
    StippleOptions options;
    options.dots = 100;
    const Stippling drawn = stipple(photo, map, options, context);
    const QualityReport report = analyze_points(points, context);
    const std::size_t count = points.size();
    std::printf("%zu operations, %zu points, %zu dots\n%s", operations().size(), count,
                drawn.dots.size(), report_text(report).c_str());
    return operations().size() > 4 && count > 100 && drawn.dots.size() == 100 ? 0 : 1;
  } catch (const Error& error) {
    std::fprintf(stderr, "core_alone: %s\n", error.what());
    return 1;
  }
}
