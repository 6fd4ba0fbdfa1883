// Everything the library offers. The line that explains it:
//
//     image or density map -> DensityField -> r(x) -> sample() -> PointSet -> generator -> file
#pragma once

#include "dapple/analyze.hpp"
#include "dapple/color.hpp"
#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/drawing.hpp"
#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/files.hpp"
#include "dapple/geometry.hpp"
#include "dapple/mask.hpp"
#include "dapple/operation.hpp"
#include "dapple/options.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"
#include "dapple/recipe.hpp"
#include "dapple/result.hpp"
#include "dapple/sample.hpp"
#include "dapple/stipple.hpp"
#include "dapple/units.hpp"
#include "dapple/version.hpp"
#include "dapple/worley.hpp"
