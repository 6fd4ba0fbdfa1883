// Cuts Voronoi cells one by one out of a box by half-planes (Sutherland and Hodgman 1974). These
// come from the nearest sites, until no farther site can reach the cell, or from sites found at its
// corners.
#include "generate/worley/voronoi_cell.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.hpp"

namespace dapple::cells {
namespace {

// Corners this near to a bisector lie on it: sites on a circle would give borders of no length.
constexpr double on_line = 5e-7;
// A cell that this many nearest sites do not close is closed corner by corner.
constexpr std::size_t most_nearest = 24;
// Sites that one thread takes at a time; results are joined in the order of sites.
constexpr std::size_t run = 256;

CellShape shape_of(const VoronoiCell& cell) {
  CellShape shape{};
  const auto corners = cell.corners();
  if (cell.empty()) {
    shape.reach = 1;
    return shape;
  }
  double perimeter = 0;
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    perimeter += length(corners[(i + 1) % corners.size()].at - corners[i].at);
    shape.neighbors += corners[i].id != VoronoiCell::frame ? 1 : 0;
    // Beyond the frame, the neighbor is the site's own mirror image.
    nearest = std::min(nearest, cell.border(corners[i]).distance({}));
  }
  shape.perimeter = static_cast<float>(perimeter);
  shape.reach = static_cast<float>(cell.farthest());
  shape.radius = static_cast<float>(std::max(nearest, 0.0));
  return shape;
}

// Adds the corners whose other cells have no lower ids: each corner belongs to one cell.
void add_own_corners(const VoronoiCell& cell, std::int32_t id, const Domain& domain,
                     std::vector<Vec2>& to) {
  const auto corners = cell.corners();
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const std::int32_t before = corners[(i + corners.size() - 1) % corners.size()].id;
    if (before >= id && corners[i].id >= id) {
      to.push_back(domain.wrapped(cell.site() + corners[i].at));
    }
  }
}

}  // namespace

void VoronoiCell::cut_out(std::int32_t id, double margin) {
  start(id, margin);
  // The nearest sites come first. The first look goes as far as around the previous cell; the order
  // of sites does not depend on how far it goes.
  double done = 0;
  std::size_t left = most_nearest;
  for (double look = first_look_; left > 0 && !empty() && done < reach(); look *= 2) {
    done = visit(done, std::min(look, reach() + on_line), left);
  }
  if (empty()) return;
  if (done >= reach()) {
    first_look_ = 1.1 * reach();
  } else {
    // The corners are far, as beside a large void.
    first_look_ = std::max(done, 0.1 * grid_.spacing());
    visit_corners();
  }
}

// Starts from a box: half way to the site's own images, or the frame.
void VoronoiCell::start(std::int32_t id, double margin) {
  const Domain& domain = grid_.domain();
  id_ = id;
  site_ = grid_.position(id);
  lift_ = grid_.lift(id);
  double_ = false;
  double x0 = -site_.x - margin, y0 = -site_.y - margin;
  double x1 = domain.width - site_.x + margin, y1 = domain.height - site_.y + margin;
  std::int32_t beyond = frame;
  if (domain.wrap) {
    // The site's own images are the first neighbors.
    x1 = 0.5 * domain.width;
    y1 = 0.5 * domain.height;
    x0 = -x1;
    y0 = -y1;
    beyond = id;
  }
  corners_ = {{{x0, y0}, {0, 2 * y0}, beyond, false},
              {{x1, y0}, {2 * x1, 0}, beyond, false},
              {{x1, y1}, {0, 2 * y1}, beyond, false},
              {{x0, y1}, {2 * x0, 0}, beyond, false}};
  farthest2_ = length_squared({std::max(-x0, x1), std::max(-y0, y1)});
}

