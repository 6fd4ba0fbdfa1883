// Declares the samplers behind sample(), and functions that they share.
#pragma once

#include <string_view>

#include "dapple/points.hpp"
#include "sample/darts/darts.hpp"

namespace dapple {

struct PointsOptions;  // dapple/sample.hpp

// Returns the number of points for a method that takes any number: `count`, or if it is 0, as many
// as darts would place. Throws Error(limit) if memory cannot hold them.
std::int64_t free_count(const DensityField& field, std::int64_t count, Context& context);

struct Trial;    // sample/darts/traced_darts.hpp
struct Filling;  // sample/trace/sampler_trace.hpp

struct Dart {
  Vec2 at;
  double r;  // with the safety factor
  double time;
};

// Returns points in the order in which they fell. `thrown`, if given, gets all examined darts, in
// order of time. Darts that fell on a place covered by one earlier point are not examined. `told`,
// if given, gets darts and the remaining squares.
Points dart_throwing(const DensityField& field, const SampleOptions& options, Context& context,
                     std::vector<Dart>* thrown = nullptr, Filling* told = nullptr);
// Returns points of the methods halton and r2.
Points sequence(const DensityField& field, SampleMethod method, std::int64_t count,
                Context& context);
// Returns a maximal set with about a third more points than darts.
Points dense(const DensityField& field, const SampleOptions& options, Context& context);
// Returns dense points, moved apart as polish() does.
Points polished(const DensityField& field, const SampleOptions& options, Context& context);
// Moves points apart. The smallest distance, in units of f, never falls and mostly grows.
void polish(Points& points, const DensityField& field, const SampleOptions& options,
            Context& context);
// Grows points from a start. `steps`, if given, gets all candidates in the order of their trial.
Points bridson(const DensityField& field, const SampleOptions& options, Context& context,
               std::vector<Trial>* steps = nullptr);
// Returns points of the methods jittered, random and grid.
Points stratified(const DensityField& field, SampleMethod method, std::int64_t count,
                  Context& context);
// Returns `count` points, or as many as darts would place if `count` is 0.
Points elimination(const DensityField& field, ConflictRule rule, std::int64_t count,
                   Context& context);
// The candidates of elimination, and the removed ones, first to last.
struct Elimination {
  Points all;
  std::vector<std::uint32_t> gone;
};
Elimination eliminated(const DensityField& field, ConflictRule rule, std::int64_t count,
                       Context& context);
// Returns the removed points, first to last, if the most crowded point goes until `left` remain.
// `spacing`: the distance of a hexagonal lattice of that many points, in units of f. The last
// `fixed` points crowd others but stay, and do not count.
std::vector<std::uint32_t> elimination_order(const Points& points, ConflictRule rule,
                                             double spacing, std::size_t left, Context& context,
                                             std::size_t fixed = 0);
// Returns a maximal set in an order in which every prefix is well spaced.
Points progressive_darts(const DensityField& field, const SampleOptions& options, Context& context);
// Sorts any points into an order whose prefixes are as well spaced as the set allows.
Points in_progressive_order(const Points& points, const DensityField& field, ConflictRule rule,
                            Context& context);
// Returns points of any method. Only methods that need no search for a count use `count`.
Points sample_once(const DensityField& field, const SampleOptions& options, std::int64_t count,
                   Context& context);

struct Counted {
  Points points;
  DensityField field;  // scaled, so that the points keep its rule
};
// Returns exactly `count` points; searches for the scale of r.
Counted sample_counted(const DensityField& field, const SampleOptions& options, std::int64_t count,
                       Context& context);

// Removes the points beyond `count` from the closest pairs, and moves the rest apart. The goal is
// 0.80 of the distance in a hexagonal lattice for every pair. Then scales the field to the largest
// r whose rule the points keep. The rule holds all the time. Points of `kept` push others but do
// not move, and do not count.
void settle(Counted& counted, const Points& kept, ConflictRule rule, std::size_t count,
            Context& context);

// Number of points if neither a radius nor a count is given.
inline constexpr std::int64_t default_count = 10000;

// Throws Error(usage) that says what is wrong with an option.
[[noreturn]] void refuse_option(const std::string& option, const std::string& why);
// Returns true if the options ask for points in space, of three or four dimensions. Throws
// Error(usage) if they contradict themselves.
bool is_volume(const PointsOptions& options, const Image* map);
bool has_four_dimensions(const PointsOptions& options);
// Return the sides along z and w. One side of `size` stands for all with options.dimensions.
double depth_of(const PointsOptions& options);
double extent_of(const PointsOptions& options);
// Parses lengths above 0, separated by commas. Throws Error(usage).
std::vector<Length> class_radii_of(std::string_view text);
// Parses one share for each class; returns none for an empty text. Error(usage) names the option
// `by`, which sets the classes.
std::vector<double> shares_of_classes(std::string_view text, std::size_t classes,
                                      const std::string& by = "class-radius");

// Parses "X,Y" as a place; returns false if the text is invalid.
bool parse_place(std::string_view text, double& x, double& y);

// Maps two numbers in [0, 1) to places distributed as 1/r^2: v picks the row by its share of the
// points, u the place along that row.
class InverseDensity {
 public:
  InverseDensity(const DensityField& field, Context& context);
  Vec2 place(double u, double v) const;

 private:
  const DensityField& field_;
  Plane<double> along_;       // running sums of each row
  std::vector<double> rows_;  // running sums of rows
};

}  // namespace dapple
