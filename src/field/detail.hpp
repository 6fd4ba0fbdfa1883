// Detail: what a guided filter takes away.
#pragma once

#include "field/lightness.hpp"

namespace dapple {

// `times` as much detail more, of a picture whose shorter side has so many pixels.
void add_detail(Plane<float>& picture, int shorter, double times, Context& context);
// What the base lacks of the picture, so many times more.
void add_difference(Plane<float>& picture, const Plane<float>& base, double times,
                    Context& context);

// How much detail a picture lacks, for add_detail(): 0 where a good half of it has some, and where
// that half is even as in drawings; else up to 1.5.
double lacking_detail(const Lightness& picture, Context& context);

}  // namespace dapple
