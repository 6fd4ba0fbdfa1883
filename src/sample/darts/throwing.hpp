// Dart throwing, with a look behind it for tests.
#pragma once

#include "sample/darts/squares.hpp"

namespace dapple {

// Points in the order in which they fell. `thrown`, where given: all darts that were looked at, in
// order of time; those left out fell on places that one earlier point covers.
PointSet dart_throwing(const DensityField& field, const SampleOptions& options, Context& context,
                       std::vector<Dart>* thrown);

}  // namespace dapple
