// What options of a stippling ask of each other.
#pragma once

#include <array>

#include "dapple/pairs.hpp"

namespace dapple::stippling {

constexpr std::array pairs{
    PairRule{"regularity", Pair::needs, "method kernel"},
    PairRule{"edges", Pair::needs, "method kernel"},
    PairRule{"frame", Pair::needs, "method kernel"},
    PairRule{"path", Pair::excludes, "progressive", "of which no first part is a picture"},
    PairRule{"no-overlap", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"no-overlap", Pair::excludes, "gap", "which does that, too"},
    PairRule{"order", Pair::excludes, "path tsp", "which draws no dots"},
    PairRule{"order", Pair::excludes, "progressive", "which is an order of its own"},
};

}  // namespace dapple::stippling
