// Runs something once for every kind of vector code that this processor can run.
#pragma once

#include <cstdint>
#include <hwy/targets.h>

namespace dapple {

// body(name of the target), the plainest last.
template <class Body>
void for_each_simd_target(Body body) {
  for (const std::int64_t target : hwy::SupportedAndGeneratedTargets()) {
    hwy::SetSupportedTargetsForTest(target);
    body(hwy::TargetName(target));
  }
  hwy::SetSupportedTargetsForTest(0);  // what the processor has again
}

}  // namespace dapple