// Cuts with the nearest `left` sites at a distance above `from` and up to `to`; reduces `left` by
// their number. Returns the distance up to which all sites were met.
double VoronoiCell::visit(double from, double to, std::size_t& left) {
  const double wide = to + 1e-3;
  const double least = from * from;
  std::size_t count = 0;
  grid_.each_run({site_.x - wide, site_.y - wide, site_.x + wide, site_.y + wide},
                 [&](std::span<const Site> sites, Vec2 away) {
                   if (near_.size() < count + sites.size()) near_.resize(count + sites.size());
                   for (const Site& site : sites) {
                     const Vec2 at{site.x + away.x - site_.x, site.y + away.y - site_.y};
                     const double d2 = length_squared(at);
                     near_[count] = {d2, at, site.id};
                     count += d2 <= to * to && d2 > least ? 1 : 0;
                     if (d2 == 0) meet_at_site(site.id);
                   }
                 });
  const auto nearer = [](const Near& a, const Near& b) {
    return a.d2 != b.d2 ? a.d2 < b.d2 : a.id < b.id;
  };
  const std::span<Near> all(near_.data(), count);
  const std::span<Near> nearest = all.first(std::min(count, left));
  if (nearest.size() < all.size()) {
    std::nth_element(all.begin(), nearest.end(), all.end(), nearer);
  }
  std::sort(nearest.begin(), nearest.end(), nearer);
  for (const Near& other : nearest) clip(other);
  left -= nearest.size();
  return nearest.size() < all.size() ? std::sqrt(nearest.back().d2) : to;
}

VoronoiCell::Border VoronoiCell::border(const Corner& corner) const {
  const double d2 = length_squared(corner.other);
  return {corner.other, corner.id == frame ? 0.5 * d2 : half(d2, corner.id)};
}

// Handles a site at the same place: the lower lift takes all of the cell; equal lifts share it.
void VoronoiCell::meet_at_site(std::int32_t other) {
  const double lift = grid_.lift(other);
  double_ = double_ || (lift == lift_ && other < id_);
  if (lift < lift_) corners_.clear();
}

void VoronoiCell::move_frame_out() {
  const auto is_frame = [](const Corner& corner) { return corner.id == frame; };
  if (std::none_of(corners_.begin(), corners_.end(), is_frame)) return;
  // No place has its nearest border farther than this, even if that is beyond the frame.
  double most = length({grid_.domain().width, grid_.domain().height});
  for (const Corner& a : corners_) {
    if (is_frame(a)) continue;
    const Border b = border(a);
    double highest = 0;
    for (const Corner& corner : corners_) highest = std::max(highest, b.distance(corner.at));
    most = std::min(most, highest);
  }
  cut_out(id_, most + 1);
}

// A site cuts off a corner that is nearer to it than to the cell's own site. In the end the discs
// around the corners are empty: in each, the site that cuts deepest is taken, until none is left.
void VoronoiCell::visit_corners() {
  for (std::size_t i = 0; i < corners_.size();) {
    if (corners_[i].final) {
      ++i;
      continue;
    }
    const Vec2 corner = corners_[i].at;
    Near deepest{0, {}, 0};
    double depth = 0;
    // Without lifts the deepest site is the nearest to the corner. A small disc, in which other
    // sites are few, often has it.
    const double radius = std::sqrt(length_squared(corner) + lift_);
    for (double part = 0.125; part <= 1 && deepest.d2 == 0; part *= 2) {
      // Bins reach beyond the disc: which sites are met must not depend on where bins lie.
      const double most =
          part < 1 ? part * part * radius * radius : std::numeric_limits<double>::infinity();
      grid_.each_run_in_disc(
          site_ + corner, part * radius, [&](std::span<const Site> sites, Vec2 away) {
            for (const Site& site : sites) {
              const Vec2 at{site.x + away.x - site_.x, site.y + away.y - site_.y};
              const double d2 = length_squared(at);
              const double cut = dot(at, corner) - half(d2, site.id);
              if (length_squared(at - corner) > most) continue;
              if (d2 == 0 || cut < depth || (cut == depth && site.id >= deepest.id)) continue;
              depth = cut;
              deepest = {d2, at, site.id};
            }
          });
    }
    corners_[i].final = true;
    // A cut shifts the corners, so the first corners may be new.
    if (deepest.d2 > 0 && clip(deepest)) i = 0;
    if (empty()) return;
  }
}

