// Declares the options of the samplers: method, rule and fixed points.
#pragma once

#include <cstdint>
#include <string>

#include "dapple/extend/option_words.hpp"
#include "dapple/forward.hpp"
#include "dapple/inputs.hpp"

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
// mean: (ra + rb) / 2, so discs of diameter r never overlap. min: dense areas keep their sharp
// edge, and their points intrude on the light side. max: both discs of radius r stay empty.
// candidate: only the r of the later point counts (asymmetric, as in most other tools; the set
// alone does not show if it holds).
enum class ConflictRule { mean, min, max, candidate };
constexpr auto option_names(ConflictRule) {
  return words_to<ConflictRule::candidate>("mean", "min", "max", "candidate");
}
// The position of points at the frame. cut: as cut out of a larger set, so that places near
// the border may have room for another point; fitted: points outside do not exist, so points crowd
// along the border.
enum class FrameEdge { cut, fitted };
constexpr auto option_names(FrameEdge) {
  return words_to<FrameEdge::fitted>("cut", "fitted");
}
// Returns true for methods that keep points apart by the rule.
bool keeps_distance(SampleMethod method);

struct SampleOptions {
  // Exactly this many points, of scaled radii, with the fixed points if the result holds them; 0:
  // as many as the radii allow.
  std::int64_t count = 0;
  SampleMethod method = SampleMethod::darts;  // others work only with a field in a plane
  ConflictRule conflict = ConflictRule::mean;
  int tries = 30;                // bridson: candidates around a point before the method gives it up
  std::string start = "random";  // bridson: random, center or X,Y
  bool wrap = false;  // a command makes its domain a torus; sample() requires a space that wraps
  FrameEdge frame = FrameEdge::fitted;  // cut: darts of one radius or of classes, in a plane or a
                                        // box; certify proves the larger set
  bool certify = false;
  bool settle = true;        // darts with a count: moves points apart a little
  bool progressive = false;  // order and rank: every prefix is well spaced
  PointsInput keep = {};     // fixed points, of any radii
  bool only_new = false;     // leaves the fixed points out of the result
};
void describe(SampleOptions& options, OptionList& list);

// Fixed points, which exclude new points. A fixed point with a radius above 0 does so by `rule` of
// its radius and the new point's radius, otherwise by the new point's radius.
struct FixedPoints {
  const Points* points = nullptr;  // in the domain of the new points; nullptr: none
  ConflictRule rule = ConflictRule::mean;
};

// Returns the constant kappa = N r^2 / area (in general N / integral of 1/r^2) of a method.
double packing_constant(SampleMethod method, ConflictRule rule);

double conflict_distance(ConflictRule rule, double ra, double rb);

}  // namespace dapple
