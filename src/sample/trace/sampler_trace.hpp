// How a sampler fills its domain, step by step: what pictures that teach are drawn from.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/field.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

struct FillingStep {
  enum class Kind : std::uint8_t {
    placed,
    refused,  // a candidate that a point is too near to
    removed,
    given_up,  // nothing grows from this point any more
    searched   // from now on only the squares `index` are not proven covered
  };
  Kind kind;
  std::uint32_t index;  // of Filling::places, or of Filling::squares
  // The place that a candidate lies round; nowhere: it may lie anywhere.
  std::uint32_t from = nowhere;

  static constexpr std::uint32_t nowhere = ~0u;
};

struct Filling {
  Domain domain{};
  double radius = 0;
  bool grows = false;             // from active points, on a grid of cells radius / sqrt(2)
  std::size_t together = 0;       // so many steps at the beginning are seen as one: candidates
  std::vector<Vec2> places = {};  // of points and of candidates
  std::vector<FillingStep> steps = {};  // from the empty domain to the finished set
  std::vector<std::vector<Box>> squares = {};

  // Adds a place with the step that is about it; returns its index.
  std::uint32_t tell(FillingStep::Kind kind, Vec2 place,
                     std::uint32_t from = FillingStep::nowhere) {
    const auto index = static_cast<std::uint32_t>(places.size());
    places.push_back(place);
    steps.push_back({kind, index, from});
    return index;
  }
};

// Whether points of the method come one after the other, as those of darts and dense, which are
// settled many at a time, do not.
bool is_told(SampleMethod method);

// The set that sample() makes of the same field, options and seed, for a field of one radius; with
// `count` > 0 elimination leaves so many, and methods without a distance place so many. Memory
// grows with the candidates: tries times the points of bridson. Throws Error(usage) for methods
// that are not told and for maps, Error(limit) where memory would not do.
Filling filling(const DensityField& field, const SampleOptions& options, std::int64_t count,
                Context& context);

// How many steps frame 0 .. frames - 1 shows, all at last: as many changes of the set, or ends of
// growth from a point, lie from each frame to the next. The first shows none, or without
// `from_empty` what comes next: candidates, or as many changes as lie between others.
std::vector<std::size_t> filling_frames(const Filling& filling, int frames, bool from_empty = true);

}  // namespace dapple
