// Classes with distances of their own: what they need wherever they are.
#pragma once

#include <cstdint>
#include <functional>
#include <span>
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
// The classes of the points that darts leave after such head starts (sample/space/room.hpp).
using ClassTrial = std::function<std::vector<std::int32_t>(const std::vector<double>& head_start)>;
// Head starts that give each class its share, as far as its distance leaves room; the search ends
// when none is farther off than a share `good` of it.
std::vector<double> head_starts_by_trials(const std::vector<double>& wanted,
                                          const ClassTrial& trial, double good = 0.005);
// Those of a plane without a border.
std::vector<double> head_starts_in_plane(const std::vector<std::vector<double>>& distances,
                                         const std::vector<double>& wanted, Context& context);

// Says which classes have less or more than 2 % beside their share.
void warn_of_shares(std::span<const std::int32_t> klass, const std::vector<double>& wanted,
                    Context& context);

}  // namespace dapple
