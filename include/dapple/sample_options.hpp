// Which sampler makes the points of a field, by which rule, and around which fixed points.
#pragma once

#include <string>

#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"
#include "dapple/option_words.hpp"

namespace dapple {

enum class SampleMethod {
  darts,
  bridson,
  elimination,
  jittered,
  random,
  grid,
  halton,
  r2,
  dart_throwing,
  dense,
  polished
};
constexpr auto option_names(SampleMethod) {
  return words_to<SampleMethod::polished>("darts", "bridson", "elimination", "jittered", "random",
                                          "grid", "halton", "r2", "dart-throwing", "dense",
                                          "polished");
}
// mean: (ra + rb) / 2, discs of diameter r never overlap. min: dense areas keep their sharp edge,
// the light side is intruded upon. max: both discs of radius r stay empty. candidate: only the r of
// the point placed later counts (asymmetric, as in most other tools; not reproducible from the set
// alone).
enum class ConflictRule { mean, min, max, candidate };
constexpr auto option_names(ConflictRule) {
  return words_to<ConflictRule::candidate>("mean", "min", "max", "candidate");
}
// True for methods that hold points apart by the rule.
bool keeps_distance(SampleMethod method);

struct SampleOptions {
  SampleMethod method = SampleMethod::darts;
  ConflictRule conflict = ConflictRule::mean;
  int tries = 30;                // bridson: candidates round a point before it is given up
  std::string start = "random";  // bridson: random, center or X,Y
  bool wrap = false;
  bool certify = false;
  bool settle = true;        // darts with a count: move points apart a little
  bool progressive = false;  // order and rank: every prefix is well spaced
  PointsInput keep = {};     // obstacles: points that are there already, of any radii
  bool only_new = false;     // leave them out of the result
};
void describe(SampleOptions& options, OptionList& list);

// Points that are there already, which new ones are held off from: each by a radius of its own,
// where it has one above 0, by what `rule` makes of that and the radius of the new one; else by the
// radius of the new one.
struct KeptPoints {
  const PointSet* points = nullptr;  // in the domain of the others; nullptr: none
  ConflictRule rule = ConflictRule::mean;
};

// Packing constant: kappa = N r^2 / area (in general N / integral of 1/r^2) that a method reaches.
double packing_constant(SampleMethod method, ConflictRule rule);

double conflict_distance(ConflictRule rule, double ra, double rb);

}  // namespace dapple
