// Declares the distances, shares and head starts of classes with radii of their own.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "dapple/radii.hpp"

namespace dapple {

// The most classes of a set.
inline constexpr std::size_t most_classes = 64;
// Throws Error(usage) for invalid radii or shares.
void require_classes(const ClassRadii& classes);
// Returns the least distance between points of each two classes.
std::vector<std::vector<double>> class_distances(const ClassRadii& classes, std::size_t dimensions);
// Returns the share of each class; the shares sum to 1.
std::vector<double> wanted_shares(const ClassRadii& classes, std::size_t dimensions);

// The approximate number of points of a trial.
inline constexpr double trial_points_of_classes = 20000;
// Largest relative error of a share, if the distance of its class leaves room for the share.
inline constexpr double good_share = 0.02;

// Searches for head starts that give each class its share. Each set made with next() determines the
// next trial. The search runs on logarithms of head starts. The effect of the last step on a share
// determines the size of the next step.
class HeadStarts {
 public:
  explicit HeadStarts(std::vector<double> wanted);

  const std::vector<double>& next() const { return next_; }
  // Takes the classes of a set made with next(). Returns the largest relative error of a share.
  double take(std::span<const std::int32_t> class_id);
  // Return the head starts with the least error so far, and that error.
  const std::vector<double>& best() const { return best_; }
  double least_error() const { return least_error_; }
  // Continues the search on sets of another kind, from the best head starts so far. Small steps
  // reuse the measured effects.
  void go_on_elsewhere();

 private:
  struct Search {
    double log_start = 0;
    double gain = 6;
    double last_log_share = 0;
    double last_step = 0;
    double start() const;
  };
  void set_next();

  std::vector<double> wanted_, next_, best_;
  std::vector<Search> searches_;
  double least_error_ = 1e9;
  bool elsewhere_ = false;
};

// A trial: makes a set with these head starts (sample/box_space/box_domain.hpp) and returns the
// classes of its points.
using ClassTrial = std::function<std::vector<std::int32_t>(const std::vector<double>& head_start)>;
// Searches until the relative error of every share is at most `good`.
HeadStarts search_by_trials(const std::vector<double>& wanted, const ClassTrial& trial,
                            double good = 0.005);
// As above, but runs the trials in a plane without a border.
HeadStarts search_in_plane(const std::vector<std::vector<double>>& distances,
                           const std::vector<double>& wanted, Context& context);

// Returns the first set of make(head_start) whose classes, classes_of(set), have good shares, or
// the best of 8 sets. Unlike trials, sets have borders, curvature and their own chance. If the
// trials found no good shares, only one set is made.
template <class Make, class ClassesOf>
auto with_good_shares(HeadStarts search, const Make& make, const ClassesOf& classes_of) {
  const int most = search.least_error() <= good_share ? 8 : 1;
  search.go_on_elsewhere();
  auto best = make(search.next());
  double least_error = search.take(classes_of(best));
  for (int tries = 1; tries < most && least_error > good_share; ++tries) {
    auto made = make(search.next());
    const double error = search.take(classes_of(made));
    if (error >= least_error) continue;
    least_error = error;
    best = std::move(made);
  }
  return best;
}

// Warns about classes whose share is off by more than 2 % of it.
void warn_of_shares(std::span<const std::int32_t> class_id, const std::vector<double>& wanted,
                    Context& context);

}  // namespace dapple
