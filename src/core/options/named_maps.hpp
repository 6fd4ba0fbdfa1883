// Checks options that name several maps, whether they were set from text or not.
#pragma once

namespace dapple {

class Option;

// Throws Error(usage) that names the option. Refuses names and radii that text cannot set, repeated
// names, and files that were not read.
void check_named_maps(const Option& option);

}  // namespace dapple
