// Gives each part an energy like the energy of all dots (kernel/kernel.cpp), with the Gaussians
// below. Dots of a rare part count as 1 / share dots. So the balance between part and set does not
// depend on the size of the part. These Gaussians are wide, so grids replace pairs of dots. Dots
// and density are spread over cells, their difference is blurred, and its slope is read by the same
// splines.
#include "relax/class_energy.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.hpp"
#include "field/blur.hpp"
#include "relax/spline.hpp"

namespace dapple {
namespace {

// The narrow Gaussian keeps dots of a part apart. The wide one, 1.5 times as wide, evens out their
// tone. One Gaussian reaches that tone only if neighbors come closer. Parts of about half the dots
// get wider Gaussians: narrower or heavier Gaussians make a chessboard of two inks. All figures
// rate a chessboard as even, but it looks like cloth.
constexpr double narrow = 0.5;  // spacings of the part
constexpr double narrow_of_half = 0.6;
constexpr double about_half = 0.1;  // shares within this distance of 1/2 count as halves
constexpr double not_half = 1.0 / 6;
constexpr double wide = 1.5;  // narrow widths
constexpr float wide_weight = 4;
constexpr double weight_of_class = 0.0055;
constexpr float nearly_all = 4;    // 1 / (1 - the largest share with the full weight)
constexpr float changing = 0.02f;  // mean change of a share from dot to dot that counts fully
constexpr float recent = 0.1f;     // weight of a dot in that mean
constexpr double weight_of_first = 0.022;
constexpr double stiffness_of_weight = 30;
constexpr std::size_t most_paired = 4;   // classes; pairs of more classes make the set less even
constexpr std::size_t least_first = 16;  // dots
constexpr float least_share = 0.06f;     // smallest share by which a dot is weighted
constexpr double cells_a_width = 1.5;    // of the narrow Gaussian
// The widths of blurs in cells: of the narrow Gaussian, as splines blur twice, each time by a
// quarter of a squared cell, and from the narrow to the wide one.
const double narrow_blur = std::sqrt(cells_a_width * cells_a_width - 0.5);
const double wider_blur = cells_a_width * std::sqrt(wide * wide - 1);
constexpr double finest = 0.7;  // smallest spacing followed, in mean spacings of the part
constexpr double widest = 4;

// Returns the factor for the density of a part that gives its Gaussians the right width.
float as_if(float share) {
  const double off = std::abs(static_cast<double>(share) - 0.5);
  const double half = std::clamp((not_half - off) / (not_half - about_half), 0.0, 1.0);
  const double ratio = narrow / (narrow + (narrow_of_half - narrow) * half);
  return static_cast<float>(ratio * ratio);
}

// Returns the sum of the planes at a pixel, or `constant` without planes.
float share_of(std::span<const Plane<float>* const> planes, float constant, int x, int y) {
  if (planes.empty()) return constant;
  float sum = 0;
  for (const Plane<float>* plane : planes) sum += (*plane)(x, y);
  return sum;
}

float mass_of(float share) {
  return 1 / std::max(share, least_share);
}

// Returns the factor for the force on a dot that makes forces everywhere as strong, in largest
// curvatures of the set's own energy, as in an even picture. Between two levels, one has Gaussians
// too narrow for the dots, whose curvature is larger. `next`: share of the pairs on the next level.
float evened(float next) {
  const float spacings = 1 + next;  // over the spacing that the level is made for
  return 1 / (spacings * spacings * (1 - 0.75f * next));
}

// Returns the weight of a pair of classes at a place. A pair that has nearly all dots is the set.
float weight_of_pair(float share) {
  return std::min(1.0f, nearly_all * (1 - share));
}

}  // namespace

std::vector<DotPart> parts_of_classes(std::span<const std::int32_t> class_id,
                                      std::span<const Plane<float>> shares) {
  const std::size_t count = shares.size();
  std::vector<DotPart> parts;
  const auto add = [&](std::size_t a, std::size_t b) {
    DotPart part;
    part.weight = weight_of_class;
    part.shares.push_back(&shares[a]);
    if (b != a) part.shares.push_back(&shares[b]);
    for (std::size_t i = 0; i < class_id.size(); ++i) {
      const auto c = static_cast<std::size_t>(class_id[i]);
      if (c == a || c == b) part.dots.push_back(static_cast<std::int32_t>(i));
    }
    if (part.dots.size() > 1) parts.push_back(std::move(part));
  };
  for (std::size_t a = 0; a < count; ++a) add(a, a);
  // With two classes, the only pair is the whole set.
  if (count < 3 || count > most_paired) return parts;
  for (std::size_t a = 0; a < count; ++a) {
    for (std::size_t b = a + 1; b < count; ++b) add(a, b);
  }
  return parts;
}

std::vector<DotPart> first_parts(std::span<const std::int32_t> order) {
  std::vector<DotPart> parts;
  for (std::size_t n = order.size() / 2; n >= least_first; n /= 2) {
    DotPart part;
    part.weight = weight_of_first;
    part.share = static_cast<double>(n) / static_cast<double>(order.size());
    part.dots.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(n));
    parts.push_back(std::move(part));
  }
  return parts;
}

