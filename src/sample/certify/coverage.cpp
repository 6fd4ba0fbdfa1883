// Finds the largest hole by branch and bound. A box is done if one point is near enough to all of
// it. Otherwise it is cut up, with only the points that are the nearest somewhere in it.
#include <array>
#include <mutex>

#include "core/constants.hpp"
#include "core/parallel.hpp"
#include "dapple/context.hpp"
#include "dapple/extend/options.hpp"
#include "sample/certify/certify.hpp"
#include "sample/darts/radius_tree.hpp"

namespace dapple {
namespace {

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr double tolerance2 = coverage_tolerance * coverage_tolerance;
constexpr double sharpness = 1e-3;      // of the hole found, relative
constexpr std::size_t short_list = 24;  // points, above which boxes are only quartered
constexpr std::size_t wild_list = 512;
constexpr std::size_t enough_narrowed = 12;

// A part of the domain: whole pixels, or a part of one pixel, in which r is constant.
struct Piece {
  Box box;
  int x0, y0, x1, y1;  // pixels, half open
  bool single() const { return x1 - x0 == 1 && y1 - y0 == 1; }
  Vec2 center() const { return {0.5 * (box.x0 + box.x1), 0.5 * (box.y0 + box.y1)}; }
};

struct Candidates {
  std::vector<double> x, y, r;
  std::size_t size = 0;
  double largest = 0;  // r

  void reserve(std::size_t room) {
    if (x.size() >= room) return;
    x.resize(room);
    y.resize(room);
    r.resize(room);
  }
  // Returns a copy without unused memory.
  Candidates trimmed() const {
    const auto end = static_cast<std::ptrdiff_t>(size);
    return {{x.begin(), x.begin() + end},
            {y.begin(), y.begin() + end},
            {r.begin(), r.begin() + end},
            size,
            largest};
  }
};

// The data that all searches of one proof share.
class Ground {
 public:
  // Searches leave out points farther than `reach` from a box, in units of f.
  Ground(const Points& points, const std::vector<double>& r, const DensityField& of, double reach_)
      : field(of), reach(reach_), points_(points), r_(r) {}

  const DensityField& field;
  const double reach;

  // Returns a tree for boxes to which most of the set matters.
  const RadiusTree& tree() const {
    std::call_once(made_, [this] {
      tree_ = std::make_unique<RadiusTree>(points_.domain);
      for (std::size_t i = 0; i < points_.size(); ++i) {
        if (std::isfinite(r_[i])) tree_->add(points_[i], r_[i]);
      }
    });
    return *tree_;
  }

 private:
  const Points& points_;
  const std::vector<double>& r_;
  mutable std::once_flag made_;
  mutable std::unique_ptr<RadiusTree> tree_;
};

// A grid of up to 4x4 parts of a box. Cuts follow pixels as long as the box has several.
struct Cut {
  int columns = 0;
  int rows = 0;
  std::array<double, 5> x{}, y{};
  std::array<int, 5> pixel_x{}, pixel_y{};
};

int cut_axis(double low, double high, int first, int last, int parts, double pixel,
             std::array<double, 5>& edges, std::array<int, 5>& pixels) {
  const int n = last - first;
  edges[0] = low;
  pixels[0] = first;
  if (n > 1) parts = std::min(parts, n);
  for (int k = 1; k < parts; ++k) {
    const auto i = static_cast<std::size_t>(k);
    pixels[i] = n > 1 ? first + n * k / parts : first;
    edges[i] = n > 1 ? pixels[i] * pixel : low + (high - low) * k / parts;
  }
  edges[static_cast<std::size_t>(parts)] = high;
  pixels[static_cast<std::size_t>(parts)] = last;
  return parts;
}

template <ConflictRule rule>
class HoleSearch {
 public:
  HoleSearch(const Ground& ground, const Context& context)
      : ground_(ground),
        context_(context),
        field_(ground.field),
        map_(ground.field.radius_map()),
        across_(axis_of(field_.domain().width, field_.domain().wrap)),
        down_(axis_of(field_.domain().height, field_.domain().wrap)),
        pixel_width_(field_.domain().width / map_.width()),
        pixel_height_(field_.domain().height / map_.height()) {}

  CoverageProof proof;  // ratios squared; hole: no place searched is worse

