// Implements the checks of arguments of public functions.
#include "core/preconditions.hpp"

#include <algorithm>
#include <cmath>
#include <initializer_list>

#include "core/point_columns.hpp"
#include "dapple/units.hpp"

namespace dapple {

void require_number(std::string_view what, double value, double least) {
  if (value >= least && std::isfinite(value)) return;
  throw Error(ErrorKind::usage, std::string(what) + " must be at least " + shortest(least) +
                                    ", not " + shortest(value));
}

void require_above_0(std::string_view what, double value) {
  if (value > 0 && std::isfinite(value)) return;
  throw Error(ErrorKind::usage, std::string(what) + " must be above 0, not " + shortest(value));
}

void require_domain(const Domain& domain) {
  // A smaller side has neither an area nor a number of pixels per unit.
  constexpr double least = 1e-100;
  const auto require = [](std::string_view what, double value) {
    require_above_0(what, value);
    require_number(what, value, least);
  };
  require("the width of a domain", domain.width);
  require("the height of a domain", domain.height);
}

void require_lengths(const Points& points) {
  const std::size_t n = points.size();
  for_each_stored_column([&](std::string_view name, const auto& of) {
    const std::size_t size = of(points).size();
    if (size == n || (size == 0 && name != "y")) return;
    throw Error(ErrorKind::input, "column " + std::string(name) + " has " + std::to_string(size) +
                                      " values for " + std::to_string(n) + " points");
  });
  const auto together = [](const char* names, std::initializer_list<std::size_t> sizes) {
    if (std::equal(sizes.begin() + 1, sizes.end(), sizes.begin())) return;
    throw Error(ErrorKind::input,
                "columns " + std::string(names) + " belong together, but some of them are missing");
  };
  together("nx, ny and nz", {points.nx.size(), points.ny.size(), points.nz.size()});
  together("u and v", {points.u.size(), points.v.size()});
  together("qx, qy, qz and qw", {points.turn[0].size(), points.turn[1].size(),
                                 points.turn[2].size(), points.turn[3].size()});
}

void require_columns(const Points& points) {
  require_lengths(points);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::isfinite(points.x[i]) && std::isfinite(points.y[i])) continue;
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) +
                                      " has a coordinate that is not finite: (" +
                                      shortest(points.x[i]) + ", " + shortest(points.y[i]) + ")");
  }
}

namespace {

// Returns `why` if the size is not valid. Another check reports a text that is no size.
std::string wrong_where(bool (*is_valid)(const Size&), std::string_view text, const char* why) {
  Size size;
  try {
    from_text(text, size);
  } catch (const Error&) {
    return "";
  }
  return is_valid(size) ? "" : why;
}

}  // namespace

std::string flat_size(std::string_view text) {
  return wrong_where([](const Size& size) { return size.is_flat(); }, text,
                     "must be WIDTHxHEIGHT without a depth, such as 512x256");
}

std::string at_most_deep(std::string_view text) {
  return wrong_where([](const Size& size) { return size.extent == 1; }, text,
                     "must have at most 3 sides, such as 64x64x32");
}

void require_inside(const Points& points) {
  if (!points.w.empty() && points.z.empty()) {
    throw Error(ErrorKind::input, "points with a column w also need a column z");
  }
  const auto in = [](const std::vector<double>& values, std::size_t i, double side) {
    return values.empty() || (values[i] >= 0 && values[i] < side);
  };
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points.domain.contains(points[i]) && in(points.z, i, points.depth) &&
        in(points.w, i, points.extent)) {
      continue;
    }
    std::string at = shortest(points.x[i]) + ", " + shortest(points.y[i]);
    std::string of = shortest(points.domain.width) + " x " + shortest(points.domain.height);
    const auto add = [&](const std::vector<double>& values, double side) {
      if (values.empty()) return;
      at += ", " + shortest(values[i]);
      of += " x " + shortest(side);
    };
    add(points.z, points.depth);
    add(points.w, points.extent);
    throw Error(ErrorKind::input, "point " + std::to_string(i + 1) + " at (" + at +
                                      ") is outside the domain of " + of);
  }
}

}  // namespace dapple
