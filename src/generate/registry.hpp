// One row an operation, each defined at the foot of the file that implements it.
#pragma once

#include "dapple/operation.hpp"

namespace dapple {

Operation sample_operation();   // sample_operation.cpp
Operation stipple_operation();  // stipple.cpp
Operation mask_operation();     // mask.cpp
Operation worley_operation();   // worley.cpp
Operation dither_operation();   // dither.cpp

}  // namespace dapple
