// Dispatches sample() to the samplers.
#include "dapple/sample.hpp"

#include "core/preconditions.hpp"
#include "dapple/extend/options.hpp"
#include "sample/conflict.hpp"
#include "sample/fixed_points.hpp"
#include "sample/samplers.hpp"

namespace dapple {

namespace {

bool is_start(std::string_view text) {
  if (text == "random" || text == "center") return true;
  double x = 0;
  double y = 0;
  return parse_place(text, x, y);
}

}  // namespace

void describe(SampleOptions& options, OptionList& list) {
  list.group("Sampling");
  list.add("method", options.method,
           "Sampler: darts is exact and leaves no gaps; dart-throwing does the same without any "
           "bias, but slower; dense packs a third more points, also exactly; polished makes dense "
           "more even, with possible small gaps; elimination thins out many points; bridson grows "
           "from a start; the others are for comparison");
  list.add("conflict", options.conflict,
           "Distance that points of radius a and b must keep: the mean, min or max of both, or the "
           "radius of the later point (candidate)");
  list.add("tries", options.tries, "Candidates around a point before bridson gives it up")
      .range(1, 10000);
  list.add("start", options.start, "Where bridson starts: random, center or X,Y")
      .metavar("random|center|X,Y")
      .check([](std::string_view text) {
        return is_start(text) ? "" : "must be random, center or a position such as 100,50";
      });
  list.add("wrap", options.wrap,
           "Make the points tile: what leaves on one side enters on the opposite side")
      .essential();
  list.add("settle", options.settle,
           "Move darts apart a little, until the closest pair has 0.80 of the distance of a "
           "hexagonal lattice; `no-settle` leaves darts where they fell");
  list.add("progressive", options.progressive,
           "Order the points so that the first K are well spaced for every K, with a column rank; "
           "darts are placed in this order, points of other methods are sorted afterwards")
      .essential();
  list.add("certify", options.certify,
           "Prove spacing and coverage of the result, or fail; with `count` only spacing is "
           "required, and a warning reports gaps")
      .essential();
  list.add("keep", options.keep,
           "Existing points, around which new points fill the rest; they keep their own r if they "
           "have one, come first in the output with their columns, and are counted")
      .metavar("POINTS");
  list.add("only-new", options.only_new, "Leave the points of `keep` out of the output");
}

bool keeps_distance(SampleMethod method) {
  return method == SampleMethod::darts || method == SampleMethod::bridson ||
         method == SampleMethod::dart_throwing || method == SampleMethod::dense ||
         method == SampleMethod::polished;
}

double conflict_distance(ConflictRule rule, double ra, double rb) {
  return with_rule(rule, [&](auto constant) { return conflict_of<constant>(ra, rb); });
}

// Returns figures that `dapple_bench --benchmark_filter=sample_` prints. They differ by less than 1
// % between rules, and between one radius and varying radii.
double packing_constant(SampleMethod method, ConflictRule rule) {
  require_word("method", method);
  require_word("rule of conflicts", rule);
  switch (method) {
    case SampleMethod::bridson:
      return 0.62;
    case SampleMethod::dart_throwing:
      return 0.697;
    case SampleMethod::dense:
    case SampleMethod::polished:
      return 0.91;
    case SampleMethod::darts:
    case SampleMethod::elimination:
    case SampleMethod::jittered:
    case SampleMethod::random:
    case SampleMethod::grid:
    case SampleMethod::halton:
    case SampleMethod::r2:
      break;
  }
  return 0.702;
}

PointSet sample_once(const DensityField& field, const SampleOptions& options, std::int64_t count,
                     Context& context) {
  switch (options.method) {
    case SampleMethod::darts:
      if (options.progressive) return progressive_darts(field, options, context);
      if (options.keep.points != nullptr) {
        const PointSet kept = kept_points(field, options);
        return darts(field, options.conflict, nullptr, context, &kept);
      }
      return darts(field, options.conflict, nullptr, context);
    case SampleMethod::bridson:
      return bridson(field, options, context);
    case SampleMethod::dense:
      return dense(field, options, context);
    case SampleMethod::polished:
      return polished(field, options, context);
    case SampleMethod::dart_throwing:
      return dart_throwing(field, options, context);
    case SampleMethod::halton:
    case SampleMethod::r2:
      return sequence(field, options.method, count, context);
    case SampleMethod::elimination:
      return elimination(field, options.conflict, count, context);
    case SampleMethod::jittered:
    case SampleMethod::random:
    case SampleMethod::grid:
      break;
  }
  return stratified(field, options.method, count, context);
}

}  // namespace dapple