struct PartForce::Densities {
  double across = 1;  // pixels of the shares per pixel of the density
  double down = 1;
  Plane<float> seen;     // as if the part had the usual Gaussians
  Plane<float> counted;  // times the mass of a dot
  double total = 0;      // of `seen`

  Densities(const DotPart& part, const Plane<float>& density)
      : seen(Plane<float>::unset(density.width(), density.height())),
        counted(Plane<float>::unset(density.width(), density.height())) {
    if (!part.shares.empty()) {
      across = static_cast<double>(part.shares.front()->width()) / density.width();
      down = static_cast<double>(part.shares.front()->height()) / density.height();
    }
    std::vector<int> columns;
    for (int x = 0; x < density.width(); ++x) {
      columns.push_back(static_cast<int>((x + 0.5) * across));
    }
    for (int y = 0; y < density.height(); ++y) {
      const int row = static_cast<int>((y + 0.5) * down);
      double sum = 0;
      for (int x = 0; x < density.width(); ++x) {
        const float share = share_of(part.shares, static_cast<float>(part.share),
                                     columns[static_cast<std::size_t>(x)], row);
        const float own = density(x, y) * share;
        seen(x, y) = own * as_if(share);
        counted(x, y) = own * mass_of(share);
        sum += static_cast<double>(seen(x, y));
      }
      total += sum;
    }
  }

  SpacingGrids grids(Context& context) const {
    const double mean = std::sqrt(static_cast<double>(seen.size()) / std::max(total, 1e-9));
    const auto values = seen.values();
    const auto densest = static_cast<double>(*std::max_element(values.begin(), values.end()));
    const double least = std::min(std::max(finest * mean, 1 / std::sqrt(densest)), mean);
    const DensityStack stack(seen, 0.5 * least, widest * mean, context);
    return {
        seen,   stack, least, widest * mean, narrow / cells_a_width, SpacingGrids::Shares::of_pairs,
        context};
  }
};

PartForce::PartForce(const DotPart& part, const Plane<float>& density, Context& context)
    : PartForce(part, Densities(part, density), context) {}

PartForce::PartForce(const DotPart& part, const Densities& densities, Context& context)
    : dots_(part.dots),
      shares_(part.shares),
      share_(static_cast<float>(part.share)),
      weight_(part.weight),
      across_(densities.across),
      down_(densities.down),
      grids_(densities.grids(context)),
      missing_(grids_.of_density(densities.counted, context)),
      places_(part.dots.size()),
      masses_(part.dots.size()),
      strengths_(part.dots.size()),
      changes_(part.dots.size()),
      on_(part.dots.size()),
      forces_(part.dots.size()) {
  for (Plane<float>& cells : missing_) {
    for (float& mass : cells.values()) mass = -mass;
  }
}

double PartForce::stiffness() const {
  return stiffness_of_weight * weight_;
}

void PartForce::look_up(std::span<const Vec2> places) {
  const bool is_pair = shares_.size() > 1;
  const int last_x = shares_.empty() ? 0 : shares_.front()->width() - 1;
  const int last_y = shares_.empty() ? 0 : shares_.front()->height() - 1;
  float before = 0;
  float change = 0;
  for (std::size_t k = 0; k < dots_.size(); ++k) {
    const Vec2 p = places[static_cast<std::size_t>(dots_[k])];
    const float share = share_of(shares_, share_, std::min(static_cast<int>(p.x * across_), last_x),
                                 std::min(static_cast<int>(p.y * down_), last_y));
    masses_[k] = mass_of(share);
    on_[k] = grids_.levels_at(p);
    // The dot before lies next to this one, mostly.
    if (k > 0) change += recent * (std::abs(share - before) - change);
    before = share;
    changes_[k] = std::min(1.0f, change / changing);
    strengths_[k] =
        masses_[k] * evened(on_[k].above * on_[k].above) * (is_pair ? weight_of_pair(share) : 1.0f);
  }
}

const std::vector<Vec2>& PartForce::forces(std::span<const Vec2> places, double curvature,
                                           double given_way, Context& context) {
  for (std::size_t k = 0; k < dots_.size(); ++k) {
    places_[k] = places[static_cast<std::size_t>(dots_[k])];
  }
  SpacingGrids::Cells error = missing_;
  grids_.add_dots(places_, masses_, on_, 0, places_.size(), error);
  for (Plane<float>& cells : error) {
    cells = with_blurred(gaussian_blurred(cells, narrow_blur, context), wider_blur, wide_weight,
                         context);
  }
  const double strength = -2 * std::numbers::pi * weight_ * curvature;
  for (std::size_t k = 0; k < dots_.size(); ++k) {
    Vec2 slope;
    on_[k].share([&](std::size_t l, float seen) {
      const SpacingGrids::Level& level = grids_.levels()[l];
      const Vec2 p = level.in_cells(places_[k]);
      const Vec2 here = level.in_cells(slope_of(error[l], spline_at(p.x), spline_at(p.y)));
      slope = slope + here * (static_cast<double>(seen) * level.a_pixel_x * level.a_pixel_y);
    });
    const double left = 1 - given_way * static_cast<double>(changes_[k]);
    forces_[k] = slope * (left * strength * static_cast<double>(strengths_[k]));
  }
  return forces_;
}

}  // namespace dapple
