// Lays out sheets that tell the width of a pen, or the power and dwell of a laser: fields of dots
// and lines whose tone depends on the width of the line, between four registration crosses.
#pragma once

#include <array>
#include <vector>

#include "dapple/drawing.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/stipple.hpp"

namespace dapple::app {

struct CalibrationOptions {
  bool laser = false;
  double width = 0;                           // mm, about that of the line; 0: usual for the tool
  Paper paper = {};                           // empty: A5
  std::vector<double> powers = {10, 25, 50};  // percent, up to three, of a laser
  std::vector<double> dwells = {0.005, 0.02, 0.06};  // s, up to three
  Plotter plotter = {};
};

// A square with marks of one kind.
struct CalibrationField {
  enum class Kind { dots, lines, solid };
  Kind kind = Kind::dots;
  Box box = {};  // mm
  std::size_t layer = 0;
  double power = 0;  // of a laser; 0: that of the plotter
  double dwell = 0;
};

struct CalibrationSheet {
  Drawing drawing;
  double width = 0;  // mm, with which the fields were laid out
  std::vector<CalibrationField> fields;
  std::array<Vec2, 4> crosses = {};  // clockwise from the upper left corner
  Vec2 mark = {};                    // a fifth cross, which tells the corners apart
};

// Arms of a cross, mm.
constexpr double cross_arm = 8;
// Bare paper around a field that belongs to it, mm.
constexpr double field_surround = 3.5;

// Throws Error(usage) for paper that is too small.
CalibrationSheet calibration_sheet(const CalibrationOptions& options, Context& context);

// Returns the marks of a field, drawn with a line of this width, on paper as large as the field and
// its surround.
Drawing field_drawing(const CalibrationSheet& sheet, const CalibrationField& field, double width);

}  // namespace dapple::app
