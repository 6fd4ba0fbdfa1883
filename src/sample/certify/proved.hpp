// Proves parts of a space one by one, and reports the outcome of the proof of a set.
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "core/parallel.hpp"
#include "dapple/certificate.hpp"
#include "dapple/forward.hpp"

namespace dapple {

// Adds the results of a part of a proof: the nearest pair of all, and the first hole.
void add_part(Certificate& all, const Certificate& part);

// Calls prove(i, scratch, certificate) for each i below `count`, and adds up the certificates.
template <class Scratch, class Prove>
Certificate prove_each(std::size_t count, Context& context, const Prove& prove) {
  constexpr std::size_t group = 32;
  std::vector<Certificate> parts((count + group - 1) / group);
  parallel_for(context, parts.size(), [&](std::size_t g) {
    Scratch scratch;
    const std::size_t end = std::min(count, (g + 1) * group);
    for (std::size_t i = g * group; i < end; ++i) prove(i, scratch, parts[g]);
  });
  Certificate all;
  for (const Certificate& part : parts) add_part(all, part);
  return all;
}

// Selects the words of require_proved().
struct ProofWording {
  std::string_view required;   // the distance that Certificate::closest is relative to
  std::size_t dimensions = 3;  // of the places that are named
  bool names_pair = false;     // names the place of the closest pair
  bool names_class = false;    // names the class that a hole has room for
  bool counted = false;        // a set of an exact count leaves holes: a hole is only a warning
};
// Throws Error(verification) for pairs that are too near and for a hole.
void require_proved(const Certificate& proof, const ProofWording& wording, Context& context);
// Throws Error(verification) as require_proved() does, for the proof of a field in a plane, which
// also measures how large the hole is.
void require_proved_in_plane(const Certificate& proof, bool counted, Context& context);

// Returns a text such as " at 1 2 3".
std::string at_place(const Place& place, std::size_t dimensions = 3);

}  // namespace dapple
