// Points of a room in an order of which every beginning is well spaced.
#include <algorithm>
#include <optional>

#include "core/portable.hpp"
#include "sample/space/room.hpp"

namespace dapple::space {
namespace {

// How many radii come before the last one, each larger than the next by so much that half as many
// points have room: until they have that of one.
int passes_before(const Room<3>& room, double step) {
  const double radius = room.field != nullptr ? 1 : room.radius(0);
  const double most = room.field != nullptr
                          ? portable_cbrt(room.field->integral())
                          : portable_cbrt(room.side[0] * room.side[1] * room.side[2]);
  int passes = 0;
  for (double r = radius; r < most; r *= step) ++passes;
  return passes;
}

}  // namespace

Points<3> throw_progressively(const Room<3>& room, Context& context) {
  const double step = portable_cbrt(2);
  Points<3> all;
  Room<3> coarse = room;
  coarse.kept = &all;
  for (int passes = passes_before(room, step); passes >= 0; --passes) {
    double times = 1;
    double radius = room.radius(0);
    for (int i = 0; i < passes; ++i) {
      times *= step;
      radius *= step;
    }
    const std::optional<VolumeField> field =
        room.field != nullptr ? std::optional(room.field->times(times)) : std::nullopt;
    if (field) coarse.field = &*field;
    coarse.distance = {{radius}};
    Points<3> found = throw_darts(coarse, context);
    order_by_windows(found);
    all.at.insert(all.at.end(), found.at.begin(), found.at.end());
    all.klass.insert(all.klass.end(), found.klass.begin(), found.klass.end());
    all.window.insert(all.window.end(), found.window.begin(), found.window.end());
  }
  return all;
}

}  // namespace dapple::space
