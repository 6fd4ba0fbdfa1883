// Names of earlier versions, for tests that still use them. The next version removes both.
#pragma once

#include "dapple/deprecated.hpp"

#pragma GCC diagnostic ignored "-Wdeprecated-declarations"

namespace dapple::test {

// Returns the radius of points that have one.
inline double one_radius(const Points& points) {
  return old_names::radius_of(points).even;
}

}  // namespace dapple::test
