// What public functions ask of their arguments beside check(options), before they begin: what a
// caller gets wrong becomes an Error that says so, and never ends or hangs his program.
#pragma once

#include <string>
#include <string_view>

#include "dapple/error.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/option_words.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Error(usage), for what is below `least` or no finite number.
void require_number(std::string_view what, double value, double least);
void require_above_0(std::string_view what, double value);
// Sides that are finite and above 0.
void require_domain(const Domain& domain);

template <OptionEnum E>
void require_word(std::string_view what, E value) {
  if (static_cast<std::size_t>(value) < option_names(value).size()) return;
  throw Error(ErrorKind::usage, "there is no " + std::string(what) + " of number " +
                                    std::to_string(static_cast<std::size_t>(value)));
}

// Error(input), for columns that are not as long as x.
void require_lengths(const PointSet& points);
// The same, and for places that are not finite.
void require_columns(const PointSet& points);
// Error(input), for the first point outside the domain; columns are as long as x.
void require_inside(const PointSet& points);
// Error(input), for an image without pixels, planes of different sizes or that are no whole number
// of slices, and channels without a name.
void require_planes(const Image& image);
// Error(usage) unless rows first..last are some of so many.
void require_rows(int first, int last, int rows);

// What is wrong with the text of a size where nothing is deep, or "".
std::string flat_size(std::string_view text);
// The same, of a volume at the most.
std::string at_most_deep(std::string_view text);

}  // namespace dapple
