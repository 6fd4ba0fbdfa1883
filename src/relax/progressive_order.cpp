// Divides the dots into four classes, each even (dot_classes.hpp). The classes follow one another,
// and each is ordered in the same way.
#include "relax/progressive_order.hpp"

#include "dapple/context.hpp"
#include "relax/dot_classes.hpp"

namespace dapple {
namespace {

constexpr std::size_t classes = 4;

void append_ordered(const Points& dots, const std::vector<std::int32_t>& chosen,
                    std::vector<std::int32_t>& order, Context& context) {
  if (chosen.size() <= classes) {
    order.insert(order.end(), chosen.begin(), chosen.end());
    return;
  }
  context.check();
  Points own;
  own.domain = dots.domain;
  for (const std::int32_t i : chosen) own.add(dots[static_cast<std::size_t>(i)], 0);
  const std::vector<std::vector<float>> shares(
      classes, std::vector<float>(chosen.size(), 1.0f / static_cast<float>(classes)));
  const std::vector<std::int32_t> class_id = dot_classes(own, shares, context);
  for (std::int32_t which = 0; which < static_cast<std::int32_t>(classes); ++which) {
    std::vector<std::int32_t> part;
    for (std::size_t k = 0; k < chosen.size(); ++k) {
      if (class_id[k] == which) part.push_back(chosen[k]);
    }
    append_ordered(dots, part, order, context);
  }
}

}  // namespace

std::vector<std::int32_t> progressive_order(const Points& dots, Context& context) {
  std::vector<std::int32_t> all(dots.size());
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = static_cast<std::int32_t>(i);
  std::vector<std::int32_t> order;
  order.reserve(all.size());
  append_ordered(dots, all, order, context);
  return order;
}

}  // namespace dapple
