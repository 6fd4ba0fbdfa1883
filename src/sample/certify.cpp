// Proof of what a sampler promises, from the points and the field alone: every pair by the index,
// every place by branch and bound. It shares no code with the sampler but the rule itself and the
// tree of radii.
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"
#include "sample/radius_tree.hpp"

namespace dapple {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double sharpness = 1e-3;  // of Certificate::hole, relative
// Samplers keep 2e-6 more distance than asked for, so that much may stay open between their points.
constexpr double tolerance = 1 + 1e-5;

struct Spacing {
  std::int64_t violations = 0;
  double closest = infinity;
  std::size_t worst = 0;
};

// Pairs within `factor` times the radius of the one that decides how far to look.
Spacing spacing_of(const PointSet& points, const std::vector<double>& r, std::size_t kept,
                   ConflictRule rule, double factor, Context& context) {
  const PointIndex index(points);
  // Under mean and max the larger radius of a pair is at least f, so it finds the pair; under min
  // the smaller one is f itself. The order of a set says nothing, so `candidate` can promise no
  // more than min.
  const bool by_smaller = rule == ConflictRule::min || rule == ConflictRule::candidate;
  const ConflictRule tested = by_smaller ? ConflictRule::min : rule;
  constexpr std::size_t group = 512;
  std::vector<Spacing> parts((points.size() + group - 1) / group);
  parallel_for(context, parts.size(), [&](std::size_t g) {
    Spacing& part = parts[g];
    std::vector<Neighbour> found;
    for (std::size_t i = g * group; i < std::min(points.size(), (g + 1) * group); ++i) {
      if (!std::isfinite(r[i])) {
        ++part.violations;  // stands where nothing may be placed
        part.closest = 0;
        part.worst = i;
        continue;
      }
      index.within(points[i], r[i] * factor, found);
      for (const Neighbour& n : found) {
        const auto j = static_cast<std::size_t>(n.index);
        // Each pair once, by the point that surely finds it.
        const bool mine = r[i] != r[j] ? by_smaller == (r[i] < r[j]) : i < j;
        if (j == i || !mine || !std::isfinite(r[j]) || std::max(i, j) < kept) continue;
        const double f = conflict_distance(tested, r[i], r[j]);
        part.violations += n.distance < f ? 1 : 0;
        if (n.distance / f < part.closest) {
          part.closest = n.distance / f;
          part.worst = i;
        }
      }
    }
  });
  Spacing all;
  for (const Spacing& part : parts) {
    all.violations += part.violations;
    if (part.closest < all.closest) {
      all.closest = part.closest;
      all.worst = part.worst;
    }
  }
  return all;
}

// A part of the domain: whole pixels, or a part of one pixel, so that from there on r is one
// number.
struct Piece {
  Box box;
  int x0, y0, x1, y1;  // pixels, half open
};

class HoleSearch {
 public:
  HoleSearch(const DensityField& field, const RadiusTree& tree, ConflictRule rule)
      : field_(field), map_(field.radius_map()), tree_(tree), rule_(rule) {}

  double worst = 0;  // ratio at the worst place looked at
  Vec2 place;
  double upper = 0;  // no place of the pieces searched is worse

  Piece all() const {
    return {
        {0, 0, field_.domain().width, field_.domain().height}, 0, 0, map_.width(), map_.height()};
  }

  // Looks at the centre.
  void probe(const Piece& piece) {
    const Vec2 centre{0.5 * (piece.box.x0 + piece.box.x1), 0.5 * (piece.box.y0 + piece.box.y1)};
    const double r =
        is_single(piece) ? static_cast<double>(map_(piece.x0, piece.y0)) : field_.radius(centre);
    if (!std::isfinite(r)) return;
    const double here = tree_.least_ratio({centre.x, centre.y, centre.x, centre.y}, r, rule_);
    if (here > worst) {
      worst = here;
      place = centre;
    }
    upper = std::max(upper, here);
  }