  Piece all() const {
    return {
        {0, 0, field_.domain().width, field_.domain().height}, 0, 0, map_.width(), map_.height()};
  }

  // Keeps the points of `from` that may be near to some place of the piece.
  void narrow(const Piece& piece, const RadiusBounds& bounds, const Candidates& from,
              double nearest, Candidates& to) const {
    const Vec2 center = piece.center();
    // These are slightly more than half the sides, for rounding.
    const double w = 0.5 * piece.box.width() + 1e-12 * field_.domain().width;
    const double h = 0.5 * piece.box.height() + 1e-12 * field_.domain().height;
    const double most2 = std::min(ground_.reach * ground_.reach, nearest) * (1 + 1e-9);
    to.reserve(from.size);
    std::size_t kept = 0;
    to.largest = 0;
    for (std::size_t i = 0; i < from.size; ++i) {
      const double dx = above_zero(across_.away(from.x[i], center.x) - w);
      const double dy = above_zero(down_.away(from.y[i], center.y) - h);
      const double f = conflict_of<rule>(bounds.max, from.r[i]);
      to.x[kept] = from.x[i];
      to.y[kept] = from.y[i];
      to.r[kept] = from.r[i];
      const bool keep = dx * dx + dy * dy <= f * f * most2;
      to.largest = std::max(to.largest, keep ? from.r[i] : 0.0);
      kept += keep ? 1 : 0;
    }
    to.size = kept;
  }

  void search(const Piece& piece, const Candidates& from, double nearest, std::size_t depth);

  RadiusBounds bounds_of(const Piece& piece) const {
    if (!piece.single()) return field_.radius_bounds(piece.box);
    const auto r = static_cast<double>(map_(piece.x0, piece.y0));
    return {r, std::isfinite(r) ? r : 0};
  }

  Cut cut(const Piece& piece, int most) const {
    Cut c;
    const double w = piece.box.width();
    const double h = piece.box.height();
    c.columns = cut_axis(piece.box.x0, piece.box.x1, piece.x0, piece.x1, 2 * w < h ? 1 : most,
                         pixel_width_, c.x, c.pixel_x);
    c.rows = cut_axis(piece.box.y0, piece.box.y1, piece.y0, piece.y1, 2 * h < w ? 1 : most,
                      pixel_height_, c.y, c.pixel_y);
    return c;
  }
  static Piece part_of(const Cut& c, std::size_t i, std::size_t j) {
    return {{c.x[i], c.y[j], c.x[i + 1], c.y[j + 1]},
            c.pixel_x[i],
            c.pixel_y[j],
            std::max(c.pixel_x[i + 1], c.pixel_x[i] + 1),
            std::max(c.pixel_y[j + 1], c.pixel_y[j] + 1)};
  }

 private:
  // Finds for each part the least ratio, over all points, at the farthest place of the part.
  void bound(const Cut& c, const Candidates& list, double r_min, PartBounds& nearest);
  // Returns the ratio below which a part needs no further cuts. All ratios here are squared.
  double near_enough() const {
    const double sharp = proof.worst * (1 + 2 * sharpness);
    return proof.worst > tolerance2 ? sharp : std::min(sharp, tolerance2);
  }
  bool settled(double nearest) {
    if (nearest > near_enough()) return false;
    proof.hole = std::max(proof.hole, nearest);
    return true;
  }
  void probe(const Piece& piece, const Candidates& list);
  void look_at(Vec2 place, double ratio) {
    if (ratio <= proof.worst) return;
    proof.worst = ratio;
    proof.place = place;
    proof.hole = std::max(proof.hole, ratio);
  }
  void search_by_tree(const Piece& piece);

