// Tells how much work a changed option repeats, for programs that show results during editing.
#pragma once

#include <string_view>

#include "dapple/extend/operation.hpp"

namespace dapple::app {

// The parts of the work to repeat, in increasing order.
enum class Cost {
  drawing,  // dots keep places and sizes: ink, order, files
  sizes,    // dots keep their places
  tone,     // the picture requires dots elsewhere
  number,   // the number of dots changes
  all,
};
std::string_view word_of_cost(Cost cost);

// Returns the highest cost of changing `option`; Cost::all if the option is not listed.
Cost cost_of(const Operation& operation, std::string_view option);

}  // namespace dapple::app
