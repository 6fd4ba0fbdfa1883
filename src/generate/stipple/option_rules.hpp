// Declares the rules between options of a stippling.
#pragma once

#include <array>
#include <string_view>

#include "dapple/extend/option_rules.hpp"

namespace dapple::stippling {

// All styles but dots.
constexpr std::string_view lines =
    "style voronoi|delaunay|tree|dashes|hatch|spiral|sine|flow|scribble|halftone|text";
constexpr std::string_view rows = "style hatch|spiral|sine|halftone|text";
constexpr std::string_view no_dots = "which draws lines instead of dots";
constexpr std::string_view no_points = "which has no points";

constexpr std::array stipple_pairs{
    PairRule{"method", Pair::excludes, rows, no_points},
    PairRule{"regularity", Pair::excludes, rows, no_points},
    PairRule{"frame", Pair::excludes, rows, no_points},
    PairRule{"order", Pair::excludes, rows, "which sets the order"},
    PairRule{"dot-size..gap", Pair::excludes, lines, no_dots},
    PairRule{"invert-darks", Pair::excludes, lines, "which a pen draws"},
    PairRule{"solid-blacks", Pair::excludes, lines, no_dots},
    PairRule{"solid-blacks", Pair::excludes, "invert-darks", "which covers blacks, too"},
    PairRule{"shape", Pair::excludes, lines, no_dots},
    PairRule{"words", Pair::needs, "style text"},
    PairRule{"progressive..longest-hop", Pair::excludes, lines, no_dots},
    PairRule{"touch", Pair::excludes, lines, no_dots},
    PairRule{"split", Pair::excludes, lines, no_dots},
    PairRule{"report", Pair::excludes, lines, no_dots},
    PairRule{"report-sheet", Pair::excludes, lines, no_dots},
    PairRule{"tone", Pair::wants, "as tone"},
    PairRule{"white-cutoff", Pair::wants, "as tone"},
    PairRule{"regularity", Pair::needs, "method kernel"},
    PairRule{"frame", Pair::needs, "method kernel"},
    PairRule{"shape", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"turn", Pair::needs, "shape FILE.svg or style dashes"},
    PairRule{"each-path", Pair::needs, "shape FILE.svg"},
    PairRule{"touch", Pair::needs, "shape disc|point"},
    PairRule{"touch", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"longest-hop", Pair::needs, "path tsp"},
    PairRule{"pen", Pair::needs,
             "shape point|circle|spiral|FILE.svg or path tsp or registration or style "
             "voronoi|delaunay|tree|dashes|hatch|spiral|sine|flow|scribble|halftone|text"},
    PairRule{"laser-power..dwell", Pair::needs, "laser-mode constant|dynamic"},
    PairRule{"laser-mode", Pair::excludes, "pen-lift or pen-up or pen-down",
             "which a laser does not have"},
    PairRule{"split", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"split", Pair::excludes, "progressive", "which sets the order"},
    PairRule{"split", Pair::excludes, "invert-darks", "which a pen cannot draw"},
    PairRule{"tiles", Pair::excludes, "invert-darks", "which a pen cannot draw"},
    PairRule{"tiles", Pair::excludes, "from", "which counts through the whole drawing"},
    PairRule{"tile-overlap", Pair::needs, "tiles"},
    PairRule{"from", Pair::excludes, "invert-darks", "which a pen cannot draw"},
    PairRule{"report", Pair::excludes, "from", "which leaves dots out"},
    PairRule{"report-sheet", Pair::excludes, "from", "which leaves dots out"},
    PairRule{"path", Pair::excludes, "progressive", "whose first part is not a picture"},
    PairRule{"no-overlap", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"no-overlap", Pair::excludes, "gap", "which keeps dots apart, too"},
    PairRule{"order", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"order", Pair::excludes, "progressive", "which sets the order"},
};

}  // namespace dapple::stippling
