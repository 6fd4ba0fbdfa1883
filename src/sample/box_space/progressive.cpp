// Samples points of a domain in an order in which each prefix is well spaced.
#include <algorithm>
#include <optional>

#include "core/deterministic_math.hpp"
#include "sample/box_space/box_domain.hpp"

namespace dapple::box_space {
namespace {

// Returns how many radii come before the last one. Each radius leaves room for half as many points
// as the next; the first leaves room for one.
template <std::size_t D>
int passes_before(const Room<D>& room, double step) {
  const double radius = room.field != nullptr ? 1 : room.radius(0);
  double content = room.side[0];
  for (std::size_t a = 1; a < D; ++a) content *= room.side[a];
  if (room.field != nullptr) content = room.field->integral();
  const double most = side_of(content, D);
  int passes = 0;
  for (double r = radius; r < most; r *= step) ++passes;
  return passes;
}

}  // namespace

template <std::size_t D>
Sampled<D> throw_progressively(const Room<D>& room, Context& context) {
  const double step = side_of(2, D);
  Sampled<D> all;
  Room<D> coarse = room;
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
    Sampled<D> found = throw_darts(coarse, context);
    order_by_windows(found);
    all.at.insert(all.at.end(), found.at.begin(), found.at.end());
    all.class_id.insert(all.class_id.end(), found.class_id.begin(), found.class_id.end());
    all.window.insert(all.window.end(), found.window.begin(), found.window.end());
  }
  return all;
}

template Sampled<3> throw_progressively(const Room<3>&, Context&);
template Sampled<4> throw_progressively(const Room<4>&, Context&);

}  // namespace dapple::box_space
