#include "app/help/costs.hpp"

#include <algorithm>
#include <array>

namespace dapple::app {
namespace {

// Options of many commands that determine how a picture becomes target density.
constexpr std::array<std::string_view, 20> of_tone{
    "tones-from", "contrast", "detail",       "sharpen", "blur",         "clean",        "as",
    "tone",       "invert",   "channel",      "black",   "white",        "gamma",        "mask",
    "weight",     "nan",      "white-cutoff", "edges",   "invert-darks", "interpolation"};

// The cost of an option in commands that make a drawing.
struct OfDrawing {
  std::string_view option;
  Cost cost;
};
constexpr std::array<OfDrawing, 29> of_drawings{
    {{"dots", Cost::number},          {"dot-size", Cost::number},  {"size-from", Cost::tone},
     {"size-steps", Cost::tone},      {"shape", Cost::sizes},      {"turn", Cost::drawing},
     {"each-path", Cost::drawing},    {"order", Cost::drawing},    {"longest-hop", Cost::drawing},
     {"registration", Cost::drawing}, {"size", Cost::drawing},     {"pen", Cost::sizes},
     {"touch", Cost::drawing},        {"split", Cost::drawing},    {"tiles", Cost::drawing},
     {"tile-overlap", Cost::drawing}, {"from", Cost::drawing},     {"ink", Cost::drawing},
     {"background", Cost::drawing},   {"speed", Cost::drawing},    {"travel-speed", Cost::drawing},
     {"acceleration", Cost::drawing}, {"pen-lift", Cost::drawing}, {"pen-change", Cost::drawing},
     {"pen-up", Cost::drawing},       {"pen-down", Cost::drawing}, {"machine", Cost::drawing},
     {"no-overlap", Cost::tone},      {"gap", Cost::tone}}};

}  // namespace

std::string_view word_of_cost(Cost cost) {
  constexpr std::array<std::string_view, 5> words{"drawing", "sizes", "tone", "number", "all"};
  return words[static_cast<std::size_t>(cost)];
}

Cost cost_of(const Operation& operation, std::string_view option) {
  if (std::find(of_tone.begin(), of_tone.end(), option) != of_tone.end()) return Cost::tone;
  if (!operation.makes_drawing) return Cost::all;
  const auto* const found =
      std::find_if(of_drawings.begin(), of_drawings.end(),
                   [&](const OfDrawing& known) { return known.option == option; });
  return found == of_drawings.end() ? Cost::all : found->cost;
}

}  // namespace dapple::app
