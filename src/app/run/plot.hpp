// Forecasts how a pen plotter will draw a drawing.
#pragma once

#include <string>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/extend/result.hpp"

namespace dapple::app {

struct Plot {
  PlotForecast forecast;
  double ink = 1;            // ink relative to the ink that the tones require
  bool is_told = false;      // report it always, since there is a pen or a file for a pen
  bool for_machine = false;  // a file for a plotter is written
  int parts = 1;             // number of parts to plot in sequence
  int tiles = 0;             // number of tiles of the sheet; 0: not tiled
};

// Returns a warning if the dots of a drawing are too small to be seen in its picture, or "".
std::string picture_warning(const DrawingMade& made);

// Returns the forecast. `extensions` are those of the files to write.
Plot plot_of(const DrawingMade& made, const std::vector<std::string>& extensions);

// Returns a line such as `plot: 31,400 touches, 98.2 m, 3.5 h, 100 % of the ink`.
std::string plot_line(const Plot& plot);

// Describes the plot of one tile, such as `3,400 touches, 24 min`.
std::string plot_of_tile(const PlotForecast& tile);

// Returns warnings about a plot, each with a remedy: too little or too much ink for the tones, or
// more than 8 h.
std::vector<std::string> plot_warnings(const Plot& plot, const DrawingMade& made);

}  // namespace dapple::app
