// Cleans scans of drawings on paper.
#pragma once

#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple {

// Makes the paper of a scan white, whatever its shade and however unevenly it was lit. Removes
// specks of a few pixels. Values are lightness, 0..1.
void clean_scan(Plane<float>& scan, Context& context);

}  // namespace dapple