// Keeps the part of the cell that is nearer to the site than to the other site.
bool VoronoiCell::clip(const Near& other) {
  const double middle = half(other.d2, other.id);
  if (middle > 0 && middle * middle > other.d2 * farthest2_) return false;
  // over_ holds how far corners lie on the other site's side, times the distance of the sites.
  const double tolerance = on_line * std::sqrt(other.d2);
  const std::size_t n = corners_.size();
  over_.resize(n + 1);
  double most = -1;
  for (std::size_t i = 0; i < n; ++i) {
    over_[i] = dot(other.at, corners_[i].at) - middle;
    most = std::max(most, over_[i]);
  }
  if (most <= tolerance) return false;
  over_[n] = over_[0];
  kept_.resize(n + 2);
  std::size_t count = 0;
  double farthest2 = 0;
  const auto keep = [&](const Corner& corner) {
    kept_[count++] = corner;
    farthest2 = std::max(farthest2, length_squared(corner.at));
  };
  for (std::size_t i = 0; i < n; ++i) {
    const Corner& a = corners_[i];
    const double at_a = over_[i];
    const double at_b = over_[i + 1];
    const auto crossing = [&] {
      const Vec2 b = corners_[i + 1 < n ? i + 1 : 0].at;
      return a.at + (b - a.at) * (at_a / (at_a - at_b));
    };
    const bool ends = at_b > tolerance;
    if (at_a > tolerance) {
      if (!ends && at_b < -tolerance) keep({crossing(), a.other, a.id, false});
    } else if (!ends) {
      keep(a);
    } else if (at_a >= -tolerance) {
      // The new border starts at a corner that lies on the line.
      keep({a.at, other.at, other.id, a.final});
    } else {
      keep(a);
      keep({crossing(), other.at, other.id, false});
    }
  }
  if (count < 3) {
    // Without lifts the site itself is always inside its cell.
    if (grid_.is_lifted()) corners_.clear();
    return grid_.is_lifted();
  }
  kept_.resize(count);
  corners_.swap(kept_);
  farthest2_ = farthest2;
  return true;
}

CellShapes cell_shapes(const SiteGrid& grid, Context& context) {
  CellShapes shapes;
  shapes.corners.domain = grid.domain();
  shapes.of.resize(grid.size());
  std::vector<std::vector<Vec2>> corners((grid.size() + run - 1) / run);
  parallel_for(context, corners.size(), [&](std::size_t r) {
    VoronoiCell cell(grid);
    const std::size_t end = std::min(grid.size(), (r + 1) * run);
    for (std::size_t i = r * run; i < end; ++i) {
      const auto id = static_cast<std::int32_t>(i);
      cell.cut_out(id);
      shapes.of[i] = shape_of(cell);
      add_own_corners(cell, id, grid.domain(), corners[r]);
    }
  });
  for (const std::vector<Vec2>& part : corners) {
    for (const Vec2 p : part) shapes.corners.add(p, 1);
  }
  return shapes;
}

CellBorders cell_borders(const SiteGrid& grid, Context& context) {
  std::vector<std::vector<CellBorders::Border>> parts((grid.size() + run - 1) / run);
  CellBorders borders;
  borders.starts.assign(grid.size() + 1, 0);
  parallel_for(context, parts.size(), [&](std::size_t r) {
    VoronoiCell cell(grid);
    for (std::size_t i = r * run; i < std::min(grid.size(), (r + 1) * run); ++i) {
      const std::size_t before = parts[r].size();
      cell.cut_out(static_cast<std::int32_t>(i));
      cell.move_frame_out();
      for (const VoronoiCell::Corner& corner : cell.corners()) {
        if (corner.id == VoronoiCell::frame) continue;
        parts[r].push_back({cell.border(corner), corner.id});
      }
      borders.starts[i + 1] = parts[r].size() - before;
    }
  });
  for (std::size_t i = 0; i < grid.size(); ++i) borders.starts[i + 1] += borders.starts[i];
  borders.all.reserve(borders.starts.back());
  for (const auto& part : parts) borders.all.insert(borders.all.end(), part.begin(), part.end());
  return borders;
}

}  // namespace dapple::cells
