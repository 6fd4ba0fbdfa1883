// What a pen plotter will make of a drawing, before it begins.
#pragma once

#include <string>
#include <vector>

#include "dapple/analyze.hpp"
#include "dapple/result.hpp"

namespace dapple::app {

struct Plot {
  PlotForecast forecast;
  double ink = 1;        // of the tones asked for
  bool is_told = false;  // also to who did not ask: there is a pen, or a file for one
  int parts = 1;         // to plot one after the other
  int tiles = 0;         // of the sheet; 0: it is one
};

// `extensions`: of the files that are written.
Plot plot_of(const DrawingMade& made, const std::vector<std::string>& extensions);

// The line on it, such as `plot: 31,400 touches, 98.2 m, 3.5 h, 100 % of the ink`.
std::string plot_line(const Plot& plot);

// Of a tile, such as `3,400 touches, 24 min`.
std::string plot_of_tile(const PlotForecast& tile);

// What is wrong with a plot of a pen, and what would mend it: much less ink than the tones ask for,
// more than they do, more than a night.
std::vector<std::string> plot_warnings(const Plot& plot, const DrawingMade& made);

}  // namespace dapple::app
