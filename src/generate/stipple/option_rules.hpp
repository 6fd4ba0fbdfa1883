// Declares the rules between options of a stippling.
#pragma once

#include <array>

#include "dapple/extend/option_rules.hpp"

namespace dapple::stippling {

constexpr std::array stipple_pairs{
    PairRule{"tone", Pair::wants, "as tone"},
    PairRule{"white-cutoff", Pair::wants, "as tone"},
    PairRule{"regularity", Pair::needs, "method kernel"},
    PairRule{"edges", Pair::needs, "method kernel"},
    PairRule{"frame", Pair::needs, "method kernel"},
    PairRule{"shape", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"turn", Pair::needs, "shape FILE.svg"},
    PairRule{"each-path", Pair::needs, "shape FILE.svg"},
    PairRule{"touch", Pair::needs, "shape disc|point"},
    PairRule{"touch", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"longest-hop", Pair::needs, "path tsp"},
    PairRule{"pen", Pair::needs, "shape point|circle|spiral|FILE.svg or path tsp or registration"},
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