  void search(const Piece& piece) {
    const RadiusBounds bounds = bounds_of(piece);
    if (bounds.max == 0) return;
    // Nothing as bad as what is known already, and no doubt left about whether it is covered.
    const double known = worst * (1 + sharpness);
    const double enough = worst > tolerance ? known : std::min(known, tolerance);
    const double bound = tree_.least_ratio(piece.box, bounds.min, rule_, enough);
    if (bound < enough || worst == infinity) {
      upper = std::max(upper, bound);
      return;
    }
    probe(piece);
    // So small that no place in it differs from its centre by more than the tolerance.
    if (is_single(piece) && std::max(piece.box.width(), piece.box.height()) < 1e-6 * bounds.min) {
      return;
    }
    for (const Piece& part : split(piece)) search(part);
  }

  std::vector<Piece> split(const Piece& piece) const {
    const bool wide = is_single(piece) ? piece.box.width() > piece.box.height()
                                       : piece.x1 - piece.x0 > piece.y1 - piece.y0;
    Piece low = piece;
    Piece high = piece;
    if (wide) {
      const int middle = (piece.x0 + piece.x1) / 2;
      low.box.x1 = is_single(piece) ? 0.5 * (piece.box.x0 + piece.box.x1)
                                    : middle * field_.domain().width / map_.width();
      high.box.x0 = low.box.x1;
      if (!is_single(piece)) low.x1 = high.x0 = middle;
    } else {
      const int middle = (piece.y0 + piece.y1) / 2;
      low.box.y1 = is_single(piece) ? 0.5 * (piece.box.y0 + piece.box.y1)
                                    : middle * field_.domain().height / map_.height();
      high.box.y0 = low.box.y1;
      if (!is_single(piece)) low.y1 = high.y0 = middle;
    }
    return {low, high};
  }

 private:
  static bool is_single(const Piece& piece) {
    return piece.x1 - piece.x0 == 1 && piece.y1 - piece.y0 == 1;
  }
  RadiusBounds bounds_of(const Piece& piece) const {
    if (!is_single(piece)) return field_.radius_bounds(piece.box);
    const auto r = static_cast<double>(map_(piece.x0, piece.y0));
    return {r, std::isfinite(r) ? r : 0};
  }

  const DensityField& field_;
  const Plane<float>& map_;
  const RadiusTree& tree_;
  ConflictRule rule_;
};

void find_holes(const PointSet& points, const std::vector<double>& r, const DensityField& field,
                ConflictRule rule, Certificate& proof, Context& context) {
  RadiusTree tree(points.domain);
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (std::isfinite(r[i])) tree.add(points[i], r[i]);
  }
  // Pieces enough for any number of threads; a probe of each tells all of them what to look for.
  HoleSearch scout(field, tree, rule);
  std::vector<Piece> pieces{scout.all()};
  while (pieces.size() < 1024) {
    std::vector<Piece> next;
    for (const Piece& piece : pieces) {
      for (const Piece& part : scout.split(piece)) next.push_back(part);
    }
    pieces = std::move(next);
  }
  for (const Piece& piece : pieces) scout.probe(piece);

  std::vector<HoleSearch> searches(pieces.size(), scout);
  parallel_for(context, pieces.size(), [&](std::size_t i) { searches[i].search(pieces[i]); });
  double worst = 0;
  for (const HoleSearch& search : searches) {
    proof.hole = std::max(proof.hole, search.upper);
    if (search.worst > worst) {
      worst = search.worst;
      proof.hole_place = search.place;
    }
  }
  proof.maximal = worst <= tolerance;
}

}  // namespace

Certificate certify(const PointSet& points, const DensityField& field, ConflictRule rule,
                    Context& context, std::size_t kept) {
  Certificate proof;
  std::vector<double> r(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    r[i] = i < kept ? static_cast<double>(points.radius[i]) : field.radius(points[i]);
  }

  // Wider and wider until the closest pair is in sight, which in a dense set it is at once.
  const double across = length({points.domain.width, points.domain.height});
  Spacing spacing;
  for (double factor = 1.25; points.size() > 1; factor *= 4) {
    spacing = spacing_of(points, r, kept, rule, factor, context);
    const double least = *std::min_element(r.begin(), r.end());
    if (spacing.closest <= factor || !(least * factor < across)) break;
  }
  proof.violations = spacing.violations;
  proof.closest = spacing.closest;
  if (!points.empty()) proof.worst_pair_place = points[spacing.worst];
  find_holes(points, r, field, rule, proof, context);
  return proof;
}

}  // namespace dapple
