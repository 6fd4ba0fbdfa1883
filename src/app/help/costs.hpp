// What a change of an option costs whoever shows results while they are chosen: how much of the
// work has to be done anew.
#pragma once

#include <string_view>

#include "dapple/operation.hpp"

namespace dapple::app {

// From little to all.
enum class Cost {
  drawing,  // dots lie where they were and are as large: ink, order, files
  sizes,    // dots lie where they were
  tone,     // the picture asks for dots elsewhere
  number,   // for another number of them
  all,
};
std::string_view word_of_cost(Cost cost);

// Of an option of an operation, at most; `all` where nobody has said less.
Cost cost_of(const Operation& operation, std::string_view option);

}  // namespace dapple::app