  const Ground& ground_;
  const Context& context_;
  const DensityField& field_;
  const Plane<float>& map_;
  Axis across_, down_;
  double pixel_width_, pixel_height_;
  std::vector<std::unique_ptr<Candidates>> lists_;
  std::vector<double> scale_;
};

template <ConflictRule rule>
void HoleSearch<rule>::bound(const Cut& c, const Candidates& list, double r_min,
                             PartBounds& nearest) {
  PartGrid grid;
  grid.across = across_;
  grid.down = down_;
  for (std::size_t k = 0; k < 4; ++k) {
    const std::size_t i = std::min(k, static_cast<std::size_t>(c.columns - 1));
    const std::size_t j = std::min(k, static_cast<std::size_t>(c.rows - 1));
    grid.x[k] = 0.5 * (c.x[i] + c.x[i + 1]);
    grid.half_width[k] = 0.5 * (c.x[i + 1] - c.x[i]);
    grid.y[k] = 0.5 * (c.y[j] + c.y[j + 1]);
    grid.half_height[k] = 0.5 * (c.y[j + 1] - c.y[j]);
  }
  if (scale_.size() < list.size) scale_.resize(2 * list.size);
  for (std::size_t p = 0; p < list.size; ++p) {
    const double f = conflict_of<rule>(r_min, list.r[p]);
    scale_[p] = 1 / (f * f);
  }
  bound_parts(grid, list.x.data(), list.y.data(), scale_.data(), list.size, nearest);
}

template <ConflictRule rule>
void HoleSearch<rule>::probe(const Piece& piece, const Candidates& list) {
  const Vec2 center = piece.center();
  const double r =
      piece.single() ? static_cast<double>(map_(piece.x0, piece.y0)) : field_.radius(center);
  if (!std::isfinite(r)) return;
  double least = infinity;
  for (std::size_t p = 0; p < list.size; ++p) {
    const double dx = across_.away(list.x[p], center.x);
    const double dy = down_.away(list.y[p], center.y);
    const double f = conflict_of<rule>(r, list.r[p]);
    least = std::min(least, (dx * dx + dy * dy) / (f * f));
  }
  look_at(center, least);
}

template <ConflictRule rule>
void HoleSearch<rule>::search(const Piece& piece, const Candidates& from, double nearest,
                              std::size_t depth) {
  context_.check();
  // Another search with a wider reach examines places beyond this reach.
  if (proof.worst >= ground_.reach * ground_.reach) return;
  const RadiusBounds bounds = bounds_of(piece);
  if (bounds.max == 0) return;
  const Candidates* list = &from;
  if (from.size > enough_narrowed) {
    while (lists_.size() <= depth) lists_.push_back(std::make_unique<Candidates>());
    narrow(piece, bounds, from, nearest, *lists_[depth]);
    list = lists_[depth].get();
  }
  const double w = piece.box.width();
  const double h = piece.box.height();
  const double side = std::max(w, h);
  const bool jumps = bounds.max > 2 * bounds.min && 4 * side < bounds.max;
  // From so far away, all parts of the piece are equally near to the points.
  const bool huddled = depth > 0 && list->size == from.size;
  if (list->size > wild_list && (jumps || huddled)) {
    search_by_tree(piece);
    return;
  }
  // The center is nearer than the farthest corner by at least half the shorter side.
  const double largest_f = conflict_of<rule>(bounds.max, list->largest);
  const double inner = 0.5 * std::min(w, h) / largest_f;
  // Centers of large boxes in a dense set are near some point. If the set has a hole, they may lie
  // there.
  const bool far = side > 4 * largest_f && list->size > short_list && proof.worst <= tolerance2;
  if (!far && nearest > proof.worst + inner * (2 * std::sqrt(proof.worst) + inner)) {
    probe(piece, *list);
  }
  // No place in so small a piece differs from its center by more than the tolerance.
  if (piece.single() && side < smallest_proved_part * bounds.min) {
    proof.hole = std::max(proof.hole, nearest);
    return;
  }
  const Cut c = cut(piece, list->size > short_list ? 2 : 4);
  PartBounds parts;
  // The farthest place of a part is at least half its side from any point; here in f, squared.
  const double part_f = 8 * conflict_of<rule>(bounds.min, list->largest);
  if (side * side > part_f * part_f * near_enough()) {
    for (auto& row : parts) row.fill(infinity);
  } else {
    bound(c, *list, bounds.min, parts);
  }
  for (std::size_t j = 0; j < static_cast<std::size_t>(c.rows); ++j) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
      if (!settled(parts[j][i])) search(part_of(c, i, j), *list, parts[j][i], depth + 1);
    }
  }
}

