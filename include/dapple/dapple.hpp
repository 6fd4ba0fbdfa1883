// Everything the library offers. The line that explains it:
//
//     image or density map -> DensityField -> r(x) -> sample() -> PointSet -> generator -> file
//
// Threads: nothing is shared but what a caller shares. Any number of calls may run at the same
// time, each with a Context of its own; what they are given as const may be the same. Classes that
// keep something between calls say what they allow.
#pragma once

#include "dapple/analyze.hpp"
#include "dapple/color.hpp"
#include "dapple/context.hpp"
#include "dapple/dither.hpp"
#include "dapple/drawing.hpp"
#include "dapple/drawing_files.hpp"
#include "dapple/error.hpp"
#include "dapple/field.hpp"
#include "dapple/files.hpp"
#include "dapple/geometry.hpp"
#include "dapple/image_files.hpp"
#include "dapple/mask.hpp"
#include "dapple/operation.hpp"
#include "dapple/options.hpp"
#include "dapple/plane.hpp"
#include "dapple/point_files.hpp"
#include "dapple/points.hpp"
#include "dapple/recipe.hpp"
#include "dapple/result.hpp"
#include "dapple/sample.hpp"
#include "dapple/stipple.hpp"
#include "dapple/units.hpp"
#include "dapple/version.hpp"
#include "dapple/worley.hpp"
