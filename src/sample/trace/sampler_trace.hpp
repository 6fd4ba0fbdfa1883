// Records how a sampler fills its domain, step by step, for pictures that explain samplers.
#pragma once

#include <cstdint>
#include <vector>

#include "dapple/field.hpp"
#include "dapple/sample_options.hpp"

namespace dapple {

struct FillingStep {
  enum class Kind : std::uint8_t {
    placed,
    refused,  // a candidate that is too near to a point
    removed,
    given_up,  // nothing grows from this point any more
    searched   // from now on only the squares `index` are not proved covered
  };
  Kind kind;
  std::uint32_t index;  // of Filling::places, or of Filling::squares
  // The place that a candidate lies around; nowhere: it may lie anywhere.
  std::uint32_t from = nowhere;

  static constexpr std::uint32_t nowhere = ~0u;
};

struct Filling {
  Domain domain{};
  double radius = 0;
  bool grows = false;                   // from active points, on a grid of cells radius / sqrt(2)
  std::size_t together = 0;             // number of first steps that show as one: candidates
  std::vector<Vec2> places = {};        // of points and of candidates
  std::vector<FillingStep> steps = {};  // from the empty domain to the finished set
  std::vector<std::vector<Box>> squares = {};

  // Adds a place with its step; returns its index.
  std::uint32_t tell(FillingStep::Kind kind, Vec2 place,
                     std::uint32_t from = FillingStep::nowhere) {
    const auto index = static_cast<std::uint32_t>(places.size());
    places.push_back(place);
    steps.push_back({kind, index, from});
    return index;
  }
};

// Returns true if points of the method come one after the other. Darts, dense and polished place
// many points at a time.
bool is_told(SampleMethod method);

// Returns the steps to the set that sample() makes of the same field, options and seed, for one
// radius. `count` > 0: elimination leaves this many points, and methods without a distance place
// this many. Memory grows with the candidates: tries times the points of bridson. Throws
// Error(usage) for methods without an order and for maps, Error(limit) if memory is too small.
Filling filling(const DensityField& field, const SampleOptions& options, std::int64_t count,
                Context& context);

// Returns how many steps each of `frames` frames shows; the last shows all. The same number of
// changes of the set, or ends of growth from a point, lies between frames. The first shows none.
// Without `from_empty` it shows the candidates, or as many changes as lie between others.
std::vector<std::size_t> filling_frames(const Filling& filling, int frames, bool from_empty = true);

}  // namespace dapple
