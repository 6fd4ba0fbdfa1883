// Lists the neighbors of points with a value each, such as how much they crowd the point.
#pragma once

#include <cstdint>

#include "core/lists.hpp"

namespace dapple {

struct NearValue {
  std::uint32_t point;
  float value;
};
using NearValues = Lists<NearValue>;

}  // namespace dapple
