// Converts ranks to numbers of a wanted distribution: a part (rank + 1/2) / N of the numbers lies
// below. As the ranks are evenly spread, so is every part of the distribution.
#include <algorithm>
#include <cmath>
#include <numeric>
#include <optional>

#include "core/deterministic_math.hpp"
#include "core/text/number_text.hpp"
#include "dapple/error.hpp"
#include "generate/mask/engine.hpp"

namespace dapple::mask {
namespace {

// Returns 1 - Phi(x) of the normal distribution for x >= 0: by the series of Phi below 3, by the
// continued fraction of Laplace beyond. normal_quantile() inverts it by bisection.
double upper_tail(double x) {
  const double density = portable_exp(-0.5 * x * x) * 0.39894228040143267794;
  if (x < 3) {
    double term = x;
    double sum = x;
    for (int i = 1; i < 80; ++i) {
      term *= x * x / (2 * i + 1);
      sum += term;
    }
    return 0.5 - density * sum;
  }
  double fraction = x;
  for (int i = 60; i > 0; --i) fraction = x + i / fraction;
  return density / fraction;
}

double normal_quantile(double p) {
  if (p == 0.5) return 0;
  if (p > 0.5) return -normal_quantile(1 - p);
  double low = 0;
  double high = 40;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (upper_tail(middle) > p ? low : high) = middle;
  }
  return -0.5 * (low + high);
}

double triangular_quantile(double p) {
  return p < 0.5 ? std::sqrt(2 * p) - 1 : 1 - std::sqrt(2 - 2 * p);
}

// The numbers in a row of a histogram file, at most two.
struct Row {
  std::size_t count = 0;
  std::array<double, 2> numbers{};
};

std::optional<Row> parse_row(std::string_view text) {
  Row row;
  const auto is_gap = [](char c) {
    return c == ' ' || c == '\t' || c == ',' || c == ';' || c == '\r';
  };
  while (true) {
    while (!text.empty() && is_gap(text.front())) text.remove_prefix(1);
    if (text.empty() || text.front() == '#') return row;
    if (row.count == 2) return std::nullopt;
    if (take_number(text, row.numbers[row.count]) != std::errc{} ||
        !std::isfinite(row.numbers[row.count]) ||
        (!text.empty() && !is_gap(text.front()) && text.front() != '#')) {
      return std::nullopt;
    }
    ++row.count;
  }
}

}  // namespace

Histogram parse_histogram(std::string_view text, const std::string& path) {
  std::vector<std::pair<double, double>> rows;
  std::size_t columns = 0;
  const auto fail = [&](std::size_t line, const std::string& why) {
    return Error(ErrorKind::usage, "line " + std::to_string(line) + ": " + why, path);
  };
  for (std::size_t line = 1; !text.empty(); ++line) {
    const auto newline = text.find('\n');
    const std::optional<Row> row = parse_row(text.substr(0, newline));
    text.remove_prefix(newline == std::string_view::npos ? text.size() : newline + 1);
    if (!row) {
      throw fail(line, "expected a weight, or a value and its weight; # starts a comment");
    }
    if (row->count == 0) continue;
    if (columns != 0 && row->count != columns) {
      throw fail(line, "has " + std::to_string(row->count) +
                           " numbers, but the lines before it have " + std::to_string(columns));
    }
    columns = row->count;
    const double weight = row->numbers[columns - 1];
    if (weight < 0) throw fail(line, "a weight must not be negative");
    rows.emplace_back(row->numbers[0], weight);
  }
  Histogram histogram;
  histogram.bins = columns < 2;
  if (!histogram.bins) std::stable_sort(rows.begin(), rows.end());
  double sum = 0;
  for (const auto& [value, weight] : rows) {
    sum += weight;
    histogram.values.push_back(value);
    histogram.sums.push_back(sum);
  }
  if (sum <= 0)
    throw Error(ErrorKind::usage, "a histogram needs at least one weight above 0", path);
  return histogram;
}

double Histogram::quantile(double p) const {
  const double wanted = p * sums.back();
  const auto at =
      static_cast<std::size_t>(std::upper_bound(sums.begin(), sums.end(), wanted) - sums.begin());
  const std::size_t i = std::min(at, sums.size() - 1);
  if (!bins) return values[i];
  const double below = i == 0 ? 0 : sums[i - 1];
  const double part = sums[i] > below ? (wanted - below) / (sums[i] - below) : 0.5;
  return (static_cast<double>(i) + part) / static_cast<double>(sums.size());
}

double quantile(MaskValues values, double p) {
  switch (values) {
    case MaskValues::triangular:
      return triangular_quantile(p);
    case MaskValues::gaussian:
      return normal_quantile(p);
    default:
      return p;
  }
}

}  // namespace dapple::mask
