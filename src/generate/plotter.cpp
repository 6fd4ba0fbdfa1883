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
}

}  // namespace dapple
