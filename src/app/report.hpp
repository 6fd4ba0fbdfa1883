// What --report adds to a run: the measurements that fit what it made.
#pragma once

#include <optional>

#include "app/run/runner.hpp"
#include "dapple/analyze.hpp"
#include "dapple/operation.hpp"

namespace dapple::app {

// Of a stippling against its darkness, of points, or of a mask; nothing, and a warning, where
// there is nothing to measure.
std::optional<QualityReport> report_on(const Operation& operation, const Result& result,
                                       Context& context);

// Where --report-sheet goes: one picture, or none. Throws Error(usage) where it cannot, or where an
// output has that name already; Error(output) as plan_outputs() does.
std::vector<PlannedOutput> plan_report_sheet(const Run& run,
                                             const std::vector<PlannedOutput>& outputs,
                                             const Context& context);
// Draws and writes it.
void write_report_sheet(const Run& run, const std::vector<PlannedOutput>& outputs, Context& context,
                        Record& record);

// The field with the scale at which the set was made: the median of its radii over the field's.
DensityField scaled_to(const DensityField& field, const PointSet& points);

}  // namespace dapple::app
