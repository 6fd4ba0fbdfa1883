// How a pen plotter moves, as users say it.
#include "dapple/drawing.hpp"

namespace dapple {

void describe(Plotter& plotter, OptionList& list) {
  list.group("Plotter");
  list.add("speed", plotter.speed, "Of the pen on the paper, for the forecast of the plot")
      .unit("mm/s")
      .range(0.01, 100000);
  list.add("travel-speed", plotter.travel_speed, "Of the lifted pen")
      .unit("mm/s")
      .range(0.01, 100000);
  list.add("acceleration", plotter.acceleration, "How fast the pen gains and loses speed")
      .unit("mm/s^2")
      .range(0.01, 10000000);
  list.add("pen-lift", plotter.pen_lift, "Time to lift the pen, or to lower it")
      .unit("s")
      .range(0, 3600);
  list.add("pen-change", plotter.pen_change, "Time to change to another pen")
      .unit("s")
      .range(0, 3600);
  const auto commands = [](std::string_view text) {
    const bool one_line = text.find_first_of("\r\n") == std::string_view::npos;
    return std::string(one_line ? "" : "must be one line, with | between commands");
  };
  list.add("pen-up", plotter.pen_up,
           "G-code that lifts the pen, such as 'M5 | G4 P0.2' for a servo")
      .metavar("COMMANDS")
      .check(commands);
  list.add("pen-down", plotter.pen_down, "G-code that lowers the pen")
      .metavar("COMMANDS")
      .check(commands);
}

}  // namespace dapple
