// What --report adds to a run: the measurements that fit what it made.
#pragma once

#include <optional>

#include "dapple/analyze.hpp"
#include "dapple/operation.hpp"

namespace dapple::app {

// Of a stippling against its darkness, of points, or of a mask; nothing, and a warning, where
// there is nothing to measure.
std::optional<QualityReport> report_on(const Operation& operation, const Result& result,
                                       Context& context);

}  // namespace dapple::app
