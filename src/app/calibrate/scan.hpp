// Measures the scan of a calibration sheet.
#pragma once

#include <vector>

#include "app/calibrate/sheet.hpp"
#include "dapple/forward.hpp"
#include "dapple/plane.hpp"

namespace dapple::app {

// The tone of a field, and the width of the line that gives this tone.
struct MeasuredField {
  CalibrationField field;
  double cover = 0;    // ink over the area of the field
  double planned = 0;  // as above, by a line of the width that the sheet was laid out with
  double width = 0;    // mm
};

struct CalibrationReading {
  std::vector<MeasuredField> fields;  // without the solid ones
  double dot_width = 0;               // mm, of a touch; 0: no such field
  double line_width = 0;              // mm
  double ink = 0;                     // light of solid ink over that of bare paper
  // Growth of the tone of half the paper, in parts of it, from the planned width on.
  double gain = 0;
};

// Throws Error(input) if the scan does not show this sheet.
CalibrationReading read_scan(const CalibrationSheet& sheet, const Image& scan, Context& context);

}  // namespace dapple::app
