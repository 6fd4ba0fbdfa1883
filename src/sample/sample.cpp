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
  list.add(
      "method", options.method,
      "Sampler: darts is exact and leaves no gaps; dart-throwing is that without any bias, one "
      "uniform dart after the other, and slower; dense packs a third more points as exactly; "
      "polished evens dense out, where small gaps may open; elimination thins out many points; "
      "bridson grows from a start; the rest are for comparison");
  list.add("conflict", options.conflict,
           "When points of radius a and b are too near: below their mean, min or max, or below the "
           "radius of the later one");
  list.add("tries", options.tries, "Candidates round a point before it is given up (bridson)")
      .range(1, 10000);
  list.add("start", options.start, "Where growth begins (bridson): random, center or X,Y")
      .metavar("random|center|X,Y")
      .check([](std::string_view text) {
        return is_start(text) ? "" : "must be random, center or a place such as 100,50";
      });
  list.add("wrap", options.wrap, "Points tile: what leaves on one side comes back on the other")
      .essential();
  list.add("settle", options.settle,
           "With `count`, darts then move apart a little, until the closest pair has 0.80 of the "
           "distance of a hexagonal lattice; `no-settle` leaves them where they fell");
  list.add("progressive", options.progressive,
           "Order the points so that the first K are well spaced for every K, with a column rank; "
           "darts are placed that way from the start, sets of other methods put in order")
      .essential();
  list.add("certify", options.certify,
           "Prove spacing and coverage of the result, or fail; with `count` spacing alone decides, "
           "and a warning tells of gaps")
      .essential();
  list.add("keep", options.keep,
           "Points that are there already: the rest is filled round them, by their own r where "
           "they have one; they come first in the output, with their columns, and are counted")
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

// The figures that `dapple_bench --benchmark_filter=sample_` prints. Rules differ by less than 1 %;
// so does one radius from radii that vary.
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