// Searches with the tree. It skips whole densities if radii jump from pixel to pixel, and looks at
// few of many points that are far away.
template <ConflictRule rule>
void HoleSearch<rule>::search_by_tree(const Piece& piece) {
  context_.check();
  const RadiusBounds bounds = bounds_of(piece);
  if (bounds.max == 0) return;
  const double enough = std::sqrt(near_enough());
  const double nearest =
      enough > 0 ? ground_.tree().least_ratio(piece.box, bounds.min, rule, enough) : infinity;
  if (nearest < enough) {
    proof.hole = std::max(proof.hole, nearest * nearest);
    return;
  }
  const Vec2 center = piece.center();
  const double r = field_.radius(center);
  if (std::isfinite(r)) {
    const double ratio =
        ground_.tree().least_ratio({center.x, center.y, center.x, center.y}, r, rule);
    look_at(center, ratio * ratio);
  }
  const double side = std::max(piece.box.width(), piece.box.height());
  if (piece.single() && side < smallest_proved_part * bounds.min) {
    proof.hole = std::max(proof.hole, enough * enough);
    return;
  }
  const Cut c = cut(piece, 2);
  for (std::size_t j = 0; j < static_cast<std::size_t>(c.rows); ++j) {
    for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
      search_by_tree(part_of(c, i, j));
    }
  }
}

// A piece and the points that matter to it, for one thread to search.
struct Item {
  Piece piece;
  Candidates near;
};

// Searches holes up to `reach`. `known`: a place at least this far from all points.
template <ConflictRule rule>
CoverageProof holes_within(double reach, const CoverageProof& known, const Points& points,
                           const std::vector<double>& r, const DensityField& field,
                           Context& context) {
  const Ground ground(points, r, field, reach);
  HoleSearch<rule> scout(ground, context);
  std::vector<Item> items(1);
  items[0].piece = scout.all();
  Candidates& near = items[0].near;
  near.reserve(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (!std::isfinite(r[i])) continue;
    near.x[near.size] = points.x[i];
    near.y[near.size] = points.y[i];
    near.r[near.size++] = r[i];
    near.largest = std::max(near.largest, r[i]);
  }
  Candidates narrowed;
  for (int level = 0; level < 4; ++level) {
    std::vector<Item> next;
    for (Item& item : items) {
      const Cut c = scout.cut(item.piece, 2);
      for (std::size_t j = 0; j < static_cast<std::size_t>(c.rows); ++j) {
        for (std::size_t i = 0; i < static_cast<std::size_t>(c.columns); ++i) {
          Item part{HoleSearch<rule>::part_of(c, i, j), {}};
          const RadiusBounds bounds = scout.bounds_of(part.piece);
          if (bounds.max == 0) continue;
          scout.narrow(part.piece, bounds, item.near, infinity, narrowed);
          part.near = narrowed.trimmed();
          next.push_back(std::move(part));
        }
      }
      item.near = {};
    }
    items = std::move(next);
  }
  std::vector<CoverageProof> found(items.size());
  parallel_for(context, items.size(), [&](std::size_t i) {
    HoleSearch<rule> search(ground, context);
    search.proof = {known.hole * known.hole, known.worst * known.worst, known.place};
    search.search(items[i].piece, items[i].near, infinity, 0);
    found[i] = search.proof;
  });
  CoverageProof all;
  for (const CoverageProof& part : found) {
    all.hole = std::max(all.hole, part.hole);
    if (part.worst > all.worst) {
      all.worst = part.worst;
      all.place = part.place;
    }
  }
  all.hole = std::sqrt(all.hole);
  all.worst = std::sqrt(all.worst);
  return all;
}

}  // namespace

CoverageProof prove_coverage(const Points& points, const std::vector<double>& r,
                             const DensityField& field, ConflictRule rule, Context& context) {
  const double across = length({points.domain.width, points.domain.height});
  double smallest = infinity;
  for (const double one : r) smallest = std::min(smallest, one);
  CoverageProof known;
  for (double reach = 1.0625;; reach *= 4) {
    const CoverageProof proof = with_rule(rule, [&](auto constant) {
      return holes_within<constant>(reach, known, points, r, field, context);
    });
    if (proof.hole < reach || !(smallest * reach < 4 * across)) return proof;
    // The search ignored points beyond the reach, so its result is only a lower bound.
    const double least = std::min(proof.worst, reach);
    known = {least, least, proof.place};
  }
}

}  // namespace dapple
