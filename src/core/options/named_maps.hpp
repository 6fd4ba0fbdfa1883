// Options that name several maps: what holds for whoever sets them, text or not.
#pragma once

namespace dapple {

class Option;

// Throws Error(usage) that names the option, for a name or radii that no text gives, a name that is
// there twice, and a file that was not read.
void check_named_maps(const Option& option);

}  // namespace dapple
