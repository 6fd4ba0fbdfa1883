// Computes the distances of classes (Wei 2010), and searches for the head starts that give them
// their shares.
#include "sample/class_shares.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

#include "core/deterministic_math.hpp"
#include "core/preconditions.hpp"
#include "dapple/context.hpp"
#include "dapple/error.hpp"
#include "dapple/units.hpp"

namespace dapple {
namespace {

// Limits of the search for head starts.
constexpr int most_steps = 16;
constexpr double no_head_start = -4;   // logarithm of a head start that counts as none
constexpr double most_head_start = 8;  // logarithm

double power(double v, std::size_t dimensions) {
  return dimensions == 2 ? v * v : v * v * v;
}

std::vector<double> found_shares(std::span<const std::int32_t> class_id, std::size_t classes) {
  std::vector<double> shares(classes);
  for (const std::int32_t c : class_id) ++shares[static_cast<std::size_t>(c)];
  for (double& share : shares) share /= std::max(1.0, static_cast<double>(class_id.size()));
  return shares;
}

}  // namespace

// The default is Wei's matrix (Wei 2010, algorithm 2). Classes i and j have the distance of one
// class that joins all classes not finer than both.
std::vector<std::vector<double>> class_distances(const ClassRadii& classes,
                                                 std::size_t dimensions) {
  const std::vector<double>& radii = classes.radii;
  std::vector matrix(radii.size(), std::vector<double>(radii.size()));
  for (std::size_t i = 0; i < radii.size(); ++i) {
    for (std::size_t j = 0; j < radii.size(); ++j) {
      const double finer = std::min(radii[i], radii[j]);
      double density = 0;
      for (const double r : radii) density += r >= finer ? 1 / power(r, dimensions) : 0;
      const double together = 1 / side_of(density, dimensions);
      const ClassDistance rule = classes.distance;
      matrix[i][j] = i == j                           ? radii[i]
                     : rule == ClassDistance::mean    ? 0.5 * (radii[i] + radii[j])
                     : rule == ClassDistance::min     ? finer
                     : rule == ClassDistance::max     ? std::max(radii[i], radii[j])
                     : rule == ClassDistance::density ? together
                                                      : 0;
    }
  }
  return matrix;
}

std::vector<double> wanted_shares(const ClassRadii& classes, std::size_t dimensions) {
  std::vector<double> shares = classes.shares;
  if (shares.empty()) {
    for (const double r : classes.radii) shares.push_back(1 / power(r, dimensions));
  }
  const double sum = std::accumulate(shares.begin(), shares.end(), 0.0);
  for (double& share : shares) share /= sum;
  return shares;
}

HeadStarts::HeadStarts(std::vector<double> wanted)
    : wanted_(std::move(wanted)), best_(wanted_.size()), searches_(wanted_.size()) {
  set_next();
}

double HeadStarts::Search::start() const {
  return log_start <= no_head_start ? 0 : portable_exp(log_start);
}

void HeadStarts::set_next() {
  next_.clear();
  for (const Search& search : searches_) next_.push_back(search.start());
}

double HeadStarts::take(std::span<const std::int32_t> class_id) {
  const std::vector<double> shares = found_shares(class_id, wanted_.size());
  // Near the goal, chance outweighs the effect of a small step.
  const double least_step = elsewhere_ ? 0.1 : 0;
  double error = 0;
  for (std::size_t c = 0; c < wanted_.size(); ++c) {
    error = std::max(error, std::abs(shares[c] / wanted_[c] - 1));
    Search& search = searches_[c];
    const double log_share = portable_log(std::max(shares[c], 1e-6));
    if (std::abs(search.last_step) > least_step) {
      const double response = (log_share - search.last_log_share) / search.last_step;
      search.gain = std::clamp(response > 0 ? 1 / response : search.gain, 0.5, 30.0);
    }
    search.last_log_share = log_share;
    search.last_step = std::clamp(search.gain * (portable_log(wanted_[c]) - log_share), -1.5, 1.5);
    search.log_start += search.last_step;
  }
  if (error < least_error_) {
    least_error_ = error;
    best_ = next_;
  }
  // A head start of all classes has no effect, so the least one becomes none.
  double least = searches_[0].log_start;
  for (const Search& search : searches_) least = std::min(least, search.log_start);
  for (Search& search : searches_) {
    search.log_start = std::min(search.log_start - least + no_head_start, most_head_start);
  }
  set_next();
  return error;
}

void HeadStarts::go_on_elsewhere() {
  for (std::size_t c = 0; c < searches_.size(); ++c) {
    const double gain = std::clamp(searches_[c].gain, 4.0, 20.0);
    searches_[c] = {best_[c] > 0 ? portable_log(best_[c]) : no_head_start, gain, 0, 0};
  }
  next_ = best_;
  least_error_ = 1e9;
  elsewhere_ = true;
}

HeadStarts search_by_trials(const std::vector<double>& wanted, const ClassTrial& trial,
                            double good) {
  HeadStarts search(wanted);
  for (int i = 0; i < most_steps && search.least_error() > good; ++i) {
    search.take(trial(search.next()));
  }
  return search;
}

void warn_of_shares(std::span<const std::int32_t> class_id, const std::vector<double>& wanted,
                    Context& context) {
  const std::vector<double> found = found_shares(class_id, wanted.size());
  const auto count = static_cast<double>(std::max<std::size_t>(1, class_id.size()));
  const auto per_cent = [](double share) { return shortest(std::round(1000 * share) / 10) + " %"; };
  for (std::size_t c = 0; c < found.size(); ++c) {
    const double off = std::abs(found[c] - wanted[c]);
    // In a small set, one point more or less exceeds 2 %.
    if (off <= std::max(good_share * wanted[c], 2.0 / count)) continue;
    context.warn("class " + std::to_string(c) + " has " + per_cent(found[c]) +
                 " of the points, not " + per_cent(wanted[c]) +
                 ", because the distances of the classes leave no room for other shares");
  }
}

void require_classes(const ClassRadii& classes) {
  if (classes.radii.empty() || classes.radii.size() > most_classes) {
    throw Error(ErrorKind::usage, "there can be 1 to 64 classes of points, not " +
                                      std::to_string(classes.radii.size()));
  }
  for (const double r : classes.radii) require_above_0("the radius of a class", r);
  if (!classes.shares.empty() && classes.shares.size() != classes.radii.size()) {
    throw Error(ErrorKind::usage, std::to_string(classes.radii.size()) + " radii and " +
                                      std::to_string(classes.shares.size()) +
                                      " shares do not match: give one share per class");
  }
  for (const double share : classes.shares) require_above_0("the share of a class", share);
  require_word("distance of classes", classes.distance);
}

}  // namespace dapple
