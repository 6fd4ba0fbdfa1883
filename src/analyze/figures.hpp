// Small helpers that the three reports share.
#pragma once

#include <string>
#include <vector>

#include "analyze/spectrum.hpp"
#include "dapple/analyze.hpp"

namespace dapple {

// Radial power and anisotropy of the rings up to `limit`, as curves.
void add_radial_curves(QualityReport& report, const std::vector<Ring>& rings, double limit,
                       const std::string& x_label, const std::string& name);

}  // namespace dapple
