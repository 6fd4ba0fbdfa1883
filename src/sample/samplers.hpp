// The samplers behind sample(), and what they share.
#pragma once

#include <string_view>

#include "dapple/points.hpp"
#include "sample/darts/darts.hpp"

namespace dapple {

struct PointsOptions;      // dapple/sample.hpp
struct VolumeCertificate;  // dapple/sample.hpp

// How many points a method places that takes any number: `count`, or as many as darts would where
// that is 0. Throws Error(limit) where memory cannot hold them.
std::int64_t free_count(const DensityField& field, std::int64_t count, Context& context);

struct Trial;    // of one_by_one.hpp
struct Filling;  // of filling/filling.hpp

struct Dart {
  Vec2 at;
  double r;  // with the safety factor
  double time;
};

// Points in the order in which they fell. `thrown`, where given: all darts that were looked at, in
// order of time; those left out fell on places that one earlier point covers. `told`, where given:
// gets darts and the squares that are left.
PointSet dart_throwing(const DensityField& field, const SampleOptions& options, Context& context,
                       std::vector<Dart>* thrown = nullptr, Filling* told = nullptr);
// halton, r2.
PointSet sequence(const DensityField& field, SampleMethod method, std::int64_t count,
                  Context& context);
// Maximal, with about a third more points than darts.
PointSet dense(const DensityField& field, const SampleOptions& options, Context& context);
// Dense points, moved apart as polish() does.
PointSet polished(const DensityField& field, const SampleOptions& options, Context& context);
// Moves points apart: the smallest distance, in f, never falls, and mostly grows.
void polish(PointSet& points, const DensityField& field, const SampleOptions& options,
            Context& context);
// `steps`, where given: all candidates, in the order in which they were tried.
PointSet bridson(const DensityField& field, const SampleOptions& options, Context& context,
                 std::vector<Trial>* steps = nullptr);
// jittered, random, grid.
PointSet stratified(const DensityField& field, SampleMethod method, std::int64_t count,
                    Context& context);
// `count` points, or as many as darts would place where that is 0.
PointSet elimination(const DensityField& field, ConflictRule rule, std::int64_t count,
                     Context& context);
// Its candidates, and which of them go, first to last.
struct Elimination {
  PointSet all;
  std::vector<std::uint32_t> gone;
};
Elimination eliminated(const DensityField& field, ConflictRule rule, std::int64_t count,
                       Context& context);
// Who goes when the most crowded point goes until `left` are left, first to last. `spacing`: the
// distance of a hexagonal lattice of that many points, in units of f.
std::vector<std::uint32_t> elimination_order(const PointSet& points, ConflictRule rule,
                                             double spacing, std::size_t left, Context& context);
// Maximal, and in an order of which every prefix is well spaced.
PointSet progressive_darts(const DensityField& field, const SampleOptions& options,
                           Context& context);
// Any points, in an order of which prefixes are as well spaced as the set allows.
PointSet in_progressive_order(const PointSet& points, const DensityField& field, ConflictRule rule,
                              Context& context);
// Points of any method; `count` only serves those that need no search for it.
PointSet sample_once(const DensityField& field, const SampleOptions& options, std::int64_t count,
                     Context& context);

struct Counted {
  PointSet points;
  DensityField field;  // scaled: the one that the points keep the rule of
};
// Exactly `count` points: searches for the scale of r.
Counted sample_counted(const DensityField& field, const SampleOptions& options, std::int64_t count,
                       Context& context);

// Takes the points beyond `count` out of the closest pairs, moves the rest apart until no pair has
// less than 0.80 of the distance in a hexagonal lattice, or as near to that as it gets, and scales
// the field to the largest r whose rule they keep then. The rule holds all the time. Points of
// `kept` push but stay, and are not counted.
void settle(Counted& counted, const PointSet& kept, ConflictRule rule, std::size_t count,
            Context& context);

// Points where neither a radius nor a count is asked for.
inline constexpr std::int64_t default_count = 10000;

// Whether the options are of points in space, of three or four dimensions. Throws Error(usage)
// where they contradict themselves.
bool is_volume(const PointsOptions& options, const Image* map);
bool has_four_dimensions(const PointsOptions& options);
PointSet volume_points(const PointsOptions& options, const Image* map, Context& context);
// Throws Error(verification) as verify_volume() does.
void verify(const VolumeCertificate& proof, bool counted, Context& context,
            std::size_t dimensions = 3);
// Of classes with radii of their own, in the plane or in space.
PointSet class_points(const PointsOptions& options, const Image* map, Context& context);
// Less what options.inset and options.inside take away.
DensityField inset_field(const DensityField& field, const PointsOptions& options, Context& context);
// Of classes with a map each.
PointSet mapped_class_points(const PointsOptions& options, Context& context);
// Lengths between commas, above 0. Throws Error(usage).
std::vector<Length> class_radii_of(std::string_view text);
// The shares of as many classes, which the option `by` names; empty where none are given. Throws
// Error(usage).
std::vector<double> shares_of_classes(std::string_view text, std::size_t classes,
                                      const std::string& by = "class-radius");

// "X,Y" to a place; false where the text is none.
bool parse_place(std::string_view text, double& x, double& y);

// Places distributed as 1/r^2, from two numbers in [0, 1): v picks the row by its share of the
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
