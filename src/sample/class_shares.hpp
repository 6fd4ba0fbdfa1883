// Classes with distances of their own: what they need wherever they are.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <utility>
#include <vector>

#include "dapple/sample.hpp"

namespace dapple {

// Throws Error(usage) for radii or shares that are none.
void require_classes(const ClassOptions& options);
// How far points of each two classes are apart.
std::vector<std::vector<double>> class_distances(const ClassOptions& options,
                                                 std::size_t dimensions);
// Of sum 1.
std::vector<double> wanted_shares(const ClassOptions& options, std::size_t dimensions);

// About how many points a trial is to have.
inline constexpr double trial_points_of_classes = 20000;
// What the share of a class may be off, as a part of it, where its distance leaves room.
inline constexpr double good_share = 0.02;

// The search for head starts that give each class its share: each set that is made with next()
// tells what to try next. A class's head start is found on its logarithm, and how much its share
// has gained by the last step says how much more it needs.
class HeadStarts {
 public:
  explicit HeadStarts(std::vector<double> wanted);

  const std::vector<double>& next() const { return next_; }
  // Of a set that was made so: how far the share is off that is farthest off, as a part of it.
  double take(std::span<const std::int32_t> class_id);
  // The head starts so far that came closest, and by how much they missed.
  const std::vector<double>& best() const { return best_; }
  double least_error() const { return least_error_; }
  // Sets of another kind follow, beginning with the best so far: what steps have brought till now
  // holds for small ones, too.
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

// The classes of the points that darts leave after such head starts
// (sample/box_space/box_domain.hpp).
using ClassTrial = std::function<std::vector<std::int32_t>(const std::vector<double>& head_start)>;
// Until no share is farther off than a part `good` of it.
HeadStarts search_by_trials(const std::vector<double>& wanted, const ClassTrial& trial,
                            double good = 0.005);
// Those of a plane without a border.
HeadStarts search_in_plane(const std::vector<std::vector<double>>& distances,
                           const std::vector<double>& wanted, Context& context);

// Of sets that make(head_start) gives, the first whose classes, classes_of(set), have good shares,
// or the best of a few: trials have borders, bends and a chance of their own. One is made where
// trials have not come to good shares at all.
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

// Says which classes have less or more than 2 % beside their share.
void warn_of_shares(std::span<const std::int32_t> class_id, const std::vector<double>& wanted,
                    Context& context);

}  // namespace dapple
