// Changes detail, the part of a picture that a guided filter removes.
#pragma once

#include "field/lightness.hpp"

namespace dapple {

// Adds `times` the detail to a picture whose shorter side has `shorter` pixels.
void add_detail(Plane<float>& picture, int shorter, double times, Context& context);
// Adds `times` the difference of the picture from the base.
void add_difference(Plane<float>& picture, const Plane<float>& base, double times,
                    Context& context);

// Returns the detail that a picture lacks, for add_detail(), up to 1.5. Returns 0 if a good half of
// the picture has detail, or if that half is even as in drawings.
double lacking_detail(const Lightness& picture, Context& context);

}  // namespace dapple
