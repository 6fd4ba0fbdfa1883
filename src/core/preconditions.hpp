// Checks arguments of public functions, beside check(options), before they begin. A caller's
// mistake becomes an Error that describes it; it never ends or hangs the program.
#pragma once

#include <string>
#include <string_view>

#include "dapple/error.hpp"
#include "dapple/extend/option_words.hpp"
#include "dapple/forward.hpp"
#include "dapple/geometry.hpp"
#include "dapple/plane.hpp"
#include "dapple/points.hpp"

namespace dapple {

// Throw Error(usage) for a value that is too small or not finite.
void require_number(std::string_view what, double value, double least);
void require_above_0(std::string_view what, double value);
// Throws Error(usage) unless both sides are finite and above 0.
void require_domain(const Domain& domain);

template <OptionEnum E>
void require_word(std::string_view what, E value) {
  if (static_cast<std::size_t>(value) < option_names(value).size()) return;
  throw Error(ErrorKind::usage,
              std::string(what) + " " + std::to_string(static_cast<std::size_t>(value)) +
                  " does not exist (0 to " + std::to_string(option_names(value).size() - 1) + ")");
}

// Throws Error(input) for columns that are not as long as x, and for parts of normals, of places
// on triangles and of turns.
void require_lengths(const Points& points);
// As above, but also throws for coordinates that are not finite.
void require_columns(const Points& points);
// Throws Error(input) for the first point outside the domain. Columns must be as long as x.
void require_inside(const Points& points);
// Throws Error(input) for an image without pixels, planes of different sizes, incomplete slices,
// and channels without names.
void require_planes(const Image& image);
// Throws Error(usage) unless rows [first, last) lie within `rows` rows.
void require_rows(int first, int last, int rows);

// Returns an error message for a size that has a depth, or "" if it is flat.
std::string flat_size(std::string_view text);
// As above, but accepts a depth and reports a fourth side.
std::string at_most_deep(std::string_view text);

}  // namespace dapple
