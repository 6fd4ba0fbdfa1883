// Curves of lightness: automatic contrast, a factor, the tones of another picture.
#pragma once

#include <vector>

#include "field/lightness.hpp"

namespace dapple {

using Curve = std::vector<float>;  // values at even steps of lightness; empty: as it is

// Automatic contrast, as is told in prepare.hpp; empty where the picture needs none.
Curve automatic_contrast(const Lightness& picture, const Context& context);
// So many times as far from middle gray.
Curve contrast_by(double factor);
// The curve after which the picture has the shares of light and dark of another.
Curve matching_tones(const Lightness& picture, const Lightness& other, const Context& context);

void apply(const Curve& curve, Lightness& picture, Context& context);

}  // namespace dapple
