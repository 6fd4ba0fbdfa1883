// Makes curves of lightness: automatic contrast, a factor, the tones of another picture.
#pragma once

#include <vector>

#include "field/lightness.hpp"

namespace dapple {

using Curve = std::vector<float>;  // values at even steps of lightness; empty: no change

// Returns automatic contrast (see prepared()), or an empty curve if the picture needs none.
Curve automatic_contrast(const Lightness& picture, const Context& context);
// Returns a curve that moves values `factor` times as far from middle gray.
Curve contrast_by(double factor);
// Returns the curve that gives the picture the shares of light and dark of another.
Curve matching_tones(const Lightness& picture, const Lightness& other, const Context& context);

void apply(const Curve& curve, Lightness& picture, Context& context);

}  // namespace dapple
