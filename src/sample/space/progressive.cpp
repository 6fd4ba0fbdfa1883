// Points of a room in an order of which every beginning is well spaced.
#include <algorithm>

#include "core/portable.hpp"
#include "sample/space/room.hpp"

namespace dapple::space {

Points<3> throw_progressively(const Room<3>& room, Context& context) {
  const double radius = room.radius(0);
  const double most = portable_cbrt(room.side[0] * room.side[1] * room.side[2]);
  const double step = portable_cbrt(2);
  int passes = 0;
  for (double r = radius; r < most; r *= step) ++passes;
  Points<3> all;
  Room<3> coarse = room;
  coarse.kept = &all;
  for (; passes >= 0; --passes) {
    double r = radius;
    for (int i = 0; i < passes; ++i) r *= step;
    coarse.distance = {{r}};
    Points<3> found = throw_darts(coarse, context);
    order_by_windows(found);
    all.at.insert(all.at.end(), found.at.begin(), found.at.end());
    all.klass.insert(all.klass.end(), found.klass.begin(), found.klass.end());
    all.window.insert(all.window.end(), found.window.begin(), found.window.end());
  }
  return all;
}

}  // namespace dapple::space
